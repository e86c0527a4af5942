import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { Site } from "./site.ts";

let site: Site, page: Page;

beforeAll(async () => {
  site = await Site.open();
});

beforeEach(async () => {
  page = await site.page();
});

test.each([
  ["careful", "A deceptive link", "Declined"],
  ["daily", "Deploy", "Asks the person"],
  ["unattended", "Deploy", "Cancelled"],
])("the policy %s of the command decides: %s, %s", async (name, example, verdict) => {
  await page.getByRole("button", { name: example, exact: true }).click();
  const chip = page.getByRole("group", { name: "Example policies" }).getByRole("button", { name });
  await chip.click();
  await expect.poll(() => page.locator(".inspector .outcome").first().textContent()).toBe(verdict);
  expect(await page.getByLabel("Policy", { exact: true }).inputValue())
    .toBe(readFileSync(new URL(`../../../../cmd/elicit/internal/verbs/policy/presets/${name}.json`, import.meta.url),
      "utf8"));
  expect(await chip.getAttribute("aria-pressed")).toBe("true");
  expect(site.complaints).toEqual([]);
});

test("they can be the other policy of a replay as well", async () => {
  await page.getByRole("tab", { name: "Replay" }).click();
  await page.locator(".inspector").getByRole("button", { name: "unattended" }).click();
  await page.locator(".inspector").getByRole("cell").getByText("cancel", { exact: true }).waitFor();
  await page.locator(".inspector").getByRole("button", { name: "daily" }).click();
  await page.getByText("would fall the same").waitFor();
});
