import { html, nothing, type TemplateResult } from "lit";
import { clockFace } from "./clock.ts";
import { labelOf } from "./desk.ts";
import type { ElicitForm } from "./element.ts";
import { numberText } from "./exact.ts";
import { drawField, icon, upperFirst } from "./field.ts";
import { drawFindings } from "./findings.ts";
import { isKnown } from "./held.ts";
import { drawAddress } from "./link.ts";
import { peer, spelled } from "./plain.ts";
import { fieldOf, type Field } from "./question.ts";
import { sentence } from "./strings.ts";

/** The whole question, from who asks to the three ways to end it. */
export function drawCard(form: ElicitForm): TemplateResult {
  const { strings, shown } = form;
  return html`<div class="card" part="card" role="form" aria-labelledby="asker" aria-describedby="message" lang=${strings.lang} dir=${strings.dir} tabindex="-1"
      @keydown=${form.key} @focusin=${form.focused}>
    ${drawHeader(form)}
    ${form.isOver ? drawClosed(form) : nothing}
    ${shown.form?.title === undefined || shown.form.title === "" ? nothing : html`<h2 class="title" part="title">${peer(shown.form.title, form.revealing)}</h2>`}
    ${drawMessage(form)}
    ${shown.form?.help === undefined ? nothing : html`<div class="help" part="form-help">${peer(shown.form.help, form.revealing)}</div>`}
    ${form.isOver ? nothing : drawFindings(strings, shown.findings ?? [])}
    ${drawBody(form)}
    ${form.isOver || form.readonly ? nothing : drawEnd(form)}
    <div class="aloud" role="status" aria-live="polite">${aloud(form)}</div>
  </div>`;
}

function drawHeader(form: ElicitForm): TemplateResult {
  const waiting = form.waiting ?? form.shown.waiting ?? 0;
  const { server, shown } = form;
  return html`<header part="header">
    <span class="seal" aria-hidden="true">${Array.from(server)[0]?.toUpperCase() ?? "?"}</span>
    <div class="who" id="asker">
      <span class="server" part="server">${server === "" ? form.say("asksNobody") : form.say("asks", { server })}</span>
      ${shown.tool === undefined ? nothing : html`<span class="tool" part="tool">${form.say("during", { tool: shown.tool })}</span>`}
    </div>
    ${waiting > 0 && !form.isOver ? html`<span class="waiting" part="waiting">${form.say("waiting", { count: waiting })}</span>` : nothing}
    ${drawCountdown(form)}
  </header>`;
}

function drawCountdown(form: ElicitForm): TemplateResult | typeof nothing {
  const { left } = form.clock;
  if (left === undefined || form.phase === "sent") return nothing;
  const text = left === 0 ? form.say("timeIsUp") : form.say("timeLeft", { time: clockFace(left) });
  return html`<span class="countdown${left <= 60 ? " soon" : ""}" part="countdown"><span role="timer">${text}</span>${
    form.extendable ? html`<button type="button" class="quiet" part="extend" @click=${() => form.extend()}>${form.say("extend")}</button>` : nothing}</span>`;
}

function drawMessage(form: ElicitForm): TemplateResult {
  const { message } = form.shown;
  if (message === undefined || message === "") return html`<div id="message" hidden></div>`;
  const isLong = message.length > 1200 || message.split("\n", 20).length > 16;
  return html`<div class="message${isLong ? " long" : ""}" id="message" part="message"
    role=${isLong ? "region" : nothing} aria-label=${isLong ? form.say("message") : nothing} tabindex=${isLong ? "0" : nothing}>${peer(message, form.revealing)}</div>`;
}

function drawBody(form: ElicitForm): TemplateResult | typeof nothing {
  const { shown } = form;
  const mode = shown.mode ?? "form";
  if (mode === "url" && form.address !== undefined) return drawAddress(form.strings, form.address, shown.findings ?? []);
  if (mode !== "form") return html`<div class="unknown">${form.say("unknownMode")}</div>`;
  if (shown.form === undefined || shown.form.fields.length === 0) return nothing;
  if (form.isOver) return drawKept(form);
  return html`<div class="fields" part="fields">${form.fields.map((placed) => drawField(form, placed, form.searchOf(placed.field)))}</div>`;
}

