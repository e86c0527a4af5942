import { html, nothing, type TemplateResult } from "lit";
import type { Past } from "./door.ts";

/** What each end is called, by outcome. */
const ends: Readonly<Record<string, string>> = {
  accept: "Accepted",
  decline: "Declined",
  cancel: "Cancelled",
  error: "Refused",
  withdrawn: "Taken back",
};

export const pages: Readonly<Record<string, string>> = {
  awaited: "The page is open; the server has not said that it is finished.",
  completed: "The server says that the page is finished.",
  lapsed: "Nobody said in time that the page is finished.",
};

const receipts: Readonly<Record<string, string>> = { shown: "shown", focused: "turned to", first_input: "begun to answer" };

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

export const endOf = (past: Past): string => ends[past.outcome] ?? past.outcome;

/** One question that is over: its end at a glance, and who, by whom and why for whoever opens it. again opens its page. */
export function drawPast(past: Past, again: (() => void) | undefined): TemplateResult {
  const far = (past.receipts ?? []).map((receipt) => receipts[receipt] ?? receipt);
  return html`<li><details class="past ${past.outcome}">
    <summary><span class="end">${endOf(past)}</span> <time datetime=${new Date(past.ended).toISOString()}>${clock.format(past.ended)}</time>
      <bdi class="asked">${firstLine(past.message)}</bdi></summary>
    <dl>
      ${line("Asked by", past.tool === undefined ? past.server : `${past.server}, running ${past.tool}`)}
      ${line("Who decided", past.by)}
      ${lines("Why", past.why)}
      ${lines("Noticed", past.noticed)}
      ${(past.answer ?? []).map(({ label, value }) => line(label, value))}
      ${past.url === undefined ? nothing : line("Page", past.url)}
      ${past.page === undefined ? nothing : line("Since then", pages[past.page] ?? past.page)}
      ${line("Before a person", far.length > 0 ? far.join(", ") : "never")}
      ${line("Open for", length(past.ended - past.asked))}
    </dl>
    ${again === undefined ? nothing : html`<p class="again"><button type="button" @click=${again}>Open the page again</button></p>`}
  </details></li>`;
}

function line(name: string, text: string): TemplateResult {
  return html`<div><dt><bdi>${name}</bdi></dt><dd><bdi>${text}</bdi></dd></div>`;
}

function lines(name: string, texts: readonly string[] = []): TemplateResult | typeof nothing {
  return texts.length === 0 ? nothing : html`<div><dt>${name}</dt>${texts.map((text) => html`<dd><bdi>${text}</bdi></dd>`)}</div>`;
}

export function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

function length(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 1) return "less than a second";
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.round(seconds / 60)} minutes`;
}
