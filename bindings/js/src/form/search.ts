import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { described, labelOf, titleOf, type Desk, type Placed } from "./desk.ts";
import type { Choice, Field } from "./question.ts";
import { spelled } from "./plain.ts";

type Typing = Event & { currentTarget: HTMLInputElement };

/** Options are drawn this many at a time, so that ten thousand cost no more than fifty until somebody scrolls. */
const page = 50;
const mostChips = 40;

/**
 * Choosing among many: a combobox over a list that narrows as one types. What is under the cursor is not chosen
 * until Enter or a click says so.
 */
export class Search {
  private query = "";
  private isOpen = false;
  private at = -1;
  private drawn = page;
  private folded: string[] | undefined;
  private matches: readonly number[] = [];

  draw(desk: Desk, placed: Placed): TemplateResult {
    const { field, id } = placed;
    const held = desk.held(field);
    const isMany = field.kind === "choices";
    const choices = field.choices ?? [];
    if (this.isOpen) this.match(choices);
    const only = held.chosen[0] === undefined || choices[held.chosen[0]] === undefined ? undefined : held.chosen[0];
    const closedText = isMany || only === undefined ? "" : labelOf(field, only, desk.revealing);
    const active = this.isOpen && this.at >= 0 ? `${id}-o${this.matches[this.at]}` : nothing;
    return html`<div class="search" @focusout=${(event: FocusEvent) => this.left(desk, field, event)}>
      ${isMany ? this.chips(desk, field) : nothing}
      <div class="masked">
        <input id=${id} part="control input" type="text" role="combobox" aria-autocomplete="list" autocomplete="off" spellcheck="false" dir="auto"
          aria-expanded=${this.isOpen} aria-controls="${id}-list" aria-activedescendant=${active} aria-required=${field.required}
          aria-invalid=${desk.problem(field) !== undefined} aria-describedby="${described(desk, placed)} ${id}-count" ?readonly=${desk.locked}
          placeholder=${desk.say("filter")} .value=${live(this.isOpen ? this.query : closedText)}
          @input=${(event: Typing) => this.narrow(desk, event.currentTarget.value)}
          @click=${() => this.open(desk)} @keydown=${(event: KeyboardEvent) => this.key(desk, field, event)}>
        ${!isMany && only !== undefined && !desk.locked
          ? html`<button type="button" class="quiet" aria-label=${desk.say("remove", { value: closedText })}
              @click=${() => desk.change(field, { chosen: [] })}>${cross()}</button>`
          : nothing}
      </div>
      <div class="count" id="${id}-count" role="status">${this.told(desk, held.chosen.length, isMany, choices.length)}</div>
      <ul class="list" part="list" id="${id}-list" role="listbox" aria-label=${spelled(field.label)} aria-multiselectable=${isMany} ?hidden=${!this.isOpen}
        @scroll=${(event: Event) => this.scrolled(desk, event.currentTarget as HTMLElement)} @mousedown=${(event: Event) => event.preventDefault()}>
        ${this.isOpen ? this.options(desk, placed, new Set(held.chosen)) : nothing}
      </ul>
    </div>`;
  }

  private options(desk: Desk, { field, id }: Placed, chosen: ReadonlySet<number>): TemplateResult[] {
    return this.matches.slice(0, this.drawn).map((i, place) => {
      const choice = field.choices![i]!;
      return html`<li id=${`${id}-o${i}`} role="option" part="choice" class=${place === this.at ? "active" : ""} aria-selected=${chosen.has(i)}
        aria-setsize=${this.matches.length} aria-posinset=${place + 1} @click=${() => this.choose(desk, field, i)}>
        <span class="tick" aria-hidden="true">${chosen.has(i) ? "✓" : ""}</span><span class="what"><bdi lang="">${labelOf(field, i, desk.revealing)}</bdi>${
          choice.description === undefined ? nothing : html`<span class="about"><bdi lang="">${spelled(choice.description, desk.revealing)}</bdi></span>`}</span></li>`;
    });
  }

  private chips(desk: Desk, field: Field): TemplateResult | typeof nothing {
    const { chosen } = desk.held(field);
    if (chosen.length === 0) return nothing;
    const more = chosen.length - mostChips;
    return html`<div class="chips">${chosen.slice(0, mostChips).map((i) => {
      const text = labelOf(field, i, desk.revealing);
      return html`<button type="button" class="chip" ?disabled=${desk.locked} aria-label=${desk.say("remove", { value: text })}
        @click=${() => this.toggle(desk, field, i)}><bdi lang="">${text}</bdi>${cross()}</button>`;
    })}${more > 0 ? html`<span>${desk.say("moreChosen", { count: more })}</span>` : nothing}</div>`;
  }

