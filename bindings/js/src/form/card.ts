import { html, nothing, type TemplateResult } from "lit";
import { clockFace } from "./clock.ts";
import { labelOf } from "./context.ts";
import type { ElicitForm } from "./element.ts";
import { numberText } from "./exact.ts";
import { drawField, icon, upperFirst } from "./field.ts";
import { drawFindings, isRisky } from "./findings.ts";
import { isKnown, type Held } from "./held.ts";
import { drawAddress } from "./link.ts";
import { describing, drawEnd as drawMark, drawMessage } from "./message.ts";
import { peer, spelled } from "./plain.ts";
import { fieldOf, type Field } from "./question.ts";
import { sentence } from "./strings.ts";

/** Draws the whole question, from its asker to the buttons that end it. */
export function drawCard(form: ElicitForm): TemplateResult {
  const { strings, shown } = form;
  const { title = "", help } = shown.form ?? {};
  return html`<div class="card" part="card" role=${form.isOver ? "group" : "form"}
      aria-labelledby="asker" aria-describedby=${describing(form)}
      lang=${strings.lang} dir=${strings.dir} tabindex="-1" @keydown=${form.key} @focusin=${form.focused}>
    ${drawMark("head")}${drawHeader(form)}
    ${form.isOver ? drawClosed(form) : nothing}
    ${title === "" ? nothing : html`<h2 class="title" part="title">${peer(title, form.revealing)}</h2>`}
    ${drawMessage(form)}
    ${drawTool(form)}
    ${help === undefined ? nothing : html`<div class="help" part="form-help">${peer(help, form.revealing)}</div>`}
    ${form.isOver ? nothing : drawFindings(strings, shown.findings ?? [])}
    ${drawBody(form)}
    ${form.isOver || form.readonly ? nothing : drawEnd(form)}
    <div class="aloud" role="status" aria-live="polite">${announcement(form)}</div>
  </div>`;
}

/** The server's description of the tool whose call waits for the answer. All of it is the server's text. */
function drawTool(form: ElicitForm): TemplateResult | typeof nothing {
  const { description = "", annotations = {} } = form.shown;
  const marks = Object.entries(annotations).map(([name, said]) =>
    `${name.replaceAll("_", " ")}: ${said ? "✓" : "✗"}`);
  if (description === "" && marks.length === 0) return nothing;
  return html`<div class="help about-tool" part="about-tool"><span>${form.say("saidOfTool")}</span>
    <div class="prose">${peer(description, form.revealing)}</div><div>${marks.join(", ")}</div></div>`;
}

function drawHeader(form: ElicitForm): TemplateResult {
  const { server, shown } = form;
  const { tool } = shown;
  const count = form.waiting ?? shown.waiting ?? 0;
  const waiting = html`<span class="waiting" part="waiting">${form.say("waiting", { count })}</span>`;
  return html`<header part="header">
    <span class="seal" aria-hidden="true">${Array.from(server)[0]?.toUpperCase() ?? "?"}</span>
    <div class="who" id="asker">
      <span class="server" part="server">${server === "" ? form.say("asksNobody") : form.say("asks", { server })}</span>
      ${tool === undefined ? nothing : html`<span class="tool" part="tool">${form.say("during", { tool })}</span>`}
    </div>
    ${count > 0 && !form.isOver ? waiting : nothing}
    ${drawCountdown(form)}
  </header>`;
}

function drawCountdown(form: ElicitForm): TemplateResult | typeof nothing {
  const { left } = form.clock;
  if (left === undefined || form.phase === "sent") return nothing;
  const text = left === 0 ? form.say("timeIsUp") : form.say("timeLeft", { time: clockFace(left) });
  const extend = html`<button type="button" class="quiet" part="extend" @click=${() => form.extend()}>${
    form.say("extend")}</button>`;
  return html`<span class="countdown${left <= 60 ? " soon" : ""}" part="countdown"><span role="timer">${text}</span>${
    form.extendable ? extend : nothing}</span>`;
}

