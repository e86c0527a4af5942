import { placeAt, type Place } from "../../src/form/place.ts";
import type { Problem } from "../../src/index.ts";

export type { Place };

/** A problem as the engine or the relay tells it. Offsets count the bytes of the text from 0. */
export type Found = Omit<Problem, "code"> & { code: string };

/** The place of a problem in the text it is about. It is undefined if the problem is about the text as a whole. */
export function placeOf(text: string, problem: Found): Place | undefined {
  if (problem.code === "json_truncated") return placeAt(text, text.length);
  if (problem.start !== undefined) return placeAt(text, indexOfByte(text, problem.start));
  if (problem.pointer === "") return undefined;
  const index = indexOf(text, problem.pointer);
  return index === undefined ? undefined : placeAt(text, index);
}

/** Problems of a policy, whose pointers begin with its layer, seen from its own text. */
export const local = (problems: readonly Found[]): Found[] =>
  problems.map((p) => ({ ...p, pointer: p.pointer.replace(/^\/policy\/[a-z]+/, "") }));

function indexOfByte(text: string, offset: number): number {
  let bytes = 0;
  let index = 0;
  for (const character of text) {
    if (bytes >= offset) break;
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  return index;
}

/** The tokens of a JSON pointer. */
export const path = (pointer: string) =>
  pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

const space = /\s*/y;
const piece = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^"[\]{},:\s]+|[,:\s]+/y;

/**
 * Where the value of a pointer begins. A missing member is reported at the innermost parent that exists. It returns
 * undefined if the text is not JSON.
 */
export function indexOf(text: string, pointer: string): number | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  let at = after(space, text, 0);
  for (const token of path(pointer)) {
    const next = child(text, at, token);
    if (next === undefined) break;
    at = next;
  }
  return at;
}

/** Where the member or element `token` of the value at `at` begins. */
function child(text: string, at: number, token: string): number | undefined {
  const object = text[at] === "{";
  if (!object && text[at] !== "[") return undefined;
  let found: number | undefined;
  for (let i = 0; ; i++) {
    at = after(/[\s,]*/y, text, i === 0 ? at + 1 : at);
    if (text[at] === "}" || text[at] === "]") return found;
    let name = String(i);
    if (object) {
      const end = valueEnd(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = after(/\s*:\s*/y, text, end);
    }
    if (name === token) found = at;
    at = valueEnd(text, at);
  }
}

/** The end of what a pattern, which always fits, takes at `at`. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

function valueEnd(text: string, at: number): number {
  for (let depth = 0; ; ) {
    piece.lastIndex = at;
    const found = piece.exec(text)![0];
    at = piece.lastIndex;
    if (/^[[{]/.test(found)) depth++;
    if (/^[\]}]/.test(found)) depth--;
    if (depth === 0) return at;
  }
}
