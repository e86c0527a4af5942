import { foldsOf, type Fold } from "./diff.ts";
import { Marked } from "./marked.ts";
import type { MessagePart, Question } from "./question.ts";

const kinds = ["text", "command", "directory", "diff", "access"] as const;

/** A part of a message between two offsets, without the line breaks at its end. */
export interface Piece {
  is: (typeof kinds)[number];
  from: number;
  to: number;
  /** The files or places of a diff. */
  folds: readonly Fold[];
  /** The directory in which a command runs. It is drawn with the command. */
  directory: Piece | undefined;
}

/** A diff with more lines than this is folded at first. */
const longDiff = 30;

/** The message of a question as it is drawn. */
export class Body {
  readonly marked: Marked;
  /** The parts to draw. There are none if the message is all text. */
  readonly pieces: readonly Piece[];
  /** The keys of the ends that the person must have seen: of each part, and of each fold. */
  readonly ends: readonly string[];
  /** The keys of the folds that are open. */
  readonly opened = new Set<string>();

  constructor({ message = "", parts, changed }: Question) {
    this.marked = new Marked(message, changed);
    this.pieces = piecesOf(this.marked, parts ?? []);
    const ends: string[] = message === "" || this.pieces.length > 0 ? [] : [pieceKey(0)];
    this.pieces.forEach((piece, i) => {
      if (piece.folds.length === 0) ends.push(pieceKey(i));
      piece.folds.forEach((fold, k) => {
        ends.push(foldKey(i, k));
        if (!isFolded(this.marked, piece, fold)) this.opened.add(foldKey(i, k));
      });
    });
    this.ends = ends;
  }
}

export const pieceKey = (i: number): string => `m${i}`;
export const foldKey = (i: number, k: number): string => `m${i}-${k}`;

/** A changed fold is open, because the person has to look at it. */
function isFolded(marked: Marked, { folds }: Piece, { runs }: Fold): boolean {
  const lines = folds.reduce((sum, fold) => sum + fold.lines, 0);
  return lines > longDiff && !marked.isChanged(runs[0]!.from, runs.at(-1)!.to);
}

function piecesOf(marked: Marked, parts: readonly MessagePart[]): Piece[] {
  const ranges = rangesOf(marked.text, parts);
  const pieces = ranges.map(([from, end], i): Piece => {
    const is = kinds.find((kind) => kind === parts[i]!.is) ?? "text";
    const kept = marked.text.slice(from, end + 1).replace(/(\r?\n)+$/, "").length;
    const to = marked.isChanged(from + kept + 1, end) ? end : from + kept;
    return { is, from, to, folds: is === "diff" ? foldsOf(marked.text, from, to) : [], directory: undefined };
  });
  const paired = new Set<Piece>();
  pieces.forEach((piece, i) => {
    if (piece.is !== "command") return;
    piece.directory = [pieces[i + 1], pieces[i - 1]].find((near) => near?.is === "directory" && !paired.has(near));
    if (piece.directory !== undefined) paired.add(piece.directory);
  });
  return pieces.filter((piece) => !paired.has(piece));
}

/** The offsets of the parts, or none if the parts do not cover the lines of the text exactly. */
function rangesOf(text: string, parts: readonly MessagePart[]): [from: number, end: number][] {
  const ranges: [number, number][] = [];
  let at = 0;
  for (const { lines } of parts) {
    if (!Number.isInteger(lines) || lines < 1) return [];
    let end = at - 1;
    for (let i = 0; i < lines; i++) {
      if (end >= text.length) return [];
      end = text.indexOf("\n", end + 1);
      if (end < 0) end = text.length;
    }
    ranges.push([at, end]);
    at = end + 1;
  }
  return at === text.length + 1 ? ranges : [];
}
