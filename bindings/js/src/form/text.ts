import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { described, type FormContext, type Placed } from "./context.ts";
import { faultOf } from "./place.ts";
import { toLocal, unfinished } from "./typed.ts";
import type { Field } from "./question.ts";
import { spelled } from "./plain.ts";

type Typing = Event & { currentTarget: HTMLInputElement | HTMLTextAreaElement };

/**
 * Draws text and numbers. Email, URL and number are text inputs with a suitable keyboard. The browser's own input types
 * would rewrite the typed text (a host to punycode, 1.0 to 1), but the answer must contain what the person typed.
 */
export function drawText(context: FormContext, placed: Placed): TemplateResult {
  const { field, id } = placed;
  const held = context.held(field);
  const typed = (event: Typing): void => {
    const { value, validity } = event.currentTarget;
    context.change(field, { text: value === "" && validity.badInput ? unfinished : value });
  };
  const wrong = context.problem(field) !== undefined;
  if (field.widget === "json") {
    return html`<textarea id=${id} part="control textarea document" class="code" rows="8" .value=${live(held.text)}
      ?readonly=${context.locked} spellcheck="false" autocapitalize="off" autocomplete="off" dir="ltr"
      aria-required=${field.required} aria-invalid=${wrong} aria-describedby=${described(context, placed)}
      @input=${typed} @blur=${() => context.leave(field)}></textarea>`;
  }
  if (isLong(field, held.text)) {
    return html`<textarea id=${id} part="control textarea" rows="4" .value=${live(held.text)}
      ?readonly=${context.locked} spellcheck="true" dir="auto"
      aria-required=${field.required} aria-invalid=${wrong} aria-describedby=${described(context, placed)}
      @input=${typed} @blur=${() => context.leave(field)}></textarea>`;
  }
  const isHidden = field.sensitive === true && !context.isRevealed(field);
  const isProse = field.widget === "text" && field.sensitive !== true && field.kind === "text";
  const input = html`<input id=${id} part="control input" type=${typeOf(field, held.text, isHidden)}
    .value=${live(held.text === unfinished ? "" : held.text)} ?readonly=${context.locked}
    aria-required=${field.required} aria-invalid=${wrong} aria-describedby=${described(context, placed)}
    inputmode=${keyboard(field)} autocomplete=${completion(field)} autocapitalize="off" spellcheck=${isProse}
    step=${field.widget === "date-time" ? "1" : nothing} dir=${direction(field)} data-oneline
    @input=${typed} @blur=${() => context.leave(field)}>`;
  if (field.sensitive !== true) return input;
  return html`<div class="masked">${input}<button type="button" class="quiet" part="reveal" aria-pressed=${!isHidden}
    aria-label=${`${context.say("reveal")}: ${spelled(field.label)}`}
    @click=${() => context.toggleReveal(field)}>${context.say(isHidden ? "reveal" : "hide")}</button></div>`;
}

/** Puts the caret of a JSON document at its mistake, if it has one. */
export function toFault(area: HTMLTextAreaElement): void {
  const fault = area.classList.contains("code") && area.value.trim() !== "" ? faultOf(area.value) : undefined;
  if (fault !== undefined) area.setSelectionRange(fault.index, fault.index);
}

function isLong(field: Field, text: string): boolean {
  return field.kind === "text" && field.sensitive !== true && (field.widget === "multiline" || /[\r\n]/.test(text));
}

function typeOf(field: Field, text: string, isHidden: boolean): string {
  if (isHidden) return "password";
  if (field.kind !== "text") return "text";
  // The browser's date inputs would drop a text that is no date.
  const isEmpty = text === "" || text === unfinished;
  if (field.widget === "date" && (isEmpty || /^\d{4}-\d\d-\d\d$/.test(text))) return "date";
  if (field.widget === "date-time" && (isEmpty || toLocal(text) !== undefined)) return "datetime-local";
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

/** Numbers and addresses run from left to right in every language. Other text follows its own letters. */
function direction(field: Field): string {
  const isCode = field.kind !== "text" || field.widget === "email" || field.widget === "url";
  return isCode ? "ltr" : "auto";
}
