import type { Cause, Receipt, Scope, Via } from "./codes.ts";
import type { Consulted } from "./guardian/consult.ts";
import type { Content, Deed, MessagePart, Mode, Takes } from "./question.ts";
import type { Configuration } from "./configuration.ts";

/** Something that happened outside the engine. The set is closed. The engine refuses unknown events and members. */
export type Event =
  | Configured
  | Opened
  | Asked
  | Answered
  | Completed
  | Called
  | Cancelled
  | Closed
  | Resumed
  | Noted
  | Drafted
  | Extended
  | Preferred
  | Revoked
  | Unmuted
  | Forgotten
  | Ticked
  | Consulted;

/**
 * A document is given inline, or as its exact text under the name with `_text`. The exact text is needed for numbers
 * that no double holds, and for problems with spans in the text.
 */
type Doc<Name extends string, T = object> = { [K in Name]?: T } & { [K in `${Name}_text`]?: string };

/** Replaces the whole configuration. A configuration with problems changes nothing. `refused` changes nothing either:
 * it tells the journal why the host does not give a configuration that it has. */
export type Configured = { event: "configured"; refused?: string } & Doc<"config", Configuration>;

/** Begins a session with one peer. */
export interface Opened {
  event: "opened";
  session: string;
  /**
   * The name that the host gave the server, never the one that the server gives itself. People see it and policy
   * matches it.
   */
  server: string;
  side: "answering" | "asking";
  /** The modes that were declared to the peer. A request in another mode is refused. */
  declared: Mode[];
  /** The modes that the host can show to a person now. A request in another mode settles with the cause `no_ui`. */
  shown: Mode[];
  /** The modes that the peer's own client draws. A question in one of them goes to the client first. */
  client?: Mode[];
  /** The owner of the session. Answers must come from the same principal. */
  principal?: string;
  /**
   * The server's program and arguments, or the origin of its URL. A grant with scope `always` answers only a server
   * with the same identity.
   */
  identity?: string;
  /** What the session did where this host could not see it, such as `read_secret`; `*` if that is not known. */
  labels?: string[];
}

/** The server's annotations of a tool. A missing member means that the server did not say. */
export interface Annotations {
  read_only?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  open_world?: boolean;
}

/** A call that a question may belong to. */
export interface Candidate {
  /** The called tool; "" for a call of something else. */
  tool: string;
  annotations?: Annotations;
  /** The call has no result yet. */
  open?: boolean;
}

/** A peer's question. */
export type Asked = {
  event: "asked";
  session: string;
  /** The peer's own handle, unique among the open requests of its session. */
  ref: string;
  /** The call that the question belongs to. */
  parent?: string;
  tool?: string;
  /** The server's annotations of the tool. They count only for servers that a policy trusts. */
  annotations?: Annotations;
  /**
   * The calls that the question may belong to, if the host cannot tell which: every open call, and those that ended a
   * moment ago. At most 64, in place of `tool` and `annotations`. A policy takes the strictest decision over them.
   */
  candidates?: Candidate[];
  /** There may be calls that `candidates` does not list. A policy then decides as if it could be any tool. */
  candidates_cut?: boolean;
  mode: Mode;
  message: string;
  /** The parts of the message. The numbers of lines add up to those of the message. */
  parts?: MessagePart[];
  url?: string;
  /** The key that a later `completed` event names. */
  link?: string;
  claim?: "approval" | "malformed" | "suggestion";
  strict_review?: boolean;
  /** The deed of an approval. */
  does?: Deed;
  /** The command that an approval would run, and its directory. */
  command?: string;
  command_candidate?: string;
  cwd?: string;
  /** The files that a patch would change, or the places that a permission would open. */
  paths?: string[];
  /** The hosts that would be reached, without ports; `*` stands for every host. */
  hosts?: string[];
  /** There are more paths or hosts than the lists hold. */
  reach_cut?: boolean;
  /** The message leaves out a part of a text that is too long. */
  message_cut?: boolean;
  /** Whether a path lies outside the places that the peer may write to; left out when that is not known. */
  outside?: boolean;
  /** The RFC 6901 pointer into the arguments at which the command stands. */
  command_at?: string;
  /** A call of this host's own client waits for the answer. It counts for the limit `held_calls` alone. */
  held_call?: boolean;
  /** The server's description of the tool, and a digest of all that it says. A yes for later holds for the digest. */
  description?: string;
  definition?: string;
  /** The parts of an answer that reach the peer beside the action and the content. */
  takes?: Takes[];
  persistable?: boolean;
} & Doc<"schema"> &
  /** The arguments of the call that waits for the answer, and the JSON Schema that its tool has for them. */
  Doc<"arguments"> &
  Doc<"arguments_schema">;

