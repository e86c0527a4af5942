import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { AnswerDetail, Checker, Closed, DraftDetail, ElicitForm, ReceiptDetail } from "../form/index.ts";
import { Door, type Asked, type News, type Past, type State, type Verdict, type Waiter } from "./door.ts";
import { drawPast, endOf, firstLine, pages } from "./past.ts";

/** For the one thing that can go wrong between the page and the proxy. */
const words = { problems: { unsent: "The answer did not reach elicit. Is it still running? Nothing was sent on." } };

/**
 * The page of one proxy: the question that is before the person, those that wait, and how earlier ones ended. It holds
 * no state that the proxy does not have, so a reload loses nothing.
 */
export class ElicitPage extends LitElement implements News {
  static override properties = Object.fromEntries(["state", "asked", "until", "ended", "list", "pasts", "said", "browserCount"].map((name) => [name, { state: true }]));

  private readonly door = new Door();
  declare state: State;
  declare asked: Asked | null;
  /** The deadline of the question, milliseconds since 1970. */
  declare until: number | undefined;
  /** How the question ended when that was not done here; it stays until the person has seen why. */
  declare ended: Closed | undefined;
  declare list: readonly Waiter[];
  declare pasts: readonly Past[];
  /** The last thing that happened, for the line below an empty page and for those who listen. */
  declare said: string;
  /** How many browsers can answer, this one included. */
  declare browserCount: number;
  private next: Asked | null = null;
  private answering = "";
  /** Addresses agreed to here, by question, and whether the end of the latest is waited for. */
  private readonly visited = new Map<string, string>();
  private isVisiting = false;

  constructor() {
    super();
    Object.assign(this, { state: "coming", asked: null, list: [], pasts: [], said: "", browserCount: 1 });
  }

