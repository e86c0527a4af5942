import { LitElement, css, html } from "lit";
import { colours } from "./style.ts";
import { tokens } from "./tokens.ts";

/** A text area for JSON, above the same text in colour. It emits `edited` with each change. */
export class JsonEditor extends LitElement {
  static override properties = { value: {}, label: {}, rows: { type: Number } };
  declare value: string;
  declare label: string;
  declare rows: number;

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
        wrap="soft" @input=${this.#typed} @scroll=${this.#scrolled}></textarea>
    </div>`;
  }

  /** Puts the caret at an index of the text, in view. */
  select(index: number): void {
    const area = this.renderRoot.querySelector("textarea")!;
    area.focus();
    area.setSelectionRange(index, index);
    const lines = this.value.slice(0, index).split("\n").length;
    area.scrollTop = (lines - 3) * parseFloat(getComputedStyle(area).lineHeight);
  }

  #typed(event: Event) {
    event.stopPropagation();
    this.value = (event.target as HTMLTextAreaElement).value;
    this.dispatchEvent(new CustomEvent("edited", { detail: this.value }));
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
        display: block; position: relative; max-block-size: var(--most, none); resize: vertical; border: 0; outline: 0; background: none;
        color: transparent; caret-color: var(--ink); scrollbar-width: none;
      }
      textarea::selection { background: color-mix(in srgb, var(--accent) 30%, transparent); }
    `,
  ];
}

customElements.define("json-editor", JsonEditor);
