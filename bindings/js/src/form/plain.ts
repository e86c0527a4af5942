import { html, nothing, type TemplateResult } from "lit";

/** Characters that steer a terminal or turn the direction of text. They are never drawn as themselves. */
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/g;

/** Characters of no width. Some scripts and emoji need them, so they are named only where a finding says so. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** More marks than this are spelled inside the text instead of being set off. */
const mostMarks = 64;

/**
 * Text of a peer: never markup, isolated in direction, with what cannot be seen spelled as U+XXXX. With all, that
 * includes characters of no width.
 */
export function peer(text: string | undefined, all = false): TemplateResult | typeof nothing {
  if (text === undefined || text === "") return nothing;
  return html`<bdi lang="">${pieces(text.replaceAll("\r\n", "\n"), all)}</bdi>`;
}

function pieces(text: string, all: boolean): unknown {
  const hidden = all ? invisible : steering;
  const found = text.match(hidden)?.length ?? 0;
  if (found === 0) return text;
  if (found > mostMarks) return spelled(text, all);
  const out: unknown[] = [];
  let at = 0;
  for (const match of text.matchAll(hidden)) {
    out.push(text.slice(at, match.index), html`<span class="mark" part="mark">${codePoint(match[0])}</span>`);
    at = match.index + match[0].length;
  }
  out.push(text.slice(at));
  return out;
}

/** The same as one string, for labels, options and attributes. */
export function spelled(text: string, all = false): string {
  return text.replace(all ? invisible : steering, (character) => `[${codePoint(character)}]`);
}

function codePoint(character: string): string {
  return "U+" + character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
}
