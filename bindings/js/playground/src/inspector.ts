import { html, nothing, type TemplateResult } from "lit";
import type { Finding, Problem, Reason, Show, Reply } from "../../src/index.ts";
import { placeOf, type Found } from "./place.ts";
import type { PolicySchema } from "./policy-schema.ts";
import { within } from "./peer.ts";
import type { Session } from "./session.ts";
import { asIs, laidOut, laidOutText } from "./view.ts";

/** The decision pane for one question: its outcome, and every reason. */
export function decision(session: Session, go?: (index: number) => void): TemplateResult {
  const said = [...session.replies.map((r) => r.reply), ...session.shown];
  if (said.length === 0) return html`<p class="soft">Nothing has been decided yet.</p>`;
  return html`${said.map((one) => (one.effect === "reply" ? replied(session, one, go) : shown(session, one)))}`;
}

/** The last decision in a line, for narrow screens. */
export function summary(session: Session): { title: string; look: string; reason: string } | undefined {
  const [problem] = session.refused;
  if (problem) {
    const reason = session.teller?.eval("explain", { problems: [problem] }).problems?.[0] ?? "";
    return { title: "Nothing is asked", look: "error", reason };
  }
  const [show] = session.shown;
  const reply = session.replies.at(-1)?.reply;
  const one = show ?? reply;
  if (!one) return undefined;
  const explained = session.engine!.eval("explain", {
    reasons: [...(one.reasons ?? [])].slice(-1), problems: [...(reply?.problems ?? [])].slice(0, 1) });
  const reason = explained.reasons?.[0] ?? explained.problems?.[0] ?? "";
  if (show) return { title: "Asks the person", look: "", reason };
  return { title: verb(reply!.outcome), look: reply!.outcome, reason };
}

/** Why the person sees no question. */
export function nobody(s: Session | undefined): TemplateResult {
  if (!s) return html`Starting the engine…`;
  const note = (title: string, text: string) => html`<strong>${title}</strong> ${text}`;
  if (s.refused.some((p) => p.pointer.startsWith("/guardians"))) {
    return note("A permit does not hold.", "So nothing is asked; a guardian is never left out.");
  }
  if (s.refused.length > 0) return note("The policy cannot be read.", "So nothing is asked; it is never ignored.");
  if (s.received?.asked.length === 0) {
    return note("Nobody is disturbed.", "What the server sent is no request the engine can put to a person.");
  }
  if (s.replies.some((r) => r.reply.cause === "user")) {
    return note("Answered.", "The reply is on its way; press a chip to begin again.");
  }
  return note("Nobody is disturbed.", "The engine answered by itself. The right column says why.");
}

function shown(session: Session, show: Show): TemplateResult {
  const running = show.tool ? html`, while running <bdi>${show.tool}</bdi>` : nothing;
  return html`<p class="outcome">Asks the person</p>
    <p class="soft">${show.kind} from <bdi>${show.server}</bdi>${running}</p>
    ${reasons(session, show.reasons)}${findings(session, show.findings)}`;
}

const verbs = { accept: "Accepted", decline: "Declined", cancel: "Cancelled", error: "Refused" } as const;
const verb = (outcome: string) => verbs[outcome as keyof typeof verbs] ?? outcome;

function replied(session: Session, reply: Reply, go?: (index: number) => void): TemplateResult {
  const asked = session.received?.asked[Number(reply.ref)] ?? { at: "", bare: false };
  const wrong = (reply.problems ?? []).map((p) => within(asked, p));
  const cause = session.engine!.eval("explain", { causes: [reply.cause] }).causes![0]!;
  return html`<p class="outcome ${reply.outcome}">${verb(reply.outcome)}</p>
    <p class="soft">${cause} <code>${reply.cause}</code></p>
    ${reasons(session, reply.reasons ?? [])}
    ${problems(session, wrong, { text: session.of.request, ...(go ? { go } : {}) })}
      ${findings(session, reply.findings ?? [])}`;
}

