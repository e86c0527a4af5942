import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Question } from "../../src/form/question.ts";
import {
  approval,
  changed,
  command,
  fileOf,
  longPatch,
  ofParts,
  patch,
  permissions,
  smallDiff,
} from "./part-samples.ts";
import { mount, openRig, told, type Mounting, type Rig } from "./rig.ts";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let rig: Rig;
beforeAll(async () => void (rig = await openRig({ height: 700 })));
afterAll(() => rig.close());
afterEach(() => {
  expect([rig.complaints.splice(0), rig.strays.splice(0)]).toEqual([[], []]);
});

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const form = () => rig.page.locator("elicit-form");
const message = () => form().locator(".message");
const fold = (name: string) => form().locator("details.fold", { hasText: name });
const texts = (selector: string) => form().locator(selector).allTextContents();

/** Each step through a message changes these: the folds, the scrolled boxes, and the button that leads on. */
const state = () => form().evaluate((element) => {
  const all = [...element.shadowRoot!.querySelectorAll("*")];
  return JSON.stringify([all.map((one) => one.scrollTop), all.filter((one) => one.matches("details[open]")).length,
    all.some((one) => one.matches(".unseen")), scrollY]);
});

test("a command stands with its directory, and both have a name", async () => {
  await mount(rig, { question: command });
  const group = rig.page.getByRole("group", { name: "Command" });
  expect(await group.locator(".well").innerText()).toBe("rm -rf node_modules &&\n  npm ci --ignore-scripts");
  expect(await group.locator(".directory").innerText()).toBe("Directory: /home/ann/shop");
  expect(await group.locator(".well").evaluate((well) => getComputedStyle(well).fontFamily)).toContain("monospace");
  expect(await form().locator(".card").getAttribute("aria-describedby")).toBe("m0 m1");
  await button("Accept").click();
  expect(await told(rig, "elicit-answer")).toMatchObject([{ action: "accept" }]);
});

test("a diff keeps every line and its sign, and counts what it changes", async () => {
  await mount(rig, { question: patch });
  expect(await texts(".run.added")).toEqual([
    "+\tbase := 200 * time.Millisecond\n+\treturn min(base<<n, 30*time.Second)\n++++ counts",
  ]);
  expect(await texts(".run.removed")).toEqual(["-\treturn time.Second\n--- the old comment of a query"]);
  expect(await texts(".run.place")).toEqual(["@@ -12,7 +12,8 @@ func wait(n int) time.Duration {"]);
  expect((await texts(".run")).join("\n")).toBe(smallDiff.trimEnd());
  expect(await texts(".fold summary code")).toEqual(["src/retry.go"]);
  expect(await texts(".fold summary .aloud")).toEqual(["added: 3, removed: 2"]);
  expect(await fold("src/retry.go").evaluate((details) => (details as HTMLDetailsElement).open)).toBe(true);
});

test("lines may end with two characters, and a carriage return alone is shown", async () => {
  const parts = [{ is: "command", lines: 2 }, { is: "diff", lines: 3 }, { is: "access", lines: 1 }];
  const message = "a\r\n\r\n@@ -1 +1 @@\r\n-x\r\n+y\r\nread /z\r";
  await mount(rig, { question: { ...approval, id: "returns", message, parts } });
  expect(await texts(".well:not(.fold *)")).toEqual(["a"]);
  expect(await texts(".run")).toEqual(["@@ -1 +1 @@", "-x", "+y"]);
  expect(await texts(".mark")).toEqual(["U+000D"]);
});

test("a line without a sign begins a file, and added or removed lines cannot pass for one", async () => {
  const diff = "update /w/a.go to /w/b.go\n@@ -1 +1 @@\n-a\n+b\n\nadd /w/new\n+++ b/etc/passwd\n\n" +
    "/w/c:3\n- x\n+ y\n--- a/etc/shadow\n+++ b/etc/shadow\n\ndelete /w/old";
  await mount(rig, { question: { ...approval, id: "names", ...ofParts(["diff", diff]) } });
  expect(await texts(".fold summary code")).toEqual(["update /w/a.go to /w/b.go", "add /w/new", "/w/c:3",
    "delete /w/old"]);
  expect(await texts(".fold summary .counts .aloud")).toEqual(["added: 1, removed: 1", "added: 1, removed: 0",
    "added: 2, removed: 2", "added: 0, removed: 0"]);
});

test("a diff of several files from git is divided at their names", async () => {
  const diff = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\ndiff --git a/z b/z\n--- a/z\n" +
    "+++ b/z\n@@ -1,2 +1,1 @@\n one\n-two\n\\ No newline at end of file\n--- a/old\t2026\n+++ /dev/null\n" +
    "@@ -1 +0,0 @@\n-x";
  await mount(rig, { question: { ...approval, id: "git", ...ofParts(["diff", diff]) } });
  expect(await texts(".fold summary code")).toEqual(["diff --git a/x b/y", "z", "old"]);
});