  private told(desk: Desk, chosen: number, isMany: boolean, total: number): string {
    const parts: string[] = [];
    if (isMany && chosen > 0) parts.push(desk.say("chosen", { count: chosen }));
    if (this.isOpen) parts.push(this.matches.length === 0 ? desk.say("noMatches") : desk.say("matches", { count: this.matches.length, total }));
    return parts.join(" · ");
  }

  private match(choices: readonly Choice[]): void {
    this.folded ??= choices.map((choice) => fold(`${titleOf(choice)} ${typeof choice.value === "string" ? choice.value : ""} ${choice.description ?? ""}`));
    const words = fold(this.query).split(/\s+/).filter((word) => word !== "");
    const found: number[] = [];
    this.folded.forEach((text, i) => {
      if (words.every((word) => text.includes(word))) found.push(i);
    });
    this.matches = found;
  }

  private open(desk: Desk): void {
    if (this.isOpen || desk.locked) return;
    Object.assign(this, { isOpen: true, query: "", at: -1, drawn: page });
    desk.redraw();
  }

  private close(desk: Desk): void {
    Object.assign(this, { isOpen: false, query: "", at: -1 });
    desk.redraw();
  }

  private narrow(desk: Desk, query: string): void {
    if (desk.locked) return;
    Object.assign(this, { isOpen: true, query, at: -1, drawn: page });
    desk.redraw();
  }

  private key(desk: Desk, field: Field, event: KeyboardEvent): void {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    if (!this.isOpen) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      return this.open(desk);
    }
    switch (event.key) {
      case "ArrowDown":
        return this.move(desk, event, this.at + 1);
      case "ArrowUp":
        return this.move(desk, event, this.at - 1);
      case "PageDown":
        return this.move(desk, event, this.at + 10);
      case "PageUp":
        return this.move(desk, event, Math.max(this.at - 10, 0));
      case "Enter": {
        event.preventDefault();
        event.stopPropagation();
        const i = this.matches[this.at] ?? (this.matches.length === 1 ? this.matches[0] : undefined);
        return i === undefined ? undefined : this.choose(desk, field, i);
      }
      case "Escape":
        event.preventDefault();
        event.stopPropagation();
        return this.close(desk);
      case "Backspace": {
        const last = desk.held(field).chosen.at(-1);
        if (this.query === "" && last !== undefined && field.kind === "choices") this.toggle(desk, field, last);
      }
    }
  }

  private move(desk: Desk, event: KeyboardEvent, to: number): void {
    event.preventDefault();
    const last = this.matches.length - 1;
    this.at = Math.max(-1, Math.min(to, last));
    if (this.at >= this.drawn - 5) this.drawn = Math.min(this.at + page, last + 1);
    const root = (event.currentTarget as Node).getRootNode() as ShadowRoot;
    desk.redraw();
    queueMicrotask(() => requestAnimationFrame(() => root.querySelector(".list .active")?.scrollIntoView({ block: "nearest" })));
  }

  private scrolled(desk: Desk, list: HTMLElement): void {
    if (this.drawn >= this.matches.length || list.scrollTop + list.clientHeight < list.scrollHeight - 200) return;
    this.drawn += page;
    desk.redraw();
  }

  private choose(desk: Desk, field: Field, i: number): void {
    if (field.kind === "choices") return this.toggle(desk, field, i);
    desk.change(field, { chosen: [i] });
    this.close(desk);
  }

  private toggle(desk: Desk, field: Field, i: number): void {
    const { chosen } = desk.held(field);
    desk.change(field, { chosen: chosen.includes(i) ? chosen.filter((other) => other !== i) : [...chosen, i].sort((a, b) => a - b) });
  }

  private left(desk: Desk, field: Field, event: FocusEvent): void {
    if (event.relatedTarget instanceof Node && (event.currentTarget as Node).contains(event.relatedTarget)) return;
    if (this.isOpen) this.close(desk);
    desk.leave(field);
  }
}

/** Letters without case and accents. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function cross(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true"><path d="m3.5 3.5 9 9m0-9-9 9" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>`;
}
