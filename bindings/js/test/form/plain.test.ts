import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { spelled } from "../../src/form/plain.ts";

const file = new URL("../../../../testdata/plain.json", import.meta.url);
const shared = JSON.parse(await readFile(file, "utf8")) as { name: string; in: string; out: string }[];

test("there are cases that all interfaces share", () => expect(shared.length).toBeGreaterThan(30));

test.each(shared)("shared: $name", (given) => {
  expect(spelled(given.in).replaceAll(/\[(U\+[0-9A-F]+)\]/g, "<$1>")).toBe(given.out);
});

test.each([
  [
    "a Persian non-joiner", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
  ],
  ["a Hindi joiner", "\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"],
  ["two of them", "\u0645\u200c\u200c\u062e", "\u0645[U+200C][U+200C]\u062e"],
  ["one at the end", "\u0645\u200c", "\u0645[U+200C]"],
])("joiners where a script needs them: %s", (_, text, want) => expect(spelled(text)).toBe(want));

test("with all, nothing of no width stays", () => {
  expect(spelled("\u2764\ufe0f 👩\u200d💻 \u0645\u200c\u062e", true))
    .toBe("\u2764[U+FE0F] 👩[U+200D]💻 \u0645[U+200C]\u062e");
});
