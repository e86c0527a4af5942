import { lookalikes } from "./invisible.ts";

/** The Latin letter or digit that each lookalike resembles. */
const latin = new Map(
  Object.entries(lookalikes).flatMap(([to, from]) => [...from].map((character) => [character, to] as const)),
);

/**
 * A key that is equal for texts that look alike. It ignores accents, case and repeated spaces, and it replaces letters
 * of other alphabets by the Latin letters that they resemble.
 */
export function looks(text: string): string {
  const bare = text.normalize("NFC").replace(/[\u0300-\u036f\ufe0f\u200c\u200d]/g, "");
  const words = bare.split(/\s+/u).filter((word) => word !== "");
  const folded = Array.from(words.join(" "), (character) => {
    const lower = character.toLowerCase();
    return latin.get(character) ?? latin.get(lower) ?? lower;
  });
  return folded.join("").replaceAll("rn", "m").replaceAll("vv", "w");
}

/** A value in ASCII, so that no two different values look alike. */
export function exactly(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.replace(/[^ -~]/g, (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The positions of texts that look like another text of the list. */
export function alike(texts: readonly string[]): Set<number> {
  const places = new Map<string, number[]>();
  texts.forEach((text, i) => {
    const key = looks(text);
    const list = places.get(key);
    if (list === undefined) places.set(key, [i]);
    else list.push(i);
  });
  return new Set([...places.values()].filter((list) => list.length > 1).flat());
}
