import { html, nothing, type TemplateResult } from "lit";
import { duration, type Tongue } from "./ended.ts";
import type { EndedQuestion } from "./proxy-client.ts";
import { filled } from "./words.ts";

/** The line appears with so many answers. Fewer say nothing. */
const fewest = 5;

/** An answer is hasty if its question was on the screen for less, in milliseconds. */
const hasty = 2000;

/** Counts how long questions were on the screen before the person answered them, since this page was opened. */
export class Attention {
  private readonly drawn = new Set<string>();
  /** Milliseconds by question id. */
  private readonly shownFor = new Map<string, number>();

  /** A question was drawn on this page. */
  see(id: string): void {
    this.drawn.add(id);
  }

  /** A question ended. It counts if the person answered it, and this page drew it. */
  note({ id = "", cause, outcome, shown, ended }: EndedQuestion): void {
    if (cause !== "user" || outcome === "withdrawn" || shown === undefined || !this.drawn.has(id)) return;
    this.shownFor.set(id, ended - shown);
  }

  draw(tongue: Tongue): TemplateResult | typeof nothing {
    const times = [...this.shownFor.values()].sort((a, b) => a - b);
    if (times.length < fewest) return nothing;
    const middle = (times[(times.length - 1) >> 1]! + times[times.length >> 1]!) / 2;
    return html`<p class="attention">${filled(tongue.words.attention, {
      count: times.length,
      time: duration(tongue, middle),
      hasty: times.filter((time) => time < hasty).length,
    })}</p>`;
  }
}
