/** A place in a text. The line and the column, in characters, count from 1; `index` is for `selectionStart`. */
export interface Place {
  index: number;
  line: number;
  column: number;
}

export function placeAt(text: string, index: number): Place {
  const before = text.slice(0, index);
  const lineAt = before.lastIndexOf("\n") + 1;
  return { index, line: before.split("\n").length, column: [...before.slice(lineAt)].length + 1 };
}

/** The arguments of the sentence about a place. */
export const placeArgs = ({ line, column }: Place): { line: number; column: number } => ({ line, column });

const space = /[ \t\n\r]*/y;
const token = new RegExp(
  '"(?:[^"\\\\\\x00-\\x1f]|\\\\(?:["\\\\/bfnrt]|u[\\da-fA-F]{4}))*"|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?' +
    "|true|false|null|[[\\]{},:]",
  "y",
);

/** What may follow. "value or end" and "name or end" stand after an opening bracket. */
type Next = "value" | "value or end" | "name" | "name or end" | ":" | "comma or end";

/**
 * Where a text stops being one JSON document, or undefined if it is one. Browsers do not agree on what their errors
 * say of the place.
 */
export function faultOf(text: string): Place | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return placeAt(text, faultAt(text));
  }
}

function faultAt(text: string): number {
  const open: string[] = [];
  let next: Next = "value";
  for (let at = 0; ; ) {
    space.lastIndex = at;
    space.test(text);
    at = token.lastIndex = space.lastIndex;
    if (next === "comma or end" && open.length === 0) return at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return at;
    const followed = follow(next, found, open);
    if (followed === undefined) return at;
    next = followed;
    at = token.lastIndex;
  }
}

/** The text that may follow the token, or undefined if the token does not fit. */
function follow(next: Next, found: string, open: string[]): Next | undefined {
  const isEnd = found === (open.at(-1) === "{" ? "}" : "]") && open.length > 0;
  if (isEnd && next.endsWith("or end")) {
    open.pop();
    return "comma or end";
  }
  if (next === ":") return found === ":" ? "value" : undefined;
  if (next === "comma or end") return found !== "," ? undefined : open.at(-1) === "{" ? "name" : "value";
  if (next.startsWith("name")) return found.startsWith('"') ? ":" : undefined;
  if (/^[\]},:]/.test(found)) return undefined;
  if (found !== "{" && found !== "[") return "comma or end";
  open.push(found);
  return found === "{" ? "name or end" : "value or end";
}
