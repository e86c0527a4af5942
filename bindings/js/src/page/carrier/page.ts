import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { en as formEnglish, type AnswerDetail, type Closed, type ElicitForm, type Strings } from "../../form/index.ts";
import { filled, preferred } from "../words.ts";
import { CarrierClient, type Asked, type Refusal, type Reply } from "./client.ts";
import { en } from "./languages/en.ts";

type State = "loading" | "new" | "open" | "done" | Refusal;

/** The cause of a question that ended while the form was open. */
const causes: Partial<Record<State, string>> = { expired: "timeout", closed: "peer_cancelled", answered: "user" };

/** Milliseconds until the page asks again whether the question is open, when its own clock says that time is up. */
const late = 5_000;
const longest = 2 ** 31 - 1;

/**
 * The page of one link. First it shows who asks, and only the person's click claims the link. Then it draws the
 * question, sends the answer to the server that hosts the page, and says how the question ended.
 */
export class ElicitCarrier extends LitElement {
  static override properties = {
    server: {},
    state: { state: true },
    asked: { state: true },
    ended: { state: true },
    words: { state: true },
    isBusy: { state: true },
  };

  /** The name of the server that hosts the page. */
  declare server: string;
  declare state: State;
  declare asked: Asked | undefined;
  /** Set when the question ended elsewhere, while the form showed what the person had typed. */
  declare ended: Closed | undefined;
  declare words: typeof en;
  declare isBusy: boolean;

  private client = new CarrierClient("");
  private form: Strings = formEnglish;
  private signIn = "";
  private outcome: AnswerDetail["action"] = "accept";
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the person acted, so that the focus moves to what is drawn next. */
  private isActing = false;

  constructor() {
    super();
    Object.assign(this, { server: "", state: "loading", words: en, isBusy: false });
  }

  /** The page has no shadow root, so its style sheet applies. Only the form has a shadow root. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", () => void this.begin()); // another link in the same tab
    document.addEventListener("visibilitychange", () => void (document.hidden || this.refresh()));
    // A page that the browser kept alive may still hold what was typed, and may be out of date.
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    void this.speak().then(() => this.begin());
  }

  private async speak(): Promise<void> {
    const language = await preferred<typeof en>(navigator.languages).catch(() => undefined);
    if (language !== undefined) {
      this.words = language.page;
      this.form = language.form;
      Object.assign(document.documentElement, { lang: language.form.lang, dir: language.form.dir });
    }
    const { words, form } = this;
    this.form = {
      ...form,
      words: { ...form.words, secret: words.secret },
      problems: { ...form.problems, unsent: words.unsent },
      findings: { ...form.findings, secret_in_form: words.secretFinding },
    };
  }

  private async begin(): Promise<void> {
    Object.assign(this, { state: "loading", asked: undefined, ended: undefined });
    this.client = CarrierClient.fromAddress();
    if (this.client.token === "") return this.show({ state: "no_link" });
    await this.run(() => this.client.open());
  }

  /** Performs one request of the person, and shows its result. A second click meanwhile does nothing. */
  private async run(request: () => Promise<Reply>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    const { client } = this;
    const reply = await request().catch((): Reply => ({ state: "unreachable" }));
    this.isBusy = false;
    if (client === this.client) this.show(reply);
  }

  private readonly claim = (): void => {
    this.isActing = true;
    void this.run(() => this.client.claim());
  };
  private readonly retry = (): void => {
    this.isActing = true;
    void this.begin();
  };

  /** Asks whether the question that the page shows is still open. */
  private async refresh(): Promise<void> {
    const { client } = this;
    if (this.state !== "open" || this.ended !== undefined || this.isBusy) return;
    const reply = await client.open().catch(() => undefined);
    if (client !== this.client || this.state !== "open" || this.isBusy) return;
    if (reply !== undefined && reply.state !== "open") this.show(reply);
    else this.watch(late);
  }

  private watch(least = 0): void {
    clearTimeout(this.timer);
    const deadline = this.asked?.deadline;
    if (deadline === undefined) return;
    const wait = Math.min(Math.max(deadline - Date.now(), least), longest);
    this.timer = setTimeout(() => void this.refresh(), wait);
  }

