import type { ReactiveController } from "lit";
import type { ElicitForm } from "./element.ts";
import type { ReceiptDetail } from "./question.ts";

/** Tells once each that a question was seen, came into focus, and began to be answered. */
export class Receipts implements ReactiveController {
  private readonly told = new Set<string>();
  private watch: IntersectionObserver | undefined;

  constructor(private readonly form: ElicitForm) {
    form.addController(this);
  }

  /** A new question is before the person. */
  begin(): void {
    this.told.clear();
  }

  tell(what: ReceiptDetail["what"]): void {
    if (this.told.has(what) || this.form.isOver || this.form.readonly) return;
    this.told.add(what);
    this.form.tell("elicit-receipt", { what });
  }

  hostConnected(): void {
    this.watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.seen());
    this.watch.observe(this.form);
    document.addEventListener("visibilitychange", this.seen);
  }

  hostDisconnected(): void {
    this.watch?.disconnect();
    document.removeEventListener("visibilitychange", this.seen);
  }

  /** An element that stays in sight fires no more; asked anew, the observer looks again. */
  hostUpdated(): void {
    if (this.told.has("shown") || this.watch === undefined || !this.form.isConnected) return;
    this.watch.unobserve(this.form);
    this.watch.observe(this.form);
  }

  private readonly seen = (): void => {
    const { form, url, message } = this.form.shown;
    if (document.visibilityState === "visible" && (form ?? url ?? message) !== undefined) this.tell("shown");
  };
}
