import type {
  Answered,
  Completed,
  Configured,
  Drafted,
  Extended,
  Forgotten,
  Noted,
  Preferred,
  Revoked,
  Ticked,
  Unmuted,
} from "./event.ts";
import type { Consulted } from "./guardian/consult.ts";

/** An end of a connection. */
export type End = "client" | "server";

/**
 * An end has closed its stream, or the host is about to stop. The machine settles open questions while messages can
 * still reach both ends.
 */
export interface Ended {
  event: "ended";
  end: End | "host";
}

/** An `append` of the last step could not be made durable. The host has performed no effect after it. */
export interface AppendFailed {
  event: "append_failed";
}

/**
 * A message was received. `receive` gives whole messages. `cut` marks the beginning of a message that is longer than
 * the host accepts.
 */
export interface MessageReceived {
  event: "received";
  from: End;
  cut?: boolean;
}

/** The events that a host gives the machine of a connection, besides messages (docs/reference/relay.md). */
export type RelayEvent =
  | MessageReceived
  | Ended
  | AppendFailed
  | Answered
  | Noted
  | Drafted
  | Extended
  | Preferred
  | Completed
  | Consulted
  | Revoked
  | Unmuted
  | Forgotten
  | Configured
  | Ticked;
