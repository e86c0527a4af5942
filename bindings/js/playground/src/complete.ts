import type { PolicySchema } from "./policy-schema.ts";

/** A text that can stand at the caret, in place of what stands from `from` to `to`. */
export interface Offer {
  label: string;
  about: string;
  text: string;
  from: number;
  to: number;
}

interface Container {
  object: boolean;
  /** The members before the caret. */
  names: string[];
  /** The member or element that the caret is in. */
  token: string;
}

const piece = /"(?:[^"\\\n]|\\.)*"?|[[\]{}:,]|[^\s"[\]{}:,]+/g;

/** The words that the schema allows at the caret of a policy that is being written. The text need not be JSON yet. */
export function offers(text: string, caret: number, schema: PolicySchema): Offer[] {
  const stack: Container[] = [];
  let awaits: "key" | "value" | "none" = "none";
  let from = caret;
  for (const found of text.slice(0, caret).matchAll(piece)) {
    const mark = found[0];
    const top = stack.at(-1);
    const open = /^"/.test(mark) ? !/^"(?:[^"\\\n]|\\.)*"$/.test(mark) : /^[^[\]{}:,]/.test(mark);
    if (open && found.index + mark.length === caret) {
      from = found.index;
    } else if (mark === "{" || mark === "[") {
      stack.push({ object: mark === "{", names: [], token: "0" });
      awaits = mark === "{" ? "key" : "value";
    } else if (mark === "}" || mark === "]") {
      stack.pop();
      awaits = "none";
    } else if (mark === ":") {
      awaits = "value";
    } else if (mark === ",") {
      if (top && !top.object) top.token = String(Number(top.token) + 1);
      awaits = top?.object ? "key" : "value";
    } else {
      if (awaits === "key" && top) top.names.push((top.token = name(mark)));
      awaits = "none";
    }
  }
  const top = stack.at(-1);
  if (!top || awaits === "none") return [];
  const rest = text[from] === '"' && from < caret ? /^(?:[^"\\\n]|\\.)*"/.exec(text.slice(caret))?.[0].length ?? 0 : 0;
  const to = caret + rest;
  const begun = text.slice(from, caret).toLowerCase();
  const parents = stack.slice(0, -1).map(({ token }) => token);
  const colon = /^\s*:/.test(text.slice(to)) ? "" : ": ";
  const all = awaits === "key"
    ? [...schema.members(parents)].filter(([member]) => !top.names.includes(member))
      .map(([label, about]) => ({ label, about, text: JSON.stringify(label) + colon, from, to }))
    : schema.values([...parents, top.token]).map((value) => ({ label: value, about: "", text: value, from, to }));
  return all.filter((one) => one.text.startsWith(begun) || one.text.startsWith(`"${begun}`));
}

function name(mark: string): string {
  try {
    return String(JSON.parse(mark));
  } catch {
    return mark;
  }
}
