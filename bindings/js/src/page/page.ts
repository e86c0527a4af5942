import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { AnswerDetail, Checker, Closed, DraftDetail, ElicitForm, ReceiptDetail } from "../form/index.ts";
import {
  ProxyClient,
  type AnswerResult,
  type Asked,
  type EndedQuestion,
  type ProxyEvents,
  type State,
  type WaitingQuestion,
} from "./proxy-client.ts";
import { drawEnded, endOf, firstLine, pages } from "./ended.ts";

/** The sentence for an answer that does not reach the proxy. */
const words = { problems: { unsent: "The answer did not reach elicit. Is it still running? Nothing was sent on." } };

/** The words for the state of the connection. */
const states: Readonly<Record<State, string>> = {
  coming: "connecting",
  listening: "connected",
  lost: "connection lost, trying again",
  shut: "not let in",
  over: "the run is over",
};

const scopes: Readonly<Record<string, string>> = { session: "until this run ends", always: "always" };

/**
 * The page of one proxy: the question that the person sees, the questions that wait, and the ended ones. The proxy has
 * all of its state, so a reload loses nothing.
 */
export class ElicitPage extends LitElement implements ProxyEvents {
  static override properties = Object.fromEntries(
    ["state", "asked", "until", "ended", "list", "endedQuestions", "said", "browserCount"].map((name) => [
      name,
      { state: true },
    ]),
  );

  private readonly proxy = new ProxyClient();
  declare state: State;
  declare asked: Asked | null;
  /** The deadline of the question, in milliseconds since 1970-01-01 UTC. */
  declare until: number | undefined;
  /** The end of the question, if it ended elsewhere. It stays until the person has seen why. */
  declare ended: Closed | undefined;
  declare list: readonly WaitingQuestion[];
  declare endedQuestions: readonly EndedQuestion[];
  /** The last event as a sentence, for an empty page and for screen readers. */
  declare said: string;
  /** The number of browsers that can answer, including this one. */
  declare browserCount: number;
  private next: Asked | null = null;
  private answering = "";
  /** The addresses that the person agreed to here, by question id, and whether the page waits for the latest to end. */
  private readonly visited = new Map<string, string>();
  private isVisiting = false;

  constructor() {
    super();
    Object.assign(this, { state: "coming", asked: null, list: [], endedQuestions: [], said: "", browserCount: 1 });
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
    this.proxy.listen(this, (state) => (this.state = state));
  }

  question(asked: Asked | null): void {
    // After an interruption, the proxy sends the question again.
    if (asked !== null && this.asked?.question.id === asked.question.id) return;
    if (this.ended !== undefined || (this.isVisiting && asked === null)) this.next = asked;
    else this.put(asked);
  }
  deadline(at: number): void {
    this.until = at;
  }
  waiting(list: readonly WaitingQuestion[]): void {
    this.list = list;
  }
  browsers(count: number): void {
    this.browserCount = count;
  }
  bye(): void {
    if (this.asked !== null && this.ended === undefined) this.close({ cause: "shutdown", outcome: "cancel" });
  }

  past(entry: EndedQuestion): void {
    const others = this.endedQuestions.filter((past) => past.number !== entry.number);
    this.endedQuestions = [entry, ...others].sort((a, b) => b.number - a.number).slice(0, 200);
    if (entry.id === undefined || entry.id !== this.asked?.question.id || this.ended !== undefined) return;
    if (this.answering !== entry.id) return this.close(entry);
    this.said = `${endOf(entry)}: ${firstLine(entry.message)}`;
    this.isVisiting = entry.page === "awaited";
    const page = pages[entry.page ?? ""];
    if (!this.isVisiting && page !== undefined) this.close({ ...entry, why: [page] });
  }

  private get form(): ElicitForm | null {
    return this.querySelector("elicit-form");
  }

  private put(asked: Asked | null): void {
    Object.assign(this, { asked, until: asked?.question.deadline, ended: undefined, next: null, isVisiting: false });
    if (asked !== null) this.said = "";
  }

  /** Marks the question as ended elsewhere. It stays, closed, until the person has seen why. */
  private close(end: { cause: string; outcome: string; why?: readonly string[] }): void {
    const reason = (end.why ?? []).join(" · ");
    this.ended = { cause: end.cause, outcome: end.outcome, ...(reason !== "" && { reason }) };
  }

