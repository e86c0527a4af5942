import { charts, outcomeOf, outcomes, overTime } from "./charts.ts";
import { inflate, lines, Log, type Question } from "./data.ts";
import { entry, numbered, question, type Records } from "./detail.ts";
import { at, counted, drawUTC, make, moment, zone } from "./draw.ts";
import { List } from "./list.ts";
import { verification } from "./verification.ts";

const log = new Log();

/** Reads the data blocks. */
async function read(): Promise<Uint8Array[][]> {
  const decoder = new TextDecoder();
  let n = 0;
  for await (const line of lines(inflate(document.querySelector("script.words")!))) {
    log.read(decoder.decode(line));
    if (++n % 5000 === 0) at("progress").textContent = `Reading: ${counted(n, "line")} …`;
  }
  log.join();
  const records: Uint8Array[][] = [];
  for (const block of document.querySelectorAll("script.records")) {
    const all: Uint8Array[] = [];
    for await (const line of lines(inflate(block))) all.push(line);
    records.push(all);
  }
  return records;
}

function drawAbout(): void {
  const { made, filters, version } = log.about;
  const asked = log.asked.length;
  at("about").textContent = `${counted(asked, "question")} and ${counted(log.entries.length, "record")} of ` +
    `${counted(log.journals.length, "journal")}, written by elicit ${version} on ${moment(made)}. ` +
    `Times are in ${zone()}. ` +
    (filters ? `Only what matches is in this page: ${filters.join(" ")}` : "");
}

function option(value: string, text: string): HTMLElement {
  return make("option", { value }, text);
}

/** The most servers that can be chosen. Servers choose their names. */
const mostServers = 500;

/** Draws the timeline, and draws it again when the search changes. */
class Timeline {
  readonly #asked = log.asked;
  #questions: Question[] = [];
  #entries: number[] = [];
  readonly #text = at<HTMLInputElement>("text");
  readonly #kind = at<HTMLSelectElement>("kind");
  readonly #outcome = at<HTMLSelectElement>("outcome");
  readonly #server = at<HTMLSelectElement>("server");
  readonly #list = new List(at("list"), (place) => this.#row(place), (place) => this.#choose(place));

  constructor(private readonly records: readonly Records[]) {
    const servers = [...new Set(this.#asked.map(({ server }) => server))].sort();
    this.#outcome.append(option("", "any"), ...outcomes.map((o) => option(o, o === "none" ? "no reply" : o)));
    this.#server.append(option("", "any"),
      ...servers.slice(0, mostServers).map((name, i) => option(String(i + 1), name || "no name")));
    const form = at("search");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.search(servers));
    this.search(servers);
  }

  get #isQuestions(): boolean {
    return this.#kind.value === "questions";
  }

  search(servers: string[]): void {
    const words = this.#text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const outcome = this.#outcome.value;
    const server = this.#server.value === "" ? undefined : servers[Number(this.#server.value) - 1];
    this.#questions = this.#asked.filter((q) => (outcome === "" || outcomeOf(q) === outcome) &&
      (server === undefined || q.server === server) && words.every((word) => q.text.includes(word)));
    const all = log.entries.map((_, place) => place);
    if (this.#isQuestions || outcome === "" && server === undefined && words.length === 0) this.#entries = all;
    else {
      const of = new Set(this.#questions.flatMap(({ entries }) => entries));
      const chosen = outcome !== "" || server !== undefined;
      this.#entries = all.filter((place) => of.has(place) || !chosen && this.#says(place, words));
    }
    this.#draw();
  }

  #says(place: number, words: string[]): boolean {
    const { line, lines } = log.entries[place]!;
    const text = [line, ...lines.map(([, below]) => below)].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  }

  #draw(): void {
    const isQuestions = this.#isQuestions;
    const what = isQuestions ? "question" : "record";
    const count = isQuestions ? this.#questions.length : this.#entries.length;
    const all = isQuestions ? this.#asked.length : log.entries.length;
    at("charts").replaceChildren(...charts(this.#questions));
    const times = isQuestions ? this.#questions.map(({ asked }) => asked)
      : this.#entries.map((place) => log.entries[place]!.at);
    overTime(at("over-time"), times, what, (place) => this.#list.reveal(place));
    const some = count === all ? "" : `${count.toLocaleString("en")} of `;
    at("found").textContent = some + counted(all, what);
    at("list").setAttribute("aria-label", isQuestions ? "Questions" : "Records");
    at("detail").replaceChildren(make("p", { class: "soft" }, count === 0 ? "Nothing matches." : `Choose a ${what}.`));
    this.#list.show(count);
  }

  #row(place: number): (Node | string)[] {
    if (!this.#isQuestions) {
      const { seq, at, line, lines } = log.entries[this.#entries[place]!]!;
      return [make("span", { class: "when" }, `${moment(at)} · record ${seq}`),
        make("span", { class: "what" }, make("bdi", {}, line.slice(0, 300)),
          ...(lines.length > 0 ? [make("span", { class: "soft" }, ` — ${lines[0]![1].slice(0, 200)}`)] : []))];
    }
    const of = this.#questions[place]!;
    const end = outcomeOf(of);
    return [
      make("span", { class: "when" }, `${moment(of.asked)} · `, make("bdi", {}, of.server.slice(0, 100)),
        ...(of.tool ? [" · ", make("bdi", {}, of.tool.slice(0, 100))] : [])),
      make("span", { class: `end ${end}` }, end === "none" ? "no reply" : end),
      make("span", { class: "what" }, make("bdi", {}, of.message || "(text not kept)")),
    ];
  }

  #choose(place: number): void {
    const parts = this.#isQuestions
      ? question(log, this.#questions[place]!, this.records[this.#questions[place]!.journal]!)
      : entry(log.entries[this.#entries[place]!]!, this.records[log.entries[this.#entries[place]!]!.journal]!);
    at("detail").replaceChildren(...parts);
    at("detail").scrollTop = 0;
  }
}

async function start(): Promise<void> {
  const records = await read();
  drawUTC(log.about.utc);
  drawAbout();
  document.querySelector("main")!.hidden = false;
  new Timeline(records.map(numbered));
  await verification(log, records, document.querySelector("script.module"));
  document.documentElement.dataset["ready"] = "";
}

start().catch((error: unknown) => {
  at("progress").textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
});
