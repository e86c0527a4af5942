import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { described, labelOf, titleOf, type FormContext, type Placed } from "./context.ts";
import type { Choice, Field } from "./question.ts";
import { spelled } from "./plain.ts";

type Typing = Event & { currentTarget: HTMLInputElement };

/** The list draws this many options at a time. Until a person scrolls, ten thousand options cost no more than fifty. */
const page = 50;
const mostChips = 40;

/**
 * Draws a choice with many options as a combobox whose list narrows while the person types. Moving to an option does
 * not choose it. Enter or a click chooses it.
 */
export class Search {
  private query = "";
  private isOpen = false;
  private at = -1;
  private drawn = page;
  private folded: string[] | undefined;
  private matches: readonly number[] = [];

  draw(context: FormContext, placed: Placed): TemplateResult {
    const { field, id } = placed;
    const held = context.held(field);
    const isMany = field.kind === "choices";
    const choices = field.choices ?? [];
    if (this.isOpen) this.match(choices);
    const only = held.chosen[0] === undefined || choices[held.chosen[0]] === undefined ? undefined : held.chosen[0];
    const closedText = isMany || only === undefined ? "" : labelOf(field, only, context.revealing);
    const active = this.isOpen && this.at >= 0 ? `${id}-o${this.matches[this.at]}` : nothing;
    const count = this.count(context, held.chosen.length, isMany, choices.length);
    return html`<div class="search" @focusout=${(event: FocusEvent) => this.left(context, field, event)}>
      ${isMany ? this.chips(context, field) : nothing}
      <div class="masked">
        <input id=${id} part="control input" type="text" role="combobox" aria-autocomplete="list"
          autocomplete="off" spellcheck="false" dir="auto" aria-expanded=${this.isOpen} aria-controls="${id}-list"
          aria-activedescendant=${active} aria-required=${field.required}
          aria-invalid=${context.problem(field) !== undefined}
          aria-describedby="${described(context, placed)} ${id}-count" ?readonly=${context.locked}
          placeholder=${context.say("filter")} .value=${live(this.isOpen ? this.query : closedText)}
          @input=${(event: Typing) => this.narrow(context, event.currentTarget.value)}
          @click=${() => this.open(context)} @keydown=${(event: KeyboardEvent) => this.key(context, field, event)}>
        ${!isMany && only !== undefined && !context.locked
          ? html`<button type="button" class="quiet" aria-label=${context.say("remove", { value: closedText })}
              @click=${() => context.change(field, { chosen: [] })}>${cross()}</button>`
          : nothing}
      </div>
      <div class="count" id="${id}-count" role="status">${count}</div>
      <ul class="list" part="list" id="${id}-list" role="listbox" aria-label=${spelled(field.label)}
        aria-multiselectable=${isMany} ?hidden=${!this.isOpen}
        @scroll=${(event: Event) => this.scrolled(context, event.currentTarget as HTMLElement)}
        @mousedown=${(event: Event) => event.preventDefault()}>
        ${this.isOpen ? this.options(context, placed, new Set(held.chosen)) : nothing}
      </ul>
    </div>`;
  }

  private options(context: FormContext, { field, id }: Placed, chosen: ReadonlySet<number>): TemplateResult[] {
    return this.matches.slice(0, this.drawn).map((i, place) => {
      const { description } = field.choices![i]!;
      const text = spelled(description ?? "", context.revealing);
      const about = html`<span class="about"><bdi lang="">${text}</bdi></span>`;
      return html`<li id=${`${id}-o${i}`} role="option" part="choice" class=${place === this.at ? "active" : ""}
        aria-selected=${chosen.has(i)} aria-setsize=${this.matches.length} aria-posinset=${place + 1}
        @click=${() => this.choose(context, field, i)}>
        <span class="tick" aria-hidden="true">${chosen.has(i) ? "✓" : ""}</span><span class="what"><bdi lang="">${
          labelOf(field, i, context.revealing)}</bdi>${description === undefined ? nothing : about}</span></li>`;
    });
  }

  private chips(context: FormContext, field: Field): TemplateResult | typeof nothing {
    const { chosen } = context.held(field);
    if (chosen.length === 0) return nothing;
    const more = chosen.length - mostChips;
    return html`<div class="chips">${chosen.slice(0, mostChips).map((i) => {
      const text = labelOf(field, i, context.revealing);
      return html`<button type="button" class="chip" ?disabled=${context.locked}
        aria-label=${context.say("remove", { value: text })}
        @click=${() => this.toggle(context, field, i)}><bdi lang="">${text}</bdi>${cross()}</button>`;
    })}${more > 0 ? html`<span>${context.say("moreChosen", { count: more })}</span>` : nothing}</div>`;
  }

