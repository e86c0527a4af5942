// Reads and runs vectors without parsing what may not be parsed: 1e400, 3.0 and the order of members are part of them.
import type { Engine, Operation } from "../dist/index.js";

export interface Vector {
  tcId: string;
  op: Operation;
  in: string;
  want: string;
}

export interface Failure {
  tcId: string;
  got: string;
  want: string;
}

/** Runs the files of vectors, given by their texts, and returns what did not come out byte for byte. */
export function runVectors(engine: Engine, texts: string[]): Failure[] {
  const failures: Failure[] = [];
  for (const text of texts) {
    const v = readVector(text);
    const got = engine.evalText(v.op, v.in);
    if (got !== v.want) failures.push({ tcId: v.tcId, got, want: v.want });
  }
  return failures;
}

/** The members of a vector: `in` as it stands, `want` without the white space between its tokens. */
export function readVector(text: string): Vector {
  const raw = members(text);
  const word = (name: string) => JSON.parse(raw.get(name)!) as string;
  return { tcId: word("tcId"), op: word("op") as Operation, in: raw.get("in")!, want: compact(raw.get("want")!) };
}

/** The raw text of each member of a JSON object. */
function members(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs);
  let depth = 0;
  let name = "";
  let from = -1;
  for (const { 0: token, index } of tokens) {
    if ("{[".includes(token)) depth++;
    else if (depth === 1 && from < 0 && token.startsWith('"')) name = JSON.parse(token) as string;
    else if (depth === 1 && from < 0 && token === ":") from = index + 1;
    else if (depth === 1 && (token === "," || token === "}")) {
      found.set(name, text.slice(from, index).trim());
      from = -1;
    }
    if ("}]".includes(token)) depth--;
  }
  return found;
}

function compact(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/gs, "$1");
}