/** An answer to a shown request. Missing fields get their defaults, except the fields that the person emptied. */
export type Answered = {
  event: "answered";
  session: string;
  id: string;
  principal?: string;
  action: "accept" | "decline" | "cancel";
  /** The names of the fields that the person emptied. */
  cleared?: string[];
  /** The origin of the answer; left out, a person who uses this host. */
  via?: Via;
  /** On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970. */
  remember?: { scope: Scope; expires_at?: number };
  /** On decline or cancel: refuse later questions of this server in this session. */
  mute?: boolean;
  /** Words for whoever asked. They go no further than the journal if the question does not take them. */
  note?: string;
} & Doc<"content", Content> &
  /** On accept: what the held call goes on with, in place of its arguments. */
  Doc<"arguments">;

/** The page of a URL request has been completed. */
export interface Completed {
  event: "completed";
  session: string;
  link: string;
}

/** A held call is sent to its server. The event is for the journal. */
export interface Called {
  event: "called";
  session: string;
  /** That of the question about the call. */
  ref: string;
  tool: string;
  /** SHA-256 of the canonical arguments, as the journal may keep them. */
  digest: string;
  /** The server has had the call before. */
  again?: boolean;
}

/** The peer withdraws one request (`ref`), or all requests of one of its calls (`parent`). */
export interface Cancelled {
  event: "cancelled";
  session: string;
  ref?: string;
  parent?: string;
  /** The host withdraws the request because its call ended. The peer still waits, so it gets a cancel. */
  cause?:
    | "call_ended" | "handed_over" | "left_open" | "timeout" | "superseded" | "unsupported" | "attempts_used"
    | "peer_error" | "carried";
}

/** Ends a session. */
export interface Closed {
  event: "closed";
  session: string;
  cause: Cause;
}

/** Resumes a saved session. Its shown requests are shown again. */
export type Resumed = { event: "resumed" } & Doc<"state">;

/** A receipt of a shown request: the person saw it, focused it, or began to type. */
export interface Noted {
  event: "noted";
  session: string;
  id: string;
  receipt: Receipt;
}

/** The values that a person has typed so far. Without `draft`, the engine drops the draft it kept. */
export type Drafted = { event: "drafted"; session: string; id: string } & Doc<"draft">;

/** Asks for a later deadline. */
export interface Extended {
  event: "extended";
  session: string;
  id: string;
  /** Milliseconds since 1970-01-01 UTC. */
  until: number;
}

/** The person chose a question that waits for its turn. It is shown at once, beside those that are shown already. */
export interface Preferred {
  event: "preferred";
  session: string;
  ref: string;
}

/** Ends a grant (a remembered yes). */
export interface Revoked {
  event: "revoked";
  grant: string;
}

/** Lets a muted server ask again. */
export interface Unmuted {
  event: "unmuted";
  session: string;
  server: string;
}

/** Deletes the typed values that a session remembers: those of fields with one name, or all. */
export interface Forgotten {
  event: "forgotten";
  session: string;
  field?: string;
}

/** Tells the engine that the time of its `wake` has come. */
export interface Ticked {
  event: "ticked";
}
