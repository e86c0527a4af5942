import { afterAll, beforeAll, expect, test } from "vitest";
import { drawn, type Question } from "../../src/form/question.ts";
import { mount, openRig, told, type Rig } from "./rig.ts";

// As the engine shows them: testdata/vectors/step/suggestion.json.
const question: Question = {
  id: "q", server: "travel", mode: "form", kind: "form", message: "Where to?", findings: [],
  form: { fields: [
    { name: "city", label: "City", kind: "text", widget: "text", required: true },
    { name: "nights", label: "Nights", kind: "integer", widget: "number", required: false, initial: 2,
      provenance: "default" },
    { name: "code", label: "Code", kind: "text", widget: "text", required: false, sensitive: true },
    { name: "class", label: "Class", kind: "choice", widget: "radio", required: false,
      choices: [{ value: 1, title: "First" }, { value: 2, title: "Second" }] }] },
  suggestions: [
    { field: "city", value: "Oslo", at: 6000 },
    { field: "nights", value: 4, at: 6000 },
    { field: "code", value: "1234", at: 6000 },
    { field: "class", value: 3, at: 6000 },
    { field: "elsewhere", value: "x", at: 6000 }],
};

test("each suggestion goes to its field, and the question stays as it was", () => {
  const before = JSON.stringify(question);
  const { form } = drawn(question);
  expect(form!.fields.map((field) => field.suggestions?.length ?? 0)).toEqual([1, 1, 1, 1]);
  expect(JSON.stringify(question)).toBe(before);
});

let rig: Rig;
beforeAll(async () => void (rig = await openRig()));
afterAll(() => rig.close());

test("a suggestion is offered, is never sent by itself, and says where it came from once taken", async () => {
  await mount(rig, { question });
  const offered = rig.page.locator("elicit-form [part=suggestion]");
  expect(await offered.allInnerTexts(), "no secret, and no choice that is not there any more").toEqual(["Oslo", "4"]);
  await rig.page.getByRole("button", { name: "Submit" }).click();
  expect((await told(rig, "elicit-answer"))[0].json).toBe('{"nights":2}');

  await mount(rig, { question: { ...question, id: "again" } });
  await offered.first().click();
  await offered.nth(1).click();
  expect(await rig.page.locator("elicit-form [part=provenance]").allInnerTexts()).toEqual(["as before", "as before"]);
  await rig.page.getByRole("button", { name: "Submit" }).click();
  expect((await told(rig, "elicit-answer"))[0].json).toBe('{"city":"Oslo","nights":4}');
  expect([rig.complaints, rig.strays]).toEqual([[], []]);
});
