import { describe, expect, test } from "vitest";
import { exact, parseExact, sameScalar, stringifyExact, type Json } from "../../src/form/exact.ts";
import { firstStates, holding, read, type Held } from "../../src/form/held.ts";
import type { Field } from "../../src/form/question.ts";
import { fieldOf } from "../../src/form/question.ts";
import { ar } from "../../src/form/strings/ar.ts";
import { de } from "../../src/form/strings/de.ts";
import { en } from "../../src/form/strings/en.ts";
import { zh } from "../../src/form/strings/zh.ts";
import { fromLocal, offsetAt, readNumber, toLocal } from "../../src/form/typed.ts";

describe("numbers keep their spelling", () => {
  test.each([
    "0", "-0", "1", "1.0", "1.10", "3.0", "1e2", "1E+2",
    "12345678901234567890", "0.1000000000000000055511151231257827", "1e400"
  ])("%s", (text) => {
    expect(stringifyExact(exact(text))).toBe(text);
  });

  test("a plain number stays one where it says the same", () => {
    expect(exact("42")).toBe(42);
    expect(typeof exact("1.0")).toBe("object");
  });

  test("what is no JSON number is refused", () => {
    for (const text of ["", "+1", "01", ".5", "1.", "NaN", "Infinity", "0x1", '1,"a":2']) {
      expect(() => exact(text), text).toThrow(SyntaxError);
    }
  });

  test("scalars compare as JSON values", () => {
    expect(sameScalar(exact("1.0"), 1)).toBe(true);
    expect(sameScalar(exact("9007199254740993"), exact("9007199254740992"))).toBe(false);
    expect(sameScalar("1", 1)).toBe(false);
    expect(sameScalar(null, false)).toBe(false);
  });
});

// The same cases as testdata/vectors/coerce: what people type reads here as it reads in the engine.
describe("typed numbers", () => {
  const good: [typed: string, json: string][] = [
    ["42", "42"], [" 7 ", "7"], ["+7", "7"], ["\u22125", "-5"], ["007", "7"],
    ["000", "0"], [".5", "0.5"], ["-.5", "-0.5"], ["5.", "5"], ["1.50", "1.50"],
    ["3.0", "3.0"], ["1e3", "1e3"], ["12345678901234567890", "12345678901234567890"],
    ["\u0664\u0662\u066b\u0665", "42.5"], ["\u06f1\u06f2", "12"],
  ];
  test.each(good)("%s is %s", (typed, json) => {
    const read = readNumber(typed);
    expect("value" in read && stringifyExact(read.value)).toBe(json);
  });

  const bad: [typed: string, code: string][] = [
    ["1,5", "digit_separator"], ["1 000", "digit_separator"], ["1'000", "digit_separator"],
    ["1_000", "digit_separator"], ["1\u00a0000", "digit_separator"],
    ["abc", "not_a_number"], ["0x10", "not_a_number"], ["NaN", "not_a_number"],
    [".", "not_a_number"], ["-", "not_a_number"], ["--5", "not_a_number"],
    ["1.2.3", "not_a_number"], ["5 kg", "not_a_number"], ["1".repeat(401), "not_a_number"], ["e5", "not_a_number"],
  ];
  test.each(bad)("%s is %s", (typed, code) => {
    expect(readNumber(typed)).toMatchObject({ code });
  });

  test.each(["10.000", "\u2212 1.234.567".replace(" ", ""), "\u0661\u066b\u0660\u0660\u0660"])(
    "%s may be thousands of a whole number", (typed) => {
      expect(readNumber(typed, true)).toEqual({ code: "digit_separator", args: { separator: "." } });
    });
  test.each(["10.00", "0.000", "3.0", "1.0000"])("%s is a whole number", (typed) => {
    expect(readNumber(typed, true)).toHaveProperty("value");
  });
});

describe("times", () => {
  test.each([ar, de, en, zh])("the example of an offset in $lang can be typed", ({ problems }) => {
    const [example] = /[+-]\S+$/.exec(problems["missing_offset"]!)!;
    expect(new Date(`2026-07-01T10:30:00${example}`).getTime()).not.toBeNaN();
  });

  test("local time gets the offset that holds then", () => {
    expect(fromLocal("2026-07-01T10:30")).toBe(`2026-07-01T10:30:00${offsetAt(new Date(2026, 6, 1, 10, 30))}`);
    expect(fromLocal("2026-07-01T10:30:15")).toMatch(/^2026-07-01T10:30:15(Z|[+-]\d\d:\d\d)$/);
    expect(fromLocal("tomorrow")).toBeUndefined();
  });
  test("there and back names the same moment", () => {
    const stamp = "2026-01-02T03:04:05+05:30";
    expect(new Date(fromLocal(toLocal(stamp)!)!).getTime()).toBe(new Date(stamp).getTime());
    expect(toLocal("soon")).toBeUndefined();
  });
});

const field = (over: Partial<Field>): Field =>
  ({ name: "a", label: "A", kind: "text", widget: "text", required: false, ...over });
