import { html, nothing, type TemplateResult } from "lit";
import type { Problem, Reason } from "../../src/index.ts";
import { problems, type About } from "./inspector.ts";
import { stood, type Past } from "./past.ts";
import { local } from "./place.ts";
import type { Session } from "./session.ts";

/** A past decision that would be different with another policy. */
interface Difference {
  record: number;
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
  changed?: number;
  problems?: Problem[];
}

/** The most rows of a table. */
const mostRows = 100;

let last: { asked: string; out: Simulation } | undefined;

/** Decides a journal again. The page is drawn more often than the journal or the policy changes. */
function simulated(session: Session, journal: string, policy: string): Simulation {
  const asked = JSON.stringify({
    journal_text: journal, policy: policy.trim() === "" ? {} : { [`${session.of.layer}_text`]: policy } });
  if (last?.asked !== asked) {
    last = { asked, out: JSON.parse(session.teller!.evalText("simulate", asked)) as Simulation };
  }
  return last.out;
}

/** Draws the decisions that another policy would have made for a journal. */
export function replayed(session: Session, journal: string, policy: string, about: About): TemplateResult {
  const out = simulated(session, journal, policy);
  const { differences } = out;
  const wrong = (out.problems ?? []).filter((p) => !differences || p.pointer.startsWith("/policy"));
  if (wrong.length > 0 || !differences) return html`${problems(session, local(wrong), about)}`;
  if (differences.length === 0) {
    return html`<p class="soft same">Every one of ${out.asked ?? 0} decisions would fall the same.</p>`;
  }
  return html`<p class="soft">${differences.length} of ${out.asked ?? 0} decisions would
      change${differences.length > mostRows ? `; the first ${mostRows} are shown` : ""}.</p>
    <table>
    <thead><tr><th>question</th><th>then</th><th>now</th></tr></thead>
    <tbody>${differences.slice(0, mostRows).map((d) => html`<tr>
      <td><bdi>${d.message.slice(0, 200)}</bdi></td>
      <td>${side(session, d.then)}</td><td>${side(session, d.now)}</td></tr>`)}</tbody>
  </table>`;
}

function side(session: Session, s: Side): TemplateResult {
  const sentences = session.teller!.eval("explain", { reasons: s.reasons }).reasons ?? [];
  const why = sentences.length > 0 ? html`<br /><span class="soft">${sentences.at(-1)}</span>` : nothing;
  return html`<strong>${s.outcome}</strong>${why}`;
}

const clock = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** Draws a dropped journal as it stood after record `moment`: whether it holds, and its questions. */
export function pastPane(
  session: Session, past: Past, moment: number, on: { scrub: (moment: number) => void; close: () => void },
): TemplateResult {
  const all = past.moments.length;
  const now = past.moments[moment - 1];
  const causes = (cause: string | undefined) =>
    (cause === undefined ? "" : session.teller!.eval("explain", { causes: [cause] }).causes![0]!);
  const asked = past.questions.filter(({ record }) => record <= moment);
  return html`<p class="named"><strong><bdi>${past.file}</bdi></strong> <button @click=${on.close}>Put away</button></p>
    ${past.problems.length > 0
      ? html`<p class="soft">The first ${all} records hold. Then the journal does not:</p>
        ${problems(session, past.problems)}`
      : html`<p class="soft same">The chain holds: ${all} ${all === 1 ? "record" : "records"} replayed in this tab,
        the same effects byte for byte.</p>`}
    ${now === undefined ? nothing : html`
      <label class="name" for="moment">Moment: record ${moment} of ${all}</label>
      <input id="moment" type="range" min="1" max=${all} .value=${String(moment)}
        aria-valuetext=${`record ${moment}, ${now.event}`}
        @input=${(e: Event) => on.scrub(Number((e.target as HTMLInputElement).value))} />
      <p class="soft">${clock.format(now.at)} · ${now.event} · <code>${now.hash.slice(0, 12)}</code></p>
      <p class="soft">${asked.length} of ${past.questions.length} questions asked by
        then${asked.length > mostRows ? `; the last ${mostRows} are shown` : ""}.</p>
      <div class="past" tabindex="0" role="group" aria-label="Questions of the journal"><table>
        <thead><tr><th>question</th><th>by then</th></tr></thead>
        <tbody>${asked.slice(-mostRows).reverse().map((question) => {
          const { what, cause } = stood(question, moment);
          return html`<tr><td><bdi>${question.message.slice(0, 200) || "no message kept"}</bdi><br />
            <span class="soft"><bdi>${question.server}</bdi>${
              question.tool ? html` · <bdi>${question.tool}</bdi>` : nothing}</span></td>
            <td><strong>${what}</strong><br /><span class="soft">${causes(cause)}</span></td></tr>`;
        })}</tbody></table></div>`}`;
}
