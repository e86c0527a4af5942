import type { AskerFailure, AskerReply } from "../asker-event.ts";
import type { AskingSettled as Settled, Problem } from "../contract.ts";

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
export class DeclinedError extends AskError { override readonly name = "DeclinedError"; }

/** The person closed the question, the call ended, or another question took its place. */
export class CancelledError extends AskError { override readonly name = "CancelledError"; }

/** Nobody answered in time. */
export class TimeoutError extends AskError { override readonly name = "TimeoutError"; }

/** The client can show no such question, and nothing else reaches the person. */
export class UnsupportedError extends AskError { override readonly name = "UnsupportedError"; }

/** The answers did not fit, as often as they may. */
export class UnfitError extends AskError { override readonly name = "UnfitError"; }

/** The store of the sessions failed (`code` is `store`). Nothing falls back to memory. */
export class StoreFailure extends AskError {
  override readonly name = "StoreFailure";
  constructor(override readonly cause: unknown) {
    super("store", `the store of the sessions failed: ${String((cause as Error).message ?? cause)}`);
  }
}

/** No question waits for what was reported (`code` is `unknown`). */
export class UnknownError extends AskError { override readonly name = "UnknownError"; }

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
export class Interrupt extends Error { override readonly name = "Interrupt"; }

/** A state was changed, is of another call, came back before, or has expired. Clients see no more than this. */
export class StateError extends Error {
  readonly code = -32602;
  readonly data = { reason: "invalid_request_state" };
}

const ended = (cause: string): AskError => new CancelledError(cause, `cancelled: ${cause}`);

/** The errors of the machine's failures. */
const failures: Record<AskerFailure, (reply: AskerReply) => Error> = {
  no_call: () => new Interrupt("the call is over"),
  interrupted: () => new Interrupt("the call ended while the person thinks"),
  given_up: () => ended("call_ended"),
  session_closed: () => ended("session_closed"),
  state_invalid: () => new StateError("Invalid or expired requestState"),
  wrong_principal: () => new PrincipalError(),
  link_used: () => new ClaimError("link_used"),
  store_failed: ({ why }) => new StoreFailure(new Error(why)),
  journal_failed: ({ why }) => new AskError("journal", `the journal failed: ${why}`),
  seal_failed: ({ why }) => new Error(`the state of a call could not be sealed: ${why}`),
  values_too_large: () => new TooLargeError(32 * 1024),
  still_running: () => new AskError("still_running", "the answer was taken, and the call still runs"),
  result_unknown: () => new AskError("result_unknown", "the answer was taken; the result is unknown"),
  refused: ({ problems = [] }) => new AskError(problems[0]!.code, `refused: ${problems[0]!.code}`, problems),
};

/** The reply, unless it is an error. */
export function taken(reply: AskerReply): AskerReply {
  if (!reply.failed && (reply.settle?.outcome ?? "accept") === "accept") return reply;
  const error = reply.failed ? failures[reply.failed](reply) : failure(reply.settle!);
  if (reply.code) codes.set(error, reply.code);
  throw error;
}

/** The codes of JSON-RPC that the machine gives to errors. */
const codes = new WeakMap<object, number>();

/** An error as a client gets it that reads no text: with the code of JSON-RPC that the machine gave it. */
export function coded(error: unknown): unknown {
  const code = error instanceof Error && !(error instanceof StateError) && codes.get(error);
  return code ? Object.assign(new Error((error as Error).message), { code }) : error;
}

/** The error of a question that was not accepted. */
function failure({ outcome, cause, problems = [] }: Settled): AskError {
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
