import { dispose } from "./dispose.ts";
import { op, type Instance } from "./instance.ts";
import type { Form, Problem } from "./question.ts";

/** The bytes of {"problems":[]}, shorter than with any problem in it. */
const fits = 15;

/** A compiled form that answers are checked against. It lives as long as its engine, or until it is closed. */
export class OpenForm implements Disposable {
  #closed = false;
  readonly #instance: Instance;
  readonly #handle: bigint;

  constructor(
    instance: Instance,
    handle: bigint,
    /** What a user interface draws. */
    readonly form: Form,
  ) {
    this.#instance = instance;
    this.#handle = handle;
  }

  /** Every problem of an answer's content, none when it fits. A string or bytes are taken as JSON as they stand. */
  check(content: object | string | Uint8Array): Problem[] {
    const input = typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content);
    this.#instance.call(op.check, this.#handle, 0n, input, "the content");
    if (this.#instance.length === fits) return [];
    return (JSON.parse(this.#instance.text()) as { problems: Problem[] }).problems;
  }

  /** Gives its place up. It may be called again. */
  close(): void {
    if (this.#closed || this.#instance.ended) return;
    this.#closed = true;
    this.#instance.call(op.close, this.#handle, 0n, "", "the form");
  }

  [dispose](): void {
    this.close();
  }
}
