import { html, nothing, type TemplateResult } from "lit";
import type { Combined, Consult, Fault, GuardianPermit, Verdict } from "../../src/index.ts";
import type { Asking, Session } from "./session.ts";
import { asIs, laidOutText } from "./view.ts";

/** Sentences for the faults of a guardian. */
const faults: Record<Fault | "bad_verdict", string> = {
  fuel: "It used all the fuel it was permitted and was stopped.",
  depth: "Its calls nested too deep and it was stopped.",
  trap: "It crashed.",
  start: "It crashed before it could be asked.",
  no_memory: "This machine could not give it the memory it begins with.",
  bad_alloc: "It gave no room for the question.",
  bad_output: "It pointed to an answer that is not there, or is not text.",
  output_too_large: "It answered with more than 16 KiB.",
  question_too_large: "The question is larger than 128 KiB, so it was not asked.",
  exit: "It ended itself instead of answering.",
  refused: "It gave no answer.",
  not_loaded: "Its module is not here, or it wants WASI, which is not permitted.",
  unavailable: "Only the host could ask it, and this page asks nobody.",
  internal: "This page found a fault in itself.",
  bad_verdict: "It answered, but not with a verdict.",
};

const words = {
  pass: "Nothing against it", allow: "Allows it", ask: "Asks for a person's word", deny: "Denies it",
} as const;
const looks = { pass: "accept", allow: "accept", ask: "cancel", deny: "decline" } as const;
const phases = {
  before_show: "before the question is shown",
  before_send: "before the answer is sent",
  second_person: "for another person's approval",
} as const;

/** Draws every consult of a guardian, the newest first. */
export function askings(session: Session, changed: (act: () => void) => void): TemplateResult {
  if (session.guardians.length === 0) {
    return html`<p class="soft">Put a guardian’s module into the left column: it is asked before a question is shown
      and before an answer is sent.</p>`;
  }
  if (session.askings.length === 0) {
    return html`<p class="soft">No guardian has been asked yet. One that looks at answers is asked when the form is
      submitted.</p>`;
  }
  return html`${[...session.askings].reverse().map((one) =>
    html`<article class="asking">${asked(session, one, changed)}</article>`)}`;
}

function asked(session: Session, asking: Asking, changed: (act: () => void) => void): TemplateResult {
  const { consult, said } = asking;
  const heading = html`<p class="soft"><bdi>${consult.guardian}</bdi>,
    ${phases[consult.phase]}${listened(session, consult) ? "; only listened to" : nothing}</p>`;
  if (!said) {
    return html`<p class="outcome cancel">Waits for another person</p>${heading}
      <p><button @click=${() => changed(() => session.approve(asking, "allow"))}>Approve</button>
      <button @click=${() => changed(() => session.approve(asking, "deny"))}>Refuse</button></p>`;
  }
  const wrong = misread(session, asking);
  const fault = said.fault ?? (wrong ? "bad_verdict" : undefined);
  const verdict = fault === undefined ? (JSON.parse(said.output!) as Verdict) : undefined;
  return html`${fault !== undefined || !verdict
      ? html`<p class="outcome error">No verdict</p>${heading}
        <p class="fault">${faults[fault ?? "internal"]} <code>${fault}</code></p>
        ${wrong ? html`<p class="soft">${wrong.why} <code>${wrong.at}</code></p>` : nothing}`
      : html`<p class="outcome ${looks[verdict.decision]}">${words[verdict.decision]}</p>
        ${heading}${opinion(verdict)}`}
    ${consult.fuel === undefined ? nothing : fuel(asking, consult.fuel)}
    ${said.log.length === 0 ? nothing : html`<details open><summary>It logged</summary>
      ${said.log.map(logged)}</details>`}
    <details><summary>What it was told</summary>${laidOutText(consult.question_text)}</details>
    ${said.output === undefined ? nothing :
      html`<details><summary>What it wrote</summary>${asIs(said.output)}</details>`}`;
}

function logged({ level, text }: { level: string; text: string }): TemplateResult {
  const severity = level === "error" ? "high" : level === "warn" ? "medium" : "low";
  return html`<p class="log"><span class="severity ${severity}">${level}</span><bdi>${text}</bdi></p>`;
}

/** Whether the guardian's permit says that its verdict does not count. */
function listened(session: Session, consult: Consult): boolean {
  return session.guardians.some(({ permit }) => {
    const { name, audit } = JSON.parse(permit) as GuardianPermit;
    return name === consult.guardian && audit === true;
  });
}

function opinion(verdict: Verdict): TemplateResult {
  const duties = (verdict.obligations ?? []).map((o) =>
    o.do === "redact" ? html`<code>${o.pointer}</code> is left out of the answer` : "another person has to approve");
  const found = verdict.findings ?? [];
  return html`<ol class="why" aria-label="What it found">
    ${found.map(({ severity = "medium", message, code, pointer = "" }) => html`<li>
      <span class="severity ${severity}">${severity}</span><bdi>${message}</bdi><code>${code} ${pointer}</code></li>`)}
    ${duties.map((duty) => html`<li>${duty}</li>`)}</ol>`;
}

const count = new Intl.NumberFormat("en");

function fuel({ said, took = 0 }: Asking, permitted: number): TemplateResult {
  const used = said!.fuel;
  const share = (100 * used) / permitted;
  const pages = said!.pages === 0 ? "" : `, ${said!.pages} ${said!.pages === 1 ? "page" : "pages"} of memory`;
  const percent = share < 0.1 && used > 0 ? "under 0.1" : share.toFixed(share < 10 ? 1 : 0);
  const time = took < 1 ? "under 1" : took.toFixed(0);
  return html`<div class="fuel"><meter min="0" max=${permitted} value=${used} high=${permitted * 0.8} optimum="0"
      aria-label="Fuel used"></meter>
    <p class="soft">${count.format(used)} of ${count.format(permitted)} fuel, ${percent} %${pages}; ${time} ms here</p>
    </div>`;
}

/** The problems because of which the engine does not accept a guardian's output as a verdict, with their places. */
function misread(session: Session, { consult, said }: Asking): { why: string; at: string } | undefined {
  if (said?.output === undefined || consult.phase === "second_person") return undefined;
  const results = [{ guardian: consult.guardian, output: said.output }];
  const out = session.engine!.eval("consult", { phase: consult.phase, results }) as Combined;
  const { problem, at = "" } = out.reasons?.find((r) => r.code === "guardian_fault")?.args ?? {};
  if (problem === undefined) return undefined;
  return { why: String(problem).replaceAll("_", " "), at: String(at) };
}
