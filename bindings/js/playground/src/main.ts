import { LitElement, html, nothing } from "lit";
import type { AnswerDetail } from "../../src/form/index.ts";
import "../../src/form/index.ts";
import { ar } from "../../src/form/strings/ar.ts";
import { de } from "../../src/form/strings/de.ts";
import { en } from "../../src/form/strings/en.ts";
import { zh } from "../../src/form/strings/zh.ts";
import { Engine, load, type Problem } from "../../src/index.ts";
import moduleAddress from "../../dist/elicit.wasm?url";
import schemaAddress from "../../../../docs/policy.schema.json?url";
import exampleAddress from "../../../../testdata/guests/no-links.wasm?url";
import { askings } from "./askings.ts";
import { dates, layers, pack, unpack, type Case } from "./case.ts";
import type { JsonEditor } from "./editor.ts";
import "./editor.ts";
import { caseOf, starters, vectors, type Vector } from "./examples.ts";
import { card, held, heldOf, shared, type Held } from "./guardian.ts";
import { decision, effects, journal, nobody, problems, reply, summary } from "./inspector.ts";
import { isText, Past } from "./past.ts";
import { within } from "./peer.ts";
import { local } from "./place.ts";
import { PolicySchema } from "./policy-schema.ts";
import { examplePolicies } from "./presets.ts";
import { pastPane, replayed } from "./replay.ts";
import { Session } from "./session.ts";
import { colours, page } from "./style.ts";
import { more } from "./view.ts";
import { vectorPane } from "./vector.ts";

const tabs = ["Decision", "Guardians", "Reply", "Journal", "Replay", "Effects", "Vector"] as const;
type Tab = (typeof tabs)[number];
const engine = load(moduleAddress); // compiled once for every element of a page
const languages = { English: en, Deutsch: de, 中文: zh, العربية: ar };

/** The page: the server's message, the form that a person sees, and the reasons. Everything runs in this tab. */
export class ElicitPlayground extends LitElement {
  static override properties = {
    it: { state: true }, session: { state: true }, tab: { state: true }, other: { state: true }, list: { state: true },
    sought: { state: true }, vector: { state: true }, said: { state: true }, round: { state: true },
    language: { state: true }, guardians: { state: true }, misread: { state: true }, over: { state: true },
    schema: { state: true }, past: { state: true }, moment: { state: true },
  };
  declare it: Case;
  declare session: Session | undefined;
  declare tab: Tab;
  /** The policy of the replay pane. */
  declare other: string;
  declare list: readonly Vector[] | undefined;
  declare sought: string | undefined;
  declare vector: Vector | undefined;
  declare said: string;
  declare round: number;
  declare language: keyof typeof languages;
  declare guardians: readonly Held[];
  /** The problems of the last added module, if it is not a guardian. */
  declare misread: { file: string; problems: Problem[] } | undefined;
  /** Whether a file is being dragged over the page. */
  declare over: boolean;
  /** Helps to write policies. The page works without it. */
  declare schema: PolicySchema | undefined;
  /** A journal that the visitor dropped, and the number of the record that is looked at. */
  declare past: Past | undefined;
  declare moment: number;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.it = starters[0]!.it;
    this.tab = "Decision";
    this.other = '{"version": 1, "approval_policy": "never"}';
    this.said = "";
    this.round = 0;
    this.language = "English";
    this.guardians = [];
    this.over = false;
    this.moment = 0;
    this.addEventListener("dragover", (event) => this.#dragged(event, true));
    this.addEventListener("dragleave", (event) => this.#dragged(event, event.relatedTarget !== null));
    this.addEventListener("drop", (event) => {
      this.#dragged(event, false);
      void this.#put(event.dataTransfer?.files);
    });
    const failed = (error: unknown) => (this.said = String(error));
    void PolicySchema.load(schemaAddress).then((schema) => (this.schema = schema), failed);
    void this.#begin();
    addEventListener("hashchange", () => void this.#begin());
  }

  async #begin() {
    const linked = location.hash.length > 1 ? await unpack(location.hash.slice(1)) : undefined;
    if (location.hash.length > 1 && !linked) this.said = "This link holds no case; here is one to begin with.";
    if (linked) {
      const { guardians, misread } = await heldOf(linked.guardians, await engine);
      this.guardians = guardians;
      this.misread = misread;
      if (linked.left.length > 0) this.said = `This link was made without ${linked.left.join(", ")}.`;
    }
    await this.#run(linked?.it ?? this.it);
  }

  /** Runs a case from the beginning. If an older case is still opening, it is dropped. */
  async #run(it: Case) {
    this.it = it;
    const { guardians } = this;
    const session = await Session.of(it, await engine, guardians);
    if (this.it !== it || this.guardians !== guardians) return session.close();
    this.session?.close();
    this.session = session;
  }

