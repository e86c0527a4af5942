import { html, nothing, type TemplateResult } from "lit";
import { spelled } from "../form/plain.ts";
import type { EndedQuestion } from "./proxy-client.ts";
import { filled, type PageWords } from "./words.ts";

/** The language of the page: its words, and the sentences for causes, which the form has too. */
export interface Tongue {
  lang: string;
  words: PageWords;
  /** The sentence for a cause, or undefined to use the proxy's English one. */
  cause(code: string): string | undefined;
}

const outcomes = ["accept", "decline", "cancel", "error", "withdrawn"] as const;
const pages = ["awaited", "completed", "lapsed"] as const;

const wordOf = <K extends keyof PageWords>(words: PageWords, known: readonly K[], code: string): string =>
  (known as readonly string[]).includes(code) ? words[code as K] : code;

export const endOf = (words: PageWords, past: EndedQuestion): string => wordOf(words, outcomes, past.outcome);

/** The end of an agreed page, as a sentence. */
export const pageOf = (words: PageWords, page: string): string => wordOf(words, pages, page);

/** Draws an ended question: its end, and in the details who asked, who decided and why. `again` opens its page. */
export function drawEnded(tongue: Tongue, past: EndedQuestion, again: (() => void) | undefined): TemplateResult {
  const { words, lang } = tongue;
  const clock = new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit" });
  const time = html`<time datetime=${new Date(past.ended).toISOString()}>${clock.format(past.ended)}</time>`;
  const open = html`<p class="again"><button type="button" @click=${again}>${words.again}</button></p>`;
  const { server, tool } = past;
  return html`<li><details class="past ${past.outcome}">
    <summary><span class="end">${endOf(words, past)}</span> ${time}
      <bdi class="asked" lang="">${gist(past.message)}</bdi></summary>
    <dl>
      ${line(words.askedBy, tool === undefined ? server : filled(words.running, { server, tool }))}
      ${line(words.whoDecided, tongue.cause(past.cause) ?? past.by)}
      ${lines(words.why, past.why)}
      ${lines(words.noticed, past.noticed)}
      ${(past.answer ?? []).map(({ label, value }) => line(label, value))}
      ${past.url === undefined ? nothing : line(words.page, past.url)}
      ${past.page === undefined ? nothing : line(words.sinceThen, pageOf(words, past.page))}
      ${line(words.person, seen(tongue, past))}
      ${line(words.openFor, duration(tongue, past.ended - past.asked))}
    </dl>
    ${again === undefined ? nothing : open}
  </details></li>`;
}

/** How long a person could see the question, and what they did with it. */
function seen(tongue: Tongue, { receipts = [], shown, ended }: EndedQuestion): string {
  const { words } = tongue;
  if (shown === undefined) return words.never;
  const done = (["focused", "first_input"] as const).filter((receipt) => receipts.includes(receipt));
  const time = filled(words.shown, { time: duration(tongue, ended - shown) });
  return [time, ...done.map((receipt) => words[receipt])].join(", ");
}

function line(name: string, text: string): TemplateResult {
  return html`<div><dt><bdi>${spelled(name)}</bdi></dt><dd><bdi>${spelled(text)}</bdi></dd></div>`;
}

/** Draws sentences of the proxy, which are in English. */
function lines(name: string, texts: readonly string[] = []): TemplateResult | typeof nothing {
  if (texts.length === 0) return nothing;
  return html`<div><dt>${name}</dt>${texts.map((text) => html`<dd lang="en"><bdi>${text}</bdi></dd>`)}</div>`;
}

/** A message in one line. Its invisible characters are spelled, as in the question itself. */
export function gist(text: string): string {
  const line = text.trim().split(/\s*\n\s*/).join(" · ");
  return spelled(line.length > 160 ? `${line.slice(0, 159)}…` : line);
}

/** A time in words of the language. */
export function duration({ lang, words }: Tongue, ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 1) return words.instant;
  const [value, unit] = seconds < 120 ? [seconds, "second"] : [Math.round(seconds / 60), "minute"];
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(value);
}
