import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { described, labelOf, type Desk, type Placed } from "./desk.ts";
import { peer, spelled } from "./plain.ts";
import type { Choice, Field } from "./question.ts";

type Ticking = Event & { currentTarget: HTMLInputElement };
type Picking = Event & { currentTarget: HTMLSelectElement };

/** One of a few. Nothing is chosen beforehand unless the form says so, and what may stay open can be opened again. */
export function drawRadio(desk: Desk, placed: Placed): TemplateResult {
  const { field } = placed;
  const held = desk.held(field);
  const none = held.chosen.length === 0;
  const pick = (chosen: number[]): void => desk.change(field, { chosen });
  return html`<div class="options" @focusout=${leaving(desk, field)}>
    ${(field.choices ?? []).map((choice, i) => option(desk, placed, "radio", choice, i, held.chosen[0] === i, () => pick([i])))}
    ${field.required ? nothing : line(desk, placed, "radio", "none", desk.say("noAnswer"), nothing, none && held.from !== "nowhere", () => pick([]))}
  </div>`;
}

/** Any of a few. */
export function drawBoxes(desk: Desk, placed: Placed): TemplateResult {
  const { field } = placed;
  const chosen = new Set(desk.held(field).chosen);
  const tick = (i: number, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(i);
    else next.delete(i);
    desk.change(field, { chosen: [...next].sort((a, b) => a - b) });
  };
  return html`<div class="options" @focusout=${leaving(desk, field)}>
    ${(field.choices ?? []).map((choice, i) => option(desk, placed, "checkbox", choice, i, chosen.has(i), (on) => tick(i, on)))}
  </div>`;
}

function option(desk: Desk, placed: Placed, type: string, choice: Choice, i: number, on: boolean, pick: (on: boolean) => void): TemplateResult {
  const help = choice.description === undefined ? nothing : html`<span class="about">${peer(choice.description, desk.revealing)}</span>`;
  return line(desk, placed, type, String(i), labelOf(placed.field, i, desk.revealing), help, on, pick);
}

/** A box or button with its text; the whole line is what can be hit. */
export function line(desk: Desk, { field, id }: Placed, type: string, key: string, text: string, help: unknown, on: boolean, pick: (on: boolean) => void): TemplateResult {
  return html`<label class="option" part="option"><input type=${type} name=${id} id=${`${id}-${key}`} .checked=${live(on)} ?disabled=${desk.locked}
      aria-invalid=${type === "checkbox" ? desk.problem(field) !== undefined : nothing} data-oneline
      @change=${(event: Ticking) => pick(event.currentTarget.checked)}><span class="what"><bdi lang="">${text}</bdi>${help}</span></label>`;
}

/** A group is left when the focus goes to something outside it. */
export function leaving(desk: Desk, field: Field): (event: FocusEvent) => void {
  return (event) => {
    const inside = event.relatedTarget instanceof Node && (event.currentTarget as Node).contains(event.relatedTarget);
    if (!inside) desk.leave(field);
  };
}

/** One of some. */
export function drawSelect(desk: Desk, placed: Placed): TemplateResult {
  const { field, id } = placed;
  const at = desk.held(field).chosen[0] ?? -1;
  const pick = (event: Picking): void => {
    const i = Number(event.currentTarget.value);
    desk.change(field, { chosen: i < 0 ? [] : [i] });
  };
  return html`<select id=${id} part="control select" ?disabled=${desk.locked} aria-required=${field.required}
      aria-invalid=${desk.problem(field) !== undefined} aria-describedby=${described(desk, placed)} @change=${pick} @blur=${() => desk.leave(field)}>
    <option value="-1" .selected=${at < 0}>${desk.say(field.required ? "choose" : "noAnswer")}</option>
    ${(field.choices ?? []).map((choice, i) => html`<option value=${i} .selected=${live(i === at)}>${about(field, choice, i, desk.revealing)}</option>`)}
  </select>`;
}

function about(field: Field, choice: Choice, i: number, revealing: boolean): string {
  const title = labelOf(field, i, revealing);
  return choice.description === undefined ? title : `${title} – ${spelled(choice.description, revealing)}`;
}
