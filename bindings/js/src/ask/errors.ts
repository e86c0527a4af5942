import type { Settled } from "../asking-event.ts";
import type { Problem } from "../question.ts";

/** A question brought no answer. `code` says why: a cause (`elicit explain`), or `declined`. */
export class AskError extends Error {
  override readonly name: string = "AskError";
  constructor(
    readonly code: string,
    message: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
  }
}

/** The person said no, or policy said it for them (`code` is then `policy`). */
export class DeclinedError extends AskError {
  override readonly name = "DeclinedError";
}

/** The person closed the question, the call ended, or another question took its place. */
export class CancelledError extends AskError {
  override readonly name = "CancelledError";
}

/** Nobody answered in time. */
export class TimeoutError extends AskError {
  override readonly name = "TimeoutError";
}

/** The client can show no such question, and nothing else reaches the person. */
export class UnsupportedError extends AskError {
  override readonly name = "UnsupportedError";
}

/** The answers did not fit, as often as they may. */
export class UnfitError extends AskError {
  override readonly name = "UnfitError";
}

/** The store of the sessions failed (`code` is `store`). Nothing falls back to memory. */
export class StoreFailure extends AskError {
  override readonly name = "StoreFailure";
  constructor(override readonly cause: unknown) {
    super("store", `the store of the sessions failed: ${String((cause as Error).message ?? cause)}`);
  }
}

/** The values of a call are too large to keep (`code` is `values_too_large`). */
export class TooLargeError extends AskError {
  override readonly name = "TooLargeError";
  constructor(most: number) {
    super("values_too_large", `the values of a call have at most ${most} bytes`);
  }
}

/** Another browser has the page (`code` is `link_used`), or somebody else is to answer (`wrong_principal`). */
export class ClaimError extends AskError {
  override readonly name = "ClaimError";
  constructor(code: "link_used" | "wrong_principal") {
    super(code, code === "link_used" ? "another browser has the page" : "somebody else is to answer");
  }
}

/** A call names a session of somebody else. */
export class PrincipalError extends AskError {
  override readonly name = "PrincipalError";
  constructor() {
    super("principal", "the session belongs to another principal");
  }
}

/**
 * The call ended while the person thinks. Its handler runs again later. A handler must let this error pass: what it
 * returns after it reaches nobody.
 */
export class Interrupt extends Error {
  override readonly name = "Interrupt";
}

/** The error of a question that was not accepted. */
export function failure({ outcome, cause, problems = [] }: Settled): AskError {
  if (outcome === "decline")
    return cause === "user"
      ? new DeclinedError("declined", "the person declined", problems)
      : new DeclinedError(cause, `declined: ${cause}`, problems);
  if (cause === "timeout") return new TimeoutError(cause, "nobody answered in time", problems);
  if (cause === "attempts_used") return new UnfitError(cause, "the answers did not fit", problems);
  const why = problems[0]?.code;
  if (cause === "unsupported") return new UnsupportedError(cause, `the question reaches nobody: ${why}`, problems);
  if (outcome === "cancel")
    return new CancelledError(cause === "user" ? "cancelled" : cause, `cancelled: ${cause}`, problems);
  return new AskError(cause, `the question could not be asked: ${why ?? cause}`, problems);
}
