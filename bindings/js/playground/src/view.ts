import { html, type TemplateResult } from "lit";
import { tokens } from "./tokens.ts";

/** JSON text in colour, as it stands. */
export function asIs(text: string): TemplateResult {
  return html`<pre class="view" tabindex="0">${tokens(text).map((t) => html`<span class=${t.kind}>${t.text}</span>`)}</pre>`;
}

/** A value of ours, laid out to be read. */
export const laidOut = (value: unknown): TemplateResult => asIs(JSON.stringify(value, undefined, 2));

/** A record or message laid out; text that is no JSON as it stands. */
export function laidOutText(text: string): TemplateResult {
  try {
    return laidOut(JSON.parse(text));
  } catch {
    return asIs(text);
  }
}
