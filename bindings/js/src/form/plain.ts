import { html, nothing, type TemplateResult } from "lit";
import { invisible, pictographs } from "./invisible.ts";

/** Everything of the table, which leaves out the line feed and the tab. */
const hidden = new RegExp(`[${invisible.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join("")}]`, "gu");

/** More marks than this are spelled inside the text instead of being set off. */
const mostMarks = 64;

/**
 * Text of a peer: never markup, isolated in direction, with what cannot be seen spelled as U+XXXX. What belongs to an
 * emoji, and joiners inside scripts that are written with them, stay as they are; with all, they are spelled as well.
 */
export function peer(text: string | undefined, all = false): TemplateResult | typeof nothing {
  if (text === undefined || text === "") return nothing;
  return html`<bdi lang="">${pieces(text.replaceAll("\r\n", "\n"), all)}</bdi>`;
}

function pieces(text: string, all: boolean): unknown {
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

/** The same as one string, for labels, options and attributes. */
export function spelled(text: string, all = false): string {
  let out = "", at = 0;
  for (const [index, character] of marks(text, all)) {
    out += `${text.slice(at, index)}[${codePoint(character)}]`;
    at = index + character.length;
  }
  return out + text.slice(at);
}

/** Where characters stand that must be spelled. */
function marks(text: string, all: boolean): [number, string][] {
  const found: [number, string][] = [];
  let spelledTo = 0; // where the last spelled character ends
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (!all && belongs(text, index, character, spelledTo)) continue;
    found.push([index, character]);
    spelledTo = index + character.length;
  }
  return found;
}

const joiner = "\u200d", nonJoiner = "\u200c", selector = "\ufe0f", keycap = 0x20e3;

/** Whether a character of no width only chooses how its neighbours are drawn. */
function belongs(text: string, index: number, character: string, spelledTo: number): boolean {
  if (character !== joiner && character !== nonJoiner && character !== selector) return false;
  const before = codeBefore(text, index, spelledTo);
  const after = text.codePointAt(index + 1) ?? 0;
  if (character === selector) return within(pictographs, before) || (/[0-9#*]/.test(text.charAt(index - 1)) && after === keycap);
  if (isJoined(before) && isJoined(after)) return true;
  const bearer = before === 0xfe0f ? codeBefore(text, index - 1, spelledTo) : before;
  return character === joiner && within(pictographs, bearer) && within(pictographs, after);
}

/** The code point that ends at index, 0 when it is spelled and so stands between the two. */
function codeBefore(text: string, index: number, spelledTo: number): number {
  if (index <= spelledTo) return 0;
  const low = text.charCodeAt(index - 1);
  return low >= 0xdc00 && low < 0xe000 && index >= 2 ? text.codePointAt(index - 2)! : low;
}

/** A letter of a script that is written with joiners: Arabic to Mongolian, by blocks. */
const isJoined = (code: number): boolean => code >= 0x600 && code < 0x2000 && !within(invisible, code);

const within = (ranges: typeof invisible, code: number): boolean => ranges.some(([from, to]) => code >= from && code <= to);

function codePoint(character: string): string {
  return "U+" + character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}
