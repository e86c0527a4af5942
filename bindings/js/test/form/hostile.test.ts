import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { mount, openRig, told, type Mounting, type Rig } from "./rig.ts";
import { arabic, confirmation, everything, link, secret } from "./samples.ts";
import { night } from "../once/once.ts";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let rig: Rig;
beforeAll(async () => void (rig = await openRig()));
afterAll(() => rig.close());
afterEach(() => {
  expect([rig.complaints.splice(0), rig.strays.splice(0)]).toEqual([[], []]);
});

const card = () => rig.page.locator("elicit-form .card");
const markup = [
  "<img src=/x onerror=fetch('/stolen')>", "<script>fetch('/stolen')</script>",
  "<a href=/stolen ping=/stolen>x</a>", "{{constructor.constructor('fetch(`/stolen`)')()}}",
  "${fetch('/stolen')}", "![x](/stolen)", "\" onfocus=fetch('/stolen') autofocus x=\"",
  "<!-- lit-part -->", "?lit$1$?", "<style>@import '/stolen'</style>", "url(/stolen)",
];

test.each(markup)("%s is text wherever a peer puts it", async (text) => {
  await mount(rig, {
    waiting: 1,
    question: {
      id: text, server: text, tool: text, mode: "form", kind: "form", message: text, waiting: 1,
      form: { title: text, help: text, fields: [
        { name: text, label: text, help: text, kind: "text", widget: "text",
          required: true, initial: text, constraints: { pattern: text, note: text } },
        { name: "c", label: text, kind: "choice", widget: "radio", required: false,
          choices: [{ value: text, title: text, description: text }] },
        { name: "s", label: text, kind: "choice", widget: "select", required: false,
          choices: [{ value: text, title: text }] },
        { name: "m", label: text, kind: "choices", widget: "search", required: false, initial: [text],
          choices: [{ value: text, title: text }] }] },
      findings: [{ code: text, severity: text, pointer: text, evidence: text, args: { host: text } }], reasons: [],
    },
  });
  const made = "img,script,iframe,object,embed,a[href*=stolen],[onfocus],[onerror],link";
  expect(await rig.page.evaluate((selector) =>
    document.querySelector("elicit-form")!.shadowRoot!.querySelectorAll(selector).length, made)).toBe(0);
  expect((await card().textContent())!.split(text).length).toBeGreaterThan(8);
  await rig.page.getByRole("button", { name: "Submit" }).click();
  expect((await told(rig, "elicit-answer"))[0].content[text]).toBe(text);
});

test("ten thousand choices are there at once and found by typing", async () => {
  const choices = Array.from({ length: 10_000 }, (_, i) => ({ value: `v${i}`, title: `Choice number ${i}` }));
  const began = Date.now();
  await mount(rig, {
    question: { ...confirmation, id: "many", form: { fields: [
      { name: "c", label: "One of many", kind: "choice", widget: "search", required: true, choices },
    ] } },
  });
  const box = rig.page.getByRole("combobox");
  await box.click();
  await box.pressSequentially("number 9871");
  await rig.page.getByRole("option").first().waitFor();
  expect(await rig.page.getByRole("option").count()).toBe(1);
  await rig.page.keyboard.press("Enter");
  await rig.page.keyboard.press("Control+Enter");
  expect((await told(rig, "elicit-answer"))[0].content).toEqual({ c: "v9871" });
  console.log(`10,000 choices: ${Date.now() - began} ms from mounting to the answer`);
});

night("a hundred fields and a message of a mebibyte stay usable", async () => {
  const fields = Array.from({ length: 100 }, (_, i) => ({
    name: `f${i}`, label: `Field ${i}`, kind: "text", widget: "text", required: false
  }));
  const painted = await rig.page.evaluate(async (properties) => {
    const began = performance.now();
    await globalThis.mount(properties, { settled: false });
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - began;
  }, { question: { ...confirmation, id: "wide", form: { fields } } } as Record<string, unknown>);
  console.log(`100 fields: ${painted.toFixed(0)} ms to the first paint`);
  await mount(rig, {
    question: { ...confirmation, id: "long", message: "word ".repeat((1 << 20) / 5), form: { fields } }
  });
  // The key End scrolls in steps, each of which takes long on a busy machine. parts.test.ts presses it.
  await expect.poll(async () => {
    await rig.page.getByRole("region", { name: "Message" }).evaluate((box) => box.scrollTo(0, box.scrollHeight));
    return rig.page.getByRole("button", { name: "Go on reading" }).count();
  }).toBe(0);
  await rig.page.getByLabel("Field 99").fill("last");
  await rig.page.keyboard.press("Control+Enter");
  expect((await told(rig, "elicit-answer"))[0].content).toEqual({ f99: "last" });
});