  /** The page's own style sheet draws it; only the form, which shows a peer's words, is closed in. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.begin();
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.door.leave();
  }

  private async begin(): Promise<void> {
    try {
      await this.door.enter();
    } catch {
      // A link that was used before: the cookie it bought may still be here.
    }
    this.door.listen(this, (state) => (this.state = state));
  }

  question(asked: Asked | null): void {
    if (asked !== null && this.asked?.question.id === asked.question.id) return; // told again after a break
    if (this.ended !== undefined || (this.isVisiting && asked === null)) this.next = asked;
    else this.put(asked);
  }
  deadline(at: number): void {
    this.until = at;
  }
  waiting(list: readonly Waiter[]): void {
    this.list = list;
  }
  browsers(count: number): void {
    this.browserCount = count;
  }
  bye(): void {
    if (this.asked !== null && this.ended === undefined) this.close({ cause: "shutdown", outcome: "cancel" });
  }

  past(entry: Past): void {
    this.pasts = [entry, ...this.pasts.filter((past) => past.number !== entry.number)].sort((a, b) => b.number - a.number).slice(0, 200);
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

  /** The question ended without this page: it stays, closed, until the person has seen why. */
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
        <aside>${this.drawWaiting()}${this.drawPasts()}</aside>
      </main>`;
  }

  private drawState(): TemplateResult {
    const words = { coming: "connecting", listening: "connected", lost: "connection lost, trying again", shut: "not let in", over: "the run is over" }[this.state];
    return html`<span class="state ${this.state}" role="status">${words}</span>`;
  }

  private drawOthers(): TemplateResult | typeof nothing {
    if (this.browserCount < 2 || this.state === "shut") return nothing;
    return html`<p class="others" role="alert">Another browser has entered: ${this.browserCount} browsers can answer now. If you did not open it, end this run.</p>`;
  }

  private drawNow(): TemplateResult {
    if (this.state === "shut") {
      return html`<div class="calm"><h2>A fresh link is needed</h2>
        <p>Every link works once, in one browser. Elicit opens the page anew with the next question, or prints a new link.</p>
        <p>When a used link is opened again, every browser has to leave, because somebody else may have read the link.</p></div>`;
    }
    if (this.asked === null) {
      const over = this.state === "over";
      return html`<div class="calm"><h2>${over ? "This run is over" : "Nothing is asked right now"}</h2>
        <p>${over ? "The server or its client has ended. You can close this page." : "Keep this page open; a question appears here as soon as a server asks one."}</p>
        <p role="status">${this.said}</p></div>`;
    }
    const { question, draft } = this.asked;
    const id = question.id ?? "";
    return html`<elicit-form .question=${question} .draft=${draft} .closed=${this.ended} .deadline=${this.until} .waiting=${this.list.length} .extendable=${this.until !== undefined}
        .strings=${words} .checker=${this.checker(id)} @elicit-answer=${this.onAnswer} @elicit-open=${this.onOpen} @elicit-draft=${this.onDraft} @elicit-receipt=${this.onReceipt}
        @elicit-extend=${() => void this.door.extend(id)}></elicit-form>
      ${this.ended !== undefined ? html`<p class="on"><button type="button" @click=${this.goOn}>${this.next ? "Next question" : "Close"}</button></p>` : this.drawWishes()}`;
  }

  /** What a person may wish beside their answer. */
  private drawWishes(): TemplateResult {
    const { server = "this server", remember = [] } = this.asked!.question as { server?: string; remember?: readonly string[] };
    const scopes: Readonly<Record<string, string>> = { session: "until this run ends", always: "always" };
    const offered = remember.filter((scope) => scope in scopes);
    return html`<div class="wishes">
      ${offered.length === 0 ? nothing : html`<label><span>If I accept, agree to the same question</span>
        <select id="scope"><option value="">this once</option>${offered.map((scope) => html`<option value=${scope}>${scopes[scope]}</option>`)}</select></label>`}
      <label><input id="mute" type="checkbox"><span>If I refuse, hear no more of <bdi>${server}</bdi> in this run</span></label>
    </div>`;
  }

  private drawWaiting(): TemplateResult | typeof nothing {
    if (this.list.length === 0) return nothing;
    return html`<section aria-labelledby="waits"><h2 id="waits">${this.list.length} waiting</h2>
      <ol class="waiting">${this.list.map(({ server, tool, message }) => html`<li><bdi class="asked">${firstLine(message)}</bdi>
        <span class="from"><bdi>${server}</bdi>${tool === undefined ? nothing : html`, <bdi>${tool}</bdi>`}</span></li>`)}</ol></section>`;
  }

  private drawPasts(): TemplateResult {
    return html`<section aria-labelledby="before"><h2 id="before">Before</h2>
      ${this.pasts.length === 0 ? html`<p class="none">No question has ended yet. Each will be listed here, with who decided it and why.</p>` : html`<ul class="pasts">${this.pasts.map((past) => drawPast(past, this.again(past)))}</ul>`}</section>`;
  }

  /** The way back to a page that was agreed to here: a browser may have kept it from opening. */
  private again({ id = "" }: Past): (() => void) | undefined {
    const url = this.visited.get(id);
    return url === undefined ? undefined : () => this.visit(id, url);
  }

  private checked: { id: string; checker: Checker } | undefined;
  private checker(id: string): Checker {
    if (this.checked?.id !== id) this.checked = { id, checker: (_content, json) => this.door.check(id, json) };
    return this.checked.checker;
  }

  private readonly onAnswer = async (event: CustomEvent<AnswerDetail>): Promise<void> => {
    const { question } = this.asked!;
    const id = question.id ?? "";
    const { action, json } = event.detail;
    const scope = this.querySelector<HTMLSelectElement>("#scope")?.value ?? "";
    const mute = this.querySelector<HTMLInputElement>("#mute")?.checked === true;
    this.answering = id;
    let verdict: Verdict;
    try {
      verdict = await this.door.answer(id, action, json, { ...(action === "accept" ? scope !== "" && { scope } : mute && { mute }) });
    } catch {
      this.answering = "";
      this.form?.showProblems([{ code: "unsent", pointer: "" }]);
      return;
    }
    const isOurs = verdict.outcome === action && verdict.problems.length === 0;
    if (isOurs && action === "accept" && question.url !== undefined) this.visit(id, question.url);
    if (isOurs || this.asked?.question.id !== id) return;
    this.answering = "";
    if (verdict.outcome !== undefined) this.close({ cause: verdict.cause ?? "", outcome: verdict.outcome });
    else this.form?.showProblems(verdict.problems);
  };

  /** The consent comes first and is on record; the page is opened when the engine has said yes to it. */
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
    void this.door.draft(this.asked?.question.id ?? "", event.detail.json).catch(() => undefined);
  };

  private readonly onReceipt = (event: CustomEvent<ReceiptDetail>): void => {
    void this.door.receipt(this.asked?.question.id ?? "", event.detail.what).catch(() => undefined);
  };
}
