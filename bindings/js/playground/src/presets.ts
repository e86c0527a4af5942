import { html, type TemplateResult } from "lit";
import daily from "../../../../cmd/elicit/internal/verbs/policy/presets/daily.json?raw";
import careful from "../../../../cmd/elicit/internal/verbs/policy/presets/careful.json?raw";
import unattended from "../../../../cmd/elicit/internal/verbs/policy/presets/unattended.json?raw";

/** The policies that `elicit policy init` writes, in the very same bytes. */
const presets = [
  { name: "careful", text: careful,
    about: "Declines forms that want secrets, and every question with a warning of severity high." },
  { name: "daily", text: daily, about: "Accepts what reads, builds and tests in the workspace." },
  { name: "unattended", text: unattended, about: "For a machine where nobody sits: nobody is asked." },
] as const;

/** Draws the example policies as chips. */
export function examplePolicies(now: string, choose: (text: string) => void): TemplateResult {
  return html`<div class="starters" role="group" aria-label="Example policies">${presets.map((one) =>
    html`<button title=${one.about} aria-pressed=${String(one.text === now)}
      @click=${() => choose(one.text)}>${one.name}</button>`)}</div>`;
}
