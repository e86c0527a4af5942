import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { indexOf, placeOf } from "../../playground/src/place.ts";
import { assemble } from "../guardian/assemble.ts";
import { Site } from "./site.ts";

let site: Site, page: Page;

beforeAll(async () => {
  site = await Site.open();
});

beforeEach(async () => {
  page = await site.page();
});

const message = () => page.getByLabel("Message of the server");
const policy = () => page.getByLabel("Policy", { exact: true });
const told = async () =>
  (await page.locator(".bad li").allTextContents()).map((one) => one.replace(/\s+/g, " ").trim());
const caret = (editor: string) =>
  page.locator(`json-editor${editor} textarea`).evaluate((area: HTMLTextAreaElement) => area.selectionStart);

test.each([
  ["a comma too many", '{\n  "message": "Hëllo 🎉",}', "line 2, column 24"],
  ["an end too early", '{\n  "message": ', "line 2, column 14"],
  ["two documents", "{}\n{}", "line 2, column 1"],
])("broken JSON is told with its place: %s", async (_, text, place) => {
  await message().fill(text);
  await expect.poll(told).toEqual([expect.stringContaining(place)]);
  expect(site.complaints).toEqual([]);
});

test("a problem of a schema is told with its place in the message, and a press puts the caret there", async () => {
  const text = JSON.stringify({ id: 1, params: { message: "Hi", requestedSchema: { type: "object", properties: {
    "a/b": { type: "date" } } } } }, undefined, 2);
  await message().fill(text);
  await expect.poll(told).toEqual([
    expect.stringMatching(/^line 9, column 19 .*\/params\/requestedSchema\/properties\/a~1b\/type$/)]);
  await page.getByRole("button", { name: "line 9, column 19" }).click();
  expect(await caret("#message")).toBe(text.indexOf('"date"'));
});

test.each([
  ["a member", '{"version": 1,\n "aproval_policy": "never"}',
    'line 2, column 20 no member of this name is known here (did you mean approval_policy?) /aproval_policy'],
  ["a member of a rule", '{"version": 1, "rules": [\n{"when": {"hots": "x"}, "then": "ask"}]}',
    "(did you mean host?) /rules/0/when/hots"],
  ["a member of a server", '{"version": 1, "servers": {"x": {"trsut": true}}}', "(did you mean trust?)"],
  ["nothing near", '{"version": 1, "zzzzzzzz": 1}', "no member of this name is known here /zzzzzzzz"],
  ["broken JSON", '{"version": 1,\n\n  never}', "line 3, column 3"],
])("a problem of the policy has its place and what was meant: %s", async (_, text, said) => {
  await policy().fill(text);
  await expect.poll(told).toEqual([expect.stringContaining(said)]);
  await page.locator(".bad .place").click();
  expect(text.slice(await caret("#policy"))).toMatch(/^("never"|"x"|true|1\}|never)/);
  expect(site.complaints).toEqual([]);
});

test("the policy of the replay is told its problems as well", async () => {
  await page.getByRole("tab", { name: "Replay" }).click();
  await page.getByLabel("Another policy").fill('{"version":1,\n"gramts":"none"}');
  await expect.poll(told).toEqual([expect.stringMatching(/line 2, column 10 .*did you mean grants\?/)]);
});

test("a permit and a module that cannot be read are told once, with the place", async () => {
  const choose = (buffer: Buffer) =>
    page.locator("#module").setInputFiles({ name: "a.wasm", mimeType: "application/wasm", buffer });
  await choose(Buffer.from("hello"));
  await expect.poll(told).toEqual([expect.stringMatching(/not a Wasm module/)]);
  expect((await told())[0]!.match(/not a Wasm module/g)).toHaveLength(1);
  await choose(Buffer.from(assemble()));
  await page.getByText("Nothing against it", { exact: true }).waitFor();
  await page.getByLabel("Permit of test", { exact: true }).fill('{"name": "test",\n oops}');
  await expect.poll(told).toEqual([expect.stringContaining("line 2, column 2")]);
});

test("places are found by pointer", () => {
  const text = '{"a": [1, {"b/c": "]}", "d": null}], "a\\u0062": true , "e":{}}';
  const places = [["/a/0", "1,"], ["/a/1/b~1c", '"]}"'], ["/a/1/d", "null"], ["/ab", "true"], ["/e/f", "{}"],
    ["", "{"]];
  for (const [pointer = "", rest = ""] of places) {
    expect(text.slice(indexOf(text, pointer))).toMatch(new RegExp(`^${rest.replace(/[[\]{}]/g, "\\$&")}`));
  }
  expect(indexOf("[", "/0")).toBeUndefined();
  const problem = { code: "json_syntax", pointer: "", start: 7, end: 8 };
  expect(placeOf("{\n 😀x", problem)).toEqual({ index: 5, line: 2, column: 3 });
});
