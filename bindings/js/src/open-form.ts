import { dispose } from "./dispose.ts";
import { op, type Instance } from "./instance.ts";
import type { Form, Problem } from "./contract.ts";

/** The length of {"problems":[]} in bytes. An output with a problem is longer. */
const noProblems = 15;

/** A compiled form that checks answers. It lives until it is closed, or as long as its engine. */
export class OpenForm implements Disposable {
  #closed = false;
  readonly #instance: Instance;
  readonly #handle: bigint;

  constructor(
    instance: Instance,
    handle: bigint,
    /** The form that a user interface draws. */
    readonly form: Form,
  ) {
    this.#instance = instance;
    this.#handle = handle;
  }

  /** Every problem of an answer's content; an empty list means that it fits. A string or bytes are JSON text. */
  check(content: object | string | Uint8Array): Problem[] {
    const input = typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content);
    this.#instance.call(op.check, this.#handle, 0n, input, "the content");
    if (this.#instance.length === noProblems) return [];
    return (JSON.parse(this.#instance.text()) as { problems: Problem[] }).problems;
  }

  /** Releases the form in the module. Calling it again does nothing. */
  close(): void {
    if (this.#closed || this.#instance.ended) return;
    this.#closed = true;
    this.#instance.call(op.close, this.#handle, 0n, "", "the form");
  }

  [dispose](): void {
    this.close();
  }
}
