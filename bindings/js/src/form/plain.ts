import { html, nothing, type TemplateResult } from "lit";
import { invisible, pictographs } from "./invisible.ts";

const ranges = invisible.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`);

/** Every character of the table, which does not contain the line feed and the tab. */
const hidden = new RegExp(`[${ranges.join("")}]`, "gu");

/** If a text has more marks than this, they are written inside the text and not as elements. */
const mostMarks = 64;

/**
 * Draws the text of a peer. It is never markup, and its direction is isolated. Invisible characters are spelled as
 * U+XXXX. Characters that belong to an emoji, and joiners in scripts that use them, stay unchanged. With `all`, they
 * are spelled too.
 */
export function peer(text: string | undefined, all = false): TemplateResult | typeof nothing {
  if (text === undefined || text === "") return nothing;
  return html`<bdi lang="">${inline(text, all)}</bdi>`;
}

/** The text of a peer inside an element that isolates its direction. */
export function inline(whole: string, all = false): unknown {
  const text = whole.replaceAll("\r\n", "\n");
  const found = marks(text, all);
  if (found.length === 0) return text;
  if (found.length > mostMarks) return spelled(text, all);
  const out: unknown[] = [];
  let at = 0;
  for (const [index, character] of found) {
    out.push(text.slice(at, index), html`<span class="mark" part="mark">${codePoint(character)}</span>`);
    at = index + character.length;
  }
  out.push(text.slice(at));
  return out;
}

/** The text of a peer as one string, for labels, options and attributes. */
export function spelled(text: string, all = false): string {
  let out = "", at = 0;
  for (const [index, character] of marks(text, all)) {
    out += `${text.slice(at, index)}[${codePoint(character)}]`;
    at = index + character.length;
  }
  return out + text.slice(at);
}

/** The positions of the characters that must be spelled, and the characters. */
function marks(text: string, all: boolean): [number, string][] {
  const found: [number, string][] = [];
  let spelledTo = 0; // the end of the last spelled character
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (!all && belongs(text, index, character, spelledTo)) continue;
    found.push([index, character]);
    spelledTo = index + character.length;
  }
  return found;
}

const joiner = "\u200d", nonJoiner = "\u200c", selector = "\ufe0f", keycap = 0x20e3;

/** Whether a character without width only changes how its neighbours are drawn. */
function belongs(text: string, index: number, character: string, spelledTo: number): boolean {
  if (character !== joiner && character !== nonJoiner && character !== selector) return false;
  const before = codeBefore(text, index, spelledTo);
  const after = text.codePointAt(index + 1) ?? 0;
  if (character === selector)
    return within(pictographs, before) || (/[0-9#*]/.test(text.charAt(index - 1)) && after === keycap);
  if (isJoined(before) && isJoined(after)) return true;
  const bearer = before === 0xfe0f ? codeBefore(text, index - 1, spelledTo) : before;
  return character === joiner && within(pictographs, bearer) && within(pictographs, after);
}

/** The code point that ends at index. It is 0 if that code point is spelled, because the U+XXXX then stands between. */
function codeBefore(text: string, index: number, spelledTo: number): number {
  if (index <= spelledTo) return 0;
  const low = text.charCodeAt(index - 1);
  return low >= 0xdc00 && low < 0xe000 && index >= 2 ? text.codePointAt(index - 2)! : low;
}

/** A letter of a script that uses joiners: the blocks from Arabic to Mongolian. */
const isJoined = (code: number): boolean => code >= 0x600 && code < 0x2000 && !within(invisible, code);

const within = (table: typeof invisible, code: number): boolean =>
  table.some(([from, to]) => code >= from && code <= to);

function codePoint(character: string): string {
  return "U+" + character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}
