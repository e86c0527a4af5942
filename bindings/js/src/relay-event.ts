import type {
  Answered,
  Completed,
  Configured,
  Drafted,
  Extended,
  Forgotten,
  Noted,
  Revoked,
  Ticked,
  Unmuted,
} from "./event.ts";
import type { Consulted } from "./guardian/consult.ts";

/** An end of a connection. */
export type End = "client" | "server";

/**
 * An end has closed its stream, or the host is about to leave: what is open is settled while both ends can still hear
 * it.
 */
export interface Ended {
  event: "ended";
  end: End | "host";
}

/** An `append` of the last step could not be made durable, and nothing behind it was done. */
export interface AppendFailed {
  event: "append_failed";
}

/**
 * A message came. `receive` says it for whole ones; `cut` is for the beginning of one that is longer than the host
 * takes.
 */
export interface MessageReceived {
  event: "received";
  from: End;
  cut?: boolean;
}

/** The events that a host gives the machine of a connection, besides messages. docs/relay.md has the contract. */
export type RelayEvent =
  | MessageReceived
  | Ended
  | AppendFailed
  | Answered
  | Noted
  | Drafted
  | Extended
  | Completed
  | Consulted
  | Revoked
  | Unmuted
  | Forgotten
  | Configured
  | Ticked;
