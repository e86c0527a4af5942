import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Engine } from "../../dist/index.js";
import { roomy } from "../asking.ts";
import { talk } from "../talk.ts";
import { closePages, launch, serve } from "./chromium.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  site = await serve({
    "/page.html": () => `<!doctype html><title>talk</title><script type="module" src="/test/browser/talk.ts"></script>`,
  });
  browser = await launch("whole");
  page = await browser.newPage();
  await page.goto(site.url + "page.html");
});

afterAll(async () => {
  await closePages(browser);
  site?.server.close();
});

test.each(["page", "worker"] as const)(
  "a conversation in a %s of Chromium has the bytes that it has in Node",
  async (where) => {
    const there = (await page.evaluate(
      (name) => (window as unknown as Record<string, Promise<string[]>>)[name],
      where,
    )) as string[];
    expect(there).toContain("server 7 accept");
    expect(there).toEqual(await talk(await Engine.open(roomy)));
  },
);
