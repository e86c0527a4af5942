import { html, nothing, type TemplateResult } from "lit";
import type { EndedQuestion } from "./proxy-client.ts";

/** The words for the end of a question, by outcome. */
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

const receipts: Readonly<Record<string, string>> = {
  shown: "shown",
  focused: "turned to",
  first_input: "begun to answer",
};

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

export const endOf = (past: EndedQuestion): string => ends[past.outcome] ?? past.outcome;

/** Draws an ended question: its end, and in the details who asked, who decided and why. `again` opens its page. */
export function drawEnded(past: EndedQuestion, again: (() => void) | undefined): TemplateResult {
  const seen = (past.receipts ?? []).map((receipt) => receipts[receipt] ?? receipt);
  const time = html`<time datetime=${new Date(past.ended).toISOString()}>${clock.format(past.ended)}</time>`;
  const open = html`<p class="again"><button type="button" @click=${again}>Open the page again</button></p>`;
  return html`<li><details class="past ${past.outcome}">
    <summary><span class="end">${endOf(past)}</span> ${time}
      <bdi class="asked">${firstLine(past.message)}</bdi></summary>
    <dl>
      ${line("Asked by", past.tool === undefined ? past.server : `${past.server}, running ${past.tool}`)}
      ${line("Who decided", past.by)}
      ${lines("Why", past.why)}
      ${lines("Noticed", past.noticed)}
      ${(past.answer ?? []).map(({ label, value }) => line(label, value))}
      ${past.url === undefined ? nothing : line("Page", past.url)}
      ${past.page === undefined ? nothing : line("Since then", pages[past.page] ?? past.page)}
      ${line("Before a person", seen.length > 0 ? seen.join(", ") : "never")}
      ${line("Open for", length(past.ended - past.asked))}
    </dl>
    ${again === undefined ? nothing : open}
  </details></li>`;
}

function line(name: string, text: string): TemplateResult {
  return html`<div><dt><bdi>${name}</bdi></dt><dd><bdi>${text}</bdi></dd></div>`;
}

function lines(name: string, texts: readonly string[] = []): TemplateResult | typeof nothing {
  if (texts.length === 0) return nothing;
  return html`<div><dt>${name}</dt>${texts.map((text) => html`<dd><bdi>${text}</bdi></dd>`)}</div>`;
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
