import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { Beside } from "./beside.ts";
import { drawCard } from "./card.ts";
import { Checks } from "./checks.ts";
import { Clock } from "./clock.ts";
import { say, type FormContext, type Placed } from "./context.ts";
import type { Listening } from "./event-map.ts";
import { parseExact, stringifyExact, type Json } from "./exact.ts";
import { reportsHidden } from "./findings.ts";
import { firstStates, holding, isKnown, read, type Held } from "./held.ts";
import { readAddress } from "./link.ts";
import { onKey } from "./keys.ts";
import { messageStyle } from "./message-style.ts";
import { properties } from "./properties.ts";
import {
  drawn,
  fieldOf,
  type AnswerDetail,
  type Checker,
  type Closed,
  type Content,
  type Field,
  type Form,
  type Problem,
  type Question,
} from "./question.ts";
import { toFault } from "./text.ts";
import { Receipts } from "./receipts.ts";
import { Search } from "./search.ts";
import { Seen } from "./seen.ts";
import { Settling } from "./settling.ts";
import { withStrings, type PartialStrings, type Strings, type Words } from "./strings.ts";
import { en } from "./strings/en.ts";
import { style } from "./style.ts";

/**
 * open: the person can answer. checking: the checker has not returned yet. sent: an answer was sent. opened: the person
 * agreed to a page.
 */
export type Phase = "open" | "checking" | "sent" | "opened";

/** Milliseconds without a change after which a draft is sent. */
const draftDelay = 300;

/**
 * Draws one question of the engine and emits events for what the person does. See README.md for properties, events and
 * parts. It does not decide what fits the form. The checker does, or the listener of `elicit-answer`.
 */
export class ElicitForm extends LitElement implements FormContext {
  static readonly formAssociated = true;
  static override styles = [style, messageStyle];
  static override properties = properties;

  declare addEventListener: Listening<this, AddEventListenerOptions>;
  declare removeEventListener: Listening<this, EventListenerOptions>;
  /** A `show` effect, or its JSON text. The JSON text keeps the text of every number. */
  declare question: Question | string | undefined;
  /** A form alone, for use without the engine. */
  declare form: Form | undefined;
  declare message: string | undefined;
  declare tool: string | undefined;
  declare checker: Checker | undefined;
  declare draft: Content | undefined;
  declare waiting: number | undefined;
  /** Milliseconds since 1970-01-01 UTC. */
  declare deadline: number | undefined;
  declare extendable: boolean;
  declare closed: Closed | undefined;
  declare readonly: boolean;
  declare name: string | undefined;

  readonly internals: ElementInternals = this.attachInternals();
  readonly clock = new Clock(this, () => (this.isOver ? undefined : (this.deadline ?? this.shown.deadline)));

