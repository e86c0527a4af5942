import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Question } from "../../src/form/question.ts";
import { mount, openRig, told, type Rig } from "./rig.ts";
import { confirmation, everyday, everything, link, secret } from "./samples.ts";

let rig: Rig;
beforeAll(async () => void (rig = await openRig()));
afterAll(() => rig.close());
afterEach(() => {
  expect([rig.complaints.splice(0), rig.strays.splice(0)]).toEqual([[], []]);
});

const keys = (...names: string[]) =>
  names.reduce((before, name) => before.then(() => rig.page.keyboard.press(name)), Promise.resolve());
const type = (text: string) => rig.page.keyboard.type(text);
const answers = () => told(rig, "elicit-answer");
const one = (field: object, more: Partial<Question> = {}): Question =>
  ({
    id: Math.random().toString(), server: "s", mode: "form", kind: "form", message: "?", findings: [],
    form: { fields: [field as never] }, ...more,
  }) as Question;

test("a form is filled by keys alone", async () => {
  await mount(rig, { question: everyday });
  await rig.page.evaluate(() => document.querySelector("elicit-form")!.focus());
  await keys("ArrowDown", "ArrowDown", "Tab"); // Region: the second choice after the first
  await keys("Control+a");
  await type("7");
  await keys("Tab");
  await type("0.50");
  await keys("Control+Enter");
  expect(await answers()).toEqual([
    { action: "accept", content: expect.anything(), json: expect.stringContaining('"replicas":7') }
  ]);
  expect((await answers())[0].json).toContain('"share":0.50');
});

test("Enter in a line goes on to what is still empty, and only then answers", async () => {
  await mount(rig, { question: secret });
  await rig.page.getByLabel("User").focus();
  await type("ann");
  await keys("Enter");
  expect(await answers()).toEqual([]);
  expect(await rig.page.evaluate(() => document.querySelector("elicit-form")!.shadowRoot!.activeElement!.id))
    .toBe("f1");
  await type("hunter2");
  await keys("Enter");
  expect((await answers()).map((a) => a.content)).toEqual([{ user: "ann", password: "hunter2" }]);
});

test("Enter in a text of many lines is a line, and a held key answers nothing", async () => {
  await mount(rig, {
    question: one({ name: "notes", label: "Notes", kind: "text", widget: "multiline", required: false })
  });
  await rig.page.getByLabel("Notes").focus();
  await type("a");
  await keys("Enter");
  await type("b");
  expect(await answers()).toEqual([]);
  await keys("Control+Enter");
  expect((await answers())[0].content).toEqual({ notes: "a\nb" });
});

test("Escape puts an untouched question away, and asks first when something would be lost", async () => {
  await mount(rig, { question: everyday });
  await rig.page.evaluate(() => document.querySelector("elicit-form")!.focus());
  await keys("Escape");
  expect(await answers()).toEqual([{ action: "cancel" }]);
  await mount(rig, { question: { ...everyday, id: "again" } });
  await rig.page.locator("#f1").fill("9");
  await keys("Escape");
  expect(await answers()).toEqual([]);
  await rig.page.getByText("Press Esc again to cancel").waitFor();
  await keys("Escape");
  expect(await answers()).toEqual([{ action: "cancel" }]);
});

test.each([
  ["Accept", { action: "accept", content: {}, json: "{}" }],
  ["Decline", { action: "decline" }],
  ["Cancel", { action: "cancel" }]
])(
  "%s is one answer, however often it is pressed",
  async (name, answer) => {
    await mount(rig, { question: { ...confirmation, id: name } });
    await rig.page.evaluate((label) => {
      const button = [...document.querySelector("elicit-form")!.shadowRoot!
        .querySelectorAll("button")].find((b) => b.textContent!.trim() === label)!;
      for (let i = 0; i < 5; i++) button.click();
    }, name);
    expect(await answers()).toEqual([answer]);
  },
);

test("numbers keep their spelling; what is no number is told and not sent", async () => {
  for (const text of ["9007199254740993", "0.10", "1e400", "-0"]) {
    await mount(rig, { question: one({ name: "n", label: "N", kind: "number", widget: "number", required: true }) });
    await rig.page.getByLabel("N").fill(text);
    await keys("Control+Enter");
    expect((await answers())[0].json).toBe(`{"n":${text}}`);
  }
  for (const text of ["twelve", "1,5", "0x10", "--1"]) {
    await mount(rig, { question: one({ name: "n", label: "N", kind: "number", widget: "number", required: true }) });
    await rig.page.getByLabel("N").fill(text);
    await keys("Control+Enter");
    expect(await answers()).toEqual([]);
    await rig.page.getByRole("alert").waitFor();
  }
});

