import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { drawCard } from "./card.ts";
import { Clock } from "./clock.ts";
import { say, type Desk, type Placed } from "./desk.ts";
import { parseExact, stringifyExact, type Json } from "./exact.ts";
import { speaksOfHidden } from "./findings.ts";
import { firstStates, holding, isKnown, read, type Held } from "./held.ts";
import { readAddress } from "./link.ts";
import { onKey } from "./keys.ts";
import { fieldOf, withSuggestions, type AnswerDetail, type Checker, type Closed, type Content, type Field, type Form, type Problem, type Question } from "./question.ts";
import { Receipts } from "./receipts.ts";
import { Search } from "./search.ts";
import { withStrings, type PartialStrings, type Strings, type Words } from "./strings.ts";
import { en } from "./strings/en.ts";
import { style } from "./style.ts";

/** open: to be answered. checking: the checker has not said yet. sent: an answer went out. opened: a page was agreed to. */
export type Phase = "open" | "checking" | "sent" | "opened";

/** Nothing answers this long after a question appeared: keys and clicks then were meant for something else. */
const settling = 600;
const draftDelay = 300;

/**
 * Draws one question of the engine and says what the person did. See README.md for properties, events and parts.
 * It judges nothing: what fits the form is the checker's business, or that of whoever hears `elicit-answer`.
 */
export class ElicitForm extends LitElement implements Desk {
  static readonly formAssociated = true;
  static override styles = style;
  static override properties = {
    question: { attribute: false },
    form: { attribute: false },
    message: {},
    server: {},
    tool: {},
    checker: { attribute: false },
    draft: { attribute: false },
    waiting: { type: Number },
    deadline: { type: Number },
    extendable: { type: Boolean },
    closed: { attribute: false },
    strings: { attribute: false },
    readonly: { type: Boolean, reflect: true },
    name: { reflect: true },
  };

  /** A `show` effect, or its JSON text, of which every number keeps its spelling. */
  declare question: Question | string | undefined;
  /** A form alone, for use without the engine. */
  declare form: Form | undefined;
  declare message: string | undefined;
  declare tool: string | undefined;
  declare checker: Checker | undefined;
  declare draft: Content | undefined;
  declare waiting: number | undefined;
  /** Milliseconds since 1970. */
  declare deadline: number | undefined;
  declare extendable: boolean;
  declare closed: Closed | undefined;
  declare readonly: boolean;
  declare name: string | undefined;

  readonly internals: ElementInternals = this.attachInternals();
  readonly clock = new Clock(this, () => (this.isOver ? undefined : (this.deadline ?? this.shown.deadline)));

  /** What is drawn: the question, with the single properties over it. */
  shown: Question = {};
  phase: Phase = "open";
  problems: readonly Problem[] = [];
  isSummed = false;
  askedToCancel = false;
  private words: Strings = en;
  private named = "";
  private drawnKey: unknown = Symbol();
  private appearedAt = Infinity;
  private states = new Map<string, Held>();
  private readonly touched = new Set<string>();
  private readonly typedIn = new Set<string>();
  private readonly searches = new Map<string, Search>();
  private readonly unmasked = new Set<string>();
  private readonly receipts = new Receipts(this);
  private isDisabled = false;
  private hadFocus = false;
  private round = 0;
  private drafting: ReturnType<typeof setTimeout> | undefined;

  get strings(): Strings {
    return this.words;
  }
  set strings(strings: PartialStrings | undefined) {
    this.words = withStrings(en, strings);
    this.requestUpdate("strings");
  }

  get server(): string {
    return this.named || (this.shown.server ?? "");
  }
  set server(server: string | undefined) {
    this.named = server ?? "";
    this.requestUpdate("server");
  }

