// Reads and runs vectors without parsing what may not be parsed: 1e400, 3.0 and the order of members are part of them.
import type { Engine, Operation } from "../dist/index.js";
import { parts } from "./parts.mjs";

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

function compact(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/gs, "$1");
}
