/** A piece of JSON text and its kind. All pieces joined give the text, also if it is not valid JSON. */
export interface Token {
  kind: "key" | "string" | "number" | "word" | "mark";
  text: string;
}

/** A longer text is not coloured, because a peer decides its length. */
const mostColoured = 60_000;

const piece = /"(?:[^"\\\n]|\\.)*"?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Splits JSON, or text that is still being typed, into pieces. */
export function tokens(text: string): Token[] {
  if (text.length > mostColoured) return [{ kind: "mark", text }];
  const out: Token[] = [];
  let at = 0;
  for (const found of text.matchAll(piece)) {
    if (found.index > at) out.push({ kind: "mark", text: text.slice(at, found.index) });
    out.push({ kind: kindOf(found[0], text, found.index + found[0].length), text: found[0] });
    at = found.index + found[0].length;
  }
  if (at < text.length) out.push({ kind: "mark", text: text.slice(at) });
  return out;
}

function kindOf(piece: string, text: string, end: number): Token["kind"] {
  if (piece.startsWith('"')) return /^\s*:/.test(text.slice(end, end + 20)) ? "key" : "string";
  return /^[-\d]/.test(piece) ? "number" : "word";
}
