import { ElicitForm } from "./element.ts";

export { ElicitForm };
export { en } from "./strings/en.ts";
export { parseExact, stringifyExact, type Json, type Spelled } from "./exact.ts";
export type * from "./question.ts";
export type { PartialStrings, Strings } from "./strings.ts";

/** Defines <elicit-form> where there is a registry and nobody did before: imported twice, or in Node, it does no harm. */
if (typeof customElements !== "undefined" && customElements.get("elicit-form") === undefined) {
  customElements.define("elicit-form", ElicitForm);
}

declare global {
  interface HTMLElementTagNameMap {
    "elicit-form": ElicitForm;
  }
}
