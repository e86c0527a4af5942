import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { faultOf } from "../../src/form/place.ts";
import type { Field, Question } from "../../src/form/question.ts";
import { mount, openRig, told, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => void (rig = await openRig()));
afterAll(() => rig.close());
afterEach(() => {
  expect([rig.complaints.splice(0), rig.strays.splice(0)]).toEqual([[], []]);
});

/** The field of an interrupt whose schema no form can draw. */
const json: Field = {
  name: "json", label: "Answer as JSON", kind: "text", widget: "text", required: true, constraints: { minLength: 1 },
};
const asked = (...fields: Field[]): Question => ({
  id: Math.random().toString(), server: "agent", mode: "form", kind: "form", message: "Which rooms?", findings: [],
  form: { fields },
});
const editor = () => rig.page.getByLabel("Answer as JSON");
const problem = () => rig.page.locator("elicit-form .problem:not(:empty)");
const answers = () => told(rig, "elicit-answer");

test("a JSON document is typed over several lines, and Tab leaves it", async () => {
  await mount(rig, { question: asked(json) });
  await editor().focus();
  await rig.page.keyboard.type('{\n"rooms": [1.0]\n}');
  expect(await editor().evaluate((area) => [area.tagName, getComputedStyle(area).fontFamily.includes("monospace")]))
    .toEqual(["TEXTAREA", true]);
  await rig.page.keyboard.press("Tab");
  expect(await rig.page.evaluate(() => document.querySelector("elicit-form")!.shadowRoot!.activeElement!.className))
    .toContain("submit");
  await rig.page.keyboard.press("Enter");
  expect((await answers())[0].content).toEqual({ json: '{\n"rooms": [1.0]\n}' });
});

test("a mistake is told with its line and column, and the caret goes there", async () => {
  await mount(rig, { question: asked(json) });
  await editor().fill('{\n  "rooms": [1,]\n}');
  await rig.page.keyboard.press("Control+Enter");
  expect(await problem().textContent()).toBe("Line 2, column 15: this is not JSON");
  expect(await editor().getAttribute("aria-invalid")).toBe("true");
  expect(await editor().getAttribute("aria-describedby")).toContain("f0-problem");
  expect(await editor().evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(16);
  expect(await answers()).toEqual([]);
  await rig.page.keyboard.type("2");
  await problem().waitFor({ state: "detached" });
  await rig.page.keyboard.press("Control+Enter");
  expect((await answers())[0].content.json).toBe('{\n  "rooms": [1,2]\n}');
});

test("a draft that is no JSON yet is not sent", async () => {
  await mount(rig, { question: asked(json), draft: { json: "[1," } });
  await rig.page.getByRole("button", { name: "Submit" }).click();
  expect(await problem().textContent()).toBe("Line 1, column 4: this is not JSON");
  expect(await answers()).toEqual([]);
});

test("all problems of a document stand beside it, each with its place", async () => {
  const problems = [
    { code: "missing", pointer: "/json/name" }, { code: "too_low", pointer: "/json/rooms/0", args: { limit: 1 } },
  ];
  await mount(rig, { question: asked(json) }, { checker: { problems } });
  await editor().fill('{"rooms": [0]}');
  await rig.page.keyboard.press("Control+Enter");
  expect(await problem().locator(".what > span").allTextContents())
    .toEqual(["/name: this is required", "/rooms/0: this must be at least 1"]);
});

test.each([
  ["a secret", [{ ...json, sensitive: true }]],
  ["one field of several", [json, { ...json, name: "other", label: "Other" }]],
  ["another field", [{ ...json, name: "text" }]],
])("%s is no document", async (_, fields) => {
  await mount(rig, { question: asked(...fields) });
  expect(await rig.page.locator("elicit-form textarea").count()).toBe(0);
});

test("a field with the widget json is a document", async () => {
  await mount(rig, { question: asked({ ...json, name: "x", widget: "json" }, { ...json, name: "y", label: "Y" }) });
  expect(await rig.page.locator("elicit-form textarea").count()).toBe(1);
});

describe("the place of a mistake", () => {
  test.each([
    ["", 1, 1], ["  ", 1, 3], ["{", 1, 2], ['{"a"', 1, 5], ['{"a":1,}', 1, 8], ["[1 2]", 1, 4], ["[1,\n,2]", 2, 1],
    ['{"a":1}\n{', 2, 1], ["nul", 1, 1], ["01", 1, 2], ['["\n"]', 1, 2], ["{1:2}", 1, 2], ["[}", 1, 2], ["]", 1, 1],
    ['["😀" x]', 1, 6], ['{"a":[1,{"b":tru}]}', 1, 14], ["'a'", 1, 1], ["[1,2", 1, 5], ["1.", 1, 2],
  ])("of %j is line %i, column %i", (text, line, column) => {
    expect(faultOf(text)).toMatchObject({ line, column });
  });

  test("is somewhere in every text that is not JSON, and nowhere in JSON", () => {
    const pieces = ['"a"', "1", "-0.5e3", "true", "null", "{", "}", "[", "]", ",", ":", " ", "\n", '"', "x"];
    let seed = 1;
    const next = (): number => (seed = (seed * 48271) % 2147483647);
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from({ length: next() % 9 }, () => pieces[next() % pieces.length]).join("");
      const fault = faultOf(text);
      let isJSON = true;
      try {
        JSON.parse(text);
      } catch {
        isJSON = false;
      }
      expect(fault === undefined).toBe(isJSON);
      // The text before the mistake can be completed, so a cut there is a mistake at the end of the text.
      if (fault !== undefined) expect(faultOf(text.slice(0, fault.index))?.index ?? fault.index).toBe(fault.index);
    }
  });
});
