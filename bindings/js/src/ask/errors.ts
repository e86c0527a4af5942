import type { AskerFailure, AskerKind, AskerReply } from "../asker-event.ts";
import type { Problem } from "../contract.ts";

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
  constructor(message: string, override readonly cause: unknown) {
    super("store", message);
  }
}

/** No question waits for what was reported (`code` is `unknown`). */
export class UnknownError extends AskError { override readonly name = "UnknownError"; }

/** The values of a call are too large to keep (`code` is `values_too_large`). */
export class TooLargeError extends AskError { override readonly name = "TooLargeError"; }

/** Another browser has the page (`code` is `link_used`), or somebody else is to answer (`wrong_principal`). */
export class ClaimError extends AskError { override readonly name = "ClaimError"; }

/** A call names a session of somebody else. */
export class PrincipalError extends AskError { override readonly name = "PrincipalError"; }

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

/** The errors of the machine's kinds. All others are an `AskError`. */
const kinds: Partial<Record<AskerKind, typeof AskError>> = {
  declined: DeclinedError, declined_by_policy: DeclinedError, cancelled: CancelledError, closed: CancelledError,
  client: CancelledError,
  timeout: TimeoutError, attempts: UnfitError, unsupported: UnsupportedError,
};

/** The errors of the machine's failures. All others are an `AskError`. */
const failures: Partial<Record<AskerFailure, (text: string, reply: AskerReply) => Error>> = {
  no_call: (text) => new Interrupt(text),
  interrupted: (text) => new Interrupt(text),
  given_up: (text) => new CancelledError("call_ended", text),
  session_closed: (text) => new CancelledError("session_closed", text),
  state_invalid: (text) => new StateError(text),
  wrong_principal: (text) => new PrincipalError("principal", text),
  link_used: (text) => new ClaimError("link_used", text),
  nobody_waits: (text) => new UnknownError("unknown", text),
  store_failed: (text, { why }) => new StoreFailure(text, new Error(why)),
  journal_failed: (text) => new AskError("journal", text),
  seal_failed: (text) => new Error(text),
  values_too_large: (text) => new TooLargeError("values_too_large", text),
  refused: (text, { problems = [] }) => new AskError(problems[0]!.code, text, problems),
};

/** The reply, unless it is an error. */
export function taken(reply: AskerReply): AskerReply {
  const { failed, kind, text = "", settle } = reply;
  if (!failed && !kind) return reply;
  const said = settle?.cause === "user" ? kind! : settle?.cause ?? "other";
  const error = failed
    ? failures[failed]?.(text, reply) ?? new AskError(failed, text)
    : new (kinds[kind!] ?? AskError)(said, text, settle?.problems);
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
