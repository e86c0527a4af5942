import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { described, type Desk, type Placed } from "./desk.ts";
import { toLocal, unfinished } from "./typed.ts";
import type { Field } from "./question.ts";
import { spelled } from "./plain.ts";

type Typing = Event & { currentTarget: HTMLInputElement | HTMLTextAreaElement };

/**
 * Text and numbers. Email, URL and number stay text inputs with a fitting keyboard: the browser's own types rewrite
 * what was typed (a host to punycode, 1.0 to 1), and what was typed is what must arrive.
 */
export function drawText(desk: Desk, placed: Placed): TemplateResult {
  const { field, id } = placed;
  const held = desk.held(field);
  const typed = (event: Typing): void => {
    const { value, validity } = event.currentTarget;
    desk.change(field, { text: value === "" && validity.badInput ? unfinished : value });
  };
  const wrong = desk.problem(field) !== undefined;
  if (isLong(field, held.text)) {
    return html`<textarea id=${id} part="control textarea" rows="4" .value=${live(held.text)} ?readonly=${desk.locked} spellcheck="true" dir="auto"
      aria-required=${field.required} aria-invalid=${wrong} aria-describedby=${described(desk, placed)}
      @input=${typed} @blur=${() => desk.leave(field)}></textarea>`;
  }
  const isHidden = field.sensitive === true && !desk.isRevealed(field);
  const input = html`<input id=${id} part="control input" type=${typeOf(field, held.text, isHidden)} .value=${live(held.text === unfinished ? "" : held.text)}
    ?readonly=${desk.locked} aria-required=${field.required} aria-invalid=${wrong} aria-describedby=${described(desk, placed)}
    inputmode=${keyboard(field)} autocomplete=${completion(field)} autocapitalize="off" spellcheck=${field.widget === "text" && field.sensitive !== true && field.kind === "text"}
    step=${field.widget === "date-time" ? "1" : nothing} dir=${direction(field)} data-oneline
    @input=${typed} @blur=${() => desk.leave(field)}>`;
  if (field.sensitive !== true) return input;
  return html`<div class="masked">${input}<button type="button" class="quiet" part="reveal" aria-pressed=${!isHidden}
    aria-label=${`${desk.say("reveal")}: ${spelled(field.label)}`} @click=${() => desk.toggleReveal(field)}>${desk.say(isHidden ? "reveal" : "hide")}</button></div>`;
}

function isLong(field: Field, text: string): boolean {
  return field.kind === "text" && field.sensitive !== true && (field.widget === "multiline" || /[\r\n]/.test(text));
}

function typeOf(field: Field, text: string, isHidden: boolean): string {
  if (isHidden) return "password";
  if (field.kind !== "text") return "text";
  if (field.widget === "date" && (text === "" || text === unfinished || /^\d{4}-\d\d-\d\d$/.test(text))) return "date";
  if (field.widget === "date-time" && (text === "" || text === unfinished || toLocal(text) !== undefined)) return "datetime-local";
  return "text";
}

function keyboard(field: Field): string | typeof nothing {
  if (field.kind === "integer") return "numeric";
  if (field.kind === "number") return "decimal";
  return field.widget === "email" || field.widget === "url" ? field.widget : nothing;
}

function completion(field: Field): string {
  return field.widget === "email" && field.sensitive !== true ? "email" : "off";
}

/** Numbers and addresses read from left to right in every language; other text goes by its own letters. */
function direction(field: Field): string {
  const isCode = field.kind !== "text" || field.widget === "email" || field.widget === "url";
  return isCode ? "ltr" : "auto";
}
