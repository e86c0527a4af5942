import type { ReactiveController } from "lit";
import { Body } from "./body.ts";
import type { ElicitForm } from "./element.ts";
import type { Question } from "./question.ts";

/**
 * Watches which ends of the message were on the screen. A question can be accepted after all of them were. It can be
 * refused after its head was: before that, the click is meant for another question.
 */
export class Seen implements ReactiveController {
  body = new Body({});
  /** Whether the browser has told once what is on the screen. */
  hasLooked = false;
  private drawn = "";
  private readonly seen = new Set<string>();
  private watched = new WeakSet<Element>();
  private observer: IntersectionObserver | undefined;

  constructor(private readonly form: ElicitForm) {
    form.addController(this);
  }

  /** Starts again for a new question. */
  begin(question: Question): void {
    this.body = new Body(question);
    this.drawn = textOf(question);
    this.seen.clear();
    this.watched = new WeakSet();
    this.hasLooked = false;
  }

  /** Starts again if the message of the question is another one. */
  take(question: Question): void {
    if (textOf(question) !== this.drawn) this.begin(question);
  }

  /** Whether the person has seen the message to its end, with everything that was folded. */
  get isWhole(): boolean {
    return this.body.ends.every((key) => this.seen.has(key));
  }

  /** Whether the head of the question was on the screen, as far as the browser told. */
  get isBegun(): boolean {
    return !this.hasLooked || this.seen.has("head");
  }

  hostConnected(): void {
    this.watched = new WeakSet();
    this.observer = new IntersectionObserver((entries) => this.look(entries));
    this.hostUpdated();
  }
  hostDisconnected(): void {
    this.observer?.disconnect();
  }
  hostUpdated(): void {
    for (const end of this.ends()) {
      if (this.watched.has(end) || this.seen.has(end.dataset["end"]!)) continue;
      this.watched.add(end);
      this.observer?.observe(end);
    }
  }

  private look(entries: readonly IntersectionObserverEntry[]): void {
    const before = this.isWhole;
    for (const { isIntersecting, target } of entries) {
      const key = (target as HTMLElement).dataset["end"]!;
      if (!isIntersecting || !target.isConnected || this.seen.has(key)) continue;
      this.seen.add(key);
      this.observer?.unobserve(target);
    }
    if (!this.hasLooked || before !== this.isWhole) this.form.requestUpdate();
    this.hasLooked = true;
  }

  /** Opens a fold, or goes on by one screen, to what the person has not seen. */
  readonly goOn = (): void => {
    const end = this.ends().find(({ dataset }) => !this.seen.has(dataset["end"]!));
    const fold = end?.closest("details");
    if (fold?.open === false) {
      fold.open = true;
      fold.querySelector("summary")?.focus({ preventScroll: true });
      return fold.scrollIntoView({ block: "start" });
    }
    const box = end?.closest<HTMLElement>("[tabindex]"); // at least the card
    box?.focus({ preventScroll: true });
    if (box?.classList.contains("long") !== true) return end?.scrollIntoView({ block: "end" });
    box.scrollIntoView({ block: "nearest" });
    box.scrollBy({ top: box.clientHeight * 0.9 });
  };

  private ends(): HTMLElement[] {
    return [...this.form.renderRoot.querySelectorAll<HTMLElement>("[data-end]")];
  }
}

/** Everything of a question that decides how its message is drawn. */
function textOf({ message = "", parts = [], changed = [] }: Question): string {
  return JSON.stringify([message, parts, changed]);
}
