import type { Effect, Reply } from "./effect.ts";
import type { Mode, Problem } from "./question.ts";
import type { End } from "./relay-event.ts";

/** Passes on the message that was received in this step, byte for byte. */
export interface Forward {
  effect: "forward";
  to: End;
}

/** Writes a message of the machine's own, or a received one with a part exchanged. It has no line end. */
export interface Send {
  effect: "send";
  to: End;
  message: string;
}

/** Closes what the host writes to an end, behind everything before. */
export interface Close {
  effect: "close";
  end: End;
}

/** Tells a person what was not passed on, or changed. Texts in the arguments may be a peer's. */
export interface Note {
  effect: "note";
  from: End | "host";
  /** A message of that end was not passed on, for these problems. */
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

/** A question came, and may need nobody. It comes before the `show` with the same ref. */
export interface QuestionCame extends Ask {
  effect: "question";
  link?: string;
  /** The exact text of its schema. */
  schema_text?: string;
}

/** How a question ended, and why. The peer has been answered already. */
export interface Settled extends Ask {
  effect: "settled";
  reply: Omit<Reply, "content">;
}

/** The engine broke and was replaced: the records that follow begin a chain of their own. */
export interface NewJournal {
  effect: "new_journal";
}

/** The effects of a connection, which its host performs in order. */
export type RelayEffect = Forward | Send | Close | Note | QuestionCame | Settled | NewJournal | Exclude<Effect, Reply>;
