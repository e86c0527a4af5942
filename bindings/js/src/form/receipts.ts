import type { ReactiveController } from "lit";
import type { ElicitForm } from "./element.ts";
import type { ReceiptDetail } from "./question.ts";

/** Reports once each that the person saw a question, focused it, and began to answer it. */
export class Receipts implements ReactiveController {
  private readonly sent = new Set<string>();
  private watch: IntersectionObserver | undefined;

  constructor(private readonly form: ElicitForm) {
    form.addController(this);
  }

  /** Starts again for a new question. */
  begin(): void {
    this.sent.clear();
  }

  send(what: ReceiptDetail["what"]): void {
    if (this.sent.has(what) || this.form.isOver || this.form.readonly) return;
    // A person who types has seen the form, and the observer may report it later.
    if (what !== "shown") this.send("shown");
    this.sent.add(what);
    this.form.emit("elicit-receipt", { what });
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

  /** An observer does not report an element again that stays visible. Observing it again makes it report. */
  hostUpdated(): void {
    if (this.sent.has("shown") || this.watch === undefined || !this.form.isConnected) return;
    this.watch.unobserve(this.form);
    this.watch.observe(this.form);
  }

  private readonly seen = (): void => {
    const { form, url, message } = this.form.shown;
    if (document.visibilityState === "visible" && (form ?? url ?? message) !== undefined) this.send("shown");
  };
}
