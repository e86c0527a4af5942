import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ElicitForm, Strings } from "../form/index.ts";
import { Alerts } from "./alerts.ts";
import { Answers } from "./answers.ts";
import { Attention } from "./attention.ts";
import { Card, drawCard, endOfCard, type End } from "./card.ts";
import { drawEnded, endOf, gist, pageOf, type Tongue } from "./ended.ts";
import { en } from "./languages/en.ts";
import {
  ProxyClient,
  type Asked,
  type EndedQuestion,
  type ProxyEvents,
  type State,
  type WaitingQuestion,
} from "./proxy-client.ts";
import { filled, preferred, type PageWords } from "./words.ts";

/** How many questions that ended elsewhere stay on the page because something had been typed into them. */
const mostKept = 3;

/**
 * The page of one proxy: the question that the person sees, the questions that wait, and the ended ones. The proxy has
 * all of its state, so a reload loses nothing.
 */
export class ElicitPage extends LitElement implements ProxyEvents {
  static override properties = Object.fromEntries(
    ["state", "card", "kept", "list", "endedQuestions", "said", "browserCount", "words", "isTold"].map((name) => [
      name,
      { state: true },
    ]),
  );

  readonly proxy = new ProxyClient();
  declare state: State;
  /** The question that the person sees. It stays, closed, when it ended elsewhere and no other one has come. */
  declare card: Card | null;
  /** Questions that ended elsewhere while the person was answering. They stay below until the person closes them. */
  declare kept: readonly Card[];
  declare list: readonly WaitingQuestion[];
  declare endedQuestions: readonly EndedQuestion[];
  /** The last event as a sentence, for screen readers, and for a page without a question or with another one. */
  declare said: string;
  /** The number of browsers that can answer, including this one. */
  declare browserCount: number;
  declare words: PageWords;
  /** Whether the person agreed to be notified. */
  declare isTold: boolean;

  private strings: Strings | undefined;
  private readonly answers = new Answers(this);
  private readonly alerts = new Alerts();
  private readonly attention = new Attention();
  /** Whether the focus has to move into what is drawn next, because its place disappears. */
  private isActing = false;

  constructor() {
    super();
    Object.assign(this, { state: "coming", card: null, kept: [], list: [], endedQuestions: [], said: "" });
    Object.assign(this, { browserCount: 1, words: en, isTold: false });
  }

  /** The page has no shadow root, so its style sheet applies. Only the form, with a peer's words, has a shadow root. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.begin();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.proxy.leave();
  }

  private async begin(): Promise<void> {
    try {
      await this.proxy.enter();
    } catch {
      // The link was used before. The browser may still have the cookie that it got then.
    }
    const language = await preferred(navigator.languages).catch(() => undefined);
    if (language !== undefined) {
      this.strings = language.form;
      this.words = language.page;
      Object.assign(document.documentElement, { lang: language.form.lang, dir: language.form.dir });
    }
    this.proxy.listen(this, (state) => (this.state = state));
  }

  question(asked: Asked | null): void {
    const { card } = this;
    // After an interruption, the proxy sends the question again.
    if (asked !== null && card?.ended === undefined && card?.id === asked.question.id) return;
    // A question that ended elsewhere, and a page that is being visited, stay until something else comes.
    if (asked === null && (card?.ended !== undefined || card?.isVisiting === true)) return;
    if (card?.ended !== undefined) this.setAside(card);
    else if (asked !== null) this.said = ""; // it told of an answer that was given here
    this.put(asked);
    if (asked !== null) this.alerts.tell(this.titleOf(asked), this.words.waitsForYou);
  }
  deadline(at: number): void {
    if (this.card !== null) this.card = this.card.with({ until: at });
  }
  waiting(list: readonly WaitingQuestion[]): void {
    this.list = list;
  }
  browsers(count: number): void {
    this.browserCount = count;
  }
  bye(): void {
    if (this.card !== null && this.card.ended === undefined) this.close({ cause: "shutdown", outcome: "cancel" });
  }

  past(entry: EndedQuestion): void {
    this.attention.note(entry);
    const others = this.endedQuestions.filter((past) => past.number !== entry.number);
    this.endedQuestions = [entry, ...others].sort((a, b) => b.number - a.number).slice(0, 200);
    const { card, words } = this;
    if (entry.id === undefined || entry.id !== card?.id || card.ended !== undefined) return;
    this.said = `${endOf(words, entry)}: ${gist(entry.message)}`;
    if (this.answers.given !== entry.id) return this.close(entry);
    const isVisiting = entry.page === "awaited";
    this.card = card.with({ isVisiting });
    if (!isVisiting && entry.page !== undefined) this.close({ ...entry, why: [pageOf(words, entry.page)] }, true);
  }

  get form(): ElicitForm | null {
    return this.querySelector("elicit-form");
  }

  private put(asked: Asked | null): void {
    this.card = asked === null ? null : new Card(asked);
    if (this.card !== null) this.attention.see(this.card.id);
  }

  /** Keeps a closed question below if the person had typed something into it. */
  private setAside(card: Card): void {
    if (this.form?.isDirty === true) this.kept = [card, ...this.kept].slice(0, mostKept);
  }

  /** Marks the question as ended elsewhere. It stays, closed, until the person has seen why or another one comes. */
  close(end: End, isWhyShown = false): void {
    if (this.card !== null) this.card = this.card.with({ ended: endOfCard(end, isWhyShown) });
  }

  private readonly dismiss = (card: Card): void => {
    if (card === this.card) this.card = null;
    else this.kept = this.kept.filter((other) => other !== card);
  };