test("falsy defaults are defaults, and an optional yes-or-no may stay unanswered", async () => {
  const fields = [
    { name: "flag", label: "Flag", kind: "boolean", widget: "checkbox", required: false, initial: false },
    { name: "zero", label: "Zero", kind: "integer", widget: "number", required: false, initial: 0 },
    { name: "none", label: "None", kind: "text", widget: "text", required: false, initial: "" },
    { name: "ask", label: "Ask", kind: "boolean", widget: "yes-no", required: false },
  ];
  await mount(rig, { question: { ...one({}), form: { fields } as never } });
  await keys("Control+Enter");
  await rig.page.evaluate(() => document.querySelector("elicit-form")!.focus());
  await keys("Control+Enter");
  expect((await answers())[0].json).toBe('{"flag":false,"zero":0,"none":""}');
});

test("a default that a person empties is named, so that nobody puts it back", async () => {
  await mount(rig, {
    question: one({ name: "zero", label: "Zero", kind: "integer", widget: "number", required: false, initial: 0 })
  });
  await rig.page.getByLabel("Zero").fill("");
  await keys("Control+Enter");
  expect(await answers()).toEqual([{ action: "accept", content: {}, json: "{}", cleared: ["zero"] }]);
});

test("choices of numbers go out as numbers", async () => {
  await mount(rig, {
    question: one({
      name: "level", label: "Level", kind: "choice", widget: "radio", required: true,
      choices: [{ value: 1, title: "Low" }, { value: 2, title: "High" }],
    }),
  });
  await rig.page.getByLabel("High").check();
  await keys("Control+Enter");
  expect((await answers())[0].json).toBe('{"level":2}');
});

test("the checker's problems stand at their fields and in a summary, and go when they are mended", async () => {
  await mount(rig, { question: everyday }, { checker: { missing: ["region"] } });
  await rig.page.getByRole("button", { name: "Submit" }).click();
  expect(await answers()).toEqual([]);
  await rig.page.getByRole("link", { name: /^Region/ }).click();
  expect(await rig.page.evaluate(() =>
    (document.querySelector("elicit-form")!.shadowRoot!.activeElement as HTMLInputElement).type)).toBe("radio");
  await rig.page.getByLabel("Europe").check();
  await rig.page.getByRole("link", { name: /^Region/ }).waitFor({ state: "detached" });
  await rig.page.getByRole("button", { name: "Submit" }).click();
  expect((await answers()).length).toBe(1);
});

test("a button does not move away while it is pressed", async () => {
  await mount(rig, { question: one({ name: "n", label: "Count", kind: "integer", widget: "number", min: 1 }) });
  await rig.page.getByLabel("Count").fill("x"); // its problem shows when the field loses the focus
  const place = await rig.page.getByRole("button", { name: "Submit" }).boundingBox();
  await rig.page.mouse.move(place!.x + place!.width / 2, place!.y + 3);
  await rig.page.mouse.down();
  await rig.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await rig.page.mouse.up();
  await rig.page.getByText("Not sent yet. Please check:").waitFor();
});

test("a slow checker's verdict on an older answer is void", async () => {
  await mount(rig, { question: everyday }, { checker: { held: true } });
  await rig.page.getByLabel("Europe").check();
  await rig.page.getByRole("button", { name: "Submit" }).click();
  await rig.page.evaluate(async (next) => {
    const form = Object.assign(document.querySelector("elicit-form")!, { question: next });
    await form.updateComplete;
    globalThis.release();
  }, { ...confirmation, id: "newer" } as object);
  expect(await answers()).toEqual([]);
  await rig.page.locator("elicit-form[ready]").waitFor();
  await rig.page.getByRole("button", { name: "Accept" }).click();
  expect(await answers()).toEqual([]);
  await rig.page.evaluate(() => globalThis.release());
  expect(await answers()).toEqual([{ action: "accept", content: {}, json: "{}" }]);
});

test("a draft is told soon after typing, without secrets, and drawn again", async () => {
  await mount(rig, { question: secret });
  await rig.page.getByLabel("User").fill("ann");
  await rig.page.locator("#f1").fill("hunter2");
  await expect
    .poll(() => told(rig, "elicit-draft").then((all): unknown => all.at(-1)?.content))
    .toEqual({ user: "ann" });
  await mount(rig, { question: { ...secret, id: "later" }, draft: { user: "ann" } });
  expect(await rig.page.getByLabel("User").inputValue()).toBe("ann");
});

test("a secret is masked until it is asked to be shown", async () => {
  await mount(rig, { question: { ...secret, id: "masked" } });
  expect(await rig.page.locator("#f1").getAttribute("type")).toBe("password");
  await rig.page.getByRole("button", { name: "Show" }).click();
  expect(await rig.page.locator("#f1").getAttribute("type")).toBe("text");
});

