import { html, nothing, type TemplateResult } from "lit";
import { foldKey, pieceKey, type Piece } from "./body.ts";
import type { Fold, Run } from "./diff.ts";
import type { ElicitForm } from "./element.ts";
import { drawChanged } from "./marked.ts";
import { spelled } from "./plain.ts";
import type { Words } from "./strings.ts";

/** Draws the message, in its parts if it has some. All of it is text, never markup. */
export function drawMessage(form: ElicitForm): TemplateResult {
  const { body } = form.seen;
  const { text } = body.marked;
  if (text === "") return html`<div id="message" hidden></div>`;
  const since = drawChanged(form, body.marked);
  if (body.pieces.length > 0) {
    return html`${since}<div class="message parts" part="message">${body.pieces.map((piece, i) =>
      drawPiece(form, piece, i))}</div>`;
  }
  const isLong = isLongText(text, 0, text.length);
  return html`${since}<div class="message${isLong ? " long" : ""}" id="message" part="message"
    role=${isLong ? "region" : nothing} aria-label=${isLong ? form.say("message") : nothing}
    tabindex=${isLong ? "0" : nothing}>${body.marked.draw(form)}${drawEnd(pieceKey(0))}</div>`;
}

/** The ids of the parts that describe the question. A diff or a table is too long for that. */
export function describing({ seen }: ElicitForm): string {
  const { pieces, marked } = seen.body;
  const ids = pieces.map(({ is }, i) => (is === "text" || is === "command" ? pieceKey(i) : ""));
  const since = marked.isChanged() ? "since" : "";
  return [since, ...(pieces.length === 0 ? ["message"] : ids)].filter((id) => id !== "").join(" ");
}

/** Whether a text gets a box of its own that scrolls. The keyboard must reach such a box. */
function isLongText(text: string, from: number, to: number): boolean {
  return to - from > 1200 || text.slice(from, to).split("\n", 20).length > 16;
}

/** The last pixel of a part. The person has seen the part when this was on the screen. */
export const drawEnd = (key: string): TemplateResult => html`<span class="end" data-end=${key}></span>`;

function drawPiece(form: ElicitForm, piece: Piece, i: number): TemplateResult | typeof nothing {
  switch (piece.is) {
    case "command":
      return drawNamed(form, "command", i, drawBox(form, piece, i, "command"), drawDirectory(form, piece.directory));
    case "directory":
      return html`<div class="piece">${drawDirectory(form, piece)}${drawEnd(pieceKey(i))}</div>`;
    case "diff":
      return drawDiff(form, piece, i);
    case "access":
      return drawAccess(form, piece, i);
  }
  return drawBox(form, piece, i, "message");
}

/** Draws a part under its name. */
function drawNamed(form: ElicitForm, word: keyof Words, i: number, body: unknown, beside: unknown): TemplateResult {
  const id = `${pieceKey(i)}-name`;
  return html`<div class="piece" part=${`part ${word}`} role="group" aria-labelledby=${id}>
    <div class="caption"><span class="kind" id=${id}>${form.say(word)}</span>${beside}</div>${body}</div>`;
}

function drawBox(form: ElicitForm, { from, to }: Piece, i: number, word: "message" | "command"): TemplateResult {
  const { marked } = form.seen.body;
  const isLong = isLongText(marked.text, from, to);
  return html`<div class=${`${word === "command" ? "well" : "prose"}${isLong ? " long" : ""}`} id=${pieceKey(i)}
    dir=${word === "command" ? "ltr" : nothing} role=${isLong ? "region" : nothing}
    aria-label=${isLong ? form.say(word) : nothing} tabindex=${isLong ? "0" : nothing}>${
    marked.draw(form, from, to)}${drawEnd(pieceKey(i))}</div>`;
}

function drawDirectory(form: ElicitForm, directory: Piece | undefined): TemplateResult | typeof nothing {
  if (directory === undefined) return nothing;
  const { marked } = form.seen.body;
  // Questions of agents say "In /path". The name of the part says it in the person's language.
  const isSaid = /^In (?=[/~\\]|[A-Za-z]:)/.test(marked.text.slice(directory.from, directory.to));
  const from = directory.from + (isSaid && !marked.isChanged(directory.from, directory.from + 2) ? 3 : 0);
  return html`<span class="directory">${form.say("directory")} <code dir="ltr">${
    marked.draw(form, from, directory.to)}</code></span>`;
}