  get isOver(): boolean {
    return this.closed !== undefined;
  }
  get locked(): boolean {
    return this.readonly || this.isDisabled || this.isOver || this.phase !== "open";
  }
  get revealing(): boolean {
    return speaksOfHidden(this.shown.findings ?? []);
  }
  get fields(): readonly Placed[] {
    return (this.shown.form?.fields ?? []).map((field, i) => ({ field, id: `f${i}` }));
  }
  get address(): ReturnType<typeof readAddress> | undefined {
    return this.shown.url === undefined ? undefined : readAddress(this.shown.url);
  }
  /** Whether anything was entered that would be lost. */
  get isDirty(): boolean {
    return this.typedIn.size > 0;
  }
  /** Whether accepting is possible at all: a mode, and required fields, that are known here. */
  get canAccept(): boolean {
    const mode = this.shown.mode ?? "form";
    if (mode === "url") return this.address?.canOpen === true;
    return mode === "form" && this.shown.form !== undefined && this.fields.every(({ field }) => isKnown(field) || !field.required);
  }
  /** Whether a key or click can be meant for this question already. */
  get isSettled(): boolean {
    return performance.now() - this.appearedAt >= settling;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sendDraft();
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.isDisabled = isDisabled;
    this.requestUpdate();
  }
  formResetCallback(): void {
    this.begin(undefined);
    this.requestUpdate();
  }
  formStateRestoreCallback(state: string): void {
    this.begin(parseExact(state) as Content);
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("question") || changed.has("form") || changed.has("message") || changed.has("tool")) this.compose();
    if (changed.has("draft") && this.draft !== undefined && !this.isDirty) this.begin(this.draft);
  }

  private compose(): void {
    const given = typeof this.question === "string" ? (parseExact(this.question) as unknown as Question) : this.question;
    const over: Question = { ...(this.form && { form: this.form }), ...(this.message !== undefined && { message: this.message }), ...(this.tool !== undefined && { tool: this.tool }) };
    const whole: Question = { ...given, ...over };
    this.shown = withSuggestions(whole);
    const key = whole.id ?? whole.form ?? this.shown.url ?? this.shown.message;
    if (key === this.drawnKey) return;
    this.sendDraft();
    this.hadFocus = this.matches(":focus-within");
    Object.assign(this, { drawnKey: key, appearedAt: performance.now(), phase: "open" });
    this.receipts.begin();
    this.begin(this.draft ?? this.shown.draft);
  }

  /** Forgets what was entered and starts from the draft or the defaults. */
  private begin(draft: Content | undefined): void {
    this.round++;
    clearTimeout(this.drafting);
    this.drafting = undefined;
    for (const kept of [this.touched, this.typedIn, this.searches, this.unmasked]) kept.clear();
    Object.assign(this, { problems: [], isSummed: false, askedToCancel: false });
    this.states = this.shown.form === undefined ? new Map() : firstStates(this.shown.form, draft);
    this.tellForm();
  }

  protected override render(): TemplateResult {
    return html`${keyed(this.drawnKey, drawCard(this))}`;
  }

  protected override updated(): void {
    if (this.hadFocus && !this.matches(":focus-within")) this.renderRoot.querySelector<HTMLElement>(".card")?.focus({ preventScroll: true });
    this.hadFocus = false;
  }

  /** Puts the focus where a person begins: the first field, or the question itself, never a button. */
  override focus(options?: FocusOptions): void {
    const first = this.fields.map(({ id }) => this.control(id)).find((control) => control !== null);
    (first ?? this.renderRoot.querySelector<HTMLElement>(".card"))?.focus(options);
  }

  /** Shows what is wrong with an answer that went out, and lets the person mend it. */
  showProblems(problems: readonly Problem[]): void {
    this.round++;
    this.phase = "open";
    this.point(problems);
  }

  submit(): void {
    if (this.shown.mode === "url") return this.consent();
    if (this.locked || !this.canAccept || this.shown.form === undefined) return;
    const { content, cleared, problems } = read(this.shown.form, this.states);
    if (problems.length > 0) return this.point(problems);
    const json = stringifyExact(content);
    const send = (): void => this.answer({ action: "accept", content, json, ...(cleared.length > 0 && { cleared }) });
    if (this.checker === undefined) return send();
    this.ask(content, json, cleared, (found) => (found.length === 0 ? send() : this.point(found)), true);
  }

  refuse(action: "decline" | "cancel"): void {
    if (this.readonly || this.isDisabled || this.isOver || this.phase === "sent") return;
    this.answer({ action });
  }

  /** The person agreed to a page, here and now: the only moment at which anything is opened. */
  consent(): void {
    const { url } = this.shown;
    if (url === undefined || !this.canAccept || this.readonly || this.isOver) return;
    if (this.phase === "open") this.answer({ action: "accept" }, "opened");
    const isOurs = this.dispatchEvent(new CustomEvent("elicit-open", { bubbles: true, composed: true, cancelable: true, detail: { url } }));
    if (isOurs) window.open(url, "_blank", "noopener,noreferrer");
  }

  extend(): void {
    this.tell("elicit-extend", {});
  }

  private answer(detail: AnswerDetail, phase: Phase = "sent"): void {
    clearTimeout(this.drafting);
    this.drafting = undefined;
    Object.assign(this, { phase, problems: [], isSummed: false, askedToCancel: false });
    this.requestUpdate();
    this.tell("elicit-answer", detail);
  }

  /** Asks the checker. A newer question makes an older answer void; a checker that fails lets nothing through. */
  private ask(content: Content, json: string, cleared: readonly string[], then: (problems: readonly Problem[]) => void, isBusy = false): void {
    const round = ++this.round;
    const done = (problems: readonly Problem[]): void => {
      if (round !== this.round) return;
      if (isBusy) this.phase = "open";
      this.requestUpdate();
      then(problems.filter((problem) => !(problem.code === "missing" && this.hasDefault(problem, cleared))));
    };
    const failed = (): void => done([{ code: "check_failed", pointer: "" }]);
    try {
      const verdict = this.checker!(content, json);
      if (!(verdict instanceof Promise)) return done(verdict);
      if (isBusy) this.phase = "checking";
      this.requestUpdate();
      verdict.then(done, failed);
    } catch {
      failed();
    }
  }

  /** A checker that does not know of defaults may call a field missing that has one. */
  private hasDefault(problem: Problem, cleared: readonly string[]): boolean {
    const name = fieldOf(problem.pointer);
    return !cleared.includes(name) && this.fields.some(({ field }) => field.name === name && field.initial !== undefined);
  }

  /** Shows problems and leads to the first. */
  private point(problems: readonly Problem[]): void {
    Object.assign(this, { problems, isSummed: problems.length > 0 });
    for (const { field } of this.fields) this.touched.add(field.name);
    this.tellForm();
    this.requestUpdate();
    void this.updateComplete.then(() => {
      const first = this.fields.find(({ field }) => this.problem(field) !== undefined);
      if (first !== undefined) this.lead(first.id);
      else if (problems.length > 0) this.renderRoot.querySelector<HTMLElement>(".summary")?.focus();
    });
  }

  /** Moves the focus to a field. */
  lead(id: string): void {
    const target = this.control(id) ?? this.renderRoot.querySelector<HTMLElement>(`#${id}`);
    target?.focus();
    (target?.closest(".field") ?? target)?.scrollIntoView({ block: "nearest" });
  }

  private control(id: string): HTMLElement | null {
    const at = this.renderRoot.querySelector<HTMLElement>(`#${id}`);
    return at instanceof HTMLFieldSetElement ? (at.querySelector<HTMLElement>("input:checked") ?? at.querySelector("input")) : at;
  }

  held(field: Field): Held {
    return this.states.get(field.name) ?? holding(field, undefined, "nowhere");
  }

  problem(field: Field): Problem | undefined {
    return this.touched.has(field.name) ? this.problems.find((problem) => fieldOf(problem.pointer) === field.name) : undefined;
  }

  change(field: Field, patch: Partial<Held>): void {
    if (this.locked) return this.requestUpdate();
    this.keep(field, { ...this.held(field), ...patch, from: "typed" });
  }

  put(field: Field, value: Json | undefined, from: "default" | "suggestion"): void {
    if (!this.locked) this.keep(field, holding(field, value, from));
  }

  private keep(field: Field, state: Held): void {
    this.states.set(field.name, state);
    this.askedToCancel = false;
    this.receipts.tell("first_input");
    const wasWrong = this.problem(field) !== undefined || this.isSummed;
    if (field.kind !== "text" && field.kind !== "number" && field.kind !== "integer") this.touched.add(field.name);
    this.typedIn.add(field.name);
    this.tellForm();
    if (wasWrong) this.look();
    clearTimeout(this.drafting);
    this.drafting = setTimeout(() => this.sendDraft(), draftDelay);
    this.requestUpdate();
  }

  leave(field: Field): void {
    if (this.locked || !this.typedIn.has(field.name)) return;
    this.touched.add(field.name);
    this.look();
  }

  /** Looks at what is there without sending it. */
  private look(): void {
    if (this.shown.form === undefined) return;
    const { content, cleared, problems } = read(this.shown.form, this.states);
    const show = (found: readonly Problem[]): void => {
      const unread = new Set(problems.map((problem) => problem.pointer));
      this.problems = [...problems, ...found.filter((problem) => !unread.has(problem.pointer))];
      if (this.problems.length === 0) this.isSummed = false;
      this.requestUpdate();
    };
    if (this.checker === undefined) show(this.problems.filter((problem) => problems.includes(problem)));
    else this.ask(content, stringifyExact(content), cleared, show);
  }

  isRevealed(field: Field): boolean {
    return this.unmasked.has(field.name);
  }
  toggleReveal(field: Field): void {
    if (!this.unmasked.delete(field.name)) this.unmasked.add(field.name);
    this.requestUpdate();
  }

  say(word: keyof Words, args: Record<string, string | number> = {}): string {
    return say(this.words, word, args);
  }
  redraw(): void {
    this.requestUpdate();
  }
  searchOf(field: Field): Search {
    const search = this.searches.get(field.name) ?? new Search();
    this.searches.set(field.name, search);
    return search;
  }

  readonly key = (event: KeyboardEvent): void => onKey(this, event);
  readonly focused = (): void => this.receipts.tell("focused");
  private sendDraft(): void {
    if (this.drafting === undefined) return;
    clearTimeout(this.drafting);
    this.drafting = undefined;
    if (this.shown.form === undefined || this.locked) return;
    const { content } = read(this.shown.form, this.states, true);
    this.tell("elicit-draft", { content, json: stringifyExact(content) });
  }

  tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  /** Keeps the surrounding <form> and :invalid true to what is shown. */
  private tellForm(): void {
    if (this.shown.form === undefined) return this.internals.setFormValue(null);
    const { content, problems } = read(this.shown.form, this.states);
    const json = stringifyExact(content);
    this.internals.setFormValue(json, stringifyExact(read(this.shown.form, this.states, true).content));
    if (problems.length + this.problems.length > 0) this.internals.setValidity({ customError: true }, this.words.words.summary);
    else this.internals.setValidity({});
  }
}

