import type { Effect, Reply } from "./effect.ts";
import type { Mode, Problem } from "./question.ts";
import type { End } from "./relay-event.ts";

/** Write the message that was received in this step to the other end, byte for byte. */
export interface Forward {
  effect: "forward";
  to: End;
}

/** Write a message that the machine made, or a received message with one part replaced. It has no line end. */
export interface Send {
  effect: "send";
  to: End;
  message: string;
}

/** Close the stream that the host writes to an end, after everything written before. */
export interface Close {
  effect: "close";
  end: End;
}

/** Tell a person about a message that was not passed on, or was changed. Texts in the arguments may be a peer's. */
export interface Note {
  effect: "note";
  from: End | "host";
  /** A message of that end was not passed on, because of these problems. */
  refused?: true;
  problems: Problem[];
}

/** A question of the server. */
interface Ask {
  session: string;
  ref: string;
  server: string;
  tool?: string;
  mode: Mode;
  message: string;
  url?: string;
}

/** A question was received. It may be decided without a person. It comes before the `show` with the same ref. */
export interface QuestionCame extends Ask {
  effect: "question";
  link?: string;
  /** The exact text of its schema. */
  schema_text?: string;
}

/** A question ended, and why. The peer has already been answered. */
export interface Settled extends Ask {
  effect: "settled";
  reply: Omit<Reply, "content">;
}

/** A new engine replaced a broken one. The records that follow begin a new chain. */
export interface NewJournal {
  effect: "new_journal";
}

/** The effects of a connection. Its host performs them in order. */
export type RelayEffect = Forward | Send | Close | Note | QuestionCame | Settled | NewJournal | Exclude<Effect, Reply>;
