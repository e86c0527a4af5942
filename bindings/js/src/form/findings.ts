import { html, nothing, type TemplateResult } from "lit";
import { say } from "./desk.ts";
import { icon, upperFirst } from "./field.ts";
import { spelled } from "./plain.ts";
import type { Finding } from "./question.ts";
import { sentence, type Strings } from "./strings.ts";

const severities = ["info", "low", "medium", "high", "critical"];

/** An unknown severity is the worst. */
export const rank = (finding: Finding): number => (severities.includes(finding.severity) ? severities.indexOf(finding.severity) : 4);

/** Whether something hides in the texts, so that all of it must be spelled. */
export function speaksOfHidden(findings: readonly Finding[]): boolean {
  return findings.some(({ code }) => code === "text_control" || code === "text_bidi" || code === "url_control" || code === "url_bidi");
}

/** What a person should know before answering, worst first. */
export function drawFindings(strings: Strings, findings: readonly Finding[]): TemplateResult | typeof nothing {
  if (findings.length === 0) return nothing;
  const sorted = [...findings].sort((a, b) => rank(b) - rank(a));
  return html`<ul class="findings" part="findings" aria-label=${say(strings, "warning")}>${sorted.map((finding) => {
    const severity = severities[rank(finding)]!;
    return html`<li class="finding ${severity}" part="finding">${icon()}<div>
      <strong>${upperFirst(sentence(strings.severities, severity))}:</strong> ${sentence(strings.findings, finding.code, finding.args)}.
      ${saysEnough(finding) ? nothing : html`<q class="evidence"><bdi lang="">${spelled(finding.evidence!, true)}</bdi></q>`}
    </div></li>`;
  })}</ul>`;
}

/** Evidence that the sentence quotes already is not repeated. */
function saysEnough({ evidence, args }: Finding): boolean {
  return evidence === undefined || evidence === "" || Object.values(args ?? {}).some((arg) => String(arg) === evidence);
}
