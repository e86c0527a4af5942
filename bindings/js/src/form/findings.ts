import { html, nothing, type TemplateResult } from "lit";
import { say } from "./context.ts";
import { icon, upperFirst } from "./field.ts";
import { spelled } from "./plain.ts";
import type { Args, Finding } from "./question.ts";
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

/** Whether a finding makes refusing the safer choice. The button that accepts is not the loud one then. */
export function isRisky(findings: readonly Finding[]): boolean {
  return findings.some((finding) => rank(finding) >= rank({ severity: "medium" }));
}

/** How many of the words that were found a line quotes. */
const mostQuoted = 3;

/**
 * The findings that a person should read before answering, the worst first. Alike findings share a line, because nobody
 * reads the same sentence six times. A line begins with the words that were found.
 */
export function drawFindings(strings: Strings, findings: readonly Finding[]): TemplateResult | typeof nothing {
  if (findings.length === 0) return nothing;
  const lines = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.code} ${rank(finding)}`;
    lines.set(key, [...(lines.get(key) ?? []), finding]);
  }
  const sorted = [...lines.values()].sort(([a], [b]) => rank(b!) - rank(a!));
  return html`<ul class="findings" part="findings" aria-label=${say(strings, "warning")}>${sorted.map((alike) => {
    const { code } = alike[0]!;
    const severity = severities[rank(alike[0]!)]!;
    const text = sentence(strings.findings, code, together(alike));
    return html`<li class="finding ${severity}" part="finding">${icon()}<div>
      <strong>${upperFirst(sentence(strings.severities, severity))}:</strong> ${drawEvidence(alike)}${text}.
    </div></li>`;
  })}</ul>`;
}

function drawEvidence(alike: readonly Finding[]): TemplateResult | typeof nothing {
  const found = [...new Set(alike.map(({ evidence = "" }) => evidence))].filter((evidence) => evidence !== "");
  if (found.length === 0) return nothing;
  const quotes = found.slice(0, mostQuoted).map((evidence, i) =>
    html`${i > 0 ? ", " : nothing}<q class="evidence"><bdi lang="">${spelled(evidence, true)}</bdi></q>`);
  return html`${quotes}${found.length > mostQuoted ? ` +${found.length - mostQuoted}` : nothing}: `;
}

/** The arguments of alike findings. An argument with several values lists them. */
function together(alike: readonly Finding[]): Args {
  const args: Record<string, Args[string]> = { ...alike[0]!.args };
  for (const name of Object.keys(args)) {
    const values = [...new Set(alike.map((finding) => finding.args?.[name]).filter((arg) => typeof arg === "string"))];
    if (values.length > 1) args[name] = values.join(", ");
  }
  return args;
}