const typed = (over: Partial<Held>): Held =>
  ({ text: "", chosen: [], yes: undefined, origin: undefined, from: "typed", ...over });
const reading = (one: Field, held: Held) => read({ fields: [one] }, new Map([["a", held]]));

describe("what is held becomes an answer", () => {
  const cases: [about: string, field: Field, held: Held, json: string, cleared?: string[]][] = [
    ["an untouched field says nothing", field({}), holding(field({}), undefined, "nowhere"), "{}"],
    ["an emptied text says nothing", field({}), typed({}), "{}"],
    ["an emptied default is named", field({ initial: "x" }), typed({}), "{}", ["a"]],
    ["the default false", field({ kind: "boolean", initial: false }),
      holding(field({ kind: "boolean" }), false, "default"), '{"a":false}'],
    ["the default 0", field({ kind: "integer", initial: 0 }),
      holding(field({ kind: "integer" }), 0, "default"), '{"a":0}'],
    ["the empty default", field({ initial: "" }), holding(field({}), "", "default"), '{"a":""}'],
    ["the default of no choices",
      field({ kind: "choices", choices: [{ value: "p" }], initial: [] }),
      holding(field({ kind: "choices" }), [], "default"), '{"a":[]}'],
    ["no choices over a default", field({ kind: "choices", choices: [{ value: "p" }], initial: ["p"] }),
      typed({}), '{"a":[]}'],
    ["no choices where some are required", field({ kind: "choices", required: true, choices: [{ value: "p" }] }),
      typed({}), '{"a":[]}'],
    ["no choices where none need be", field({ kind: "choices", choices: [{ value: "p" }] }), typed({}), "{}"],
    ["a choice that is a number", field({ kind: "choice", choices: [{ value: exact("1.0") }, { value: 2 }] }),
      typed({ chosen: [0] }), '{"a":1.0}'],
    ["a choice that is the empty text", field({ kind: "choice", choices: [{ value: "" }] }),
      typed({ chosen: [0] }), '{"a":""}'],
    ["choices in the order of the form",
      field({ kind: "choices", choices: [{ value: "p" }, { value: false }, { value: 3 }] }),
      typed({ chosen: [1, 2] }), '{"a":[false,3]}'],
    ["text keeps its spaces", field({}), typed({ text: " a " }), '{"a":" a "}'],
    ["text of a format does not", field({ constraints: { format: "email" } }),
      typed({ text: " a@b.c " }), '{"a":"a@b.c"}'],
    ["a number as it was typed", field({ kind: "number" }), typed({ text: "1.50" }), '{"a":1.50}'],
  ];
  test.each(cases)("%s", (_about, one, held, json, cleared = []) => {
    const got = reading(one, held);
    expect(stringifyExact(got.content as Json)).toBe(json);
    expect(got.cleared).toEqual(cleared);
    expect(got.problems).toEqual([]);
  });

  test("a number that is none is a problem, not a guess", () => {
    expect(reading(field({ kind: "number" }), typed({ text: "1,5" })).problems)
      .toEqual([{ code: "digit_separator", pointer: "/a", args: { separator: "," } }]);
  });

  test("a default time goes out to the letter", () => {
    const time = field({ widget: "date-time", initial: "2026-01-02T03:04:05.678901-05:00" });
    expect(reading(time, holding(time, time.initial, "default")).content).toEqual({ a: time.initial });
  });

  test("a field named __proto__ is a field", () => {
    const { content } = read({ fields: [field({ name: "__proto__" })] },
      new Map([["__proto__", typed({ text: "x" })]]));
    expect(stringifyExact(content)).toBe('{"__proto__":"x"}');
  });

  test("a field of an unknown kind holds nothing", () => {
    expect(reading(field({ kind: "file", initial: "x" }), typed({ text: "x" })).content).toEqual({});
  });
});

describe("drafts", () => {
  const form = {
    fields: [
      field({ name: "n", kind: "number" }), field({ name: "s", sensitive: true }), field({ name: "d", initial: "x" }),
    ],
  };
  test("hold unreadable text and no secrets", () => {
    const held = new Map([
      ["n", typed({ text: "1,5" })], ["s", typed({ text: "hunter2" })], ["d", typed({ text: "y" })]
    ]);
    expect(read(form, held, true).content).toEqual({ n: "1,5", d: "y" });
  });
  test("come back as they were", () => {
    const states = firstStates(form, parseExact('{"n":1.50,"d":"y"}') as { [name: string]: Json });
    expect(stringifyExact(read(form, states).content)).toMatch(/^\{"n":1\.50?,"d":"y"\}$/);
    expect(states.get("d")!.from).toBe("draft");
  });
  test("that do not fit the form break nothing", () => {
    const states = firstStates(form, { n: { deep: [1] }, s: 4, d: [] } as { [name: string]: Json });
    expect(read(form, states).content).toMatchObject({});
  });
});

test("pointers name fields", () => {
  expect(fieldOf("/a~1b~0c")).toBe("a/b~c");
  expect(fieldOf("/tags/3")).toBe("tags");
  expect(fieldOf("")).toBe("");
});
