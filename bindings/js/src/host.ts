import type { Fault } from "./codes.ts";
import type { EngineFault } from "./fault.ts";
import type { Consult, Consulted } from "./guardian/consult.ts";
import type { Guest } from "./guardian/guest.ts";
import type { RelayEffect } from "./relay-effect.ts";
import type { End } from "./relay-event.ts";
import type { Ui } from "./open-question.ts";

/** The answer of a host's own guardian: its verdict as text, the person who gave it if any, or the fault. */
export type Said = string | { output: string; principal?: string } | { fault: Fault };

/** The effects that a host performs under their own names; the loop performs the rest. */
export type Handed = Exclude<
  RelayEffect,
  { effect: "forward" | "send" | "append" | "new_journal" | "wake" | "consult" }
>;

/**
 * A host has a performer for each effect that it acts on, under the name of the effect. Other effects are dropped.
 * Performers are called one at a time, in order, and are not waited for. They may give the connection events and
 * messages.
 */
export type Host = { [E in Handed as E["effect"]]?: (effect: E) => void } & {
  /**
   * Writes a message to an end. A message that passes is given as it came, and any other as text. Neither has a line
   * end.
   */
  write(to: End, message: string | Uint8Array): void;
  /** Puts questions before a person. Its `modes` are declared to the server, unless the configuration has `modes`. */
  ui?: Ui;
  /**
   * Asks a guardian that the connection does not hold: a language model, another person, a module in a worker. The
   * answer may be a promise. A host that throws, or has no `consult`, makes the guardian count as unavailable.
   */
  consult?(effect: Consult): Said | PromiseLike<Said>;
  /** Is told why nothing is decided any more: the journal failed, or the instance broke and both ends were closed. */
  failed?(why: JournalError | EngineFault): void;
};

/** Keeps records, in order. Nothing of a step is performed before `append` has kept the records of that step. */
export interface Journal {
  /** Returns, or resolves, when the line is durable. After it fails nothing is decided any more. */
  append(line: string): void | PromiseLike<void>;
  /** A new chain begins with the next line: at the start, and after an engine was replaced. */
  begin?(): void | PromiseLike<void>;
}

/** The parts of the world that the loop needs. */
export interface ConnectOptions {
  journal?: Journal;
  /** The guardians it runs itself, the moment they are asked. */
  guests?: Iterable<Guest>;
  /** Milliseconds since 1970-01-01 UTC. */
  now?: () => number;
  /** 64 hex digits; left out, the module draws them from crypto.getRandomValues. */
  dice?: () => string;
  /** Ends the connection when it is aborted, as `shutdown` does. */
  signal?: AbortSignal;
}

/** The journal failed, so nothing may be decided. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** Asks the host's guardian and returns the answer as an event. An empty text is no answer. */
export async function said(host: Host, effect: Consult): Promise<Consulted> {
  const { session, id, round, digest } = effect;
  let answer: Said = { fault: digest === undefined || effect.host ? "unavailable" : "not_loaded" };
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
