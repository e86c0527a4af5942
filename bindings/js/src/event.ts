import type { Cause, Receipt, Scope, Via } from "./codes.ts";
import type { Consulted } from "./guardian/consult.ts";
import type { Content, Mode } from "./question.ts";
import type { Configuration } from "./configuration.ts";

/** Something that happened outside the engine. The set is closed; a member it does not know is refused. */
export type Event =
  | Configured
  | Opened
  | Asked
  | Answered
  | Completed
  | Cancelled
  | Closed
  | Resumed
  | Noted
  | Drafted
  | Extended
  | Revoked
  | Unmuted
  | Forgotten
  | Ticked
  | Consulted;

/**
 * A document is given inline, or as its exact text under the name with `_text`: numbers no float holds, and problems that
 * point into it, need the text.
 */
type Doc<Name extends string, T = object> = { [K in Name]?: T } & { [K in `${Name}_text`]?: string };

/** Replaces the whole configuration. One with problems changes nothing. */
export type Configured = { event: "configured" } & Doc<"config", Configuration>;

/** Begins a session with one peer. */
export interface Opened {
  event: "opened";
  session: string;
  /** The name the host gave the server, never the one it gives itself; shown to the person and matched by policy. */
  server: string;
  side: "answering" | "asking";
  /** What was declared to the peer; asking for anything else is refused. */
  declared: Mode[];
  /** What the host can put before a person right now; anything else settles as no_ui. */
  shown: Mode[];
  /** Whose session it is; answers must come from the same principal. */
  principal?: string;
  /** What the server really is: its program and arguments, or the origin of its URL. A yes that holds always answers only this. */
  identity?: string;
}

/** What the server says of a tool. What it leaves out was not said. */
export interface Annotations {
  read_only?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  open_world?: boolean;
}

/** A call that a question may belong to. */
export interface Candidate {
  /** The tool that is called; "" for a call that is not of a tool. */
  tool: string;
  annotations?: Annotations;
  /** It has no result yet. */
  open?: boolean;
}

/** A peer's question. */
export type Asked = {
  event: "asked";
  session: string;
  /** The peer's own handle, unique among the open requests of its session. */
  ref: string;
  /** The call it belongs to. */
  parent?: string;
  tool?: string;
  /** What the server says of the tool; believed only of servers a policy trusts. */
  annotations?: Annotations;
  /**
   * The calls that the question may belong to, where the host cannot tell which: every open one, and those that ended a
   * moment ago. At most 64, in place of `tool` and `annotations`. A policy decides for the strictest of them.
   */
  candidates?: Candidate[];
  /** There may be calls that `candidates` does not list; a policy then decides as for any tool. */
  candidates_cut?: boolean;
  mode: Mode;
  message: string;
  url?: string;
  /** The key that a later completion names. */
  link?: string;
  claim?: "approval" | "malformed" | "suggestion";
  strict_review?: boolean;
  persistable?: boolean;
} & Doc<"schema">;

/** An answer to a shown request. Fields left out get their defaults, except those a person emptied: `cleared`. */
export type Answered = {
  event: "answered";
  session: string;
  id: string;
  principal?: string;
  action: "accept" | "decline" | "cancel";
  cleared?: string[];
  /** How it came about; left out, a person in front of this host. */
  via?: Via;
  /** Accept by a person: agree to the same question from now on. */
  remember?: { scope: Scope; expires_at?: number };
  /** Decline or cancel: hear no more of this server in this session. */
  mute?: boolean;
} & Doc<"content", Content>;

/** The page behind a URL request has been finished. */
export interface Completed {
  event: "completed";
  session: string;
  link: string;
}

/** The peer takes back one request (`ref`), or all of one of its calls (`parent`). */
export interface Cancelled {
  event: "cancelled";
  session: string;
  ref?: string;
  parent?: string;
  /** The host withdraws it because its call is over; the peer, which still waits, is sent a cancel. */
  cause?: "call_ended";
}

/** Ends a session. */
export interface Closed {
  event: "closed";
  session: string;
  cause: Cause;
}

/** Brings back a saved session. Its shown requests are shown again. */
export type Resumed = { event: "resumed" } & Doc<"state">;

/** What a host tells of a shown request before it is answered. */
export interface Noted {
  event: "noted";
  session: string;
  id: string;
  receipt: Receipt;
}

/** What a person has typed so far; left out, the draft is dropped. */
export type Drafted = { event: "drafted"; session: string; id: string } & Doc<"draft">;

/** Asks for more time. */
export interface Extended {
  event: "extended";
  session: string;
  id: string;
  /** Milliseconds since 1970-01-01 UTC. */
  until: number;
}

/** Ends a grant. */
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

/** Drops what a session remembers of what was typed: in fields of one name, or all of it. */
export interface Forgotten {
  event: "forgotten";
  session: string;
  field?: string;
}

/** Lets time pass, when a `wake` falls due. */
export interface Ticked {
  event: "ticked";
}
