// Reads and runs vectors without parsing what may not be parsed: 1e400, 3.0 and the order of members are part of them.
import type { Engine, Operation } from "../dist/index.js";

export interface Vector {
  tcId: string;
  /** Where the vector stands: FAMILY/TOPIC.json#NAME. */
  place: string;
  spec: string;
  about: string;
  op: Operation;
  /** The exact text. */
  in: string;
  /** The text without the white space between its tokens. */
  want: string;
}

export interface Failure {
  place: string;
  got: string;
  want: string;
}

/** Runs vectors and returns what did not come out byte for byte. */
export function runVectors(engine: Engine, vectors: Vector[]): Failure[] {
  const failures: Failure[] = [];
  for (const { place, op, in: input, want } of vectors) {
    const got = engine.evalText(op, input);
    if (got !== want) failures.push({ place, got, want });
  }
  return failures;
}

/** The vectors in the text of a file FAMILY/TOPIC.json. */
export function readVectors(file: string, text: string): Vector[] {
  return parts(text).map(([, vector]) => {
    const raw = new Map(parts(vector));
    const word = (name: string) => JSON.parse(raw.get(name)!) as string;
    const tcId = word("tcId");
    return { tcId, place: `${file}#${tcId.split("/")[1]}`, spec: word("spec"), about: word("about"),
      op: word("op") as Operation, in: raw.get("in")!, want: compact(raw.get("want")!) };
  });
}

/** The name and the raw text of each member of a JSON object, or of each element of a list, which has no name. */
export function parts(text: string): [name: string, raw: string][] {
  const found: [string, string][] = [];
  const listed = text.trimStart().startsWith("[");
  let depth = 0;
  let name = "";
  let from = -1;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs)) {
    if (depth === 1 && from < 0 && token.startsWith('"')) name = JSON.parse(token) as string;
    else if (depth === 1 && from < 0 && token === ":") from = index + 1;
    else if (depth === 1 && from >= 0 && ",}]".includes(token)) {
      found.push([name, text.slice(from, index).trim()]);
      from = listed ? index + 1 : -1;
    }
    if ("{[".includes(token) && ++depth === 1 && listed) from = index + 1;
    if ("}]".includes(token)) depth--;
  }
  return found;
}

function compact(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/gs, "$1");
}