test("what turns or hides text is drawn as what it is", async () => {
  await mount(rig, {
    question: {
      ...confirmation, id: "bidi", server: "a\u202egro.knab", message: "Pay\u202e 001$ \u2066x\u0007\u001b[2J",
      form: { fields: [{ name: "a", label: "\u202eevil", kind: "text", widget: "text", required: false }] },
    },
  });
  const text = (await rig.page.locator("elicit-form").evaluate((e) => e.shadowRoot!.textContent))!;
  expect(text).toContain("U+202E");
  // U+2068 and U+2069 are allowed: the form itself writes them, to isolate a peer's text.
  expect(text.match(/.{0,30}[\u202a-\u202e\u2066\u2067\u0007\u001b]/u)).toBe(null);
});

test("kinds, widgets and modes nobody knows can only be declined", async () => {
  await mount(rig, {
    question: { ...confirmation, id: "kind", form: { fields: [
      { name: "h", label: "H", kind: "hologram", widget: "beam", required: true },
    ] } },
  });
  expect(await rig.page.locator("elicit-form .submit").isDisabled()).toBe(true);
  await mount(rig, { question: { ...confirmation, id: "mode", mode: "telepathy" } });
  await rig.page.getByText("can only be declined").waitFor();
  await rig.page.getByRole("button", { name: "Decline" }).click();
  expect(await told(rig, "elicit-answer")).toEqual([{ action: "decline" }]);
});

test("names of Object's own members are names of fields", async () => {
  const fields = ["__proto__", "constructor", "toString", "hasOwnProperty"].map((name) => ({
    name, label: name, kind: "text", widget: "text", required: false
  }));
  await mount(rig, { question: { ...confirmation, id: "proto", form: { fields } } });
  for (const { name } of fields) await rig.page.getByLabel(name, { exact: true }).fill(name);
  await rig.page.keyboard.press("Control+Enter");
  expect((await told(rig, "elicit-answer"))[0].json)
    .toBe('{"__proto__":"__proto__","constructor":"constructor","toString":"toString",' +
      '"hasOwnProperty":"hasOwnProperty"}');
});

const states: [string, Record<string, unknown>, Mounting?][] = [
  ["everything", { question: everything, deadline: 4e12, extendable: true }],
  ["problems", { question: { ...everything, id: "p" } }, { checker: { missing: ["region", "day"] } }],
  ["secret, German", { question: secret }, { lang: "de" }],
  ["link", { question: link }],
  ["Arabic", { question: arabic }, { lang: "ar" }],
  ["Chinese", { question: { ...confirmation, id: "zh" } }, { lang: "zh" }],
  ["closed", { question: everything, closed: { cause: "timeout" } }],
  ["read-only", { question: everything, readonly: true }],
];

test.each(states)("axe finds nothing in %s, light and dark", async (_, properties, options) => {
  await mount(rig, properties, options);
  if (options?.checker) await rig.page.getByRole("button", { name: "Submit" }).click();
  for (const colorScheme of ["light", "dark"] as const) {
    await rig.page.emulateMedia({ colorScheme });
    await rig.page.evaluate(axe);
    const { violations } = await rig.page.evaluate(() => {
      type Violation = { id: string; nodes: { html: string; failureSummary: string }[] };
      type Axe = { run(what: unknown): Promise<{ violations: Violation[] }> };
      return (globalThis as unknown as { axe: Axe }).axe.run({ include: ["elicit-form"] });
    });
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ failureSummary }) => failureSummary)])).toEqual([]);
  }
  await rig.page.emulateMedia({ colorScheme: "light" });
});

test("the rig would notice: a violation is a violation", async () => {
  await rig.page.evaluate(axe);
  const found = await rig.page.evaluate(async () => {
    const bad = document.createElement("input");
    document.body.append(bad);
    type Axe = { run(): Promise<{ violations: unknown[] }> };
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    bad.remove();
    return violations.length;
  });
  expect(found).toBeGreaterThan(0);
});
