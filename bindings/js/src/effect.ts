import type { Effect } from "./contract.ts";

/**
 * Reads the output of a step. A record is its exact text, which the host must keep, and a consult has its question in
 * `question_text` too. A later version may write more effects and members than this one knows.
 */
export function readEffects<E extends { effect: string } = Effect>(text: string): E[] {
  const { effects } = JSON.parse(text) as { effects: E[] };
  if (!/"(append|consult)"/.test(text)) return effects;
  const list = member(text, "effects")!;
  let at = 0;
  return effects.map((effect) => {
    const end = valueEnd(list, at + 1);
    const own = list.slice(at + 1, end);
    at = end;
    if (effect.effect === "append") return { effect: "append", record: member(own, "record") } as object as E;
    return effect.effect === "consult" ? { ...effect, question_text: member(own, "question") } : effect;
  });
}

/** The exact text of a member of an object. The engine writes no white space, and escapes no letter of a name. */
function member(text: string, name: string): string | undefined {
  let at = 0;
  while (text[++at] === '"') {
    const colon = stringEnd(text, at) + 1;
    const end = valueEnd(text, colon + 1);
    if (text.slice(at + 1, colon - 1) === name) return text.slice(colon + 1, end);
    at = end;
  }
  return undefined;
}

/** The position after the JSON value that begins at `at`. */
function valueEnd(text: string, at: number): number {
  for (let depth = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x2c && depth === 0) return at;
    if (c === 0x22) at = stringEnd(text, at);
    else if (c === 0x7b || c === 0x5b) depth++;
    else if ((c === 0x7d || c === 0x5d) && --depth < 1) return depth < 0 ? at : at + 1;
  }
  throw new SyntaxError("the output of the engine is cut off");
}

/** The position of the closing quote of the JSON string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
}
