// A host of today reads what a later version writes: unknown effects and members change nothing of what it knows.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readEffects } from "../dist/effect.js";

interface Step { plain: string; later: string }
const steps = JSON.parse(readFileSync(new URL("../../../testdata/later.json", import.meta.url), "utf8")) as Step[];

/** The members of a value that another value has too. */
function known(value: unknown, of: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(of)) return value.map((item, i) => known(item, of[i]));
  if (typeof value !== "object" || typeof of !== "object" || value === null || of === null) return value;
  const names = Object.keys(value).filter((name) => Object.hasOwn(of, name));
  return Object.fromEntries(names.map((name) => [name, known(value[name as never], of[name as never])]));
}

test("effects and members of a later version change nothing of what is known", () => {
  expect(steps.length).toBeGreaterThan(50);
  for (const { plain, later } of steps) {
    const want = readEffects(plain);
    const names = new Set<string>(want.map(({ effect }) => effect));
    const got = readEffects(later).filter(({ effect }) => names.has(effect));
    expect(known(got, want), later).toEqual(want);
    expect(JSON.stringify(known(got, want))).toBe(JSON.stringify(want));
  }
});
