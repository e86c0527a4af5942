import { seqOf } from "./chain.ts";
import { outcomeOf } from "./charts.ts";
import type { Entry, Log, Question } from "./data.ts";
import { counted, make, moment, spelled, spent } from "./draw.ts";

/** The records of a journal by their numbers. */
export type Records = ReadonlyMap<number, Uint8Array>;

export const numbered = (records: readonly Uint8Array[]): Records =>
  new Map(records.map((line) => [seqOf(line), line]));

/** The most characters of a record, and the most records of a question, that are drawn at once. */
const mostText = 20_000;
const mostEntries = 200;

/** Draws a question: what is known of it, and its records in words. */
export function question(log: Log, of: Question, records: Records): Node[] {
  const facts: [string, string | undefined][] = [
    ["Server", of.server], ["Tool", of.tool], ["Asked", moment(of.asked)],
    ["On the screen", of.drawn === undefined ? undefined : moment(of.drawn)],
    ["Ended", of.ended === undefined ? undefined : moment(of.ended)],
    ["Time to answer", of.drawn === undefined || of.ended === undefined ? undefined : spent(of.ended - of.drawn)],
    ["Outcome", outcomeOf(of) === "none" ? "no reply" : of.outcome], ["Why", of.why], ["Worst finding", of.severity],
    ["Journal", log.journals.length > 1 ? log.journals[of.journal]!.name : undefined],
  ];
  const list = make("dl", {});
  for (const [name, value] of facts) {
    if (value) list.append(make("dt", {}, name), make("dd", {}, make("bdi", {}, value)));
  }
  const rest = of.entries.length - mostEntries;
  return [
    make("h3", {}, make("bdi", {}, of.message || "A question whose text is not kept")),
    list,
    make("h4", {}, counted(of.entries.length, "record")),
    ...of.entries.slice(0, mostEntries).map((place) =>
      entryBlock(log.entries[place]!, log.linesOf(place, of.id), records)),
    ...(rest > 0 ? [make("p", { class: "soft" },
      `${counted(rest, "more record")} of it: choose “all records”.`)] : []),
  ];
}

/** Draws one record. */
export function entry(of: Entry, records: Records): Node[] {
  return [make("h3", {}, `Record ${of.seq}`), entryBlock(of, [of.line, ...of.lines.map(([, text]) => text)], records)];
}

function entryBlock(of: Entry, lines: string[], records: Records): HTMLElement {
  const details = make("details", {}, make("summary", {}, `Record ${of.seq} as it is`));
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const text = whole(records.get(of.seq));
    details.append(make("pre", { tabindex: "0", role: "group", "aria-label": `Record ${of.seq}` }, text));
  });
  return make("div", { class: "record" }, make("p", { class: "soft" }, `${moment(of.at)} · record ${of.seq}`),
    ...lines.map((text, i) => make("p", { class: i === 0 ? "line" : "line below" }, make("bdi", {}, text))), details);
}

function whole(line: Uint8Array | undefined): string {
  if (!line) return "The page does not have this record.";
  const text = spelled(new TextDecoder().decode(line).trimEnd());
  const rest = text.length - mostText;
  return rest > 0 ? `${text.slice(0, mostText)} … ${counted(rest, "more character")}` : text;
}
