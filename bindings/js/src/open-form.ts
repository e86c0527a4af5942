import { op, type Instance } from "./instance.ts";
import { Handle } from "./machine.ts";
import type { Form, Problem } from "./contract.ts";

/** The length of {"problems":[]} in bytes. An output with a problem is longer. */
const noProblems = 15;

/** A compiled form that checks answers. It lives until it is closed, or as long as its engine. */
export class OpenForm extends Handle {
  constructor(
    instance: Instance,
    handle: bigint,
    /** The form that a user interface draws. */
    readonly form: Form,
  ) {
    super(instance, handle);
  }

  /** Every problem of an answer's content; an empty list means that it fits. A string or bytes are JSON text. */
  check(content: object | string | Uint8Array): Problem[] {
    const input = typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content);
    this.instance.call(op.check, this.handle, 0n, input, "the content");
    if (this.instance.length === noProblems) return [];
    return (JSON.parse(this.instance.text()) as { problems: Problem[] }).problems;
  }
}
