import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { ready, Site, type View } from "./site.ts";

/** Pictures are kept where PICTURES says (docs/ when they are to be renewed), else among what is built. */
const folder = process.env["PICTURES"] ?? fileURLToPath(new URL("../../../../dist/pictures", import.meta.url));
const guest = readFileSync(new URL("../../../../testdata/guests/no-links.wasm", import.meta.url));

let site: Site;
beforeAll(async () => {
  site = await Site.open();
  await mkdir(folder, { recursive: true });
});
const wide: View = { width: 1440, height: 900 };
const narrow: View = { width: 390, height: 1600 };
const dark: View = { ...wide, colorScheme: "dark" };

const start = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function begun(page: Page) {
  await page.locator("elicit-form").getByLabel("Production, Europe").check();
  await ready(page).waitFor();
}

async function arabic(page: Page) {
  await page.getByLabel("Language of the form").selectOption("العربية");
  await page.getByLabel("Message of the server").fill(JSON.stringify({ message: "الإصدار 4.2.0 جاهز. أين تريد نشره؟",
    requestedSchema: { type: "object", required: ["region"], properties: {
    region: { type: "string", title: "المنطقة", oneOf: [{ const: "eu", title: "أوروبا" },
      { const: "me", title: "الشرق الأوسط" }] },
    copies: { type: "integer", title: "عدد النسخ", minimum: 1, maximum: 20, default: 3 } } } }, undefined, 2));
  await page.locator("elicit-form").getByText("الإصدار").first().waitFor();
  await ready(page).waitFor();
}

async function destructive(page: Page) {
  await start(page, "Drop a table");
  await page.locator(".inspector").getByText("destructive").first().waitFor();
  await ready(page).waitFor();
}

async function guarded(page: Page) {
  await start(page, "Sign in");
  await page.locator("#module").setInputFiles({ name: "no-links.wasm", mimeType: "application/wasm", buffer: guest });
  await page.getByText("Denies it", { exact: true }).waitFor();
  await page.getByText("What it was told").click();
}

const shots: [name: string, view: View, act: (page: Page) => Promise<void>, whole?: "whole"][] = [
  ["playground-light", wide, begun],
  ["playground-dark", dark, begun],
  ["playground-narrow", narrow, destructive],
  ["playground-rtl", wide, arabic],
  ["playground-guardian-light", wide, guarded, "whole"],
  ["playground-guardian-dark", dark, guarded, "whole"],
  ["playground-guardian-narrow", narrow, guarded, "whole"],
];

test.each(shots)("picture %s", async (name, view, act, whole) => {
  const page = await site.page("strict", view);
  await act(page);
  await page.evaluate(() => (document.activeElement?.shadowRoot?.activeElement as HTMLElement | null)?.blur());
  const picture = await page.screenshot({ path: `${folder}/${name}.png`, fullPage: whole !== undefined });
  expect(picture.length).toBeGreaterThan(20_000);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    "nothing sticks out sideways").toBeLessThanOrEqual(0);
});
