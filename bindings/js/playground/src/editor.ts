import { LitElement, css, html, nothing } from "lit";
import { offers, type Offer } from "./complete.ts";
import type { PolicySchema } from "./policy-schema.ts";
import { colours } from "./style.ts";
import { tokens } from "./tokens.ts";

/** A text area for JSON, above the same text in colour. It emits `edited` with each change. */
export class JsonEditor extends LitElement {
  static override properties = {
    value: {}, label: {}, rows: { type: Number }, schema: { attribute: false }, caret: { state: true },
  };
  declare value: string;
  declare label: string;
  declare rows: number;
  /** If the text is a policy, its schema: what can stand at the caret is offered below. */
  declare schema: PolicySchema | undefined;
  declare caret: number | undefined;

  constructor() {
    super();
    this.value = "";
    this.label = "";
    this.rows = 12;
  }

  protected override render() {
    return html`<div class="both">
      <pre aria-hidden="true">${tokens(this.value).map((t) => html`<span class=${t.kind}>${t.text}</span>`)}<br /></pre>
      <textarea .value=${this.value} rows=${this.rows} aria-label=${this.label}
        spellcheck="false" autocomplete="off" autocapitalize="off"
        wrap="soft" @input=${this.#typed} @scroll=${this.#scrolled}
        @keyup=${this.#moved} @click=${this.#moved} @focus=${this.#moved}></textarea>
    </div>${this.#offers()}`;
  }

  #offers() {
    if (!this.schema || this.caret === undefined) return nothing;
    const found = offers(this.value, Math.min(this.caret, this.value.length), this.schema);
    return found.length === 0 ? nothing : html`<div class="offers" role="group" aria-label="What can stand here">
      ${found.map((one) =>
        html`<button title=${one.about} @click=${() => this.#take(one)}>${one.label}</button>`)}</div>`;
  }

  #take({ text, from, to }: Offer) {
    this.#change(this.value.slice(0, from) + text + this.value.slice(to));
    void this.updateComplete.then(() => this.select(from + text.length));
  }

  #moved(event: Event) {
    this.caret = (event.target as HTMLTextAreaElement).selectionStart;
  }

  /** Puts the caret at an index of the text, in view. */
  select(index: number): void {
    const area = this.renderRoot.querySelector("textarea")!;
    area.focus();
    area.setSelectionRange(index, index);
    this.caret = index;
    const lines = this.value.slice(0, index).split("\n").length;
    area.scrollTop = (lines - 3) * parseFloat(getComputedStyle(area).lineHeight);
  }

  #typed(event: Event) {
    event.stopPropagation();
    this.#moved(event);
    this.#change((event.target as HTMLTextAreaElement).value);
  }

  #change(value: string) {
    this.value = value;
    this.dispatchEvent(new CustomEvent("edited", { detail: value }));
  }

  #scrolled(event: Event) {
    const area = event.target as HTMLTextAreaElement;
    const behind = this.renderRoot.querySelector("pre")!;
    behind.scrollTop = area.scrollTop;
    behind.scrollLeft = area.scrollLeft;
  }

  static override styles = [
    colours,
    css`
      :host { display: block; }
      .both { position: relative; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
      .both:focus-within { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
      pre, textarea {
        margin: 0; padding: 0.7rem 0.8rem; box-sizing: border-box; inline-size: 100%;
        font: 0.78rem/1.55 var(--mono); white-space: pre-wrap;
          overflow-wrap: anywhere; tab-size: 2; direction: ltr; text-align: left;
      }
      pre { position: absolute; inset: 0; overflow: hidden; pointer-events: none; }
      textarea {
        display: block; position: relative; max-block-size: var(--most, none); resize: vertical;
        border: 0; outline: 0; background: none;
        color: transparent; caret-color: var(--ink); scrollbar-width: none;
      }
      .offers { display: flex; flex-wrap: wrap; gap: 0.3rem; margin-block-start: 0.4rem; }
      .offers button { font: 0.76rem/1.4 var(--mono); color: var(--ink); background: none; cursor: pointer;
        border: 1px solid var(--line-strong); border-radius: 6px; padding: 0.15rem 0.45rem; min-block-size: 1.6rem; }
      .offers button:hover { border-color: var(--accent); }
      .offers button:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
      textarea::selection { background: color-mix(in srgb, var(--accent) 30%, transparent); }
    `,
  ];
}

customElements.define("json-editor", JsonEditor);
