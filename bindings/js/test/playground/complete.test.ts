import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { offers } from "../../playground/src/complete.ts";
import { PolicySchema } from "../../playground/src/policy-schema.ts";
import { Site } from "./site.ts";

let site: Site, page: Page;
const schema = new PolicySchema(JSON.parse(
  readFileSync(new URL("../../../../docs/policy.schema.json", import.meta.url), "utf8")) as object);

beforeAll(async () => {
  site = await Site.open();
});

beforeEach(async () => {
  page = await site.page();
});

/** The offers where the text has a bar. */
const at = (text: string) => offers(text.replace("|", ""), text.indexOf("|"), schema).map(({ label }) => label);

test.each([
  ['{"version": 1, "gr|', ["grants"]],
  ['{"version": 1, gra|}', ["grants"]],
  ['{"grants": |', ['"none"', '"session"', '"always"']],
  ['{"grants": "s|ession"}', ['"session"']],
  ['{"rules": [{"then": "a|', ['"ask"', '"accept"']],
  ['{"rules": [{"name": "x", "when": {}, |', ["unless", "then", "why"]],
  ['{"rules": [{"when": {"kind": ["form", "c|', ['"confirm"']],
  ['{"servers": {"any": {"tr|', ["trust"]],
  ['{"servers": {"any": {"trust": |', ["true", "false"]],
  ['{"version": |', ["1"]],
  ['{"version": 1 |', []],
  ['|', []],
  ['}]]|', []],
  ['{"nothing": {"|', []],
])("%s", (text, expected) => {
  expect(at(text)).toEqual(expected);
});

test("what can stand at the caret is offered, and a press writes it", async () => {
  const policy = page.getByLabel("Policy", { exact: true });
  const offer = (name: string) => page.locator("json-editor#policy").getByRole("button", { name, exact: true });
  await policy.fill('{"version": 1, ');
  await policy.press("End");
  await offer("approval_policy").click();
  await offer('"never"').click();
  await expect.poll(() => policy.inputValue()).toBe('{"version": 1, "approval_policy": "never"');
  expect(await policy.evaluate((it) => (it.getRootNode() as ShadowRoot).activeElement === it)).toBe(true);
  await page.keyboard.type("}");
  await expect.poll(() => page.locator(".inspector .outcome").first().textContent()).toBe("Declined");
  expect(await page.getByRole("group", { name: "What can stand here" }).count()).toBe(0);
  expect(site.complaints).toEqual([]);
});

test("axe finds nothing beside offers", async () => {
  const checked = await site.page("lenient");
  await checked.locator("elicit-form[ready]").waitFor();
  await checked.getByLabel("Policy", { exact: true }).fill("{");
  await checked.getByRole("group", { name: "What can stand here" }).waitFor();
  expect(await site.axe(checked)).toEqual([]);
});
