import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { someVectors } from "../vector-files.ts";
import { closePages, launch, serve } from "./chromium.ts";
import type { Ran } from "./page.ts";

// Node runs all of them in the same machine, V8, so a page and a worker have some by day.
const lists = { page: someVectors(), worker: someVectors() };

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serve>>;
const complaints: string[] = [];

beforeAll(async () => {
  site = await serve({
    "/page.html": () => `<!doctype html><title>vectors</title>
      <script type="module" src="/test/browser/page.ts"></script>`,
    "/page.json": () => JSON.stringify(lists.page),
    "/worker.json": () => JSON.stringify(lists.worker),
  });
  browser = await launch("whole");
  page = await browser.newPage();
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(site.url + "page.html");
});

afterAll(async () => {
  await closePages(browser);
  site?.server.close();
});

test.each(["page", "worker"] as const)("vectors come out byte for byte in a %s of Chromium", async (where) => {
  const ran = (await page.evaluate((name) => (window as unknown as Record<string, Promise<Ran>>)[name], where)) as Ran;
  expect(ran).toEqual({ count: lists[where].length, failures: [] });
  expect(complaints.filter((c) => !c.includes("favicon"))).toEqual([]);
  console.log(`vectors in a ${where} of Chromium ${browser.version()}: ${ran.count}`);
});