  private count(context: FormContext, chosen: number, isMany: boolean, total: number): string {
    const parts: string[] = [];
    if (isMany && chosen > 0) parts.push(context.say("chosen", { count: chosen }));
    const count = this.matches.length;
    if (this.isOpen) parts.push(count === 0 ? context.say("noMatches") : context.say("matches", { count, total }));
    return parts.join(" · ");
  }

  private match(choices: readonly Choice[]): void {
    this.folded ??= choices.map((choice) => {
      const value = typeof choice.value === "string" ? choice.value : "";
      return fold(`${titleOf(choice)} ${value} ${choice.description ?? ""}`);
    });
    const words = fold(this.query).split(/\s+/).filter((word) => word !== "");
    const found: number[] = [];
    this.folded.forEach((text, i) => {
      if (words.every((word) => text.includes(word))) found.push(i);
    });
    this.matches = found;
  }

  private open(context: FormContext): void {
    if (this.isOpen || context.locked) return;
    Object.assign(this, { isOpen: true, query: "", at: -1, drawn: page });
    context.redraw();
  }

  private close(context: FormContext): void {
    Object.assign(this, { isOpen: false, query: "", at: -1 });
    context.redraw();
  }

  private narrow(context: FormContext, query: string): void {
    if (context.locked) return;
    Object.assign(this, { isOpen: true, query, at: -1, drawn: page });
    context.redraw();
  }

  private key(context: FormContext, field: Field, event: KeyboardEvent): void {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    if (!this.isOpen) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      return this.open(context);
    }
    switch (event.key) {
      case "ArrowDown":
        return this.move(context, event, this.at + 1);
      case "ArrowUp":
        return this.move(context, event, this.at - 1);
      case "PageDown":
        return this.move(context, event, this.at + 10);
      case "PageUp":
        return this.move(context, event, Math.max(this.at - 10, 0));
      case "Enter": {
        event.preventDefault();
        event.stopPropagation();
        const i = this.matches[this.at] ?? (this.matches.length === 1 ? this.matches[0] : undefined);
        return i === undefined ? undefined : this.choose(context, field, i);
      }
      case "Escape":
        event.preventDefault();
        event.stopPropagation();
        return this.close(context);
      case "Backspace": {
        const last = context.held(field).chosen.at(-1);
        if (this.query === "" && last !== undefined && field.kind === "choices") this.toggle(context, field, last);
      }
    }
  }

  private move(context: FormContext, event: KeyboardEvent, to: number): void {
    event.preventDefault();
    const last = this.matches.length - 1;
    this.at = Math.max(-1, Math.min(to, last));
    if (this.at >= this.drawn - 5) this.drawn = Math.min(this.at + page, last + 1);
    const root = (event.currentTarget as Node).getRootNode() as ShadowRoot;
    context.redraw();
    const show = () => root.querySelector(".list .active")?.scrollIntoView({ block: "nearest" });
    queueMicrotask(() => requestAnimationFrame(show));
  }

  private scrolled(context: FormContext, list: HTMLElement): void {
    if (this.drawn >= this.matches.length || list.scrollTop + list.clientHeight < list.scrollHeight - 200) return;
    this.drawn += page;
    context.redraw();
  }

  private choose(context: FormContext, field: Field, i: number): void {
    if (field.kind === "choices") return this.toggle(context, field, i);
    context.change(field, { chosen: [i] });
    this.close(context);
  }

  private toggle(context: FormContext, field: Field, i: number): void {
    const { chosen } = context.held(field);
    const isChosen = chosen.includes(i);
    const next = isChosen ? chosen.filter((other) => other !== i) : [...chosen, i].sort((a, b) => a - b);
    context.change(field, { chosen: next });
  }

  private left(context: FormContext, field: Field, event: FocusEvent): void {
    if (event.relatedTarget instanceof Node && (event.currentTarget as Node).contains(event.relatedTarget)) return;
    if (this.isOpen) this.close(context);
    context.leave(field);
  }
}

/** A text without case and accents, for comparison. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function cross(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true"
    ><path d="m3.5 3.5 9 9m0-9-9 9" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>`;
}
