/** The lines of a diff from one offset to another that are of one kind. The line break after the last is left out. */
export interface Run {
  is: "added" | "removed" | "same" | "place" | "head";
  from: number;
  to: number;
}

/** One file of a diff, or one of the changed places of its only file. */
export interface Fold {
  /** The offsets of its name, if it has one. */
  name: readonly [from: number, to: number] | undefined;
  runs: Run[];
  added: number;
  removed: number;
  lines: number;
}

interface Line {
  is: Run["is"];
  from: number;
  to: number;
}

/** Divides the diff between two offsets of a text into files, or into changed places if there is one file. */
export function foldsOf(text: string, from: number, to: number): Fold[] {
  const lines = [...linesOf(text, from, to)];
  const files = split(lines, (line, before) => line.is === "head" && (before.is !== "head" || startsFile(text, line)));
  if (files.length !== 1) return files.map((file) => foldOf(file, nameOf(text, file)));
  const places = split(lines, (line, before) => line.is === "place" && before.is !== "head");
  return places.map((place, i) => foldOf(place, i === 0 ? nameOf(text, place) : placeOf(place)));
}

function split(lines: readonly Line[], isStart: (line: Line, before: Line) => boolean): Line[][] {
  const parts: Line[][] = [];
  lines.forEach((line, i) => {
    if (i === 0 || isStart(line, lines[i - 1]!)) parts.push([]);
    parts.at(-1)!.push(line);
  });
  return parts;
}

const startsFile = (text: string, { from, to }: Line): boolean => text.slice(from, Math.min(to, from + 5)) === "diff ";

function foldOf(lines: readonly Line[], name: Fold["name"]): Fold {
  const runs: Run[] = [];
  const count = (is: Run["is"]): number => lines.filter((line) => line.is === is).length;
  for (const { is, from, to } of lines) {
    const last = runs.at(-1);
    if (last?.is === is) last.to = to;
    else runs.push({ is, from, to });
  }
  return { name, runs, added: count("added"), removed: count("removed"), lines: lines.length };
}

const placeOf = (lines: readonly Line[]): Fold["name"] => [lines[0]!.from, lines[0]!.to];

/** The path of the new file, or of the old one if it is removed; without them, the first line. */
function nameOf(text: string, lines: readonly Line[]): Fold["name"] {
  const heads = lines.filter(({ is, from, to }) => is === "head" && to > from);
  for (const mark of ["+++ ", "--- "]) {
    const line = heads.find(({ from }) => text.startsWith(mark, from));
    if (line === undefined || text.startsWith("/dev/null", line.from + 4)) continue;
    const from = line.from + (/^[ab]\//.test(text.slice(line.from + 4, line.from + 6)) ? 6 : 4);
    const tab = text.indexOf("\t", from);
    return [from, tab < 0 || tab > line.to ? line.to : tab];
  }
  return heads[0] && [heads[0].from, heads[0].to];
}

const signs: Record<string, Run["is"]> = { "+": "added", "-": "removed", " ": "same", "\\": "same" };

/**
 * The lines with their kinds. A line without a sign begins a file. The counts in the line of a changed place say where
 * the place ends: a removed line "-- a" looks like the head of a file.
 */
function* linesOf(text: string, start: number, end: number): Generator<Line> {
  let [old, young] = [0, 0]; // lines that the changed place still has, of the old file and of the new one
  let mayBegin = true; // whether two lines with "---" and "+++" are the head of a file, not a change of such lines
  let isOld = false; // whether the line before was the first of the two
  for (let from = start; from <= end; ) {
    const next = text.indexOf("\n", from);
    const to = next < 0 || next > end ? end : next;
    const line = text.slice(from, Math.min(to, from + 100));
    const sign = line === "" || line === "\r" ? "same" : signs[line[0]!];
    let is: Run["is"] = sign ?? "head";
    const isInside = (old > 0 || young > 0) && sign !== undefined; // otherwise the counts are wrong
    if (isInside && line[0] !== "\\") [old, young] = [old - Number(is !== "added"), young - Number(is !== "removed")];
    else if (!isInside) {
      const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      [old, young] = counts === null ? [0, 0] : [Number(counts[1] ?? 1), Number(counts[2] ?? 1)];
      if (line.startsWith("@@")) is = "place";
      else if (isOld && line.startsWith("+++ ")) is = "head";
      else if (mayBegin && line.startsWith("--- ") && text.startsWith("+++ ", to + 1)) is = "head";
      isOld = is === "head" && line.startsWith("--- ");
      mayBegin = is === "head" || (mayBegin && sign === "same");
    }
    if (isInside && old + young === 0) mayBegin = true;
    yield { is, from, to };
    from = to + 1;
  }
}