/** A question that ended elsewhere says why, and keeps what was entered where it can be read and copied. */
function drawClosed(form: ElicitForm): TemplateResult {
  const { cause, reason } = form.closed!;
  return html`<div class="closed" part="closed" role="status">
    <strong>${form.say("closed")}</strong>
    <span>${sentence(form.strings.causes, cause)}</span>
    ${reason === undefined ? nothing : html`<span><bdi>${spelled(reason)}</bdi></span>`}
  </div>`;
}

function drawKept(form: ElicitForm): TemplateResult | typeof nothing {
  const kept = form.fields.filter(({ field }) => isKnown(field)).map(({ field }) => [field, heldText(form, field)] as const).filter(([, text]) => text !== "");
  if (kept.length === 0 || !form.isDirty) return nothing;
  return html`<h3 class="name">${form.say("kept")}</h3><dl class="kept" part="kept">${kept.map(([field, text]) => html`<div><dt>${peer(field.label, form.revealing)}</dt><dd>${peer(text)}</dd></div>`)}</dl>`;
}

function heldText(form: ElicitForm, field: Field): string {
  const held = form.held(field);
  if (field.kind === "boolean") return held.yes === undefined ? "" : form.say(held.yes ? "yes" : "no");
  if (field.sensitive === true && held.text !== "") return form.say("hidden");
  if (held.chosen.length > 0) return held.chosen.map((i) => labelOf(field, i)).join(", ");
  return held.text || (numberText(held.origin) ?? "");
}

function drawEnd(form: ElicitForm): TemplateResult {
  return html`${form.isSummed ? drawSummary(form) : nothing}
    <p class="trust" part="trust">${form.server === "" || form.shown.mode === "url" ? nothing : form.say("trust", { server: form.server })}</p>
    ${form.askedToCancel ? html`<p class="again" role="alert">${form.say("cancelAgain")}</p>` : nothing}
    ${form.phase === "opened" ? html`<p class="again" role="status">${form.say("opened", { server: form.server })}</p>` : nothing}
    <div class="controls" part="controls">${drawControls(form)}</div>`;
}

function drawControls(form: ElicitForm): TemplateResult {
  const isBusy = form.phase === "sent" || form.phase === "checking";
  const settled = (act: () => void) => () => {
    if (form.isSettled) act();
  };
  const word = { checking: form.say("checking"), sent: form.say("sent"), opened: form.say("openAgain"), open: agree(form) }[form.phase];
  return html`
    <button type="button" class="submit" part="button submit" ?disabled=${isBusy || !form.canAccept} @click=${settled(() => form.submit())}>${word}</button>
    <button type="button" part="button decline" ?disabled=${isBusy || form.phase === "opened"} @click=${settled(() => form.refuse("decline"))}>${form.say("decline")}</button>
    <button type="button" class="cancel" part="button cancel" ?disabled=${isBusy || form.phase === "opened"} @click=${settled(() => form.refuse("cancel"))}>${form.say("cancel")}</button>`;
}

function agree(form: ElicitForm): string {
  const { address } = form;
  if (form.shown.mode === "url") return address === undefined || address.host === "" ? form.say("openNothing") : form.say("open", { host: address.ascii });
  return form.say(form.fields.length === 0 ? "accept" : "submit");
}

/** Everything that is wrong in one place, each line a way to where it is. */
function drawSummary(form: ElicitForm): TemplateResult {
  return html`<div class="summary" part="summary" role="alert" tabindex="-1"><strong>${icon()}${form.say("summary")}</strong><ul>${form.problems.map((problem) => {
    const text = sentence(form.strings.problems, problem.code, problem.args);
    const placed = form.fields.find(({ field }) => field.name === fieldOf(problem.pointer));
    if (placed === undefined) return html`<li>${upperFirst(text)}</li>`;
    const go = (event: Event): void => {
      event.preventDefault();
      form.lead(placed.id);
    };
    return html`<li><a href="#${placed.id}" @click=${go}>${peer(placed.field.label, form.revealing)}: ${text}</a></li>`;
  })}</ul></div>`;
}

/** What is said to somebody who does not see the page, politely. */
function aloud(form: ElicitForm): string {
  if (form.isOver) return "";
  const { announced } = form.clock;
  if (form.phase === "sent") return form.say("sent");
  return announced === undefined ? form.say(form.server === "" ? "asksNobody" : "asks", { server: form.server }) : form.say("timeLeft", { time: clockFace(announced) });
}