function reasons(session: Session, list: readonly Reason[]): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  const sentences = session.engine!.eval("explain", { reasons: [...list] }).reasons!;
  return html`<ol class="why" aria-label="Reasons">
    ${list.map((r, i) => html`<li><bdi>${sentences[i]}</bdi><code>${r.code}</code></li>`)}</ol>`;
}

function findings(session: Session, list: readonly Finding[]): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  const sentences = session.engine!.eval("explain", { findings: [...list] }).findings!;
  return html`<ol class="why" aria-label="Findings">${list.map((f, i) => html`<li>
    <span class="severity ${f.severity}">${f.severity}</span><bdi>${sentences[i]}</bdi><code>${f.code}
      ${f.pointer}</code></li>`)}</ol>`;
}

/** The text that problems are about, and what a press on a place does. */
export interface About {
  text: string;
  go?: (index: number) => void;
  /** The schema of the text, if it is a policy. */
  schema?: PolicySchema | undefined;
}

/** Problems as a list of sentences with their places. */
export function problems(
  session: Session | undefined, list: readonly Found[], about?: About,
): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  const sentences = session?.teller?.eval("explain", { problems: [...list] as Problem[] }).problems ?? [];
  const sentence = (p: { code: string }, i: number) => sentences[i] ?? p.code.replaceAll("_", " ");
  return html`<ul class="bad">${list.map((p, i) => html`<li>${about ? placed(about, p) : nothing}
    <bdi>${sentence(p, i)}</bdi>${meant(p, about?.schema)} <code>${p.pointer}</code></li>`)}</ul>`;
}

function placed({ text, go }: About, problem: Found) {
  const place = placeOf(text, problem);
  if (!place) return nothing;
  const words = `line ${place.line}, column ${place.column}`;
  return go ? html`<button class="place" @click=${() => go(place.index)}>${words}</button>` : html`${words}:`;
}

function meant(problem: Found, schema: PolicySchema | undefined) {
  const name = problem.code === "unknown_member" ? schema?.meant(problem.pointer) : undefined;
  return name === undefined ? nothing : html` (did you mean <q>${name}</q>?)`;
}

/** The bytes of the reply to the server. */
export function reply(session: Session): TemplateResult {
  const bytes = session.wire();
  if (bytes === undefined) {
    return html`<p class="soft">The server has no answer yet. A question without a person's answer is never an
      accept.</p>`;
  }
  return html`<p class="soft">${new TextEncoder().encode(bytes).length} bytes, exactly these:</p>${asIs(bytes)}
    <p class="soft">laid out</p>${laidOutText(bytes)}`;
}

/** Every record. Each contains the hash of the one before it. */
export function journal(session: Session): TemplateResult {
  const checked = JSON.parse(session.engine!.evalText("replay",
    JSON.stringify({ journal_text: session.journalText() }))) as Record<string, unknown>;
  const sound = checked["problems"] === undefined && checked["difference"] === undefined;
  const said = sound ? "Replayed just now: the same effects, byte for byte." : JSON.stringify(checked);
  return html`<p class="soft ${sound ? "same" : ""}">${said}</p>
    ${session.journal.map((record, i) => html`<details>
      <summary>${eventOf(record)} <span class="mono">${hashOf(record)}</span></summary>
      ${i < 500 ? laidOutText(record) : nothing}</details>`)}`;
}

const eventOf = (record: string) => (JSON.parse(record) as { event: { event: string } }).event.event;
const hashOf = (record: string) => (JSON.parse(record) as { hash: string }).hash.slice(0, 12);

/** Every effect of the engine, in order. */
export function effects(session: Session): TemplateResult {
  return html`${session.steps.map((step) => html`<details open><summary>${step.event}</summary>
    ${step.effects.filter((e) => e.effect !== "append").map((e) => laidOut(e))}
    ${step.effects.some((e) => e.effect === "append")
      ? html`<p class="soft">and a record for the journal, first</p>`
      : nothing}</details>`)}`;
}
