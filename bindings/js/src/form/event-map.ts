import type { AnswerDetail, DraftDetail, ReceiptDetail } from "./question.ts";

/** The events of `<elicit-form>` by type, with those of every element. */
export interface ElicitFormEventMap extends HTMLElementEventMap {
  "elicit-answer": CustomEvent<AnswerDetail>;
  /** Prevent it to open the page yourself. */
  "elicit-open": CustomEvent<{ url: string }>;
  "elicit-draft": CustomEvent<DraftDetail>;
  "elicit-receipt": CustomEvent<ReceiptDetail>;
  /** The person wants more time. */
  "elicit-extend": CustomEvent<object>;
}

/** The type of `addEventListener` and `removeEventListener`, whose options are `Options`. */
export interface Listening<Element, Options> {
  <Type extends keyof ElicitFormEventMap>(
    type: Type,
    listener: (this: Element, event: ElicitFormEventMap[Type]) => unknown,
    options?: boolean | Options,
  ): void;
  (type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | Options): void;
}
