import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { described, labelOf, type FormContext, type Placed } from "./context.ts";
import { peer, spelled } from "./plain.ts";
import type { Choice, Field } from "./question.ts";

type Ticking = Event & { currentTarget: HTMLInputElement };
type Picking = Event & { currentTarget: HTMLSelectElement };

/** Draws a choice as radio buttons. At first only a default is chosen. An optional choice has a "no answer" button. */
export function drawRadio(context: FormContext, placed: Placed): TemplateResult {
  const { field } = placed;
  const held = context.held(field);
  const none = held.chosen.length === 0;
  const pick = (chosen: number[]): void => context.change(field, { chosen });
  const noAnswer: Option = {
    type: "radio",
    key: "none",
    text: context.say("noAnswer"),
    on: none && held.from !== "nowhere",
    pick: () => pick([]),
  };
  return html`<div class="options" @focusout=${leaving(context, field)}>
    ${(field.choices ?? []).map((choice, i) =>
      option(context, placed, { type: "radio", choice, i, on: held.chosen[0] === i, pick: () => pick([i]) }))}
    ${field.required ? nothing : line(context, placed, noAnswer)}
  </div>`;
}

/** Draws several choices as checkboxes. */
export function drawBoxes(context: FormContext, placed: Placed): TemplateResult {
  const { field } = placed;
  const chosen = new Set(context.held(field).chosen);
  const tick = (i: number, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(i);
    else next.delete(i);
    context.change(field, { chosen: [...next].sort((a, b) => a - b) });
  };
  return html`<div class="options" @focusout=${leaving(context, field)}>
    ${(field.choices ?? []).map((choice, i) =>
      option(context, placed, { type: "checkbox", choice, i, on: chosen.has(i), pick: (on) => tick(i, on) }))}
  </div>`;
}

/** A checkbox or radio button of a field. */
export interface Option {
  type: "checkbox" | "radio";
  /** The end of its id. */
  key: string;
  text: string;
  help?: unknown;
  on: boolean;
  pick: (on: boolean) => void;
}

/** The option of a choice, with the choice's place in the field. */
type ChoiceOption = Pick<Option, "type" | "on" | "pick"> & { choice: Choice; i: number };

function option(context: FormContext, placed: Placed, { choice, i, ...rest }: ChoiceOption): TemplateResult {
  const { revealing } = context;
  const about = html`<span class="about">${peer(choice.description, revealing)}</span>`;
  const help = choice.description === undefined ? nothing : about;
  return line(context, placed, { ...rest, key: String(i), text: labelOf(placed.field, i, revealing), help });
}

/** Draws a checkbox or radio button with its text. A click anywhere on the line picks it. */
export function line(context: FormContext, { field, id }: Placed, option: Option): TemplateResult {
  const { type, key, text, help = nothing, on, pick } = option;
  return html`<label class="option" part="option"><input type=${type} name=${id} id=${`${id}-${key}`}
      .checked=${live(on)} ?disabled=${context.locked} data-oneline
      aria-invalid=${type === "checkbox" ? context.problem(field) !== undefined : nothing}
      @change=${(event: Ticking) => pick(event.currentTarget.checked)}><span class="what"><bdi lang="">${
        text}</bdi>${help}</span></label>`;
}

/** A listener for a group: the person leaves the field when the focus moves out of the group. */
export function leaving(context: FormContext, field: Field): (event: FocusEvent) => void {
  return (event) => {
    const inside = event.relatedTarget instanceof Node && (event.currentTarget as Node).contains(event.relatedTarget);
    if (!inside) context.leave(field);
  };
}

/** Draws a choice as a drop-down list. */
export function drawSelect(context: FormContext, placed: Placed): TemplateResult {
  const { field, id } = placed;
  const at = context.held(field).chosen[0] ?? -1;
  const pick = (event: Picking): void => {
    const i = Number(event.currentTarget.value);
    context.change(field, { chosen: i < 0 ? [] : [i] });
  };
  return html`<select id=${id} part="control select" ?disabled=${context.locked} aria-required=${field.required}
      aria-invalid=${context.problem(field) !== undefined} aria-describedby=${described(context, placed)}
      @change=${pick} @blur=${() => context.leave(field)}>
    <option value="-1" .selected=${at < 0}>${context.say(field.required ? "choose" : "noAnswer")}</option>
    ${(field.choices ?? []).map((choice, i) => {
      const text = about(field, choice, i, context.revealing);
      return html`<option value=${i} .selected=${live(i === at)}>${text}</option>`;
    })}
  </select>`;
}

function about(field: Field, choice: Choice, i: number, revealing: boolean): string {
  const title = labelOf(field, i, revealing);
  return choice.description === undefined ? title : `${title} – ${spelled(choice.description, revealing)}`;
}
