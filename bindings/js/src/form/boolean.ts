import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { leaving, line } from "./choice.ts";
import { described, type FormContext, type Placed } from "./context.ts";

type Ticking = Event & { currentTarget: HTMLInputElement };

/**
 * Draws a checkbox if the form has a default for it. Otherwise it draws "yes" and "no" with neither chosen, so that no
 * untouched field silently means false.
 */
export function drawBoolean(context: FormContext, placed: Placed): TemplateResult {
  const { field, id } = placed;
  const held = context.held(field);
  const set = (yes: boolean | undefined): void => context.change(field, { yes });
  if (field.widget === "checkbox") {
    return html`<input type="checkbox" class="box" id=${id} part="control checkbox"
      .checked=${live(held.yes === true)} ?disabled=${context.locked} data-oneline
      aria-invalid=${context.problem(field) !== undefined} aria-describedby=${described(context, placed)}
      @change=${(event: Ticking) => set(event.currentTarget.checked)} @blur=${() => context.leave(field)}>`;
  }
  const radio = (key: "yes" | "no" | "none", text: string, on: boolean, value: boolean | undefined): TemplateResult =>
    line(context, placed, { type: "radio", key, text, on, pick: () => set(value) });
  const hasNone = held.yes === undefined && held.from !== "nowhere";
  return html`<div class="options row" @focusout=${leaving(context, field)}>
    ${radio("yes", context.say("yes"), held.yes === true, true)}
    ${radio("no", context.say("no"), held.yes === false, false)}
    ${field.required ? nothing : radio("none", context.say("noAnswer"), hasNone, undefined)}
  </div>`;
}