test("a diff of one file is divided at its changed places", async () => {
  const diff = "--- a/z\n+++ b/z\n@@ -1 +1 @@ first\n-a\n+b\n@@ -9 +9 @@ second\n-c\n+d";
  await mount(rig, { question: { ...approval, id: "one", ...ofParts(["diff", diff]) } });
  expect(await texts(".fold summary code")).toEqual(["z", "@@ -9 +9 @@ second"]);
});

test("a long diff is folded by file, and can be accepted after the last fold was seen to its end", async () => {
  await mount(rig, { question: longPatch });
  expect(await texts(".fold summary code")).toEqual(["cmd/main.go", "internal/store/store.go", "README.md"]);
  expect(await form().locator("details.fold[open]").count()).toBe(0);
  await expect.poll(() => button("Accept").isDisabled()).toBe(true);
  await rig.page.keyboard.press("Control+Enter");
  await fold("cmd/main.go").locator("summary").focus();
  await rig.page.keyboard.press("Enter");
  for (const name of ["internal/store", "README.md"]) await fold(name).locator("summary").click();
  expect(await button("Accept").isDisabled()).toBe(true); // the boxes were not scrolled to their ends
  expect(await told(rig, "elicit-answer")).toEqual([]);
  await expect.poll(async () => { // a busy browser may lay out a box after the key was pressed
    for (const name of ["cmd/main.go", "internal/store", "README.md"]) {
      await fold(name).locator(".well").focus();
      await rig.page.keyboard.press("End");
    }
    return button("Accept").isEnabled();
  }).toBe(true);
  await fold("README.md").locator("summary").click(); // what was seen stays seen
  await button("Accept").click();
  expect(await told(rig, "elicit-answer")).toMatchObject([{ action: "accept" }]);
});

test("one button leads through everything that was not seen, by keys alone", async () => {
  await mount(rig, { question: { ...longPatch, id: "lead" } });
  await button("Go on reading").waitFor();
  const focus = () => form().evaluate((element) => {
    const on = element.shadowRoot!.querySelector<HTMLElement>(".unseen button");
    on?.focus();
    return on !== null;
  });
  let pressed = 0;
  for (let before = await state(); pressed < 40 && (await focus()); before = await state()) {
    pressed++;
    await rig.page.keyboard.press("Enter");
    await expect.poll(state).not.toBe(before);
  }
  expect(pressed).toBeGreaterThan(5);
  expect(await button("Accept").isEnabled()).toBe(true);
  expect(await told(rig, "elicit-answer")).toEqual([]);
});

test("all folds open with one button", async () => {
  await mount(rig, { question: { ...longPatch, id: "all" } });
  await button("Open all").click();
  expect(await form().locator("details.fold[open]").count()).toBe(3);
  await button("Fold all").click();
  await expect.poll(() => form().locator("details.fold[open]").count()).toBe(0);
});

test("a question can always be refused, and keys do not accept what was not seen", async () => {
  await mount(rig, { question: { ...longPatch, id: "refuse" } });
  await rig.page.evaluate(() => document.querySelector("elicit-form")!.focus());
  await rig.page.keyboard.press("Control+Enter");
  expect(await told(rig, "elicit-answer")).toEqual([]);
  await button("Decline").click();
  expect(await told(rig, "elicit-answer")).toEqual([{ action: "decline" }]);
});

test("a long message without parts has to be read to its end too", async () => {
  await mount(rig, { question: { ...approval, id: "long", message: "word ".repeat(2000) } });
  await expect.poll(() => button("Accept").isDisabled()).toBe(true);
  await rig.page.getByRole("region", { name: "Message" }).focus();
  await rig.page.keyboard.press("End");
  await expect.poll(() => button("Accept").isEnabled()).toBe(true);
});

test("permissions are a table of what and where", async () => {
  await mount(rig, { question: permissions });
  const table = rig.page.getByRole("table", { name: "Permissions asked for" });
  const rows = await table.getByRole("row").evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent!.trim())));
  expect(rows).toEqual([["Access", "Place"], ["Network:", "every host"],
    ["read", "/home/ann/.cache/go-build"], ["write", "/home/ann/shop/dist"], ["entry", '{"access":"none"}']]);
  expect(await table.getByRole("rowheader").count()).toBe(4);
});

test("changed words are marked where they stand, and for screen readers too", async () => {
  await mount(rig, { question: changed });
  await form().getByText("Changed since you last said yes:").waitFor();
  const group = rig.page.getByRole("group", { name: "Command" });
  expect(await group.getByRole("insertion").textContent()).toBe("production --force");
  expect(await group.getByRole("deletion").textContent()).toBe("staging");
  const said = await group.locator("ins").evaluate((ins) => getComputedStyle(ins, "::before").content);
  expect(said).toBe('"new "');
  expect(await form().locator(".card").getAttribute("aria-describedby")).toBe("since m0 m1");
  expect(await form().locator(".prose ins, .prose del").count()).toBe(0);
});

