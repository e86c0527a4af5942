import { html, type TemplateResult } from "lit";
import { tokens } from "./tokens.ts";

/** Draws JSON text in colour, unchanged. */
export function asIs(text: string): TemplateResult {
  const spans = tokens(text).map((t) => html`<span class=${t.kind}>${t.text}</span>`);
  return html`<pre class="view" tabindex="0">${spans}</pre>`;
}

/** Draws one of our own values as indented JSON. */
export const laidOut = (value: unknown): TemplateResult => asIs(JSON.stringify(value, undefined, 2));

/** Draws a record or message as indented JSON. Text that is not JSON stays unchanged. */
export function laidOutText(text: string): TemplateResult {
  try {
    return laidOut(JSON.parse(text));
  } catch {
    return asIs(text);
  }
}

const source = "https://github.com/elicit-engine/elicit";
const links = [
  ["Policies", `${source}/blob/main/docs/reference/policy.md`], ["Guardians", `${source}/blob/main/docs/guardians.md`],
  ["Docs", `${source}/tree/main/docs`], ["Source", source],
] as const;

/** Draws the links to the documentation and the source. */
export const more = (): TemplateResult =>
  html`<nav aria-label="More">${links.map(([name, address]) => html`<a href=${address}>${name}</a>`)}</nav>`;