  private readonly goOn = (): void => this.put(this.next);

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("asked") && !changed.has("list")) return;
    const open = this.list.length + (this.asked === null ? 0 : 1);
    document.title = open === 0 ? "Elicit" : `(${open}) ${this.asked?.question.server ?? "Elicit"} asks`;
  }

  protected override render(): TemplateResult {
    return html`
      <header class="bar"><h1 class="mark">Elicit</h1>${this.drawState()}</header>
      <main>
        <section class="now" aria-label="Question">${this.drawOthers()}${this.drawNow()}</section>
        <aside>${this.drawWaiting()}${this.drawEndedQuestions()}</aside>
      </main>`;
  }

  private drawState(): TemplateResult {
    return html`<span class="state ${this.state}" role="status">${states[this.state]}</span>`;
  }

  private drawOthers(): TemplateResult | typeof nothing {
    if (this.browserCount < 2 || this.state === "shut") return nothing;
    return html`<p class="others" role="alert">
      Another browser has entered: ${this.browserCount} browsers can answer now.
      If you did not open it, end this run.</p>`;
  }

  private drawNow(): TemplateResult {
    if (this.state === "shut") {
      return html`<div class="calm"><h2>A fresh link is needed</h2>
        <p>Every link works once, in one browser.
          Elicit opens the page again with the next question, or prints a new link.</p>
        <p>When a used link is opened again, every browser has to leave,
          because somebody else may have read the link.</p></div>`;
    }
    if (this.asked === null) {
      const over = this.state === "over";
      const what = over
        ? "The server or its client has ended. You can close this page."
        : "Keep this page open; a question appears here as soon as a server asks one.";
      return html`<div class="calm"><h2>${over ? "This run is over" : "Nothing is asked right now"}</h2>
        <p>${what}</p>
        <p role="status">${this.said}</p></div>`;
    }
    const { question, draft } = this.asked;
    const id = question.id ?? "";
    const next = html`<p class="on"><button type="button" @click=${this.goOn}>${
      this.next ? "Next question" : "Close"}</button></p>`;
    return html`<elicit-form .question=${question} .draft=${draft} .closed=${this.ended} .deadline=${this.until}
        .waiting=${this.list.length} .extendable=${this.until !== undefined} .strings=${words}
        .checker=${this.checker(id)} @elicit-answer=${this.onAnswer} @elicit-open=${this.onOpen}
        @elicit-draft=${this.onDraft} @elicit-receipt=${this.onReceipt}
        @elicit-extend=${() => void this.proxy.extend(id)}></elicit-form>
      ${this.ended !== undefined ? next : this.drawWishes()}`;
  }

  /** Draws the choices that a person has besides the answer: to remember a yes, and to mute the server. */
  private drawWishes(): TemplateResult {
    const question = this.asked!.question as { server?: string; remember?: readonly string[] };
    const { server = "this server", remember = [] } = question;
    const offered = remember.filter((scope) => scope in scopes);
    const options = offered.map((scope) => html`<option value=${scope}>${scopes[scope]}</option>`);
    const scope = html`<label><span>If I accept, agree to the same question</span>
        <select id="scope"><option value="">this once</option>${options}</select></label>`;
    return html`<div class="wishes">
      ${offered.length === 0 ? nothing : scope}
      <label><input id="mute" type="checkbox"><span>If I refuse, hear no more of <bdi>${
        server}</bdi> in this run</span></label>
    </div>`;
  }

  private drawWaiting(): TemplateResult | typeof nothing {
    if (this.list.length === 0) return nothing;
    const items = this.list.map(({ server, tool, message }) => {
      const running = tool === undefined ? nothing : html`, <bdi>${tool}</bdi>`;
      return html`<li><bdi class="asked">${firstLine(message)}</bdi>
        <span class="from"><bdi>${server}</bdi>${running}</span></li>`;
    });
    return html`<section aria-labelledby="waits"><h2 id="waits">${this.list.length} waiting</h2>
      <ol class="waiting">${items}</ol></section>`;
  }

  private drawEndedQuestions(): TemplateResult {
    const none = html`<p class="none">No question has ended yet.
      Each will be listed here, with who decided it and why.</p>`;
    const list = html`<ul class="pasts">${this.endedQuestions.map((past) => drawEnded(past, this.again(past)))}</ul>`;
    return html`<section aria-labelledby="before"><h2 id="before">Before</h2>
      ${this.endedQuestions.length === 0 ? none : list}</section>`;
  }

  /** Opens an agreed page again, because the browser may have blocked it. */
  private again({ id = "" }: EndedQuestion): (() => void) | undefined {
    const url = this.visited.get(id);
    return url === undefined ? undefined : () => this.visit(id, url);
  }

  private checked: { id: string; checker: Checker } | undefined;
  private checker(id: string): Checker {
    if (this.checked?.id !== id) this.checked = { id, checker: (_content, json) => this.proxy.check(id, json) };
    return this.checked.checker;
  }

  private readonly onAnswer = async (event: CustomEvent<AnswerDetail>): Promise<void> => {
    const { question } = this.asked!;
    const id = question.id ?? "";
    const { action, json } = event.detail;
    const scope = this.querySelector<HTMLSelectElement>("#scope")?.value ?? "";
    const mute = this.querySelector<HTMLInputElement>("#mute")?.checked === true;
    this.answering = id;
    let result: AnswerResult;
    try {
      const wishes = action === "accept" ? scope !== "" && { scope } : mute && { mute };
      result = await this.proxy.answer(id, action, json, { ...wishes });
    } catch {
      this.answering = "";
      this.form?.showProblems([{ code: "unsent", pointer: "" }]);
      return;
    }
    const isOurs = result.outcome === action && result.problems.length === 0;
    if (isOurs && action === "accept" && question.url !== undefined) this.visit(id, question.url);
    if (isOurs || this.asked?.question.id !== id) return;
    this.answering = "";
    if (result.outcome !== undefined) this.close({ cause: result.cause ?? "", outcome: result.outcome });
    else this.form?.showProblems(result.problems);
  };

  /** Keeps the form from opening the page. The page opens after the engine has recorded and accepted the consent. */
  private readonly onOpen = (event: CustomEvent<{ url: string }>): void => {
    event.preventDefault();
    const id = this.asked?.question.id ?? "";
    if (this.visited.has(id)) this.visit(id, event.detail.url);
  };

  private visit(id: string, url: string): void {
    this.visited.set(id, url);
    window.open(url, "_blank", "noopener,noreferrer");
  }

  private readonly onDraft = (event: CustomEvent<DraftDetail>): void => {
    void this.proxy.draft(this.asked?.question.id ?? "", event.detail.json).catch(() => undefined);
  };

  private readonly onReceipt = (event: CustomEvent<ReceiptDetail>): void => {
    void this.proxy.receipt(this.asked?.question.id ?? "", event.detail.what).catch(() => undefined);
  };
}