function drawBody(form: ElicitForm): TemplateResult | typeof nothing {
  const { shown, address } = form;
  const mode = shown.mode ?? "form";
  if (mode === "url" && address !== undefined) return drawAddress(form.strings, address, shown.findings ?? []);
  if (mode !== "form") return html`<div class="unknown">${form.say("unknownMode")}</div>`;
  if (shown.form === undefined || shown.form.fields.length === 0) return nothing;
  if (form.isOver) return drawKept(form);
  return html`<div class="fields" part="fields">${form.fields.map((placed) =>
    drawField(form, placed, form.searchOf(placed.field)))}</div>`;
}

const answers = { accept: "wasAccepted", decline: "wasDeclined", cancel: "wasCancelled" } as const;

/** Draws why a question ended elsewhere. If a person answered it there, it says what the answer was. */
function drawClosed(form: ElicitForm): TemplateResult {
  const { cause, reason, outcome = "" } = form.closed!;
  const answer = cause === "user" && Object.hasOwn(answers, outcome) ? outcome as keyof typeof answers : undefined;
  return html`<div class="closed" part="closed" role="status">
    <strong>${form.say("closed")}</strong>
    <span>${answer === undefined ? sentence(form.strings.causes, cause) : form.say(answers[answer])}</span>
    ${reason === undefined ? nothing : html`<span><bdi>${spelled(reason)}</bdi></span>`}
  </div>`;
}

/** Draws the values that the person had typed into a question that ended elsewhere, so that they can copy them. */
function drawKept(form: ElicitForm): TemplateResult | typeof nothing {
  const known = form.fields.filter(({ field }) => isKnown(field) && isEntered(form.held(field)));
  const kept = known.map(({ field }) => [field, heldText(form, field)] as const).filter(([, text]) => text !== "");
  if (kept.length === 0 || !form.isDirty) return nothing;
  return html`<h2 class="name">${form.say("kept")}</h2><dl class="kept" part="kept">${kept.map(
    ([field, text]) => html`<div><dt>${peer(field.label, form.revealing)}</dt><dd>${peer(text)}</dd></div>`)}</dl>`;
}

/** Whether a person entered the value, now or before. A default that they did not touch says nothing. */
function isEntered({ from }: Held): boolean {
  return from === "typed" || from === "draft" || from === "suggestion";
}

function heldText(form: ElicitForm, field: Field): string {
  const held = form.held(field);
  if (field.kind === "boolean") return held.yes === undefined ? "" : form.say(held.yes ? "yes" : "no");
  if (field.sensitive === true && held.text !== "") return form.say("hidden");
  if (held.chosen.length > 0) return held.chosen.map((i) => labelOf(field, i)).join(", ");
  return held.text || (numberText(held.origin) ?? "");
}

function drawEnd(form: ElicitForm): TemplateResult {
  const { server, shown } = form;
  const isTrusting = server !== "" && shown.mode !== "url" && form.fields.length > 0;
  const keys = html`<p class="keys" part="keys">${form.say("keys")}</p>`;
  const opened = html`<p class="again" role="status">${form.say("opened", { server })}</p>`;
  return html`${form.beside.draw()}${form.isSummed ? drawSummary(form) : nothing}
    <p class="trust" part="trust">${isTrusting ? form.say("trust", { server }) : nothing}</p>
    ${form.askedToCancel ? html`<p class="again" role="alert">${form.say("cancelAgain")}</p>` : nothing}
    ${form.phase === "opened" ? opened : nothing}
    <div class="controls" part="controls" @mousedown=${keepFocus}>${drawControls(form)}</div>
    ${form.isUnseen ? drawUnseen(form) : nothing}
    ${form.fields.length > 0 ? keys : nothing}`;
}

