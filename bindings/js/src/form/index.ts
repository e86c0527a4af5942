import { ElicitForm } from "./element.ts";

export { ElicitForm };
export { en } from "./strings/en.ts";
export type { ElicitFormEventMap } from "./event-map.ts";
export { parseExact, stringifyExact, type Json, type Spelled } from "./exact.ts";
export type * from "./question.ts";
export type { PartialStrings, Strings } from "./strings.ts";

/** Defines <elicit-form> if the platform has elements and no copy of this module has defined it before. */
if (typeof customElements !== "undefined" && customElements.get("elicit-form") === undefined) {
  customElements.define("elicit-form", ElicitForm);
}

declare global {
  interface HTMLElementTagNameMap {
    "elicit-form": ElicitForm;
  }
}