  #edit(change: Partial<Case>) {
    this.it = { ...this.it, ...change };
    const it = this.it;
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.#run(it), 160);
  }

  /** Reads modules and journals that the visitor dropped or chose. */
  async #put(files: Iterable<File> | null | undefined) {
    for (const file of files ?? []) {
      if (await isText(file)) return this.#remember(file);
      const one = await held(file, await engine);
      this.misread = Array.isArray(one) ? { file: file.name, problems: one } : undefined;
      if (Array.isArray(one)) continue;
      this.guardians = [...this.guardians.filter(({ guest }) => guest.digest !== one.guest.digest), one];
    }
    this.tab = "Guardians";
    await this.#run(this.it);
  }

  async #remember(file: File) {
    const past = await Past.of(file, this.session!.teller!);
    this.said = typeof past === "string" ? past : "";
    if (typeof past === "string") return;
    this.past = past;
    this.moment = past.moments.length;
    this.tab = "Replay";
  }

  #repermit(i: number, permit: string | undefined) {
    this.guardians =
      this.guardians.flatMap((one, at) => (at !== i ? [one] : permit === undefined ? [] : [{ ...one, permit }]));
    this.#edit({});
  }

  #dragged(event: DragEvent, over: boolean) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.over = over;
  }

  async #share() {
    const { fit, left } = shared(this.guardians);
    const files = left.map(({ file }) => file);
    history.replaceState(null, "", `#${await pack(this.it, fit, files)}`);
    const without = files.length > 0 ? `, without ${files.join(", ")}` : "";
    const within = fit.length > 0 ? ", with its guardians" : "";
    const held = `The case is in the link itself${within}${without}; no server has it.`;
    const copied = await navigator.clipboard.writeText(location.href).then(() => true, () => false);
    this.said = `${copied ? "Link copied." : "The link is in the address bar."} ${held}`;
  }

  protected override render() {
    const { left } = shared(this.guardians);
    return html`<header>
        <h1>Elicit <small>what happens when a program wants to ask a person something</small></h1>
        ${more()}
        <div class="end"><select aria-label="Language of the form"
            @change=${(e: Event) => (this.language = value(e) as keyof typeof languages)}>
            ${Object.entries(languages).map(([name, { lang }]) => html`<option lang=${lang}>${name}</option>`)}</select>
          <button @click=${this.#share}>Share${left.length > 0 ? " without guardians" : ""}</button></div>
      </header>
      <p class="said" role="status">${this.said}</p>
      ${this.#verdict()}
      <main>${this.#asked()}${this.#person()}${this.#inspector()}</main>`;
  }

  /** The decision in one line that stays in view on a phone. A press leads to the reasons. */
  #verdict() {
    const s = this.session;
    const gist = s ? summary(s) : undefined;
    if (!gist) return nothing;
    return html`<button class="verdict" @click=${this.#toReasons}><span class="gist ${gist.look}">${gist.title}</span>
      <span class="reason"><bdi>${gist.reason}</bdi></span></button>`;
  }

  #toReasons() {
    this.tab = "Decision";
    this.renderRoot.querySelector(".inspector")?.scrollIntoView();
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("#tab-Decision")?.focus());
  }

  #asked() {
    const s = this.session;
    const undenied = this.guardians.length > 0 ? " that no guardian denies" : "";
    return html`<section aria-labelledby="asks">
      <h2 id="asks">The server sends</h2>
      <div class="starters">
        ${starters.map((one) => html`<button title=${one.about}
          aria-pressed=${String(one.it.request === this.it.request && one.it.policy === this.it.policy)}
          @click=${() => this.#start(one.it)}>${one.name}</button>`)}
        <button @click=${this.#seek} aria-expanded=${String(this.sought !== undefined)}>Vectors…</button>
      </div>
      ${this.sought === undefined ? nothing : this.#picker(this.sought)}
      <div class="row">
        <div><label class="name" for="date">Protocol</label>
          <select id="date" @change=${(e: Event) => this.#edit({ date: value(e) as Case["date"] })}>
            ${dates.map((d) => html`<option ?selected=${d === this.it.date}>${d}</option>`)}</select></div>
        <div><label class="name" for="server">Server</label>
          <input id="server" .value=${this.it.server}
            @input=${(e: Event) => this.#edit({ server: value(e) })} /></div>
        <div><label class="name" for="tool">Tool</label>
          <input id="tool" .value=${this.it.tool} placeholder="none"
            @input=${(e: Event) => this.#edit({ tool: value(e) })} /></div>
      </div>
      <label class="name">Message</label>
      <json-editor id="message" label="Message of the server" rows="18" .value=${this.it.request}
        @edited=${(e: CustomEvent<string>) => this.#edit({ request: e.detail })}></json-editor>
      ${problems(s, s?.received?.problems ?? [], this.#about("message", s?.of.request))}
      <div class="row policy">
        <label class="name" for="layer">Policy</label><span></span>
        <select id="layer" aria-label="Layer of the policy"
          @change=${(e: Event) => this.#edit({ layer: value(e) as Case["layer"] })}>
          ${layers.map((l) => html`<option ?selected=${l === this.it.layer}>${l}</option>`)}</select>
      </div>
      ${examplePolicies(this.it.policy, (policy) => this.#edit({ policy }))}
      <json-editor id="policy" label="Policy" rows="9" .schema=${this.schema} .value=${this.it.policy}
        @edited=${(e: CustomEvent<string>) => this.#edit({ policy: e.detail })}></json-editor>
      ${problems(s, local((s?.refused ?? []).filter((p) => !p.pointer.startsWith("/guardians"))),
        { ...this.#about("policy", s?.of.policy), schema: this.schema })}
      ${this.it.policy.trim() === ""
        ? html`<p class="soft">No policy: every question${undenied} goes to the person.</p>` : nothing}
      ${this.#guardians()}
    </section>`;
  }

  /** The text of an editor, and how to put the caret into it. */
  #about(id: string, text = "") {
    return { text, go: (index: number) => this.renderRoot.querySelector<JsonEditor>(`#${id}`)?.select(index) };
  }

  #guardians() {
    const s = this.session;
    const { left } = shared(this.guardians);
    const wrong = (i: number) => (s?.refused ?? [])
      .filter((p) => `${p.pointer}/`.startsWith(`/guardians/${i}/`))
      .map((p) => ({ ...p, pointer: p.pointer.replace(/^\/guardians\/\d+/, "") }))
      .map((p) => (p.code.startsWith("json_") ? p : within({ at: "", bare: false }, p)));
    return html`<label class="name" for="module">Guardians</label>
      <div class="drop ${this.over ? "over" : ""}"><label class="file">Choose a .wasm<input id="module" type="file"
        accept=".wasm,application/wasm" multiple
        @change=${(e: Event) => this.#chosen(e.target as HTMLInputElement)} /></label>
        <span class="soft">or drop it anywhere on this page. It runs in this tab.</span>
        ${this.guardians.length > 0 ? nothing
          : html`<button @click=${this.#example}>Try one that denies links</button>`}</div>
      ${this.misread
        ? html`<p class="soft"><bdi>${this.misread.file}</bdi> is not let in:</p>${problems(s, this.misread.problems)}`
        : nothing}
      ${this.guardians.map((one, i) => html`<article class="guardian">${card(one)}
        ${left.includes(one) ? html`<p class="soft">Too large for a link: Share leaves it out.</p>` : nothing}
        <label class="name">Permit</label>
        <json-editor id=${`permit-${i}`} label=${`Permit of ${one.guest.manifest.name}`} rows="12" .value=${one.permit}
          @edited=${(e: CustomEvent<string>) => this.#repermit(i, e.detail)}></json-editor>
        ${problems(s, wrong(i), this.#about(`permit-${i}`, s?.guardians[i]?.permit))}
        <button @click=${() => this.#repermit(i, undefined)}>Remove</button></article>`)}`;
  }

  /** Loads an example guardian and a question that it has findings about. */
  async #example() {
    const bytes = await (await fetch(exampleAddress)).arrayBuffer();
    this.it = starters.find(({ name }) => name === "Sign in")!.it;
    await this.#put([new File([bytes], "no-links.wasm")]);
  }

  async #chosen(input: HTMLInputElement) {
    await this.#put([...(input.files ?? [])]);
    input.value = "";
  }

  #picker(sought: string) {
    const found = (this.list ?? []).filter((v) => `${v.id} ${v.about}`.toLowerCase().includes(sought.toLowerCase()));
    return html`<input type="search" aria-label="Look for a vector"
      placeholder=${this.list ? `Look in ${this.list.length} vectors` : "Loading…"}
        .value=${sought} @input=${(e: Event) => (this.sought = value(e))} />
      <div class="found">${found.slice(0, 80).map((v) =>
        html`<button @click=${() => this.#pick(v)}>${v.id}<span>${v.about}</span></button>`)}</div>
      <p class="soft">${found.length > 80 ? `${found.length} fit; the first 80 are shown.` : ""}</p>`;
  }

  async #seek() {
    this.sought = this.sought === undefined ? "" : undefined;
    try {
      this.list ??= await vectors();
    } catch (error) {
      this.said = String(error);
    }
  }

  #start(it: Case) {
    this.vector = undefined;
    if (location.hash) history.replaceState(null, "", location.pathname);
    void this.#run(it);
  }

  #pick(vector: Vector) {
    this.vector = vector;
    this.sought = undefined;
    const it = caseOf(vector, this.it);
    this.tab = it ? "Decision" : "Vector";
    if (it) void this.#run(it);
  }

  #person() {
    const s = this.session;
    const show = s?.shown[0];
    return html`<section class="person" aria-labelledby="sees">
      <h2 id="sees">The person sees</h2>
      ${show && s
        ? html`<elicit-form .question=${{ ...show, waiting: s.shown.length - 1 + (show.waiting ?? 0) }}
            .checker=${this.#checker(s)} .strings=${languages[this.language]}
            @elicit-answer=${(e: CustomEvent<AnswerDetail>) => this.#answered(s, show.id, e.detail)}
            @elicit-receipt=${(e: CustomEvent<{ what: "shown" | "focused" | "first_input" }>) =>
              this.#changed(() => s.note(show.id, e.detail.what))}></elicit-form>`
        : html`<p class="nobody">${nobody(s)}</p>`}
      ${problems(s, s?.unfit ?? [])}
    </section>`;
  }

  /** The checker of the element. It uses the engine and not a second validator. */
  #checker(s: Session) {
    return (_: unknown, json: string) => {
      const schema = s.received?.asked[Number(s.shown[0]?.ref)]?.schema;
      if (!schema || !s.engine) return [];
      const out = s.engine.eval("check", { schema, content_text: json });
      return "problems" in out ? out.problems : [];
    };
  }

  #answered(s: Session, id: string, answer: AnswerDetail) {
    this.#changed(() => s.answer(id, answer));
    if (s.replies.length > 0) this.tab = "Reply";
    if (s.askings.some((one) => one.consult.phase !== "before_show") && s.replies.length === 0) this.tab = "Guardians";
    if (s.unfit.length > 0) this.renderRoot.querySelector("elicit-form")?.showProblems(s.unfit);
  }

  #changed(act: () => void) {
    act();
    this.round++;
  }

  #inspector() {
    const s = this.session;
    return html`<section class="inspector" aria-label="What the engine made of it">
      <div role="tablist">${tabs.map((t) => html`<button role="tab" id=${`tab-${t}`}
        aria-selected=${String(t === this.tab)} aria-controls="pane"
        tabindex=${t === this.tab ? 0 : -1} @click=${() => (this.tab = t)}
        @keydown=${this.#arrow}>${t}</button>`)}</div>
      <div role="tabpanel" id="pane" aria-labelledby=${`tab-${this.tab}`}>
        ${s?.engine || (this.past && this.tab === "Replay")
          ? this.#pane(s!, s!.teller!) : html`<p class="soft">${nobody(s)}</p>`}</div>
    </section>`;
  }

  #pane(s: Session, engine: Engine) {
    switch (this.tab) {
      case "Decision": return decision(s, this.#about("message", "").go);
      case "Guardians": return askings(s, (act) => this.#changed(act));
      case "Reply": return reply(s);
      case "Journal": return journal(s);
      case "Effects": return effects(s);
      case "Vector": return vectorPane(engine, this.vector);
      case "Replay": return html`${this.past
          ? pastPane(s, this.past, this.moment, {
            scrub: (moment) => (this.moment = moment), close: () => (this.past = undefined) })
          : html`<div class="drop"><label class="file">Choose a journal<input id="journal" type="file" accept=".jsonl"
              @change=${(e: Event) => this.#chosen(e.target as HTMLInputElement)} /></label>
              <span class="soft">or drop it on this page. It stays in this tab.</span></div>`}
        <p class="soft">What would this policy have made of ${this.past ? "it" : "the journal so far"}?</p>
        ${examplePolicies(this.other, (policy) => (this.other = policy))}
        <json-editor id="other" label="Another policy" rows="8" .schema=${this.schema} .value=${this.other}
          @edited=${(e: CustomEvent<string>) => (this.other = e.detail)}></json-editor>
        <div class="pane">${replayed(s, this.past?.text ?? s.journalText(), this.other,
          { ...this.#about("other", this.other), schema: this.schema })}</div>`;
    }
  }

  #arrow(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const rtl = getComputedStyle(this).direction === "rtl" ? -1 : 1;
    this.tab = tabs[(tabs.indexOf(this.tab) + step * rtl + tabs.length) % tabs.length]!;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`#tab-${this.tab}`)?.focus());
  }

  static override styles = [colours, page];
}

const value = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;

customElements.define("elicit-playground", ElicitPlayground);