/**
 * Leaves the focus where it is while a button is pressed. A field that loses it shows its problem, and the buttons move
 * away from under the pointer before it is released. Then nothing is clicked.
 */
function keepFocus(press: MouseEvent): void {
  press.preventDefault();
}

/** Draws why the question cannot be accepted yet. It stands below the buttons, so that they stay where they are. */
function drawUnseen(form: ElicitForm): TemplateResult {
  return html`<p class="unseen" id="unseen" part="unseen">${form.say("unseen")}
    <button type="button" class="quiet" part="go-on" @click=${form.seen.goOn}>${form.say("goOn")}</button></p>`;
}

function drawControls(form: ElicitForm): TemplateResult {
  const { shown } = form;
  const isBusy = form.phase === "sent" || form.phase === "checking";
  const cannotRefuse = isBusy || form.phase === "opened";
  const settled = (act: () => void) => () => {
    if (!form.isSettled) return;
    if (form.seen.isBegun) act();
    else form.seen.goOn();
  };
  const submit = settled(() => form.submit());
  const decline = settled(() => form.refuse("decline"));
  const cancel = settled(() => form.refuse("cancel"));
  const risky = isRisky(shown.findings ?? []) || shown.annotations?.["destructive"] === true;
  return html`
    <button type="button" class="submit${risky ? "" : " loud"}" part="button submit"
      aria-keyshortcuts=${shown.mode === "url" ? nothing : "Control+Enter"}
      aria-describedby=${form.isUnseen ? "unseen" : nothing}
      ?disabled=${isBusy || !form.canAccept || form.isUnseen} @click=${submit}>${submitText(form)}</button>
    <button type="button" class=${risky ? "loud" : nothing} part="button decline"
      ?disabled=${cannotRefuse} @click=${decline}>${form.say("decline")}</button>
    <button type="button" class="cancel" part="button cancel"
      ?disabled=${cannotRefuse} @click=${cancel}>${form.say("cancel")}</button>`;
}

function submitText(form: ElicitForm): string {
  if (form.phase !== "open") return form.say(form.phase === "opened" ? "openAgain" : form.phase);
  const { address } = form;
  if (form.shown.mode !== "url") return form.say(form.fields.length === 0 ? "accept" : "submit");
  if (address === undefined || address.host === "") return form.say("openNothing");
  return form.say("open", { host: address.ascii });
}

/** Draws all problems in one list. Each line leads to its field. */
function drawSummary(form: ElicitForm): TemplateResult {
  const lines = form.problems.map((problem) => {
    const text = sentence(form.strings.problems, problem.code, problem.args);
    const part = problem.in;
    if (part !== undefined) {
      const go = (event: Event): void => {
        event.preventDefault();
        form.beside.lead(part);
      };
      const name = form.say(part === "note" ? "addNote" : "editArguments");
      return html`<li><a href="#${part}" @click=${go}>${name}: ${form.beside.sentence(problem)}</a></li>`;
    }
    const placed = form.fields.find(({ field }) => field.name === fieldOf(problem.pointer));
    if (placed === undefined) return html`<li>${upperFirst(text)}</li>`;
    const go = (event: Event): void => {
      event.preventDefault();
      form.lead(placed.id);
    };
    return html`<li><a href="#${placed.id}" @click=${go}>${peer(placed.field.label, form.revealing)}: ${text}</a></li>`;
  });
  return html`<div class="summary" part="summary" role="alert" tabindex="-1"><strong>${icon()}${
    form.say("summary")}</strong><ul>${lines}</ul></div>`;
}

/** The text for the live region, which screen readers announce. */
function announcement(form: ElicitForm): string {
  if (form.isOver) return "";
  const { server, clock } = form;
  if (form.phase === "sent") return form.say("sent");
  if (clock.announced !== undefined) return form.say("timeLeft", { time: clockFace(clock.announced) });
  return form.say(server === "" ? "asksNobody" : "asks", { server });
}