  private titleOf(asked: Asked | null): string {
    const count = this.list.length + (asked === null ? 0 : 1);
    return count === 0 ? "Elicit" : filled(this.words.title, { count, server: asked?.question.server ?? "Elicit" });
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { card } = this;
    document.title = this.titleOf(card?.ended === undefined ? (card?.asked ?? null) : null);
    if (!changed.has("card")) return;
    const now = this.querySelector(".now");
    this.isActing ||= now !== null && now.contains(document.activeElement);
  }

  /** Moves the focus to the question, or to the sentence in its place, if the person was here and the focus is lost. */
  protected override updated(changed: PropertyValues): void {
    if (!changed.has("card")) return;
    const before = changed.get("card") as Card | null | undefined;
    if (this.card !== null && this.card.id !== before?.id) this.scrollToQuestion();
    if (!this.isActing) return;
    this.isActing = false;
    const { form } = this;
    const place = (): HTMLElement | null =>
      form === null ? this.querySelector<HTMLElement>(".calm h2") : form.renderRoot.querySelector<HTMLElement>(".card");
    void (form?.updateComplete ?? Promise.resolve()).then(() => {
      const { activeElement } = document;
      const isLost = activeElement === null || activeElement === document.body;
      const isInside = form !== null && form.shadowRoot?.activeElement != null;
      if (isLost || (activeElement === form && !isInside)) place()?.focus({ preventScroll: true });
    });
  }

  /** Shows the beginning of a new question: the person may have scrolled to the end of the one before. */
  private scrollToQuestion(): void {
    void this.form?.updateComplete.then(() => {
      const top = this.form?.getBoundingClientRect().top ?? 0;
      if (top < 0 || top > innerHeight / 2) this.querySelector(".now")?.scrollIntoView({ block: "start" });
    });
  }

  /** Remembers that the person decides here. The buttons that had the focus disappear with the question. */
  act(): void {
    this.isActing = true;
  }

  protected override render(): TemplateResult {
    return html`
      <header class="bar"><h1 class="mark">Elicit</h1>${this.drawTell()}${this.drawState()}</header>
      <main>
        <section class="now" aria-label=${this.words.question}>${this.drawOthers()}${this.drawNow()}</section>
        <aside>${this.drawWaiting()}${this.drawEndedQuestions()}</aside>
      </main>`;
  }

  private drawState(): TemplateResult {
    return html`<span class="state ${this.state}" role="status">${this.words[this.state]}</span>`;
  }

  private drawTell(): TemplateResult | typeof nothing {
    if (this.isTold) return html`<span class="told" role="status">${this.words.told}</span>`;
    if (!this.alerts.canAsk || this.state !== "listening") return nothing;
    const ask = async (): Promise<void> => void (this.isTold = await this.alerts.ask());
    return html`<button type="button" class="tell" @click=${() => void ask()}>${this.words.tell}</button>`;
  }

  private drawOthers(): TemplateResult | typeof nothing {
    if (this.browserCount < 2 || this.state === "shut") return nothing;
    return html`<p class="others" role="alert">${filled(this.words.others, { count: this.browserCount })}</p>`;
  }

  private drawNow(): TemplateResult {
    const { words, card } = this;
    if (this.state === "shut") {
      return html`<div class="calm"><h2 tabindex="-1">${words.shutTitle}</h2>
        <p>${words.shutText}</p><p>${words.shutReason}</p></div>`;
    }
    const over = this.state === "over";
    const calm = html`<div class="calm"><h2 tabindex="-1">${over ? words.overTitle : words.idleTitle}</h2>
        <p>${over ? words.overText : words.idleText}</p></div>`;
    const cards = card === null ? this.kept : [card, ...this.kept];
    const parts = { words, strings: this.strings, waiting: this.list.length, answers: this.answers };
    const isSaid = card === null || card.ended === undefined;
    return html`<p class="said" role="status">${isSaid ? this.said : ""}</p>
      ${card === null ? calm : nothing}
      ${repeat(cards, ({ id }) => id, (one) => drawCard(one, parts, () => this.dismiss(one)))}`;
  }

  private drawWaiting(): TemplateResult | typeof nothing {
    if (this.list.length === 0) return nothing;
    const { words } = this;
    const clock = new Intl.DateTimeFormat(this.tongue.lang, { hour: "2-digit", minute: "2-digit" });
    const items = repeat(this.list, ({ number }) => number, ({ number, server, tool, message, deadline }) => {
      const running = tool === undefined ? nothing : html`, <bdi>${tool}</bdi>`;
      const end = deadline === undefined ? "" : filled(words.until, { time: clock.format(deadline) });
      const until = end === "" ? nothing : html` · ${end}`;
      const choose = (): void => {
        this.isActing = true;
        void this.proxy.choose(number).catch(() => undefined);
      };
      return html`<li><button type="button" class="choose" @click=${choose}>
        <bdi class="asked" lang="">${gist(message)}</bdi>
        <span class="from"><bdi>${server}</bdi>${running}${until}</span></button></li>`;
    });
    return html`<section aria-labelledby="waits">
      <h2 id="waits">${filled(words.waits, { count: this.list.length })}</h2>
      <ol class="waiting">${items}</ol></section>`;
  }

  private drawEndedQuestions(): TemplateResult {
    const { words, tongue } = this;
    const list = repeat(this.endedQuestions, ({ number }) => number,
      (past) => drawEnded(tongue, past, this.answers.again(past)));
    const none = html`<p class="none">${words.none}</p>`;
    return html`<section aria-labelledby="before"><h2 id="before">${words.before}</h2>
      ${this.attention.draw(tongue)}
      ${this.endedQuestions.length === 0 ? none : html`<ul class="pasts">${list}</ul>`}
    </section>`;
  }

  private get tongue(): Tongue {
    const { words, strings } = this;
    return { words, lang: strings?.lang ?? "en", cause: (code) => strings?.causes[code] };
  }
}
