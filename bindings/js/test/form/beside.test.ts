import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Question } from "../../src/form/question.ts";
import { mount, openRig, told, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => void (rig = await openRig()));
afterAll(() => rig.close());
afterEach(() => {
  expect([rig.complaints.splice(0), rig.strays.splice(0)]).toEqual([[], []]);
});

const answers = () => told(rig, "elicit-answer");
const call = (more: object = {}): Question => ({
  id: Math.random().toString(), server: "files", tool: "delete", mode: "form", kind: "approval",
  message: "delete: {…}", findings: [], form: { fields: [] }, takes: ["edit", "decline_note"],
  arguments: { path: "/tmp/a", "n\u202e": [1, {}] }, ...more,
});
const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const summary = (name: string) => rig.page.locator("summary", { hasText: name });

test("a note goes with a decline, and keys in it accept nothing", async () => {
  await mount(rig, { question: call() });
  await summary("Add a note").focus();
  await rig.page.keyboard.press("Enter");
  const note = rig.page.getByLabel("Whoever asked reads it if you decline.");
  await note.focus();
  await rig.page.keyboard.type("Not that file.");
  await rig.page.keyboard.press("Enter");
  await rig.page.keyboard.type("Ask Ann.");
  await rig.page.keyboard.press("Control+Enter");
  expect(await answers()).toEqual([]);
  await button("Decline").click();
  expect(await answers()).toEqual([{ action: "decline", note: "Not that file.\nAsk Ann." }]);
});

test("what the server says of the tool is drawn as its text", async () => {
  await mount(rig, { question: call({ description: "Deletes <b>a file</b>.\u202e",
    annotations: { read_only: false, destructive: true } }) });
  const text = await rig.page.locator(".about-tool").innerText();
  expect(text.replaceAll(/\s+/g, " ")).toBe(
    "The server says of the tool: Deletes <b>a file</b>.U+202E read only: ✗, destructive: ✓");
  await mount(rig, { question: call() });
  expect(await rig.page.locator(".about-tool").count()).toBe(0);
});

test("a cancel has no note, and asks first", async () => {
  await mount(rig, { question: call() });
  await summary("Add a note").click();
  await rig.page.locator("#note").fill("Later.");
  await rig.page.keyboard.press("Escape");
  await rig.page.getByText("Press Esc again to cancel").waitFor();
  await button("Cancel").click();
  expect(await answers()).toEqual([{ action: "cancel" }]);
});

test("edited arguments are sent as they were typed, and only if they are an object", async () => {
  await mount(rig, { question: call() });
  await summary("Edit the arguments").click();
  const area = rig.page.getByLabel("The call goes on with these if you accept.");
  expect(await area.inputValue()).toBe(
    '{\n  "path": "/tmp/a",\n  "n\\u202e": [\n    1,\n    {}\n  ]\n}');
  await area.fill('{\n  "path": "/tmp/b",\n}');
  await button("Accept").click();
  await rig.page.getByText("Line 3, column 1: this is not JSON").waitFor();
  expect(await area.getAttribute("aria-invalid")).toBe("true");
  expect(await rig.page.evaluate(() => document.querySelector("elicit-form")!.shadowRoot!.activeElement!.id))
    .toBe("arguments");
  await area.fill("[1]");
  await rig.page.getByText("The arguments must be one JSON object").waitFor();
  await area.fill('{"path": "/tmp/b", "n": 1.0}');
  await rig.page.getByText("The arguments must be").waitFor({ state: "detached" });
  expect(await answers()).toEqual([]);
  await button("Accept").click();
  expect(await answers()).toEqual([
    { action: "accept", content: {}, json: "{}", arguments: '{"path": "/tmp/b", "n": 1.0}' },
  ]);
});

test("arguments that were put back are no edit, and a decline has none", async () => {
  await mount(rig, { question: call() });
  await summary("Edit the arguments").click();
  const area = rig.page.locator("#arguments");
  const original = await area.inputValue();
  await area.fill("{}");
  await button("Undo the changes").click();
  expect(await area.inputValue()).toBe(original);
  await button("Accept").click();
  await mount(rig, { question: call() });
  await summary("Edit the arguments").click();
  await area.fill("{");
  await button("Decline").click();
  expect(await answers()).toEqual([{ action: "decline" }]);
});

test("numbers of the call keep their spelling", async () => {
  const numbers = '{"n":1.0,"big":12345678901234567890}';
  const question = JSON.stringify(call({ arguments: "ARGS" })).replace('"ARGS"', numbers);
  await mount(rig, { question });
  await summary("Edit the arguments").click();
  expect(await rig.page.locator("#arguments").inputValue()).toBe('{\n  "n": 1.0,\n  "big": 12345678901234567890\n}');
});

test("a question that takes nothing offers nothing", async () => {
  await mount(rig, { question: call({ takes: undefined }) });
  expect(await rig.page.locator("details").count()).toBe(0);
  await mount(rig, { question: call({ takes: ["accept_note", "tomorrow"] }) });
  expect(await rig.page.locator("details").count()).toBe(1);
  await summary("Add a note").click();
  await rig.page.getByText("Whoever asked reads it if you accept.").waitFor();
});

test("a problem leads to its part, and goes when the person changes it", async () => {
  await mount(rig, { question: call() });
  await rig.page.evaluate(() => document.querySelector("elicit-form")!.showProblems([
    { code: "missing", pointer: "/path", in: "arguments" },
    { code: "text_too_large", pointer: "", in: "note", args: { limit: 9 } },
  ]));
  await rig.page.getByRole("link", { name: "Edit the arguments: /path: this is required" }).waitFor();
  expect(await rig.page.evaluate(() => document.querySelector("elicit-form")!.shadowRoot!.activeElement!.id))
    .toBe("arguments");
  await rig.page.getByRole("link", { name: "Add a note: at most 9 bytes of text" }).click();
  await rig.page.keyboard.type("x");
  await rig.page.locator("#arguments").fill("{}");
  expect(await rig.page.locator(".summary").count()).toBe(0);
});

test.each(["de", "zh", "ar"] as const)("it reads in %s", async (lang) => {
  await mount(rig, { question: call() }, { lang });
  expect(await rig.page.locator("summary").allInnerTexts()).toEqual({
    de: ["Argumente ändern", "Notiz hinzufügen"], zh: ["编辑参数", "添加备注"], ar: ["تعديل المعطيات", "إضافة ملاحظة"],
  }[lang]);
});
