import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { Site } from "./site.ts";

let site: Site;

beforeAll(async () => {
  site = await Site.open();
});

const sizes = [[1440, 900], [1280, 800], [1153, 800], [1024, 768], [700, 900], [360, 740]] as const;

const sized = (width: number, height: number): Promise<Page> => site.page("strict", { width, height });

test.each(sizes)("at %i × %i pixels every tab is in view, and nothing scrolls sideways", async (width, height) => {
  const page = await sized(width, height);
  const list = page.getByRole("tablist");
  expect(await list.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  for (const box of await page.getByRole("tab").all().then((all) => Promise.all(all.map((one) => one.boundingBox())))) {
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width).toBeLessThanOrEqual(width);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("on a phone the decision stays in view, and a press leads to its reasons", async () => {
  const page = await sized(360, 740);
  await page.getByRole("button", { name: "A secret", exact: true }).click();
  const verdict = page.getByRole("button", { name: /^Declined/ });
  await verdict.waitFor();
  for (const scrolled of [0, 600, 1200]) {
    await page.evaluate((top) => scrollTo(0, top), scrolled);
    const box = (await verdict.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(740);
  }
  await page.getByRole("tab", { name: "Journal" }).click();
  await verdict.click();
  const reason = page.locator(".inspector").getByText("secrets never belong in a form").first();
  await expect.poll(async () => (await reason.boundingBox())!.y).toBeLessThan(740);
  expect(await reason.boundingBox().then((box) => box!.y)).toBeGreaterThan(0);
});

test("on a wide screen the decision is told once", async () => {
  const page = await sized(1280, 800);
  expect(await page.getByText("Asks the person", { exact: true }).filter({ visible: true }).count()).toBe(1);
});

test.each([[1440, 900], [360, 740]])("Share at %i pixels leaves the header as it is", async (width, height) => {
  const page = await sized(width, height);
  const language = page.getByLabel("Language of the form");
  const before = await language.boundingBox();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("status").getByText("The case is in the link itself").waitFor();
  expect(await language.boundingBox()).toEqual(before);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("the page is small beside the module", async () => {
  const page = await site.browser.newPage();
  const loaded: Promise<[string, number]>[] = [];
  page.on("response", (response) => loaded.push(response.body().then((body) =>
    [new URL(response.url()).pathname, gzipSync(body, { level: 9 }).length])));
  await page.goto(site.address);
  await page.locator("elicit-form[ready]").waitFor();
  const sizes = (await Promise.all(loaded)).filter(([path]) => !path.endsWith(".wasm"));
  console.log(`bytes of gzip, without the module: ${sizes.map(([path, size]) => `${path} ${size}`).join(", ")}`);
  expect(sizes.length).toBeGreaterThan(2);
  // The three policies of the command are in it, with their lists of places and hosts: 2 KB.
  expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(88_300);
  await page.close();
});

test("the docs and the source are linked", async () => {
  const page = await sized(1280, 800);
  for (const name of ["Policies", "Guardians", "Docs", "Source"]) {
    const link = page.getByRole("link", { name, exact: true });
    expect(await link.getAttribute("href")).toMatch(/^https:\/\/github\.com\/elicit-engine\/elicit/);
  }
});

test.each([[360, 740], [1280, 800]])("axe finds nothing at %i pixels, also with problems", async (width, height) => {
  const page = await site.page("lenient", { width, height });
  await page.locator("elicit-form[ready]").waitFor();
  await page.getByLabel("Policy", { exact: true }).fill('{"version": 1,\n"aproval_policy": 1}');
  await page.getByText("did you mean").waitFor();
  expect(await site.axe(page)).toEqual([]);
});