function drawDiff(form: ElicitForm, { folds }: Piece, i: number): TemplateResult {
  const { opened } = form.seen.body;
  const keys = folds.map((_, k) => foldKey(i, k));
  const isOpen = keys.every((key) => opened.has(key));
  const turn = (): void => {
    for (const key of keys) if (isOpen) opened.delete(key);
    else opened.add(key);
    form.redraw();
  };
  const all = html`<button type="button" class="quiet" part="folds" @click=${turn}>${
    form.say(isOpen ? "foldAll" : "openAll")}</button>`;
  const beside = folds.length > 1 ? html`${drawCounts(form, folds)}${all}` : nothing;
  return drawNamed(form, "changes", i, folds.map((fold, k) => drawFold(form, fold, keys[k]!)), beside);
}

/** Draws how many lines were added and removed, in signs, and in words for screen readers. */
function drawCounts(form: ElicitForm, folds: readonly Fold[]): TemplateResult {
  const sum = (of: "added" | "removed" | "lines"): number => folds.reduce((count, fold) => count + fold[of], 0);
  const said = form.say("addedRemoved", { added: sum("added"), removed: sum("removed") });
  return html`<span class="counts"><bdi dir="ltr" aria-hidden="true">+${sum("added")} −${sum("removed")}</bdi><span
    class="aloud">${said}</span> · ${form.say("lines", { count: sum("lines") })}</span>`;
}

function drawFold(form: ElicitForm, fold: Fold, key: string): TemplateResult {
  const { marked, opened } = form.seen.body;
  const { name, runs } = fold;
  const [from, to] = [runs[0]!.from, runs.at(-1)!.to];
  const isLong = isLongText(marked.text, from, to);
  const turned = ({ currentTarget }: Event): void => {
    if ((currentTarget as HTMLDetailsElement).open) opened.add(key);
    else opened.delete(key);
    form.redraw();
  };
  const title = name === undefined ? form.say("changes") : html`<code dir="ltr">${marked.draw(form, ...name)}</code>`;
  return html`<details class="fold" part="fold" .open=${opened.has(key)} @toggle=${turned}>
    <summary>${title} ${drawCounts(form, [fold])}</summary>
    <div class="well${isLong ? " long" : ""}" dir="ltr" role=${isLong ? "region" : nothing}
      aria-label=${isLong ? spelled(name === undefined ? form.say("changes") : marked.text.slice(...name)) : nothing}
      tabindex=${isLong ? "0" : nothing}>${runs.map((run) => drawRun(form, run))}${drawEnd(key)}</div></details>`;
}

/** Draws lines of one kind. Their signs stay, so that colour alone never tells them apart. */
function drawRun(form: ElicitForm, { is, from, to }: Run): TemplateResult {
  const text = form.seen.body.marked.draw(form, from, to);
  if (is === "added") return html`<ins class="run added">${text}</ins>`;
  if (is === "removed") return html`<del class="run removed">${text}</del>`;
  return html`<span class="run ${is}">${text}</span>`;
}

/** Draws one permission a line, in a table: what is accessed, and where. */
function drawAccess(form: ElicitForm, { from, to }: Piece, i: number): TemplateResult {
  const { marked } = form.seen.body;
  const rows: TemplateResult[] = [];
  for (let at = from; at <= to; ) {
    const next = marked.text.indexOf("\n", at);
    const end = next < 0 || next > to ? to : next;
    if (end > at || marked.isChanged(at, end)) rows.push(drawRow(form, at, end));
    at = end + 1;
  }
  return html`<div class="piece" part="part access"><table class="access">
    <caption>${form.say("permissions")}</caption>
    <thead><tr><th scope="col">${form.say("access")}</th><th scope="col">${form.say("place")}</th></tr></thead>
    <tbody>${rows}</tbody></table>${drawEnd(pieceKey(i))}</div>`;
}

/** A line such as "read /path" or "Network: every host". A line of one word stays in one cell. */
function drawRow(form: ElicitForm, from: number, to: number): TemplateResult {
  const { marked } = form.seen.body;
  const line = marked.text.slice(from, to);
  const kind = /^\S+(?= )/.exec(line)?.[0];
  if (kind === undefined) return html`<tr><td colspan="2"><code>${marked.draw(form, from, to)}</code></td></tr>`;
  const at = from + kind.length;
  return html`<tr><th scope="row">${marked.draw(form, from, at)}</th>
    <td><code>${marked.draw(form, at + 1, to)}</code></td></tr>`;
}
