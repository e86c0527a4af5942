import { html, nothing, type TemplateResult } from "lit";
import type { ElicitForm } from "./element.ts";
import { stringifyExact } from "./exact.ts";
import { icon, upperFirst } from "./field.ts";
import { faultOf, placeArgs } from "./place.ts";
import { spelled } from "./plain.ts";
import type { Action, AnswerDetail, Part, Problem } from "./question.ts";
import { sentence } from "./strings.ts";
import { toFault } from "./text.ts";

/** The words of a person beside the fields: a note to whoever asked, and other arguments for the held call. */
export class Beside {
  private note = "";
  /** The text in the editor; undefined as long as it was not changed. */
  private edited: string | undefined;
  /** Why the text is no object. It is looked for when the person accepts: a line that appears before would move the
   * button away under the pointer. */
  private wrong: string | undefined;

  constructor(private readonly form: ElicitForm) {}

  begin(): void {
    Object.assign(this, { note: "", edited: undefined, wrong: undefined });
  }

  get isDirty(): boolean {
    return this.note.trim() !== "" || this.edited !== undefined;
  }

  private takes(...parts: string[]): boolean {
    return (this.form.shown.takes ?? []).some((part) => parts.includes(part));
  }
  private get takesEdit(): boolean {
    return this.takes("edit") && this.form.shown.arguments !== undefined;
  }
  private get original(): string {
    return spread(stringifyExact(this.form.shown.arguments ?? {}));
  }

  /** Whether the edited arguments are a JSON object. Otherwise it shows why not, and moves the focus there. */
  isFit(): boolean {
    if (this.edited === undefined || !this.takesEdit) return true;
    this.wrong = this.misread(this.edited);
    if (this.wrong === undefined) return true;
    this.form.redraw();
    void this.form.updateComplete.then(() => this.lead("arguments"));
    return false;
  }

  /** The members of an answer that the person wrote here. */
  detail(action: Action): Partial<AnswerDetail> {
    const note = this.note.replace(/[^\P{Cc}\n]/gu, " ").trim(); // the engine takes no other control character
    const isEdited = action === "accept" && this.edited !== undefined && this.takesEdit;
    return {
      ...(action !== "cancel" && note !== "" && { note }),
      ...(isEdited && { arguments: this.edited! }),
    };
  }

  /** Opens an editor and moves the focus into it. */
  lead(part: Part): void {
    const area = this.form.renderRoot.querySelector<HTMLTextAreaElement>(`#${part}`);
    area?.closest("details")?.setAttribute("open", "");
    area?.focus();
    if (area !== null) toFault(area);
  }

  draw(): TemplateResult | typeof nothing {
    const note = this.takes("decline_note", "accept_note") ? this.drawNote() : nothing;
    const edit = this.takesEdit ? this.drawArguments() : nothing;
    if (note === nothing && edit === nothing) return nothing;
    return html`<div class="beside" part="beside">${edit}${note}</div>`;
  }

  private drawNote(): TemplateResult {
    const { form } = this;
    const when = !this.takes("accept_note") ? "noteDecline" : this.takes("decline_note") ? "noteAny" : "noteAccept";
    const input = (event: InputEvent): void => {
      this.note = (event.target as HTMLTextAreaElement).value;
      this.forget("note");
    };
    return html`<details part="note"><summary>${form.say("addNote")}</summary>
      <div class="field${this.problem("note") === undefined ? "" : " wrong"}">
        <label for="note" class="hint">${form.say(when)}</label>
        <textarea id="note" rows="3" dir="auto" ?readonly=${form.locked} .value=${this.note} @input=${input}
          aria-invalid=${this.problem("note") !== undefined} aria-describedby="note-problem"></textarea>
        ${this.drawProblem("note", this.problem("note"))}
      </div></details>`;
  }

  private drawArguments(): TemplateResult {
    const { form } = this;
    const wrong = this.wrong ?? this.problem("arguments");
    const input = (event: InputEvent): void => {
      const { value } = event.target as HTMLTextAreaElement;
      this.edited = value === this.original ? undefined : value;
      if (this.wrong !== undefined) this.wrong = this.misread(value);
      this.forget("arguments");
    };
    const restore = (): void => {
      Object.assign(this, { edited: undefined, wrong: undefined });
      this.forget("arguments");
    };
    return html`<details part="arguments"><summary>${form.say("editArguments")}</summary>
      <div class="field${wrong === undefined ? "" : " wrong"}">
        <label for="arguments" class="hint">${form.say("argumentsHint")}</label>
        <textarea id="arguments" class="code" rows="6" dir="ltr" spellcheck="false" autocapitalize="off"
          ?readonly=${form.locked} .value=${this.edited ?? this.original} @input=${input}
          aria-invalid=${wrong !== undefined} aria-describedby="arguments-problem"></textarea>
        ${this.drawProblem("arguments", wrong)}
        ${this.edited === undefined ? nothing : html`<button type="button" class="quiet" @click=${restore}>${
          form.say("restoreArguments")}</button>`}
      </div></details>`;
  }

  private drawProblem(part: Part, text: string | undefined): TemplateResult {
    return html`<div class="problem" id="${part}-problem" part="problem" role="alert">${
      text === undefined ? nothing : html`${icon()}<span>${upperFirst(text)}</span>`}</div>`;
  }

  /** The sentence of a problem that the engine has with a part. */
  private problem(part: Part): string | undefined {
    const found = this.form.problems.find((problem) => problem.in === part);
    return found && this.sentence(found);
  }

  sentence({ code, args, pointer }: Problem): string {
    const text = sentence(this.form.strings.problems, code, args);
    return pointer === "" ? text : `${spelled(pointer)}: ${text}`;
  }

  /** Forgets the problems of a part that the person is changing. */
  private forget(part: Part): void {
    const { form } = this;
    form.problems = form.problems.filter((problem) => problem.in !== part);
    if (form.problems.length === 0) form.isSummed = false;
    form.askedToCancel = false;
    form.redraw();
  }

  /** Why a text is not one JSON object, or undefined. */
  private misread(text: string): string | undefined {
    const { form } = this;
    const fault = faultOf(text);
    if (fault !== undefined) return sentence(form.strings.problems, "not_json", placeArgs(fault));
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : form.say("notAnObject");
  }
}

/** JSON text over several lines. Numbers keep their spelling, and invisible characters become escapes. */
export function spread(json: string): string {
  let [text, indent] = ["", ""];
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[^"[\]{},:]+|[[\]{},:]/g)) {
    if ((token === "}" || token === "]") && /[[{]\s*$/.test(text)) {
      indent = indent.slice(2);
      text = text.trimEnd() + token;
    } else if (token === "}" || token === "]") {
      indent = indent.slice(2);
      text += `\n${indent}${token}`;
    } else if (token === "{" || token === "[") {
      indent += "  ";
      text += `${token}\n${indent}`;
    } else if (token === ",") text += `,\n${indent}`;
    else text += token === ":" ? ": " : token.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  }
  return text;
}

function escaped(character: string): string {
  return character.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}
