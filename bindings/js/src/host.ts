import type { Fault } from "./codes.ts";
import type { EngineFault } from "./fault.ts";
import type { Consult, Consulted, End, RelayEffect } from "./contract.ts";
import type { GuardianData } from "./guardian/data.ts";
import type { Guest } from "./guardian/guest.ts";
import type { Ui } from "./open-question.ts";

/** The answer of a guardian that the host asks: its verdict as text, the person who gave it if any, or the fault. */
export type GuardianAnswer = string | { output: string; principal?: string } | { fault: Fault };

/** The effects that a host performs itself. The loop performs the others. */
export type HostEffect = Exclude<
  RelayEffect,
  { effect: "forward" | "send" | "append" | "new_journal" | "wake" | "consult" }
>;

/**
 * A host has one method for each effect that it acts on, under the name of the effect. Other effects are dropped. The
 * loop calls these methods one at a time and in order, and does not wait for promises they return. They may give the
 * connection events and messages.
 */
export type Host = { [E in HostEffect as E["effect"]]?: (effect: E) => void } & {
  /**
   * Writes a message to an end. A forwarded message arrives here in the form in which it was received, any other as
   * text. Neither has a line end.
   */
  write(to: End, message: string | Uint8Array): void;
  /** Shows questions to a person. Its `modes` are declared to the server, unless the configuration has `modes`. */
  ui?: Ui;
  /**
   * Asks a guardian that the connection does not hold: a language model, another person, a module in a worker. The
   * answer may be a promise. A host that throws, or has no `consult`, makes the guardian count as unavailable.
   */
  consult?(effect: Consult): GuardianAnswer | PromiseLike<GuardianAnswer>;
  /** Called when the connection stops deciding: the journal failed, or the instance broke and both ends were closed. */
  failed?(why: JournalError | EngineFault): void;
};

/** Keeps records in order. The loop performs no later effect of a step before `append` has kept its records. */
export interface Journal {
  /** Returns, or resolves, when the line is durable. After a failure the connection decides nothing any more. */
  append(line: string): void | PromiseLike<void>;
  /** The next line begins a new chain of records. Called at the start, and after an engine was replaced. */
  begin?(): void | PromiseLike<void>;
}

/** The surroundings of the loop. Each member has a default. */
export interface ConnectOptions {
  journal?: Journal;
  /** The guardians that the loop runs itself, as soon as they are consulted. */
  guests?: Iterable<Guest>;
  /** The data documents that permits of these guardians name by their digests. */
  data?: Iterable<GuardianData>;
  /** The clock, in milliseconds since 1970-01-01 UTC; left out, `Date.now`. */
  now?: () => number;
  /**
   * A clock that never goes back and counts suspended time, in milliseconds. Deadlines follow it. Left out,
   * `performance.now`, which some systems stop while they are suspended. With `now` alone, deadlines follow `now`.
   */
  elapsed?: () => number;
  /** 32 random bytes as 64 hex digits; left out, the module draws them from `crypto.getRandomValues`. */
  random?: () => string;
  /** Aborting it ends the connection as `shutdown` does. */
  signal?: AbortSignal;
}

/** The journal failed, so the connection decides nothing any more. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** Asks the host for a guardian's verdict and returns it as an event. An empty text counts as `bad_output`. */
export async function askHost(host: Pick<Host, "consult">, effect: Consult): Promise<Consulted> {
  const { session, id, round, digest } = effect;
  let answer: GuardianAnswer = { fault: digest === undefined || effect.host ? "unavailable" : "not_loaded" };
  try {
    if (host.consult) answer = (await host.consult(effect)) ?? { fault: "unavailable" };
  } catch {
    answer = { fault: "unavailable" };
  }
  const whole = typeof answer === "string" ? { output: answer } : answer;
  return {
    event: "consulted",
    session,
    id,
    round,
    ...("output" in whole && whole.output === "" ? { fault: "bad_output" } : whole),
  };
}
