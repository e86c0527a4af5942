import { expect, test } from "vitest";
import { alike } from "../../src/form/alike.ts";
import { labelOf } from "../../src/form/context.ts";
import type { Choice, Field } from "../../src/form/question.ts";

const read = (...choices: Choice[]): string[] => {
  const field: Field = { name: "c", label: "C", kind: "choice", required: false, choices };
  return choices.map((_, i) => labelOf(field, i));
};
const of = (...values: string[]): Choice[] => values.map((value) => ({ value }));

test.each<[string, Choice[], string[]]>([
  ["different ones", of("eu", "us"), ["eu", "us"]],
  ["one title", [{ value: "p", title: "Deploy" }, { value: "s", title: "Deploy" }], ['Deploy ("p")', 'Deploy ("s")']],
  ["one title and two descriptions", [{ value: "p", title: "Deploy", description: "here" },
    { value: "s", title: "Deploy", description: "there" }], ["Deploy", "Deploy"]],
  ["other letters", of("pay", "p\u0430y"), ['pay ("pay")', 'p\u0430y ("p\\u0430y")']],
  ["invisible ones", of("pay", "pay\u3164"), ["pay", "pay[U+3164]"]],
  ["an emoji selector", of("\u2764", "\u2764\ufe0f"), ['\u2764 ("\\u2764")', '\u2764\ufe0f ("\\u2764\\ufe0f")']],
  ["spaces", of("a b", "a\u00a0b"), ['a b ("a b")', 'a\u00a0b ("a\\u00a0b")']],
  ["numbers as they are spelled", [{ value: { rawJSON: "1.0" }, title: "One" }, { value: 1, title: "One" }],
    ["One (1.0)", "One (1)"]],
])("%s", (_, choices, want) => expect(read(...choices)).toEqual(want));

test("a title that looks like what another is told by is told itself", () => {
  const titles = read({ value: "p", title: "a" }, { value: "q", title: "a" }, { value: "r", title: 'a ("p")' });
  expect(alike(titles).size).toBe(0);
});
