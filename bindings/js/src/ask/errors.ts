import type { AskerFailure, AskerKind, AskerReply } from "../asker-event.ts";
import type { Problem } from "../contract.ts";

/** A question brought no answer. `code` says why: a cause (`elicit explain`), `declined`, or a failure. */
export class AskError extends Error {
  override readonly name: string = "AskError";
  constructor(readonly code: string, message: string, readonly problems: readonly Problem[] = [], why?: string) {
    super(message, why === undefined ? {} : { cause: new Error(why) });
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
/** The store of the sessions failed (`store_failed`), and `cause` says why. Nothing falls back to memory. */
export class StoreFailure extends AskError { override readonly name = "StoreFailure"; }
/** No question waits for what was reported (`nobody_waits`). */
export class UnknownError extends AskError { override readonly name = "UnknownError"; }
/** The values of a call are too large to keep (`values_too_large`). */
export class TooLargeError extends AskError { override readonly name = "TooLargeError"; }
/** Another browser has the page (`link_used`). */
export class ClaimError extends AskError { override readonly name: string = "ClaimError"; }
/** Somebody else is to answer the page, or has the session that a call names (`wrong_principal`). */
export class PrincipalError extends ClaimError { override readonly name = "PrincipalError"; }
/** The call ended while the person thinks, and its handler runs again later. The handler must let this error pass. */
export class Interrupt extends Error {
  override readonly name = "Interrupt";
  constructor(_: string, message: string) { super(message); }
}

/** A state was changed, is of another call, came back before, or has expired. Clients see no more than this. */
export class StateError extends Error {
  readonly code = -32602;
  readonly data = { reason: "invalid_request_state" };
  constructor(_: string, message: string) { super(message); }
}

type Class = new (code: string, message: string, problems: readonly Problem[], why?: string) => Error;

/** The errors of the machine's kinds and failures. All others are an `AskError`. */
const classes: Partial<Record<AskerKind | AskerFailure, Class>> = {
  declined: DeclinedError, declined_by_policy: DeclinedError, cancelled: CancelledError, closed: CancelledError,
  client: CancelledError, timeout: TimeoutError, attempts: UnfitError, unsupported: UnsupportedError,
  interrupted: Interrupt, given_up: CancelledError, session_closed: CancelledError,
  state_invalid: StateError, wrong_principal: PrincipalError, link_used: ClaimError, nobody_waits: UnknownError,
  store_failed: StoreFailure, values_too_large: TooLargeError,
};

/** The reply, unless it is an error. */
export function taken(reply: AskerReply): AskerReply {
  const { failed, kind, text = "", settle, problems = settle?.problems ?? [], why } = reply;
  const name = failed ?? kind;
  if (!name) return reply;
  const cause = failed === "refused" ? problems[0]!.code : settle?.cause ?? "user";
  const error = new (classes[name] ?? AskError)(cause === "user" ? name : cause, text, problems, why);
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
