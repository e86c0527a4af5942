import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { leaving, line } from "./choice.ts";
import { described, type Desk, type Placed } from "./desk.ts";

type Ticking = Event & { currentTarget: HTMLInputElement };

/** A box where the form says what an untouched one means; else yes and no, neither chosen, so that nothing is silently false. */
export function drawBoolean(desk: Desk, placed: Placed): TemplateResult {
  const { field, id } = placed;
  const held = desk.held(field);
  const set = (yes: boolean | undefined): void => desk.change(field, { yes });
  if (field.widget === "checkbox") {
    return html`<input type="checkbox" class="box" id=${id} part="control checkbox" .checked=${live(held.yes === true)} ?disabled=${desk.locked}
      aria-invalid=${desk.problem(field) !== undefined} aria-describedby=${described(desk, placed)} data-oneline
      @change=${(event: Ticking) => set(event.currentTarget.checked)} @blur=${() => desk.leave(field)}>`;
  }
  return html`<div class="options row" @focusout=${leaving(desk, field)}>
    ${line(desk, placed, "radio", "yes", desk.say("yes"), nothing, held.yes === true, () => set(true))}
    ${line(desk, placed, "radio", "no", desk.say("no"), nothing, held.yes === false, () => set(false))}
    ${field.required ? nothing : line(desk, placed, "radio", "none", desk.say("noAnswer"), nothing, held.yes === undefined && held.from !== "nowhere", () => set(undefined))}
  </div>`;
}