test("a word that is gone before a directory is still there", async () => {
  const { message, parts } = ofParts(["command", "ls"], ["directory", "In /srv"]);
  const pieces = [{ is: "same", text: "ls\n\n" }, { is: "gone", text: "Not " }, { is: "same", text: "In /srv" }];
  await mount(rig, { question: { ...approval, id: "before", message, parts, changed: pieces } });
  expect(await form().locator(".directory").textContent()).toBe("Directory: Not In /srv");
});

test.each([
  ["does not make up the message", [{ is: "same", text: "Roll" }]],
  ["has a piece of an unknown kind", [{ is: "hidden", text: changed.message! }]],
])("a change that %s marks nothing and hides nothing", async (_, pieces) => {
  await mount(rig, { question: { ...changed, id: "bad", changed: pieces } });
  expect(await form().locator("ins, del").count()).toBe(0);
  expect(await message().innerText()).toContain("deploy --to production --force");
});

test.each([
  ["too few lines", [{ is: "command", lines: 1 }]], ["too many", [{ is: "diff", lines: 99 }]],
  ["no lines", [{ is: "text", lines: 0 }, { is: "text", lines: 5 }]],
])("parts of %s are not believed: the message is text", async (_, parts) => {
  await mount(rig, { question: { ...command, id: "bad", parts } as Question });
  expect(await form().locator(".piece").count()).toBe(0);
  expect(await message().textContent()).toBe(command.message);
});

test.each(["text", "command", "directory", "diff", "access", "unknown"])("%s is never markup", async (is) => {
  const markup = "<img src=/x onerror=fetch('/stolen')>\n+<script>fetch('/stolen')</script>\nread </td><b>\u202e\u0000";
  const parts = ofParts(["text", "?"], [is, markup]);
  await mount(rig, { question: { ...approval, id: is, ...parts,
    changed: [{ is: "new", text: parts.message }, { is: "gone", text: "<img src=/x>" }] } });
  expect(await form().locator("img, script, b").count()).toBe(0);
  expect((await message().textContent())!).toContain("<script>fetch('/stolen')</script>");
  expect(await texts(".mark")).toEqual(expect.arrayContaining(["U+202E", "U+0000"]));
  expect(await message().textContent()).not.toMatch(/[\u202e\0]/);
});

test("a diff of ten thousand lines is drawn at once", async () => {
  const diff = Array.from({ length: 100 }, (_, i) => fileOf(`f${i}.go`, 100)).join("\n");
  const began = Date.now();
  await mount(rig, { question: { ...approval, id: "huge", ...ofParts(["diff", diff]) } });
  expect(await form().locator("details.fold").count()).toBe(100);
  await button("Open all").click();
  await expect.poll(() => form().locator("details.fold[open]").count()).toBe(100);
  console.log(`10,000 lines: ${Date.now() - began} ms from mounting to all folds open`);
});

const looks: [name: string, question: Question, options?: Mounting][] = [
  ["a command", command], ["a diff", patch], ["a folded diff", longPatch], ["permissions", permissions],
  ["a change", changed], ["a folded diff in Arabic", longPatch, { lang: "ar" }],
];
test.each(looks)("everybody can use %s", async (name, question, options) => {
  for (const scheme of ["light", "dark"] as const) {
    await rig.page.emulateMedia({ colorScheme: scheme });
    await mount(rig, { question: { ...question, id: name + scheme } }, options);
    if (question === longPatch) await form().locator(".caption button").click();
    // The page's policy does not bind code that the browser itself evaluates, so axe needs no looser policy.
    await rig.page.evaluate(axe);
    const violations = await rig.page.evaluate(async () =>
      (await (globalThis as unknown as Axe).axe.run("elicit-form")).violations.map(({ id, nodes }) =>
        [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]));
    expect(violations).toEqual([]);
  }
  await rig.page.emulateMedia({ colorScheme: null });
});

interface Axe {
  axe: { run(at: string): Promise<{ violations: Violation[] }> };
}
interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

test("a question whose head was never on the screen is not refused", async () => {
  const { page } = rig;
  const style = (top: string) => form().evaluate((element, top) =>
    Object.assign((element as HTMLElement).style, { position: "absolute", insetBlockStart: top }), top);
  await mount(rig, { question: { ...command, id: "before" } });
  await style("-20000px");
  await page.evaluate((question) => Object.assign(document.querySelector("elicit-form")!, { question }),
    { ...command, id: "never-seen" } as object);
  await page.waitForFunction(() => {
    const element = document.querySelector("elicit-form");
    return element?.hasAttribute("ready") === true && element.seen.hasLooked;
  });
  const refuse = () => form().evaluate((element) =>
    element.shadowRoot!.querySelector<HTMLElement>("[part~=decline]")!.click());
  await refuse();
  expect(await told(rig, "elicit-answer")).toEqual([]);
  await style("0");
  await expect.poll(async () => {
    await refuse();
    return told(rig, "elicit-answer");
  }).toMatchObject([{ action: "decline" }]);
});