test("receipts are told once each", async () => {
  await mount(rig, { question: { ...everyday, id: "receipts" } });
  await rig.page.locator("#f1").fill("4");
  await rig.page.locator("#f1").fill("5");
  await expect
    .poll(() => told(rig, "elicit-receipt").then((all): string[] => all.map(({ what }) => what).sort()))
    .toEqual(["first_input", "focused", "shown"]);
});

test("a link opens on a click only, without a way back, and is answered at once", async () => {
  await mount(rig, { question: { ...link, url: rig.address } });
  expect(rig.strays).toEqual([]);
  const opened = rig.page.context().waitForEvent("page");
  await rig.page.getByRole("button", { name: /^Open/ }).click();
  const page = await opened;
  await page.waitForLoadState();
  expect(await page.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
  await page.close();
  expect([await answers(), await told(rig, "elicit-open")]).toEqual([[{ action: "accept" }], [{ url: rig.address }]]);
});

test.each([
  "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "not an address", "ftp://a.example/"
])("%s is never opened", async (url) => {
  await mount(rig, { question: { ...link, id: url, url } });
  expect(await rig.page.locator("elicit-form .submit").isDisabled()).toBe(true);
  await rig.page.getByRole("button", { name: "Decline" }).click();
  expect(await answers()).toEqual([{ action: "decline" }]);
});

test("time runs down, is told aloud, and can be asked for", async () => {
  await mount(rig, { question: { ...everyday, id: "late" }, deadline: Date.now() + 59_000, extendable: true });
  await rig.page.getByRole("timer").filter({ hasText: /0:5\d/ }).waitFor();
  await rig.page.getByRole("button", { name: "More time" }).click();
  expect(await told(rig, "elicit-extend")).toEqual([{}]);
});

test("a question that ended elsewhere says why, keeps what was typed, and takes no answer", async () => {
  await mount(rig, { question: { ...everyday, id: "gone" } });
  await rig.page.locator("#f1").fill("12");
  await rig.page.evaluate(() =>
    void (document.querySelector("elicit-form")!.closed = { cause: "timeout", reason: "five minutes" }));
  await rig.page.getByText("This question is closed").waitFor();
  const text = await rig.page.locator("elicit-form .card").textContent();
  expect(text).toContain("12");
  expect(text).toContain("five minutes");
  expect(await rig.page.locator("elicit-form button").count()).toBe(0);
});

test("it is part of the form around it", async () => {
  await mount(rig, { question: { ...everything, id: "inside" } });
  const value = await rig.page.evaluate(() => {
    const element = document.querySelector("elicit-form")!;
    const around = document.createElement("form");
    element.setAttribute("name", "answer");
    element.replaceWith(around);
    around.append(element);
    return new FormData(around).get("answer");
  });
  expect(JSON.parse(value as string)).toMatchObject({ replicas: 3, labels: ["l2", "l5"] });
});

test("alike findings share a line that begins with the words, and the loud button never destroys", async () => {
  const asks = (evidence: string, word: string) => ({ code: "secret_in_form", severity: "high",
    pointer: `/requestedSchema/properties/${evidence}`, evidence, args: { word } });
  const drops = { code: "text_destructive", severity: "medium", pointer: "/message", evidence: "drop table", args: {} };
  const loud = () => rig.page.locator("elicit-form .loud").allTextContents();
  await mount(rig, { question: { ...confirmation, findings: [drops, asks("api_key", "api key"), asks("card", "card"),
    asks("pass", "password")] } });
  const lines = await rig.page.locator("elicit-form .finding").allTextContents();
  expect(lines.map((line) => line.replace(/[\u2066-\u2069]|\s+/g, (found) => found.trim() === "" ? " " : "").trim()))
    .toEqual([expect.stringMatching(/^Warning: ?api_key, card, pass: this form .* \(api key, card, password\)/),
      expect.stringMatching(/^Careful: ?drop table: this destroys/)]);
  expect(await loud()).toEqual(["Decline"]);
  await mount(rig, { question: { ...confirmation, id: "medium", findings: [drops] } });
  expect(await loud()).toEqual(["Decline"]);
  await mount(rig, { question: { ...confirmation, id: "harmless", findings: [{ ...drops, severity: "low" }] } });
  expect(await loud()).toEqual(["Accept"]);
  await mount(rig, { question: { ...confirmation, id: "said", annotations: { destructive: true } } });
  expect(await loud()).toEqual(["Decline"]);
  await mount(rig, { question: { ...confirmation, id: "denied", annotations: { destructive: false } } });
  expect(await loud()).toEqual(["Accept"]);
});
