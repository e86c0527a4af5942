import { html, nothing, type TemplateResult } from "lit";
import type { FormContext } from "./context.ts";
import { inline, peer } from "./plain.ts";
import type { Change } from "./question.ts";

/** A piece of the message, or text that is gone from it and stood at `from`. */
interface Segment {
  is: "same" | "new" | "gone";
  from: number;
  to: number;
  text: string;
}

/** A message in which the words that changed can be marked. */
export class Marked {
  private readonly segments: readonly Segment[];

  constructor(readonly text: string, changed: readonly Change[] | undefined) {
    this.segments = segmentsOf(text, changed ?? []);
  }

  /** Whether something in the lines from one offset to another differs from before. */
  isChanged(from = 0, to = this.text.length): boolean {
    return this.segments.some((one) => one.is !== "same" && touches(one, from, to));
  }

  /** Draws the text between two offsets. It is never markup. */
  draw(context: FormContext, from = 0, to = this.text.length): unknown {
    const { revealing } = context;
    if (to > from && this.text.startsWith("\r\n", to - 1)) to--; // the break after the range has two characters
    if (!this.isChanged(from, to)) return peer(this.text.slice(from, to), revealing);
    const pieces = this.segments.filter((one) => touches(one, from, to)).map((one): unknown => {
      if (one.is === "gone") return drawGone(context.say("isGone"), inline(one.text, revealing));
      const text = inline(this.text.slice(Math.max(one.from, from), Math.min(one.to, to)), revealing);
      return one.is === "new" ? drawNew(context.say("isNew"), text) : text;
    });
    return html`<bdi lang="">${pieces}</bdi>`;
  }
}

/** The style sheet adds the word in `says` for screen readers, many of which do not announce the elements. */
const drawNew = (says: string, text: unknown) => html`<ins class="new" data-says=${says}>${text}</ins>`;
const drawGone = (says: string, text: unknown) => html`<del class="gone" data-says=${says}>${text}</del>`;

/** Draws a line above a message that differs from the one that the person accepted last. */
export function drawChanged(context: FormContext, marked: Marked): TemplateResult | typeof nothing {
  if (!marked.isChanged()) return nothing;
  const [isNew, isGone] = [context.say("isNew"), context.say("isGone")];
  return html`<p class="since" id="since" part="changed"><strong>${context.say("changed")}</strong>
    <ins class="new">${isNew}</ins> <del class="gone">${isGone}</del></p>`;
}

/** A gap at the end of a range belongs to it, because one character at least stands between two ranges. */
function touches({ is, from, to }: Segment, start: number, end: number): boolean {
  return is === "gone" ? from >= start && from <= end : from < end && to > start;
}

/** The pieces with their offsets. There are none unless they make up the text, so that no text is ever hidden. */
function segmentsOf(text: string, changed: readonly Change[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { is, text: piece } of changed) {
    if (is !== "same" && is !== "new" && is !== "gone") return [];
    const to = is === "gone" ? at : at + piece.length;
    if (is !== "gone" && text.slice(at, to) !== piece) return [];
    segments.push({ is, from: at, to, text: piece });
    at = to;
  }
  return at === text.length ? segments : [];
}
