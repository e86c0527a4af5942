import type { Effect } from "./contract.ts";

const list = '{"effects":[';
const head = '{"effect":"append","record":';
const consult = '"effect":"consult"';
const question = ',"question":';

/** Reads the output of a step. It does not parse records, because the host must keep their exact text. */
export function readEffects<E extends { effect: string } = Effect>(text: string): E[] {
  const effects: object[] = [];
  const last = text.lastIndexOf(head);
  let at = list.length;
  while (at <= last) {
    const end = objectEnd(text, at);
    if (text.startsWith(head, at)) effects.push({ effect: "append", record: text.slice(at + head.length, end - 1) });
    else effects.push(...read(`[${text.slice(at, end)}]`));
    at = text[end] === "," ? end + 1 : end;
  }
  if (text[at] !== "]") effects.push(...read("[" + text.slice(at, -1)));
  return effects as E[];
}

/** Reads a list of effects. The question of a consult also keeps its exact text. */
function read(text: string): Effect[] {
  const effects = JSON.parse(text) as Effect[];
  if (!text.includes(consult)) return effects;
  let at = 1;
  for (const effect of effects) {
    const end = objectEnd(text, at);
    // The members before `question` are strings and numbers. The marker has unescaped quotes, so no string contains it.
    const from = text.indexOf(question, at) + question.length;
    if (effect.effect === "consult") effect.question_text = text.slice(from, end - 1);
    at = end + 1;
  }
  return effects;
}

/** The position after the JSON object that begins at `at`. */
export function objectEnd(text: string, at: number): number {
  for (let depth = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) at = stringEnd(text, at);
    else if (c === 0x7b) depth++;
    else if (c === 0x7d && --depth === 0) return at + 1;
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
