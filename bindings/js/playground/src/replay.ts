import { html, nothing, type TemplateResult } from "lit";
import type { Problem, Reason } from "../../src/index.ts";
import type { Session } from "./session.ts";
import { problems, type About } from "./inspector.ts";
import { local } from "./place.ts";

/** A past decision that would be different with another policy. */
interface Difference {
  server: string;
  tool?: string;
  message: string;
  then: Side;
  now: Side;
}

interface Side {
  outcome: string;
  reasons: Reason[];
}

interface Simulation {
  differences?: Difference[];
  asked?: number;
  problems?: Problem[];
}

/** Draws the decisions that another policy would have made for this journal. */
export function replayed(session: Session, policy: string, about: About): TemplateResult {
  const out = JSON.parse(session.engine!.evalText("simulate", JSON.stringify({
    journal_text: session.journalText(), policy: policy.trim() === "" ? {} : { [`${session.of.layer}_text`]: policy } }))) as Simulation;
  if (out.problems?.length) return html`${problems(session, local(out.problems), about)}`;
  const differences = out.differences ?? [];
  if (differences.length === 0) return html`<p class="soft same">Every one of ${out.asked ?? 0} decisions would fall the same.</p>`;
  return html`<table>
    <thead><tr><th>question</th><th>then</th><th>now</th></tr></thead>
    <tbody>${differences.map((d) => html`<tr>
      <td><bdi>${d.message.slice(0, 200)}</bdi></td><td>${side(session, d.then)}</td><td>${side(session, d.now)}</td></tr>`)}</tbody>
  </table>`;
}

function side(session: Session, s: Side): TemplateResult {
  const sentences = session.engine!.eval("explain", { reasons: s.reasons }).reasons ?? [];
  return html`<strong>${s.outcome}</strong>${sentences.length ? html`<br /><span class="soft">${sentences.at(-1)}</span>` : nothing}`;
}
