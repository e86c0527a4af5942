import { html, nothing, type TemplateResult } from "lit";
import { say } from "./context.ts";
import { icon, upperFirst } from "./field.ts";
import { spelled } from "./plain.ts";
import type { Finding } from "./question.ts";
import { sentence, type Strings } from "./strings.ts";

const severities = ["info", "low", "medium", "high", "critical"];

/** The rank of a finding's severity. An unknown severity counts as the worst. */
export const rank = ({ severity }: Pick<Finding, "severity">): number =>
  severities.includes(severity) ? severities.indexOf(severity) : severities.length - 1;

const hiddenCharacters = ["text_control", "text_bidi", "url_control", "url_bidi"];

/** Whether a finding reports invisible characters in the texts, so that all of them must be spelled out. */
export function reportsHidden(findings: readonly Finding[]): boolean {
  return findings.some(({ code }) => hiddenCharacters.includes(code));
}

/** The findings that a person should read before answering, the worst first. */
export function drawFindings(strings: Strings, findings: readonly Finding[]): TemplateResult | typeof nothing {
  if (findings.length === 0) return nothing;
  const sorted = [...findings].sort((a, b) => rank(b) - rank(a));
  return html`<ul class="findings" part="findings" aria-label=${say(strings, "warning")}>${sorted.map((finding) => {
    const severity = severities[rank(finding)]!;
    const text = sentence(strings.findings, finding.code, finding.args);
    const evidence = html`<q class="evidence"><bdi lang="">${spelled(finding.evidence ?? "", true)}</bdi></q>`;
    return html`<li class="finding ${severity}" part="finding">${icon()}<div>
      <strong>${upperFirst(sentence(strings.severities, severity))}:</strong> ${text}.
      ${needsEvidence(finding) ? evidence : nothing}
    </div></li>`;
  })}</ul>`;
}

/** Whether to show the evidence: there is one, and the sentence does not quote it already. */
function needsEvidence({ evidence = "", args = {} }: Finding): boolean {
  return evidence !== "" && Object.values(args).every((arg) => String(arg) !== evidence);
}