  /** The drawn question: `question`, with the members that single properties replace. */
  shown: Question = {};
  phase: Phase = "open";
  problems: readonly Problem[] = [];
  isSummed = false;
  askedToCancel = false;
  private words: Strings = en;
  private named = "";
  private drawnKey: unknown = Symbol();
  private states = new Map<string, Held>();
  private readonly touched = new Set<string>();
  private readonly typedIn = new Set<string>();
  private readonly searches = new Map<string, Search>();
  private readonly unmasked = new Set<string>();
  private readonly receipts = new Receipts(this);
  private readonly settling = new Settling(this);
  private readonly checks = new Checks(this);
  readonly beside = new Beside(this);
  readonly seen = new Seen(this);
  private isDisabled = false;
  private hadFocus = false;
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
    return reportsHidden(this.shown.findings ?? []);
  }
  get fields(): readonly Placed[] {
    return (this.shown.form?.fields ?? []).map((field, i) => ({ field, id: `f${i}` }));
  }
  get address(): ReturnType<typeof readAddress> | undefined {
    return this.shown.url === undefined ? undefined : readAddress(this.shown.url);
  }
  /** Whether the person has typed values that would be lost. */
  get isDirty(): boolean {
    return this.typedIn.size > 0 || this.beside.isDirty;
  }
  /** Whether the question can be accepted: the element knows its mode and the kinds of its required fields. */
  get canAccept(): boolean {
    const mode = this.shown.mode ?? "form";
    if (mode === "url") return this.address?.canOpen === true;
    if (mode !== "form" || this.shown.form === undefined) return false;
    return this.fields.every(({ field }) => isKnown(field) || !field.required);
  }
  /** Whether the browser told that a part of the message was not on the screen yet. */
  get isUnseen(): boolean {
    return this.phase === "open" && this.seen.hasLooked && !this.seen.isWhole;
  }
  /** Whether the question has been visible long enough that a key or click is meant for it. */
  get isSettled(): boolean {
    return this.settling.isOver;
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
    const { question, form, message, tool } = this;
    const whole: Question = {
      ...(typeof question === "string" ? (parseExact(question) as unknown as Question) : question),
      ...(form && { form }),
      ...(message !== undefined && { message }),
      ...(tool !== undefined && { tool }),
    };
    this.shown = drawn(whole);
    this.seen.take(whole);
    const key = whole.id ?? whole.form ?? this.shown.url ?? this.shown.message;
    if (key === this.drawnKey) return;
    this.sendDraft();
    this.hadFocus = this.matches(":focus-within");
    Object.assign(this, { drawnKey: key, phase: "open" });
    this.settling.begin();
    this.receipts.begin();
    this.seen.begin(whole);
    this.begin(this.draft ?? this.shown.draft);
  }

  /** Drops the typed values and starts from the draft or the defaults. */
  private begin(draft: Content | undefined): void {
    this.checks.forget();
    this.beside.begin();
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
    if (this.hadFocus && !this.matches(":focus-within")) this.card?.focus({ preventScroll: true });
    this.hadFocus = false;
  }

  private get card(): HTMLElement | null { return this.renderRoot.querySelector(".card"); }

  /** Focuses the first field, or the question itself, but never a button. */
  override focus(options?: FocusOptions): void {
    const first = this.fields.map(({ id }) => this.control(id)).find((control) => control !== null);
    (first ?? this.card)?.focus(options);
  }

  /** Shows the problems of an answer that was sent, and lets the person correct it. */
  showProblems(problems: readonly Problem[]): void {
    this.checks.forget();
    this.phase = "open";
    this.point(problems);
  }

  submit(): void {
    if (this.shown.mode === "url") return this.consent();
    if (this.locked || !this.canAccept || this.shown.form === undefined) return;
    if (!this.seen.isWhole) return this.seen.goOn();
    if (!this.beside.isFit()) return;
    const { content, cleared, problems } = read(this.shown.form, this.states);
    if (problems.length > 0) return this.point(problems);
    const json = stringifyExact(content);
    const send = (): void => this.answer({ action: "accept", content, json, ...(cleared.length > 0 && { cleared }) });
    if (this.checker === undefined) return send();
    this.checks.ask(content, json, cleared, (found) => (found.length === 0 ? send() : this.point(found)), true);
  }

  refuse(action: "decline" | "cancel"): void {
    if (this.readonly || this.isDisabled || this.isOver || this.phase === "sent") return;
    this.answer({ action });
  }

  /** Accepts a page. The page opens only here, at the moment when the person agrees, or at a later click of theirs. */
  consent(): void {
    const { url } = this.shown;
    if (url === undefined || !this.canAccept || this.readonly || this.isOver || !this.seen.isWhole) return;
    if (this.phase === "open") this.answer({ action: "accept" }, "opened");
    const options = { bubbles: true, composed: true, cancelable: true, detail: { url } };
    const isOurs = this.dispatchEvent(new CustomEvent("elicit-open", options)); // false if a listener opens it
    if (isOurs) window.open(url, "_blank", "noopener,noreferrer");
  }

  extend(): void {
    this.emit("elicit-extend", {});
  }

  private answer(detail: AnswerDetail, phase: Phase = "sent"): void {
    clearTimeout(this.drafting);
    this.drafting = undefined;
    Object.assign(this, { phase, problems: [], isSummed: false, askedToCancel: false });
    this.requestUpdate();
    // A disabled button loses the focus, and the next key would start at the top of the page.
    if (phase === "sent" && this.matches(":focus-within")) this.card?.focus({ preventScroll: true });
    this.emit("elicit-answer", { ...detail, ...this.beside.detail(detail.action) });
  }

  /** Shows problems and focuses the first. */
  private point(problems: readonly Problem[]): void {
    Object.assign(this, { problems, isSummed: problems.length > 0 });
    for (const { field } of this.fields) this.touched.add(field.name);
    this.tellForm();
    this.requestUpdate();
    void this.updateComplete.then(() => {
      const first = this.fields.find(({ field }) => this.problem(field) !== undefined);
      const part = problems.find((problem) => problem.in !== undefined)?.in;
      if (first !== undefined) this.lead(first.id);
      else if (part !== undefined) this.beside.lead(part);
      else if (problems.length > 0) this.renderRoot.querySelector<HTMLElement>(".summary")?.focus();
    });
  }

  /** Moves the focus to a field. */
  lead(id: string): void {
    const target = this.control(id) ?? this.renderRoot.querySelector<HTMLElement>(`#${id}`);
    target?.focus();
    if (target instanceof HTMLTextAreaElement) toFault(target);
    (target?.closest(".field") ?? target)?.scrollIntoView({ block: "nearest" });
  }

  private control(id: string): HTMLElement | null {
    const at = this.renderRoot.querySelector<HTMLElement>(`#${id}`);
    if (!(at instanceof HTMLFieldSetElement)) return at;
    return at.querySelector<HTMLElement>("input:checked") ?? at.querySelector("input");
  }

  held(field: Field): Held {
    return this.states.get(field.name) ?? holding(field, undefined, "nowhere");
  }

  problem(field: Field): Problem | undefined {
    return this.problemsOf(field)[0];
  }
  problemsOf(field: Field): readonly Problem[] {
    if (!this.touched.has(field.name)) return [];
    return this.problems.filter((found) => found.in === undefined && fieldOf(found.pointer) === field.name);
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
    this.receipts.send("first_input");
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

  /** Checks the typed values without sending them. */
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
    else this.checks.ask(content, stringifyExact(content), cleared, show);
  }

  isRevealed = (field: Field): boolean => this.unmasked.has(field.name);
  toggleReveal(field: Field): void {
    if (!this.unmasked.delete(field.name)) this.unmasked.add(field.name);
    this.requestUpdate();
  }

  say(word: keyof Words, args: Record<string, string | number> = {}): string {
    return say(this.words, word, args);
  }
  redraw(): void { this.requestUpdate(); }
  searchOf(field: Field): Search {
    const search = this.searches.get(field.name) ?? new Search();
    this.searches.set(field.name, search);
    return search;
  }

  readonly key = (event: KeyboardEvent): void => onKey(this, event);
  readonly focused = (): void => this.receipts.send("focused");
  private sendDraft(): void {
    if (this.drafting === undefined) return;
    clearTimeout(this.drafting);
    this.drafting = undefined;
    if (this.shown.form === undefined || this.locked) return;
    const { content } = read(this.shown.form, this.states, true);
    this.emit("elicit-draft", { content, json: stringifyExact(content) });
  }

  emit(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  /** Sets the value and validity that the surrounding <form> and the selector :invalid see. */
  private tellForm(): void {
    if (this.shown.form === undefined) return this.internals.setFormValue(null);
    const { content, problems } = read(this.shown.form, this.states);
    const json = stringifyExact(content);
    this.internals.setFormValue(json, stringifyExact(read(this.shown.form, this.states, true).content));
    const isValid = problems.length + this.problems.length === 0;
    if (isValid) this.internals.setValidity({});
    else this.internals.setValidity({ customError: true }, this.words.words.summary);
  }
}