  private show(reply: Reply): void {
    clearTimeout(this.timer);
    const state: State = isKnown(reply.state) ? reply.state : "failed";
    const cause = causes[state];
    // The typed values stay readable, but a secret goes.
    if (this.state === "open" && cause !== undefined && this.asked?.secret !== true) {
      this.ended = { cause };
      return;
    }
    this.signIn = reply.sign_in ?? "";
    this.asked = state === "open" && reply.question !== undefined ? masked(reply.question) : undefined;
    this.state = state;
    this.watch();
  }

  private readonly answer = async ({ detail }: CustomEvent<AnswerDetail>): Promise<void> => {
    const { client } = this;
    this.isActing = this.isBusy = true;
    const reply = await client.answer(detail.action, detail.json, detail.cleared).catch(() => undefined);
    this.isBusy = false;
    if (client !== this.client) return;
    const form = this.querySelector<ElicitForm>("elicit-form");
    const isLost = reply === undefined || reply.state === "busy" || reply.state === "failed";
    if (isLost) form?.showProblems([{ code: "unsent", pointer: "" }]);
    else if (reply.state === "open") form?.showProblems(reply.problems ?? []);
    else {
      this.outcome = detail.action;
      this.show(reply);
    }
  };

  protected override willUpdate(): void {
    document.title = this.state === "open" ? `${this.asked?.server ?? this.server}` : this.heading();
  }

  /** Moves the focus to the new heading or form, because the button that had it is gone. */
  protected override updated(changed: PropertyValues): void {
    if (!changed.has("state") || !this.isActing || this.state === "loading") return;
    this.isActing = false;
    const form = this.querySelector<ElicitForm>("elicit-form");
    if (form === null) this.querySelector<HTMLElement>("h1")?.focus();
    else void form.updateComplete.then(() => form.renderRoot.querySelector<HTMLElement>(".card")?.focus());
  }

  private text(text: string): string {
    return filled(text, { server: `\u2068${this.server}\u2069` });
  }

  private heading(): string {
    const { state, words } = this;
    if (state === "loading" || state === "open") return words.loading;
    if (state === "new") return this.text(words.newTitle);
    return this.text(state === "done" ? words[this.outcome] : words.refusals[state][0]);
  }

  protected override render(): TemplateResult {
    const { state } = this;
    return html`<header><p class="mark"><bdi>${this.server}</bdi></p></header>
      <main aria-busy=${this.isBusy}>${state === "open" ? this.drawForm() : this.drawCard(state)}</main>`;
  }

  private drawForm(): TemplateResult {
    return html`<h1 class="hidden">${this.text(this.words.newTitle)}</h1>
      <elicit-form .question=${this.asked} .strings=${this.form} .closed=${this.ended}
        @elicit-answer=${this.answer}></elicit-form>
      ${this.asked?.secret === true ? nothing : html`<p class="direct">${this.text(this.words.direct)}</p>`}`;
  }

  private drawCard(state: Exclude<State, "open">): TemplateResult {
    const { words, isBusy } = this;
    const go = (label: string, act: () => void): TemplateResult =>
      html`<button type="button" ?disabled=${isBusy} @click=${act}>${label}</button>`;
    const card = (texts: readonly string[], act: unknown = nothing): TemplateResult => html`
      <section class="calm ${state}" aria-labelledby="title">
        <h1 id="title" tabindex="-1">${this.heading()}</h1>
        ${texts.map((text) => html`<p>${this.text(text)}</p>`)}${act}
      </section>`;
    switch (state) {
      case "loading":
        return card([]);
      case "new":
        return card([words.newText, words.newOnce], go(words.next, this.claim));
      case "done":
        return card([words.close]);
    }
    const [, text] = words.refusals[state];
    if (state === "sign_in" && this.signIn !== "") {
      const keep = (): void => this.client.keep();
      return card([text], html`<a class="go" href=${this.signIn} @click=${keep}>${words.signIn}</a>`);
    }
    const canRetry = ["sign_in", "no_cookie", "busy", "failed", "unreachable"].includes(state);
    return card([text], canRetry ? go(words.again, this.retry) : nothing);
  }
}

function isKnown(state: string): state is State {
  return ["new", "open", "done"].includes(state) || Object.hasOwn(en.refusals, state);
}

/** The question with every field drawn as a password, without its default, if the server asks for a secret. */
function masked(asked: Asked): Asked {
  if (asked.secret !== true || asked.form === undefined) return asked;
  const fields = asked.form.fields.map(({ initial: _, ...field }) => ({ ...field, sensitive: true }));
  return { ...asked, form: { ...asked.form, fields } };
}
