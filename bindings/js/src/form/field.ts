import { html, nothing, type TemplateResult } from "lit";
import { drawBoolean } from "./boolean.ts";
import { drawBoxes, drawRadio, drawSelect } from "./choice.ts";
import { labelOf, type FormContext, type Placed } from "./context.ts";
import { holding, isKnown } from "./held.ts";
import { hintOf } from "./hint.ts";
import { numberText, type Json } from "./exact.ts";
import { peer, spelled } from "./plain.ts";
import type { Field, Suggestion } from "./question.ts";
import type { Search } from "./search.ts";
import { sentence } from "./strings.ts";
import { drawText } from "./text.ts";

/** A field with more choices than this gets a filter, whatever its widget, because nobody reads so long a list. */
const longList = 50;

/** A field is a single control with a label, or a group of controls with a legend. */
type Shape = "single" | "group";

/** Draws a field: its name, help, control, problem and suggestions. */
export function drawField(context: FormContext, placed: Placed, search: Search): TemplateResult {
  const { field, id } = placed;
  const problem = context.problem(field);
  const control = isKnown(field) ? drawControl(context, placed, search) : drawUnknown(context, field);
  const secret = html`<div class="secret" id="${id}-secret" part="secret">${
    context.say("secret", { server: context.server })}</div>`;
  const body = html`
    <div class="help" id="${id}-help" part="help">${peer(field.help, context.revealing)}</div>
    <div class="hint" id="${id}-hint" part="hint">${upperFirst(hintOf(context, field))}</div>
    ${field.sensitive === true ? secret : nothing}
    ${control}
    <div class="problem" id="${id}-problem" part="problem">${drawProblems(context, field)}</div>
    ${drawSuggestions(context, field)}
  `;
  const name = html`<span class="name">${peer(field.label, context.revealing)}</span>${marks(context, field)}`;
  const isBoxed = field.widget === "checkbox" && field.kind === "boolean";
  const classes = `field${problem === undefined ? "" : " wrong"}${isBoxed ? " boxed" : ""}`;
  if (shapeOf(field) === "group") {
    const isRadio = field.kind === "boolean" || field.kind === "choice";
    return html`<fieldset class=${classes} part="field" id=${id} tabindex="-1" role=${isRadio ? "radiogroup" : nothing}
        aria-required=${isRadio ? field.required : nothing} aria-invalid=${isRadio ? problem !== undefined : nothing}
        aria-describedby=${`${id}-help ${id}-hint ${id}-problem`}>
      <legend part="label">${name}</legend>${restore(context, field)}${body}
    </fieldset>`;
  }
  return html`<div class=${classes} part="field">
    <label for=${id} part="label">${name}</label>${restore(context, field)}${body}
  </div>`;
}

/** Draws the problem of a field, or all problems of a JSON document, each with its place. */
function drawProblems(context: FormContext, field: Field): TemplateResult | typeof nothing {
  const problems = context.problemsOf(field).slice(0, field.widget === "json" ? 10 : 1);
  if (problems.length === 0) return nothing;
  const lines = problems.map(({ code, args, pointer }) => {
    const inside = pointer.split("/").slice(2).join("/");
    const text = sentence(context.strings.problems, code, args);
    return html`<span>${inside === "" ? upperFirst(text) : html`<bdi>/${spelled(inside)}</bdi>: ${text}`}</span>`;
  });
  return html`${icon()}<span class="what">${lines}</span>`;
}

function shapeOf(field: Field): Shape {
  if (field.kind === "boolean") return field.widget === "checkbox" ? "single" : "group";
  if (isFiltered(field)) return "single";
  return field.kind === "choices" || (field.kind === "choice" && field.widget !== "select") ? "group" : "single";
}

export function isFiltered(field: Field): boolean {
  const isChoice = field.kind === "choice" || field.kind === "choices";
  return isChoice && (field.widget === "search" || (field.choices?.length ?? 0) > longList);
}

function drawControl(context: FormContext, placed: Placed, search: Search): TemplateResult {
  const { field } = placed;
  if (isFiltered(field)) return search.draw(context, placed);
  switch (field.kind) {
    case "boolean":
      return drawBoolean(context, placed);
    case "choice":
      return field.widget === "select" ? drawSelect(context, placed) : drawRadio(context, placed);
    case "choices":
      return drawBoxes(context, placed);
  }
  return drawText(context, placed);
}

function drawUnknown(context: FormContext, field: Field): TemplateResult {
  return html`<div class="unknown">${context.say("unknownField", { kind: field.kind })}</div>`;
}

const provenance = {
  default: "fromDefault",
  suggestion: "fromSuggestion",
  draft: "fromDraft",
  typed: undefined,
  nowhere: undefined,
} as const;

function marks(context: FormContext, field: Field): TemplateResult {
  const word = provenance[context.held(field).from];
  return html`${field.required ? html`<span class="required">${context.say("required")}</span>` : nothing}${
    word === undefined ? nothing : html`<span class="provenance" part="provenance">${context.say(word)}</span>`}`;
}

/** Draws a button that restores the default, if the field has changed. */
function restore(context: FormContext, field: Field): TemplateResult | typeof nothing {
  if (field.initial === undefined || context.locked || context.held(field).from === "default") return nothing;
  return html`<button type="button" class="quiet restore" part="restore"
    @click=${() => context.put(field, field.initial, "default")}
    aria-label=${`${context.say("restore")}: ${spelled(field.label)}`}>${context.say("restore")}</button>`;
}

function drawSuggestions(context: FormContext, field: Field): TemplateResult | typeof nothing {
  const offered = (field.suggestions ?? []).map(valueOf).filter((value) => fits(field, value)).slice(0, 5);
  if (offered.length === 0 || context.locked || field.sensitive === true) return nothing;
  const chips = offered.map((value) => {
    const text = shown(context, field, value);
    return html`<button type="button" class="chip" part="suggestion" title=${text}
      aria-label=${context.say("use", { value: text })}
      @click=${() => context.put(field, value, "suggestion")}><bdi>${text}</bdi></button>`;
  });
  return html`<div class="suggestions" part="suggestions"><span>${context.say("suggestion")}</span>${chips}</div>`;
}

function valueOf(suggestion: Json | Suggestion): Json {
  const isObject = typeof suggestion === "object" && suggestion !== null && !Array.isArray(suggestion);
  return isObject && "value" in suggestion ? (suggestion as Suggestion).value : (suggestion as Json);
}

/** Whether the field can hold a suggestion. The field may have changed since the value was typed. */
function fits(field: Field, value: Json): boolean {
  const held = holding(field, value, "suggestion");
  if (field.kind === "boolean") return held.yes !== undefined;
  if (field.kind === "choices") return Array.isArray(value) && held.chosen.length === value.length;
  return field.kind === "choice" ? held.chosen.length === 1 : held.text !== "";
}

function shown(context: FormContext, field: Field, value: Json): string {
  const held = holding(field, value, "suggestion");
  if (field.kind === "boolean") return context.say(held.yes === true ? "yes" : "no");
  if (held.chosen.length > 0) return held.chosen.map((i) => labelOf(field, i, context.revealing)).join(", ");
  return spelled(numberText(value) ?? held.text, true);
}

/** The mark beside a problem, so that colour alone does not show it. */
export function icon(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"
    ><path d="M8 1 15.5 14.5H.5Z" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"
    /><path d="M8 6v4M8 11.6v.9" stroke="currentColor" stroke-width="1.6" fill="none"/></svg>`;
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
