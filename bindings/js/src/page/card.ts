import { html, nothing, type TemplateResult } from "lit";
import type { Closed, PartialStrings } from "../form/index.ts";
import type { Answers } from "./answers.ts";
import type { Asked } from "./proxy-client.ts";
import { filled, type PageWords } from "./words.ts";

/** A question on the page: the one that the person sees, or one that ended elsewhere. */
export class Card {
  readonly id: string;
  /** The deadline, in milliseconds since 1970-01-01 UTC. */
  until: number | undefined;
  /** The end of the question, if it ended elsewhere. */
  ended: Closed | undefined;
  /** Whether the person agreed to a page that is not finished. */
  isVisiting = false;

  constructor(readonly asked: Asked) {
    this.id = asked.question.id ?? "";
    this.until = asked.question.deadline;
  }

  /** The same question with changes. */
  with(changes: Partial<Pick<Card, "until" | "ended" | "isVisiting">>): Card {
    return Object.assign(new Card(this.asked), { ...this, ...changes });
  }
}

/** Causes that say nothing more than their own sentence. The reasons then say why the question was asked. */
const plain = ["user", "timeout", "peer_cancelled", "call_ended", "session_closed", "superseded", "shutdown"];

/** How a question ended, and why. */
export interface End {
  cause: string;
  outcome: string;
  why?: readonly string[];
}

/** The end of a question as the form takes it. */
export function endOfCard(end: End, isWhyShown: boolean): Closed {
  const reason = plain.includes(end.cause) && !isWhyShown ? "" : (end.why ?? []).join(" · ");
  return { cause: end.cause, outcome: end.outcome, ...(reason !== "" && { reason }) };
}

/** The state that all cards of a page share. */
export interface CardParts {
  words: PageWords;
  strings: PartialStrings | undefined;
  /** The number of questions that wait. */
  waiting: number;
  answers: Answers;
}

/** Draws a card. `dismiss` takes a closed one away. */
export function drawCard(card: Card, parts: CardParts, dismiss: () => void): TemplateResult {
  const { words, answers } = parts;
  const { question, draft } = card.asked;
  const strings = { ...parts.strings, problems: { ...parts.strings?.problems, unsent: words.unsent } };
  const close = html`<p class="on"><button type="button" @click=${dismiss}>${words.close}</button></p>`;
  return html`<div class="one">
    <elicit-form .question=${question} .draft=${draft} .closed=${card.ended} .deadline=${card.until}
      .waiting=${parts.waiting} .extendable=${card.until !== undefined} .strings=${strings}
      .checker=${answers.checker(card.id)} @elicit-answer=${answers.answer} @elicit-open=${answers.open}
      @elicit-draft=${answers.draft} @elicit-receipt=${answers.receipt} @elicit-extend=${answers.extend}></elicit-form>
    ${card.ended !== undefined ? close : drawWishes(card, words)}</div>`;
}

/** Draws the choices that a person has besides the answer: to remember a yes, and to mute the server. */
function drawWishes(card: Card, words: PageWords): TemplateResult {
  const { server = "?", remember = [] } = card.asked.question as { server?: string; remember?: readonly string[] };
  const scopes = remember.filter((scope) => scope === "session" || scope === "always");
  const options = scopes.map((scope) => html`<option value=${scope}>${words[scope]}</option>`);
  const scope = html`<label><span>${words.remember}</span>
      <select id="scope"><option value="">${words.once}</option>${options}</select></label>`;
  const mute = filled(words.mute, { server: `\u2068${server}\u2069` });
  return html`<div class="wishes">
    ${scopes.length === 0 ? nothing : scope}
    <label><input id="mute" type="checkbox"><span>${mute}</span></label>
  </div>`;
}
