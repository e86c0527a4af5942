import { html, nothing, type TemplateResult } from "lit";
import { drawBoolean } from "./boolean.ts";
import { drawBoxes, drawRadio, drawSelect } from "./choice.ts";
import { labelOf, type Desk, type Placed } from "./desk.ts";
import { holding, isKnown } from "./held.ts";
import { hintOf } from "./hint.ts";
import { numberText, type Json } from "./exact.ts";
import { peer, spelled } from "./plain.ts";
import type { Field, Suggestion } from "./question.ts";
import type { Search } from "./search.ts";
import { sentence } from "./strings.ts";
import { drawText } from "./text.ts";

/** More choices than this are always filtered, whatever the widget says: nobody reads so long a list. */
const longList = 50;

/** Whether the field is a group of controls, which needs a legend instead of a label. */
type Shape = "single" | "group";

/** One field: its name, its help, its control, what is wrong with it, and what could be filled in. */
export function drawField(desk: Desk, placed: Placed, search: Search): TemplateResult {
  const { field, id } = placed;
  const problem = desk.problem(field);
  const control = isKnown(field) ? drawControl(desk, placed, search) : drawUnknown(desk, field);
  const body = html`
    <div class="help" id="${id}-help" part="help">${peer(field.help, desk.revealing)}</div>
    <div class="hint" id="${id}-hint" part="hint">${upperFirst(hintOf(desk, field))}</div>
    ${field.sensitive === true
      ? html`<div class="secret" id="${id}-secret" part="secret">${desk.say("secret", { server: desk.server })}</div>`
      : nothing}
    ${control}
    <div class="problem" id="${id}-problem" part="problem">
      ${problem === undefined ? nothing : html`${icon()}<span>${upperFirst(sentence(desk.strings.problems, problem.code, problem.args))}</span>`}
    </div>
    ${drawSuggestions(desk, field)}
  `;
  const name = html`<span class="name">${peer(field.label, desk.revealing)}</span>${marks(desk, field)}`;
  const classes = `field${problem === undefined ? "" : " wrong"}${field.widget === "checkbox" && field.kind === "boolean" ? " boxed" : ""}`;
  if (shapeOf(field) === "group") {
    return html`<fieldset class=${classes} part="field" id=${id} tabindex="-1" role=${isRadio(field) ? "radiogroup" : nothing}
        aria-required=${isRadio(field) ? field.required : nothing} aria-invalid=${isRadio(field) ? problem !== undefined : nothing}
        aria-describedby=${`${id}-help ${id}-hint ${id}-problem`}>
      <legend part="label">${name}</legend>${restore(desk, field)}${body}
    </fieldset>`;
  }
  return html`<div class=${classes} part="field">
    <label for=${id} part="label">${name}</label>${restore(desk, field)}${body}
  </div>`;
}

function shapeOf(field: Field): Shape {
  if (field.kind === "boolean") return field.widget === "checkbox" ? "single" : "group";
  if (isFiltered(field)) return "single";
  return field.kind === "choices" || (field.kind === "choice" && field.widget !== "select") ? "group" : "single";
}

const isRadio = (field: Field): boolean => field.kind === "boolean" || field.kind === "choice";

export function isFiltered(field: Field): boolean {
  const isChoice = field.kind === "choice" || field.kind === "choices";
  return isChoice && (field.widget === "search" || (field.choices?.length ?? 0) > longList);
}

function drawControl(desk: Desk, placed: Placed, search: Search): TemplateResult {
  const { field } = placed;
  if (isFiltered(field)) return search.draw(desk, placed);
  switch (field.kind) {
    case "boolean":
      return drawBoolean(desk, placed);
    case "choice":
      return field.widget === "select" ? drawSelect(desk, placed) : drawRadio(desk, placed);
    case "choices":
      return drawBoxes(desk, placed);
  }
  return drawText(desk, placed);
}

function drawUnknown(desk: Desk, field: Field): TemplateResult {
  return html`<div class="unknown">${desk.say("unknownField", { kind: field.kind })}</div>`;
}

function marks(desk: Desk, field: Field): TemplateResult {
  const held = desk.held(field);
  const from = { default: "fromDefault", suggestion: "fromSuggestion", draft: "fromDraft", typed: undefined, nowhere: undefined } as const;
  const word = from[held.from];
  return html`${field.required ? html`<span class="required">${desk.say("required")}</span>` : nothing}${
    word === undefined ? nothing : html`<span class="provenance" part="provenance">${desk.say(word)}</span>`}`;
}

/** The way back to the default, once it has been changed. */
function restore(desk: Desk, field: Field): TemplateResult | typeof nothing {
  if (field.initial === undefined || desk.locked || desk.held(field).from === "default") return nothing;
  return html`<button type="button" class="quiet restore" part="restore" @click=${() => desk.put(field, field.initial, "default")}
    aria-label=${`${desk.say("restore")}: ${spelled(field.label)}`}>${desk.say("restore")}</button>`;
}

function drawSuggestions(desk: Desk, field: Field): TemplateResult | typeof nothing {
  const offered = (field.suggestions ?? []).map(valueOf).filter((value) => fits(field, value)).slice(0, 5);
  if (offered.length === 0 || desk.locked || field.sensitive === true) return nothing;
  return html`<div class="suggestions" part="suggestions"><span>${desk.say("suggestion")}</span>${offered.map((value) => {
    const text = shown(desk, field, value);
    return html`<button type="button" class="chip" part="suggestion" title=${text} aria-label=${desk.say("use", { value: text })}
      @click=${() => desk.put(field, value, "suggestion")}><bdi>${text}</bdi></button>`;
  })}</div>`;
}

function valueOf(suggestion: Json | Suggestion): Json {
  const isRecord = typeof suggestion === "object" && suggestion !== null && !Array.isArray(suggestion) && "value" in suggestion;
  return isRecord ? (suggestion as Suggestion).value : (suggestion as Json);
}

/** A suggestion that the field of today cannot hold is not offered. */
function fits(field: Field, value: Json): boolean {
  const held = holding(field, value, "suggestion");
  if (field.kind === "boolean") return held.yes !== undefined;
  if (field.kind === "choices") return Array.isArray(value) && held.chosen.length === value.length;
  return field.kind === "choice" ? held.chosen.length === 1 : held.text !== "";
}

function shown(desk: Desk, field: Field, value: Json): string {
  const held = holding(field, value, "suggestion");
  if (field.kind === "boolean") return desk.say(held.yes === true ? "yes" : "no");
  if (held.chosen.length > 0) return held.chosen.map((i) => labelOf(field, i, desk.revealing)).join(", ");
  return spelled(numberText(value) ?? held.text, true);
}

/** The mark beside a problem, so that colour is not what tells it. */
export function icon(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M8 1 15.5 14.5H.5Z" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/><path d="M8 6v4M8 11.6v.9" stroke="currentColor" stroke-width="1.6" fill="none"/></svg>`;
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
