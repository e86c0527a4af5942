import type { Question } from "./data.ts";
import { counted, make, moment, spent } from "./draw.ts";

/** One row of a chart. */
type Row = [name: string, count: number, kind?: string];

/** The most rows of a chart; the last one counts the rest. */
const mostRows = 8;

/** How long questions were on the screen; the rows of `elicit log --attention`. */
const spans: [under: number, name: string][] = [
  [1000, "under 1 s"], [3000, "1 to 3 s"], [10_000, "3 to 10 s"], [60_000, "10 to 60 s"],
  [Infinity, "a minute or more"],
];

export const outcomes = ["accept", "decline", "cancel", "error", "none"] as const;

export const outcomeOf = (question: Question): string => question.outcome || "none";

function tally(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Draws the charts of some questions. */
export function charts(questions: readonly Question[]): HTMLElement[] {
  const ended = tally(questions.map(outcomeOf));
  const servers = [...tally(questions.map(({ server }) => server))].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const shown = servers.slice(0, servers.length > mostRows ? mostRows - 1 : mostRows);
  const rest = servers.slice(shown.length).reduce((sum, [, n]) => sum + n, 0);
  return [
    chart("Outcomes", outcomes.filter((name) => ended.has(name)).map((name) =>
      [name === "none" ? "no reply" : name, ended.get(name)!, name])),
    chart("Questions per server", [...shown.map(([name, n]): Row => [name || "no name", n]),
      ...(rest > 0 ? [[counted(servers.length - shown.length, "other server"), rest] as Row] : [])]),
    timeToAnswer(questions),
  ];
}

function timeToAnswer(questions: readonly Question[]): HTMLElement {
  const answered = questions.filter(({ cause, outcome }) => cause === "user" && outcome !== undefined);
  const times = answered.filter(({ drawn }) => drawn !== undefined).map((q) => (q.ended ?? 0) - q.drawn!);
  times.sort((a, b) => a - b);
  const rows = spans.map(([under, name], i): Row =>
    [name, times.filter((ms) => ms < under && (i === 0 || ms >= spans[i - 1]![0])).length]);
  const unknown = answered.length - times.length;
  const notes = [
    times.length > 0 ? `Median: ${spent(times[times.length >> 1]!)}, from shown to answered by the person.` : "",
    answered.length === 0 ? "The person answered none of these questions." : "",
    unknown > 0
      ? `For ${counted(unknown, "answer")} the journal does not tell when the question was on the screen.` : "",
  ];
  return chart("Time to answer", times.length > 0 ? rows : [], notes.filter(Boolean).join(" "));
}

function chart(title: string, rows: Row[], note = ""): HTMLElement {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const body = rows.map(([name, count, kind = "any"]) => {
    const bar = make("span", { class: `bar ${kind}` });
    bar.hidden = count === 0;
    bar.style.width = `${(100 * count) / most}%`;
    return make("tr", {}, make("th", { scope: "row" }, make("bdi", {}, name)),
      make("td", { class: "count" }, count.toLocaleString("en")), make("td", { "aria-hidden": "true" }, bar));
  });
  const empty = rows.length === 0 && note === "" ? [make("p", { class: "soft" }, "Nothing to count.")] : [];
  return make("figure", {}, make("figcaption", {}, title),
    ...(rows.length > 0 ? [make("table", { "aria-label": title }, make("tbody", {}, ...body))] : empty),
    ...(note ? [make("p", { class: "soft" }, note)] : []));
}

/** The most bars of the histogram. */
const mostBars = 80;

/** Draws how many questions or records there were over time. `chosen` gets the first place of a bar that is clicked. */
export function overTime(
  box: HTMLElement, times: readonly number[], what: string, chosen: (place: number) => void,
): void {
  box.hidden = times.length === 0;
  box.replaceChildren();
  if (times.length === 0) return;
  let [from, to] = [Infinity, -Infinity];
  for (const at of times) [from, to] = [Math.min(from, at), Math.max(to, at)];
  const bars = to === from ? 1 : mostBars;
  const counts = new Array<number>(bars).fill(0);
  const first = new Array<number>(bars).fill(-1);
  times.forEach((at, place) => {
    const bar = Math.min(bars - 1, Math.floor(((at - from) / Math.max(1, to - from)) * bars));
    if (counts[bar]!++ === 0) first[bar] = place;
  });
  const most = Math.max(...counts);
  const start = (bar: number) => from + ((to - from) * bar) / bars;
  box.setAttribute("aria-label", `${counted(times.length, what)} from ${moment(from)} to ${moment(to)}; ` +
    `at most ${counted(most, what)} in ${spent((to - from) / bars)}`);
  const columns = counts.map((count, bar) => {
    const column = make("span", { title: `${moment(start(bar))}: ${counted(count, what)}` }, make("i"));
    (column.firstChild as HTMLElement).style.height = count === 0 ? "0" : `${Math.max(4, (100 * count) / most)}%`;
    column.addEventListener("click", () => first[bar]! >= 0 && chosen(first[bar]!));
    return column;
  });
  box.append(make("div", { class: "columns" }, ...columns),
    make("div", { class: "ends" }, make("span", {}, moment(from)), make("span", {}, moment(to))));
}
