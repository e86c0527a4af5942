import { lookalikes } from "./invisible.ts";

const latin = new Map(Object.entries(lookalikes).flatMap(([to, from]) => [...from].map((character) => [character, to] as const)));

/** The same for texts that look alike: without accents, case, spaces between, and other alphabets' letters. */
export function looks(text: string): string {
  const bare = text.normalize("NFC").replace(/[\u0300-\u036f\ufe0f\u200c\u200d]/g, "").split(/\s+/u).filter((word) => word !== "").join(" ");
  const folded = Array.from(bare, (character) => latin.get(character) ?? latin.get(character.toLowerCase()) ?? character.toLowerCase()).join("");
  return folded.replaceAll("rn", "m").replaceAll("vv", "w");
}

/** A value in ASCII, so that no two look alike. */
export function exactly(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.replace(/[^ -~]/g, (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The positions of texts that look like another one. */
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
