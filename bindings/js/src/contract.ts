// Code generated from docs/contract.schema.json by go test ./engine/abi -run TestContract -update; DO NOT EDIT.
import type {
  About, Action, Cause, ConsultPhase, Fault, FindingCode, Framework, InterruptOption, Outcome, ProblemCode, Profile,
  ReasonCode, Receipt, Resolution, Scope, Via,
} from "./codes.ts";
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

/** Something that the host must do. It performs the effects of a step in their order. */
export type Effect =
  | Append
  | Show
  | Withdraw
  | Reply
  | OpenUrl
  | Resolve
  | Remember
  | Extend
  | Pause
  | Wake
  | ProblemEffect
  | Consult;

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

/** The effects of a connection. Its host performs them in order. */
export type RelayEffect =
  | Forward
  | Send
  | Close
  | Note
  | QuestionCame
  | Settled
  | NewJournal
  | Append
  | Show
  | Withdraw
  | OpenUrl
  | Resolve
  | Remember
  | Extend
  | Pause
  | Wake
  | ProblemEffect
  | Consult;

/** The events of a machine of the asking side. docs/reference/abi.md describes the members. */
export type AskingEvent =
  | AskingCalled
  | AskingPosed
  | AskingResponded
  | AskingSubmitted
  | AskingOnce
  | AskingClaimed
  | AskingCompleted
  | AskingReturned
  | AskingCancelled
  | AskingClosed
  | AskingLost
  | AskingKeyed
  | Configured
  | Revoked
  | Unmuted
  | Ticked
  | Consulted;

/** The effects of a machine of the asking side. */
export type AskingEffect =
  | AskingSend
  | AskingCancelSent
  | AskingNotify
  | Interrupting
  | OpenPage
  | AskingValue
  | AskingResume
  | Append
  | Remember
  | Wake
  | ProblemEffect
  | Consult
  | AskingSettled;

/** The events of the asking side of a process. */
export type AskerEvent =
  | AskerCalled
  | AskerReturned
  | AskerPosed
  | AskerChecked
  | AskerKept
  | AskerKeyed
  | AskerComputed
  | AskerSubmitted
  | AskerClaimed
  | AskerViewed
  | AskerRequested
  | AskerCompleted
  | AskerListed
  | AskerCancelled
  | AskerClosed
  | AskerGivenUp
  | AskerResponded
  | AskerUnsealed
  | AskerSealed
  | AskerProgressed
  | AskerRedeemed
  | AskerConsulted
  | AskerLoaded
  | AskerCommitted
  | AskerMissing
  | AskerConflicted
  | AskerWatched
  | AskerUnwatched
  | AskerHinted
  | AskerStoreFailed
  | AskerFound
  | AskerAppended
  | Ticked;

/** The effects of the asking side of a process. */
export type AskerEffect =
  | AskerReply
  | AskerSend
  | AskerLoad
  | AskerCommit
  | AskerRedeem
  | AskerDue
  | AskerProgress
  | AskerUnseal
  | AskerSeal
  | AskerAppend
  | AskerConsult
  | AskerCancelSent
  | AskerWatch
  | AskerUnwatch
  | AskerWake
  | OpenPage;

/** The inputs and outputs of the stateless operations. testdata/vectors/README.md describes them in full. */
export interface Operations {
  answer_interrupts: {
    in: {
      framework: Framework;
      document?: unknown;
      document_text?: string;
      answers: InterruptAnswer[];
      text?: boolean;
    };
    out: Problems | {
      answer: unknown;
    } | {
      text: string;
    };
  };
  check: {
    in: {
      schema?: object;
      schema_text?: string;
      profile?: Profile;
      limits?: {
        bytes?: number;
        depth?: number;
        fields?: number;
        choices?: number;
        text?: number;
      };
      content?: unknown;
      content_text?: string;
      fill?: boolean;
    };
    out: Problems | {
      content: Record<string, unknown>;
    };
  };
  coerce: {
    in: {
      schema?: object;
      schema_text?: string;
      profile?: Profile;
      limits?: {
        bytes?: number;
        depth?: number;
        fields?: number;
        choices?: number;
        text?: number;
      };
      text: Record<string, string | string[] | boolean>;
    };
    out: Problems | {
      content: Record<string, unknown>;
      problems?: Problem[];
    };
  };
  compare: {
    in: {
      before: Layers;
      after: Layers;
    };
    out: Problems | Comparison;
  };
  compile: {
    in: SchemaInput;
    out: Problems | {
      form: Form;
    };
  };
  consult: {
    in: 
      | {
      phase?: "before_show" | "before_send";
      on_failure?: "ask";
      results: GuardianResult[];
      seed?: string;
    }
      | {
      review: string;
      seed?: string;
    };
    out: Combined | Review | Problems;
  };
  decide: {
    in: {
      policy?: Layers;
      facts: object;
      findings?: ({
        code: string;
        severity: string;
      })[];
    };
    out: 
      | Problems
      | {
      outcome: "accept" | "decline" | "cancel" | "ask" | "review";
      /** The index of the first reason that determines the outcome. */
      by: number;
      reasons: Reason[];
      problems?: Problem[];
    };
  };
  decode: {
    in: object;
    out: Record<string, unknown>;
  };
  decode_codex: {
    in: {
      method: string;
      params?: object;
      params_text?: string;
      items?: object[];
      result?: unknown;
    };
    out: 
      | CodexQuestion
      | Problems
      | {
      error: {
        code: number;
        problems: Problem[];
      };
    };
  };
  decode_hook: {
    in: object;
    out: Record<string, unknown>;
  };
  decode_interrupts: {
    in: InterruptInput;
    out: Interrupts | Problems;
  };
  decrypt: {
    in: {
      names: string;
      keys: SealKey[];
      sessions?: string[];
      state?: StoredText;
      record?: StoredText;
      entry?: StoredEntry;
    };
    out: 
      | Problems
      | {
      sessions?: string[];
      state_base64?: string;
      record_base64?: string;
      entry?: StoredEntry;
    };
  };
  encode: {
    in: object;
    out: Record<string, unknown>;
  };
  encrypt: {
    in: {
      names: string;
      keys: SealKey[];
      random?: string;
      session?: string;
      redeemed?: string;
      change?: StoredChange;
      query?: StoredQuery;
    };
    out: 
      | Problems
      | {
      session?: string;
      redeemed?: string;
      change?: StoredChange;
      query?: StoredQuery;
    };
  };
  encode_codex: {
    in: {
      method: string;
      params?: object;
      params_text?: string;
      items?: object[];
      answer: CodexAnswer;
    };
    out: Problems | Record<string, unknown>;
  };
  encode_hook: {
    in: object;
    out: Record<string, unknown>;
  };
  explain: {
    in: {
      problems?: Problem[];
      reasons?: Reason[];
      whys?: Reason[];
      findings?: Finding[];
      causes?: string[];
      faults?: string[];
      statuses?: string[];
      warnings?: Finding[];
    };
    out: {
      problems?: string[];
      reasons?: string[];
      whys?: string[];
      findings?: string[];
      causes?: string[];
      faults?: string[];
      statuses?: string[];
      warnings?: ({
        severity: Severity;
        text: string;
      })[];
    };
  };
  impacts: {
    in: object;
    out: Problems | {
      impacts: Impact[];
    };
  };
  inspect: {
    in: object;
    out: Problems | {
      findings: Finding[];
    };
  };
  lint: {
    in: {
      schema?: object;
      schema_text?: string;
      request?: object;
      request_text?: string;
      for?: string;
    };
    out: Problems | {
      findings: Record<string, unknown>[];
    };
  };
  parse: {
    in: {
      document?: unknown;
      document_text?: string;
      document_base64?: string;
      limits?: object;
    };
    out: Problems | {
      ok: true;
      canonical: unknown;
    };
  };
  relay: {
    in: {
      relay: object;
      inputs: object[];
      records?: boolean;
    };
    out: Problems | {
      effects: Record<string, unknown>[][];
    };
  };
  asking: {
    in: {
      asking?: object;
      asker?: object;
      inputs: object[];
      records?: boolean;
    };
    out: Problems | {
      effects: Record<string, unknown>[][];
    };
  };
  replay: {
    in: {
      journal_text: string;
    };
    out: {
      records: number;
      problems?: Problem[];
      want?: Record<string, unknown>;
      got?: Record<string, unknown>;
    };
  };
  run: {
    in: {
      config?: Configuration;
      inputs: object[];
      records?: boolean;
    };
    out: 
      | Problems
      | {
      effects: ((
        | Record<string, unknown>
        | Append
        | Show
        | Withdraw
        | Reply
        | OpenUrl
        | Resolve
        | Remember
        | Extend
        | Pause
        | Wake
        | ProblemEffect
        | Consult)[])[];
    };
  };
  seal: {
    in: {
      keys: SealKey[];
      random: string;
      purpose: string;
      claims: SealClaims;
    };
    out: Problems | {
      token: string;
      id: string;
    };
  };
  simulate: {
    in: {
      journal_text: string;
      policy: Layers;
    };
    out: Record<string, unknown>;
  };
  unseal: {
    in: {
      keys: SealKey[];
      token: string;
      purpose: string;
      expected: SealExpected;
    };
    out: Problems | {
      claims: OpenedClaims;
    };
  };
}

/** Whether a change of policies only tightens: a proof, what it loosens, or why neither was found. */
export interface Comparison {
  verdict: "tightens" | "loosens" | "undecided";
  /** With `undecided`: what could not be followed. */
  why?: string;
  /** With `loosens`: a setting that the change loosens. */
  setting?: string;
  /** With `loosens`: a request that is decided more loosely. The operation `decide` takes it. */
  facts?: Record<string, unknown>;
  /** The severity of a finding in that request. */
  finding?: "low" | "medium" | "high" | "critical";
  before?: Decision;
  after?: Decision;
}

/** What a policy does with a request, and why. */
export interface Decision {
  outcome: "accept" | "decline" | "cancel" | "ask" | "review";
  /** The index of the first reason that determines the outcome. */
  by: number;
  reasons: Reason[];
}

/** How the person answers: in a form, or by visiting a page. */
export type Mode = "form" | "url";

/**
 * The parts of an answer that reach whoever asked, beside the action and the content: other arguments for the held
 * call, and a note with a decline or an accept.
 */
export type Takes = "edit" | "decline_note" | "accept_note";

/** The kind of a question. A `confirm` has no fields; an `approval` is a `confirm` of a tool call. */
export type Kind = "form" | "confirm" | "url" | "approval" | "suggestion";

/** The deed that an approval would let an agent do. */
export type Deed = "command" | "patch" | "permissions" | "tool";

/** A part of a message. It covers the next lines; a blank line between parts belongs to the part before it. */
export interface MessagePart {
  is: "text" | "command" | "directory" | "diff" | "access";
  lines: number;
}

/** A compiled schema: the ordered fields that every user interface draws. */
export interface Form {
  title?: string;
  help?: string;
  fields: Field[];
  /** The parts of the schema that were left out, for its author. The operation `explain` gives the sentences. */
  notes?: Problem[];
}

/** One field to fill in. Its texts come from the peer and are untrusted: draw them as text. */
export interface Field {
  /** The name of the member in the answer. */
  name: string;
  /** The label to draw: the title, or the name made readable. */
  label: string;
  help?: string;
  kind: FieldKind;
  /** A suggestion. A host may draw another widget. */
  widget: Widget;
  required: boolean;
  /** The texts of the field mention a secret. */
  sensitive?: true;
  /** Present for `choice` and `choices`. */
  choices?: Choice[];
  constraints?: Constraints;
  /** The initial value. It may be falsy. */
  initial?: FieldValue;
  provenance?: "default";
}

/** `text` yields a string, `choice` one of the values of its choices, `choices` a list of strings. */
export type FieldKind = "text" | "number" | "integer" | "boolean" | "choice" | "choices";

export type FieldValue = string | number | string[] | boolean;

/** The content of an answer. */
export type Content = Record<string, FieldValue>;

export type Widget =
  "text" | "multiline" | "email" | "url" | "date" | "date-time" | "number" | "checkbox" | "yes-no" | "radio" |
  "select" | "search";

/** `value` goes into the answer unchanged, as a string or number. A person reads `title`. */
export interface Choice {
  value: string | number;
  title: string;
  description?: string;
}

/** The constraints of a field. A check enforces all of them except `note`. Lengths are in code points. */
export interface Constraints {
  minLength?: number;
  maxLength?: number;
  /** A regular expression of ECMA-262, as it was written. */
  pattern?: string;
  /** Used in place of `pattern` if several patterns must match. */
  patterns?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  format?: "email" | "date" | "date-time" | "uri" | "time" | "uuid" | "ipv4" | "ipv6" | "hostname";
  /** A format that the person sees and the check does not enforce. */
  note?: string;
}

export type Format = "email" | "uri" | "date" | "date-time" | "time" | "uuid" | "ipv4" | "ipv6" | "hostname";

/** The values that the sentence of a code needs. */
export type Args = Record<string, string | number | boolean>;

/** Something is wrong with an input. Problems of peers and people are collected as values and never thrown. */
export interface Problem {
  code: ProblemCode;
  /** RFC 6901 pointer into the document with the problem; "" is the whole document. */
  pointer: string;
  /** The part of an answer with the problem, if it is not the content. */
  in?: "note" | "arguments";
  /** Span in bytes of UTF-8; absent if the problem has none. */
  start?: number;
  end?: number;
  args?: Args;
}

/** The reason for a decision. */
export interface Reason {
  code: ReasonCode;
  layer?: "builtin" | "session" | "user" | "managed" | "project";
  rule?: string;
  args?: Args;
}

export type Severity = "info" | "low" | "medium" | "high" | "critical";

/** A warning or note about a question, for the person to read before answering. */
export interface Finding {
  code: FindingCode | "guardian_finding" | "reviewer_finding";
  severity: Severity;
  /** RFC 6901 pointer into the request: `/message`, `/url`, `/requestedSchema/…`. */
  pointer: string;
  /** Span in bytes of the string that `pointer` names. */
  start?: number;
  end?: number;
  /** The text that the finding is about, with invisible characters spelled out. */
  evidence?: string;
  args?: Args;
}

/**
 * Replaces the whole configuration. A configuration with problems changes nothing. `refused` changes nothing either:
 * it tells the journal why the host does not give a configuration that it has.
 */
export interface Configured {
  event: "configured";
  refused?: string;
  config?: Configuration;
  config_text?: string;
}

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
export interface Asked {
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
  does?: "command" | "patch" | "permissions" | "tool";
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
  schema?: object;
  schema_text?: string;
  arguments?: object;
  arguments_text?: string;
  arguments_schema?: object;
  arguments_schema_text?: string;
  /** The principal who may answer; left out, anyone. */
  for?: string;
}

/** An answer to a shown request. Missing fields get their defaults, except the fields that the person emptied. */
export interface Answered {
  event: "answered";
  session: string;
  id: string;
  principal?: string;
  action: Action;
  /** The names of the fields that the person emptied. */
  cleared?: string[];
  /** The origin of the answer; left out, a person who uses this host. */
  via?: Via;
  /** On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970. */
  remember?: {
    scope: Scope;
    expires_at?: number;
    /** The file of a script agrees by itself. */
    prepared?: boolean;
  };
  /** On decline or cancel: refuse later questions of this server in this session. */
  mute?: boolean;
  /** Words for whoever asked. They go no further than the journal if the question does not take them. */
  note?: string;
  content?: Content;
  content_text?: string;
  arguments?: object;
  arguments_text?: string;
}

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
  cause?: "call_ended" | "handed_over" | "left_open" | "timeout" | "superseded" | "unsupported" | "attempts_used" |
    "peer_error" | "carried";
}

/** Ends a session. */
export interface Closed {
  event: "closed";
  session: string;
  cause: Cause;
}

/** Resumes a saved session. Its shown requests are shown again. */
export interface Resumed {
  event: "resumed";
  state?: object;
  state_text?: string;
}

/** A receipt of a shown request: the person saw it, focused it, or began to type. */
export interface Noted {
  event: "noted";
  session: string;
  id: string;
  receipt: Receipt;
}

/** The values that a person has typed so far. Without `draft`, the engine drops the draft it kept. */
export interface Drafted {
  event: "drafted";
  session: string;
  id: string;
  draft?: object;
  draft_text?: string;
}

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

/** Keep one journal record. It must be durable before the host performs any reply, open_url or resolve after it. */
export interface Append {
  effect: "append";
  /** One line of JSON without its newline. Keep these exact bytes. */
  record: string;
}

/** Show a request to a person. Strings from the peer are untrusted: draw them as text. */
export interface Show {
  effect: "show";
  session: string;
  id: string;
  ref: string;
  server: string;
  tool?: string;
  mode: Mode;
  kind: Kind;
  message: string;
  /** The kinds of text in the message, part by part. Left out, all of it is text. */
  parts?: MessagePart[];
  form?: Form;
  url?: string;
  findings: Finding[];
  reasons: Reason[];
  /** Whether the peer's own client draws it, and not the host. A connection shows it to the client itself. */
  by_client?: boolean;
  /** Milliseconds since 1970-01-01 UTC. */
  deadline?: number;
  /** The number of requests that wait behind this one. */
  waiting?: number;
  /** The values that the person had typed before a reload. */
  draft?: Record<string, unknown>;
  /**
   * Values that the person typed into such fields before. Show them apart from defaults. Send one only if the person
   * takes it.
   */
  suggestions?: Suggestion[];
  /** How long a yes may be remembered. Present if the configuration sets `offer_scopes`. */
  remember?: ("session" | "always")[];
  /** The server's description of the tool of a held call, and its annotations. They are the server's word. */
  description?: string;
  annotations?: Annotations;
  /** The arguments of the call that waits for the answer. */
  arguments?: Record<string, unknown>;
  /** The parts of an answer that reach whoever asked, beside the action and the content. */
  takes?: Takes[];
  /** The deed of an approval, as the event `asked` said it. */
  does?: "command" | "patch" | "permissions" | "tool";
  command?: string;
  cwd?: string;
  paths?: string[];
  hosts?: string[];
  reach_cut?: boolean;
  outside?: boolean;
  /**
   * The differences from the last message of the same tool that was almost the same and that the person accepted. The
   * texts of `same` and `new` together are the message. Present if the configuration sets `show_changes`.
   */
  changed?: Change[];
}

/** A part of a message, of the earlier message, or of both. */
export interface Change {
  is: "same" | "new" | "gone";
  text: string;
}

/** A value that the person typed before. */
export interface Suggestion {
  field: string;
  value: unknown;
  /** The time of that answer, in milliseconds since 1970-01-01 UTC. */
  at: number;
  /** The question it answered. */
  id: string;
}

/** A request ended without an answer. Remove it if it was shown. */
export interface Withdraw {
  effect: "withdraw";
  session: string;
  id: string;
  cause: Cause;
}

/** Answer the peer. A request gets at most one reply, ever. */
export interface Reply {
  effect: "reply";
  session: string;
  /** Absent if the request was refused before it had an id. */
  id?: string;
  ref: string;
  outcome: Outcome;
  cause: Cause;
  /** On accept of a form. */
  content?: Content;
  /** Words of the person for whoever asked. */
  note?: string;
  /** The arguments with which the held call goes on, in place of its arguments. */
  arguments?: Record<string, unknown>;
  problems?: Problem[];
  findings?: Finding[];
  reasons?: Reason[];
  receipts?: string[];
}

/** Open a page that the person has just agreed to. Open it where neither the host nor the model can read it. */
export interface OpenUrl {
  effect: "open_url";
  session: string;
  id: string;
  url: string;
}

/** An agreed page was completed, or lapsed because no completion came in time. The reply was sent earlier. */
export interface Resolve {
  effect: "resolve";
  session: string;
  id: string;
  ref: string;
  resolution: Resolution;
}

/** A remembered yes: it answers the same question when it is asked again. */
export interface Grant {
  id: string;
  digest: string;
  session?: string;
  principal?: string;
  server: string;
  /** For scope `always`: the identity of the server that the grant was given to. */
  identity?: string;
  tool?: string;
  message: string;
  /** The digest of what the server said of the tool. A grant without it holds for every definition. */
  definition?: string;
  scope: "session" | "always";
  expires_at?: number;
}

/** A new grant. The host keeps grants with scope `always` for the next configuration. */
export interface Remember {
  effect: "remember";
  session: string;
  grant: Grant;
}

/** The deadline that is in force after an `extended` event. */
export interface Extend {
  effect: "extend";
  session: string;
  id: string;
  deadline: number;
}

/** Stop (`on`) or restart the host's own timers for the calls of a session. `total_ms` is in milliseconds. */
export interface Pause {
  effect: "pause";
  session: string;
  on: boolean;
  total_ms: number;
}

/**
 * Give one `ticked` event at `at` or soon after. It replaces every earlier wake; 0 means that none is needed. With
 * `in`, the tick is due so many milliseconds after the input of this step, and `at` is only for people.
 */
export interface Wake {
  effect: "wake";
  at: number;
  in?: number;
}

/**
 * An input could not be used: the answer was wrong or late (`outcome`, `cause`), or the id is unknown. `about` names
 * the kind of input. A person can mend only problems about an answer.
 */
export interface ProblemEffect {
  effect: "problem";
  about: About;
  session?: string;
  id?: string;
  ref?: string;
  problems: Problem[];
  outcome?: Outcome;
  cause?: Cause;
}

/** When a guest is asked: before a person sees the question, or before their answer leaves. */
export type Phase = "before_show" | "before_send";

/**
 * Asks a guardian. A host that can run it answers with one `consulted` event of the same round. Without one by the
 * deadline, the guardian counts as failed.
 */
export interface Consult {
  effect: "consult";
  session: string;
  id: string;
  /** Names this asking among those of the request. */
  round: number;
  guardian: string;
  /** SHA-256 of the module, absent when the host knows what is meant. */
  digest?: string;
  phase: ConsultPhase;
  /** 2 and up when a reviewer is asked again because its answer could not be read. */
  attempt?: number;
  reviewer?: true;
  /** The host's to run, whoever else could. */
  host?: true;
  fuel?: number;
  wasi?: true;
  /** SHA-256 of the guardian's data document. */
  data_digest?: string;
  /** Milliseconds since 1970-01-01 UTC. */
  deadline: number;
  question: Question;
  /** Its exact text. */
  question_text: string;
}

/** The answer of a guardian: what it wrote, unread, or why there is nothing. Exactly one of `output` and `fault`. */
export interface Consulted {
  event: "consulted";
  session: string;
  id: string;
  round: number;
  output?: string;
  fault?: Fault;
  /** Used by a guest. */
  fuel?: number;
  /** In phase `second_person`: who approves. */
  principal?: string;
}

/** The data that one guardian gets: no more than it declared and was permitted. Secrets are `{"$redacted": TYPE}`. */
export interface Question {
  v: 1;
  phase: ConsultPhase;
  /** Milliseconds since 1970-01-01 UTC. */
  at: number;
  request: {
    server?: string;
    tool?: string;
    mode?: "form" | "url";
    kind?: "form" | "url" | "confirm" | "approval" | "suggestion";
    message?: string;
    url?: string;
    claim?: string;
    annotations?: Record<string, boolean>;
    /** Those members of the form that the guardian may read. */
    form?: Record<string, unknown>;
    findings?: Finding[];
    /** Whether the built-in inspection read the request. */
    inspected?: boolean;
    /** What an approval would do. */
    impacts?: (
      | null
      | {
      impact?: string;
      target?: string;
      how?: string;
      program?: string;
      open?: boolean;
      at?: number;
      end?: number;
    })[];
    /** What the session did before: `read_secret`, `changed_settings`, `fetched:HOST`, `*`. */
    labels?: string[];
    /** What the server says of the tool whose call waits. */
    held_call?: {
      description?: string;
      definition?: string;
    };
    /** The deed of an approval. */
    does?: "command" | "patch" | "permissions" | "tool";
    /** The command that an approval would run, and its directory. */
    command?: string;
    cwd?: string;
    /** The files that a patch would change, or the places that a permission would open. */
    paths?: string[];
    /** The hosts that would be reached, without ports; `*` stands for every host. */
    hosts?: string[];
    /** There are more paths or hosts than the lists hold. */
    reach_cut?: boolean;
    /** Whether a path lies outside the places that the peer may write to; left out when that is not known. */
    outside?: boolean;
    arguments?: Record<string, unknown>;
  };
  /** Before the answer is sent. */
  answer?: Record<string, unknown>;
  settings: Record<string, unknown>;
  /** 32 hex digits, another for each asking. */
  seed: string;
  /** A reviewer's: what to put before a language model. */
  prompt?: unknown;
  /** Words of the person for whoever asked. */
  note?: string;
}

/** The answer of a guardian. Anything else in it, and it counts as a fault. */
export interface Verdict {
  v: 1;
  decision: "pass" | "allow" | "ask" | "deny";
  findings?: ({
    code: string;
    pointer?: string;
    message: string;
    severity?: "info" | "low" | "medium" | "high" | "critical";
  })[];
  /** Before the answer is sent. */
  obligations?: ({
    do: "redact";
    pointer: string;
  } | {
    do: "second_person";
  })[];
}

/** An end of a connection. */
export type End = "client" | "server";

/**
 * An end has closed its stream, or the host is about to stop. The machine settles open questions while messages can
 * still reach both ends.
 */
export interface Ended {
  event: "ended";
  end: "host" | "client" | "server";
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
  from: "host" | "client" | "server";
  /** A message of that end was not passed on, because of these problems. */
  refused?: true;
  problems: Problem[];
}

/** A question was received. It may be decided without a person. It comes before the `show` with the same ref. */
export interface QuestionCame {
  effect: "question";
  link?: string;
  /** The exact text of its schema. */
  schema_text?: string;
  session: string;
  ref: string;
  server: string;
  tool?: string;
  mode: Mode;
  message: string;
  url?: string;
}

/** A question ended, and why. The peer has already been answered. */
export interface Settled {
  effect: "settled";
  reply: {
    session: string;
    /** Words of the person for whoever asked. */
    note?: string;
    /** The arguments with which the held call goes on, in place of its arguments. */
    arguments?: Record<string, unknown>;
    findings?: Finding[];
    effect: "reply";
    /** Absent if the request was refused before it had an id. */
    id?: string;
    ref: string;
    outcome: Outcome;
    cause: Cause;
    problems?: Problem[];
    reasons?: Reason[];
    receipts?: string[];
  };
  session: string;
  ref: string;
  server: string;
  tool?: string;
  mode: Mode;
  message: string;
  url?: string;
}

/** A new engine replaced a broken one. The records that follow begin a new chain. */
export interface NewJournal {
  effect: "new_journal";
}

/** The question of a handler. */
export interface Posing {
  mode: Mode;
  message: string;
  schema?: object;
  url?: string;
  /** A URL is settled when its page was finished, not when the person consents. */
  wait?: boolean;
  /** The answer must pass neither client nor model. */
  secret?: boolean;
  /** The principal who may answer, on a page; left out, the caller. */
  for?: string;
  ttl_ms?: number;
}

/** Ends the run of a call. */
export interface Interrupting {
  effect: "interrupt";
  call: string;
  id: string;
  offer: "input_required" | "url_required" | "fallback";
  requests?: Record<string, {
    method: string;
    params: object;
  }>;
  error?: {
    code: number;
    message: string;
    data?: unknown;
  };
  result?: object;
  body?: object;
  expires: number;
  keep?: boolean;
}

/** A question is open on a page of the server. */
export interface OpenPage {
  effect: "page";
  link: string;
  url: string;
  secret?: boolean;
  /** The principal who may answer; left out, the caller. */
  for?: string;
  show: Show;
}

/** A question of a handler has its outcome. */
export interface AskingSettled {
  effect: "settle";
  call: string;
  position: number;
  id?: string;
  outcome: Outcome;
  cause: Cause;
  content?: Content;
  problems?: Problem[];
  reasons?: Reason[];
  offer?: string;
  page?: boolean;
  replayed?: boolean;
  /** Of the call and the question, with the configuration `history`. */
  target?: string;
  message?: string;
  /** Who took the question back, in the machine of a process. */
  by?: string;
}

/** The output of an operation that could not use its input. */
export interface Problems {
  problems: Problem[];
}

/** The schema and options that a form is compiled from. `schema_text` is the exact text of a schema. */
export interface SchemaInput {
  schema?: object;
  schema_text?: string;
  profile?: Profile;
  limits?: {
    bytes?: number;
    depth?: number;
    fields?: number;
    choices?: number;
    text?: number;
  };
}

/** The document of an agent framework. `document_text` is its exact text. */
export interface InterruptInput {
  framework: Framework;
  document?: unknown;
  document_text?: string;
}

/** One thing that a command or another deed does, in the words of `engine/impact`. */
export interface Impact {
  impact: string;
  target?: string;
  how?: string;
  program?: string;
  open?: boolean;
  at: number;
  end: number;
}

/** The result of one guardian: its verdict as text, or a fault. */
export interface GuardianResult {
  guardian: string;
  output?: string;
  fault?: string;
  audit?: boolean;
  fuel?: number;
  digest?: string;
}

/** The combined verdict of several guardians. */
export interface Combined {
  decision: "pass" | "allow" | "ask" | "deny";
  /** The guardians whose verdicts gave the decision. */
  determining: string[];
  reasons: Reason[];
  findings: Finding[];
  /** Pointers to the members of the answer that must be left out. */
  redact?: string[];
  /** The guardians that want another person's approval. */
  second_person?: string[];
}

/** A reviewer's answer as the engine reads it. `within` says whether an `allow` in it counts. */
export interface Review {
  outcome: "allow" | "ask" | "deny";
  risk: string;
  authorization: string;
  rationale: string;
  within: boolean;
}

/**
 * A key of `seal`, `unseal`, `encrypt` and `decrypt`: at least 32 random bytes in base64url without padding. The
 * first of a list seals.
 */
export interface SealKey {
  id: string;
  secret: string;
}

/** A settled question as a store keeps it. */
export interface StoredEntry {
  session?: string;
  id: string;
  at: number;
  server?: string;
  tool?: string;
  outcome?: string;
  text?: string;
  body_base64?: string;
}

/** The parts of a commit that an encrypted store seals. `version` is the one that the session gets. */
export interface StoredChange {
  session: string;
  version?: number;
  state_base64?: string;
  records_base64?: string[];
  entries?: StoredEntry[];
}

/** The parts of a query of the history that an encrypted store spells in another way. */
export interface StoredQuery {
  session?: string;
  server?: string;
  tool?: string;
  outcome?: string;
  text?: string;
  limit?: number;
  before?: StoredPlace;
}

/** The place of an entry in the history. */
export interface StoredPlace {
  session: string;
  id: string;
  at: number;
}

/** A state or record to open. A record has an index, and the place of the record before in `last`. */
export interface StoredText {
  session: string;
  version: number;
  index?: number;
  sealed_base64: string;
  last?: StoredLast;
}

export interface StoredLast {
  version: number;
  index: number;
}

/** The facts to which a token is bound. A member that is left out is expected as left out. */
export interface SealBinding {
  principal?: string;
  method?: string;
  target?: string;
  audience?: string;
  /** The arguments of the request, their exact text, or their digest. */
  arguments?: unknown;
  arguments_text?: string;
  arguments_digest?: string;
}

/** The content of a token. Times are milliseconds since 1970. */
export interface SealClaims {
  /** 32 hexadecimal digits, from `random` unless given. */
  id?: string;
  questions?: string[];
  issued_at: number;
  expires_at: number;
  body?: unknown;
  body_text?: string;
  body_base64?: string;
  principal?: string;
  method?: string;
  target?: string;
  audience?: string;
  /** The arguments of the request, their exact text, or their digest. */
  arguments?: unknown;
  arguments_text?: string;
  arguments_digest?: string;
}

/** The facts of the request that brings a token. */
export interface SealExpected {
  now: number;
  skew?: number;
  principal?: string;
  method?: string;
  target?: string;
  audience?: string;
  /** The arguments of the request, their exact text, or their digest. */
  arguments?: unknown;
  arguments_text?: string;
  arguments_digest?: string;
}

/** The claims of a token that was accepted. `body_base64` stands for a body that is not UTF-8. */
export interface OpenedClaims {
  /** 32 hexadecimal digits, from `random` unless given. */
  id: string;
  arguments_digest: string;
  principal?: string;
  target?: string;
  questions?: string[];
  issued_at: number;
  expires_at: number;
  body_text?: string;
  body_base64?: string;
  method?: string;
  audience?: string;
}

/** A request of the Codex app-server, and the params of the `item/started` that came before it. */
export interface CodexRequest {
  method: string;
  params?: object;
  params_text?: string;
  items?: object[];
}

/** An answer to a question of Codex. `option` is the exact decision or the permissions that the client chose. */
export interface CodexAnswer {
  action: Action;
  content?: object;
  scope?: Scope;
  option?: unknown;
  strict?: boolean;
  note?: string;
}

/** A question of Codex as the engine reads it. `answer` is what a given `result` means. */
export interface CodexQuestion {
  thread?: string;
  turn?: string;
  item?: string;
  server?: string;
  tool?: string;
  annotations?: Annotations;
  request: {
    url?: string;
    strict_review?: boolean;
    message: string;
    schema?: Record<string, unknown>;
    arguments?: Record<string, unknown>;
    /** The command that an approval would run, and its directory. */
    command?: string;
    mode: Mode;
    /** The parts of the message. The numbers of lines add up to those of the message. */
    parts?: MessagePart[];
    claim?: "approval" | "malformed" | "suggestion";
    persistable?: boolean;
    /** The deed of an approval. */
    does?: "command" | "patch" | "permissions" | "tool";
    cwd?: string;
    /** The files that a patch would change, or the places that a permission would open. */
    paths?: string[];
    /** The hosts that would be reached, without ports; `*` stands for every host. */
    hosts?: string[];
    /** There are more paths or hosts than the lists hold. */
    reach_cut?: boolean;
    /** Whether a path lies outside the places that the peer may write to; left out when that is not known. */
    outside?: boolean;
    message_cut?: boolean;
    link?: string;
    takes?: Takes[];
  };
  /** The decisions on offer. `unknown` counts those that are not known; they approve nothing. */
  options: unknown[];
  unknown?: number;
  /** No policy may accept it alone. */
  choice?: true;
  /** Only the client can make the answer, such as a proof of the device. */
  client_only?: true;
  answer?: CodexAnswer;
}

/** A question of an agent framework: a call that waits for a yes, or a question for content. */
export interface InterruptQuestion {
  /** Names the question in an answer. */
  key: string;
  kind: "approval" | "question";
  /** Untrusted text of the framework. */
  message: string;
  /** A schema that a form can draw. That of an approval has no fields. */
  schema: object;
  /** The answers that this question takes. */
  options: InterruptOption[];
  tool?: string;
  server?: string;
  /** The arguments of the call, if the document tells them. */
  arguments?: unknown;
  /** The schema that the framework gave for the answer, unchanged. */
  response_schema?: object;
  /** When an answer comes too late, as the framework spelled it. */
  expires?: string;
}

/** The question of a framework. All questions are answered together. */
export interface Interrupts {
  questions: InterruptQuestion[];
  /** The ids of waiting calls that a program answers, not a person. */
  others?: string[];
}

/** The decision of a person. `arguments` replace those of the call, and the agent reads the `note`. */
export interface InterruptAnswer {
  key: string;
  action: Action;
  content?: object;
  /** The exact JSON text of the content, for numbers that no float can hold. */
  content_text?: string;
  arguments?: object;
  arguments_text?: string;
  note?: string;
}

export interface AskingCalled {
  event: "called";
  call: string;
  method?: string;
  target?: string;
  arguments?: unknown;
  structured?: boolean;
  answers?: unknown;
  responses?: unknown;
  /** The host's name of the call in all its runs. */
  key?: string;
}

/** The process which ran a handler is gone. Its call keeps what it knows, and may be made again. */
export interface AskingLost {
  event: "lost";
  call: string;
}

/** A handler uses the key of its call for what it does. */
export interface AskingKeyed {
  event: "keyed";
  call: string;
}

export interface AskingPosed {
  event: "posed";
  call: string;
  /** Counts the questions and values of the run from 0. */
  position?: number;
  mode: Mode;
  message: string;
  schema?: object;
  url?: string;
  /** A URL is settled when its page was finished, not when the person consents. */
  wait?: boolean;
  /** The answer must pass neither client nor model. */
  secret?: boolean;
  /** The principal who may answer, on a page; left out, the caller. */
  for?: string;
  ttl_ms?: number;
}

export interface AskingResponded {
  event: "responded";
  ref: string;
  result?: unknown;
  error?: unknown;
}

export interface AskingSubmitted {
  event: "submitted";
  link?: string;
  id?: string;
  principal?: string;
  action: Action;
  content?: Content;
  cleared?: string[];
  via?: "model";
}

export interface AskingOnce {
  event: "once";
  call: string;
  position?: number;
  key?: string;
  value?: unknown;
}

export interface AskingClaimed {
  event: "claimed";
  link: string;
  browser: string;
  principal?: string;
}

export interface AskingCompleted {
  event: "completed";
  id: string;
}

export interface AskingReturned {
  event: "returned";
  call: string;
}

export interface AskingCancelled {
  event: "cancelled";
  call?: string;
  id?: string;
}

export interface AskingClosed {
  event: "closed";
  cause: "session_closed" | "shutdown";
}

export interface AskingSend {
  effect: "send";
  ref: string;
  call: string;
  id: string;
  method: string;
  params: Record<string, unknown>;
}

export interface AskingCancelSent {
  effect: "cancel_sent";
  ref: string;
}

export interface AskingNotify {
  effect: "notify";
  method: string;
  params: Record<string, unknown>;
}

export interface AskingValue {
  effect: "value";
  call: string;
  position: number;
  value?: unknown;
  replayed?: boolean;
}

export interface AskingResume {
  effect: "resume";
  call: string;
  method?: string;
  target?: string;
  arguments?: Record<string, unknown>;
}

/** Why there is no result. */
export type AskerFailure =
  "no_call" | "interrupted" | "given_up" | "session_closed" | "state_invalid" | "wrong_principal" | "link_used" |
  "nobody_waits" | "store_failed" | "journal_failed" | "seal_failed" | "values_too_large" | "still_running" |
  "result_unknown" | "refused";

/** How a question ends without an accepted answer. */
export type AskerKind =
  "declined" | "declined_by_policy" | "policy" | "cancelled" | "timeout" | "attempts" | "closed" | "unsupported" |
  "invalid" | "client" | "busy" | "other";

/** Who calls, as the host's transport knows it. */
export interface AskerClient {
  /** The transport's name of the client's session; left out, every call stands alone. */
  session?: string;
  principal?: string;
  version?: string;
  declared?: Mode[];
  /** What it declared, as it came: in place of `declared`. The version is then any date; left out, it is not known. */
  capabilities?: object;
  requests?: boolean;
}

/** A request of a browser to the server's own pages. */
export interface AskerPageRequest {
  method: string;
  host: string;
  path: string;
  headers?: [string, string][];
  body?: string;
  /** Who is signed in, "" for nobody. Left out, the server has no login. */
  principal?: string;
  /** Why the login let the person not in. */
  refused?: "forbidden" | "failed";
}

/** What the web server answers. The body is a text, or a file of the page. */
export interface AskerPageReply {
  status: number;
  headers: [string, string][];
  body?: string;
  file?: string;
}

/** A question that waits for an answer. */
export interface AskerQuestion {
  /** For `cancelled`. */
  id: string;
  /** The principal who caused it. */
  caller?: string;
  /** The principal who may answer. */
  principal?: string;
  /** The tool, prompt or resource. */
  target: string;
  message: string;
  offer?: string;
  page?: boolean;
  /** Milliseconds since 1970. */
  expires: number;
}

export interface AskerCalled {
  event: "called";
  call: string;
  client: AskerClient;
  method?: string;
  target?: string;
  arguments?: unknown;
  structured?: boolean;
  state?: string;
  responses?: unknown;
  /** Of a call that `submitted` lets run again. */
  session?: string;
  /** The progressToken of the request. */
  token?: unknown;
}

export interface AskerReturned {
  event: "returned";
  call: string;
  cancelled?: boolean;
  result?: unknown;
  error?: unknown;
}

export interface AskerPosed {
  event: "posed";
  ref: string;
  call: string;
  mode: Mode;
  message: string;
  schema?: object;
  url?: string;
  wait?: boolean;
  secret?: boolean;
  for?: string;
  ttl_ms?: number;
}

export interface AskerChecked {
  event: "checked";
  ref: string;
  schema: object;
  content: unknown;
}

export interface AskerKept {
  event: "kept";
  ref: string;
  call: string;
  key?: string;
}

export interface AskerKeyed {
  event: "keyed";
  ref: string;
  call: string;
}

export interface AskerComputed {
  event: "computed";
  ref: string;
  call: string;
  key?: string;
  position?: number;
  value: unknown;
}

export interface AskerSubmitted {
  event: "submitted";
  ref: string;
  id?: string;
  link?: string;
  client?: AskerClient;
  action: Action;
  content?: Content;
  cleared?: string[];
}

export interface AskerClaimed {
  event: "claimed";
  ref: string;
  link: string;
  browser: string;
  principal?: string;
}

export interface AskerViewed {
  event: "viewed";
  ref: string;
  link: string;
}

export interface AskerRequested {
  event: "requested";
  ref: string;
  request: AskerPageRequest;
}

export interface AskerCompleted {
  event: "completed";
  ref: string;
  id: string;
}

export interface AskerListed {
  event: "listed";
  ref: string;
  principal?: string;
}

export interface AskerCancelled {
  event: "cancelled";
  ref: string;
  id: string;
  by: string;
}

export interface AskerClosed {
  event: "closed";
  ref: string;
  session?: string;
}

export interface AskerGivenUp {
  event: "given_up";
  ref: string;
}

export interface AskerResponded {
  event: "responded";
  ref: string;
  result?: unknown;
  error?: {
    code: number;
    message: string;
    data?: unknown;
  };
}

export interface AskerUnsealed {
  event: "unsealed";
  call: string;
  /** The result of the operation `unseal`. */
  said: object;
}

export interface AskerSealed {
  event: "sealed";
  call: string;
  /** The result of the operation `seal`. */
  said: object;
}

export interface AskerProgressed {
  event: "progressed";
  call: string;
}

export interface AskerRedeemed {
  event: "redeemed";
  call: string;
  again?: boolean;
}

export interface AskerConsulted {
  event: "consulted";
  session: string;
  said: Consulted;
}

export interface AskerLoaded {
  event: "loaded";
  session: string;
  version: number;
  state: string;
}

export interface AskerCommitted {
  event: "committed";
  session: string;
  version: number;
}

export interface AskerMissing {
  event: "missing";
  session: string;
}

export interface AskerConflicted {
  event: "conflicted";
  session: string;
}

export interface AskerWatched {
  event: "watched";
  session: string;
}

export interface AskerUnwatched {
  event: "unwatched";
  session: string;
}

export interface AskerHinted {
  event: "hinted";
  session: string;
  version?: number;
}

export interface AskerStoreFailed {
  event: "store_failed";
  session?: string;
  call?: string;
  why?: string;
  away?: boolean;
}

export interface AskerFound {
  event: "found";
  sessions: string[];
}

export interface AskerAppended {
  event: "appended";
  session: string;
  why?: string;
}

/** The result for who waits. One member says what it is; none of them is a plain success. */
export interface AskerReply {
  effect: "reply";
  to: string;
  failed?: AskerFailure;
  why?: string;
  problems?: Problem[];
  open?: boolean;
  settle?: AskingSettled;
  /** The kind of the error with which a question ends. */
  kind?: AskerKind;
  /** Why there is nothing else. */
  text?: string;
  /** The code of the error of JSON-RPC that a prompt or a resource ends with. */
  code?: number;
  /** To send to the client first. */
  notice?: AskingNotify;
  value?: unknown;
  position?: number;
  result?: Record<string, unknown>;
  error?: {
    code: number;
    message: string;
    data?: unknown;
  };
  resume?: AskingResume;
  session?: string;
  page?: {
    open?: OpenPage;
    principal?: string;
    expires?: number;
    browser?: string;
    consented?: boolean;
  };
  visit?: string;
  /** After `listed`. */
  listed?: {
    questions: AskerQuestion[];
    more?: boolean;
  };
  /** After `requested`. */
  response?: AskerPageReply;
  /** After `called`: `returned` is to bring the result. */
  keep?: boolean;
}

/** A request to the client, on behalf of the wait `to`. */
export interface AskerSend {
  effect: "send";
  ref: string;
  to: string;
  method: string;
  params: Record<string, unknown>;
  /** Of a question that waits for the end of the flow behind a URL: the id to complete it with. */
  visit?: string;
}

export interface AskerLoad {
  effect: "load";
  session: string;
}

export interface AskerCommit {
  effect: "commit";
  session: string;
  from: number;
  version: number;
  now: number;
  state?: string;
  records?: string[];
  history?: ({
    id: string;
    at: number;
    server: string;
    tool?: string;
    outcome: string;
    text?: string;
    body: string;
  })[];
  next?: number;
  expires: number;
  keep: number;
  keep_records: number;
  lazy?: boolean;
}

export interface AskerRedeem {
  effect: "redeem";
  call: string;
  id: string;
  now: number;
  until: number;
}

export interface AskerDue {
  effect: "due";
  now: number;
  skip?: number;
  limit: number;
}

export interface AskerProgress {
  effect: "progress";
  call: string;
  method: string;
  params: Record<string, unknown>;
}

/** The input of the operation but for the keys. */
export interface AskerUnseal {
  effect: "unseal";
  call: string;
  token: string;
  purpose: string;
  expected: SealExpected;
}

/** The input of the operation but for the keys. */
export interface AskerSeal {
  effect: "seal";
  call: string;
  random: string;
  purpose: string;
  claims: SealClaims;
}

export interface AskerAppend {
  effect: "append";
  session: string;
  records: string[];
}

export interface AskerConsult {
  effect: "consult";
  session: string;
  ask: Consult;
}

export interface AskerCancelSent {
  effect: "cancel_sent";
  ref: string;
}

export interface AskerWatch {
  effect: "watch";
  session: string;
}

export interface AskerUnwatch {
  effect: "unwatch";
  session: string;
}

export interface AskerWake {
  effect: "wake";
  in?: number;
}

/** Policy documents by layer. The exact text of one goes under the name with `_text`. */
export interface Layers {
  managed?: object;
  user?: object;
  project?: object;
  session?: object;
  managed_text?: string;
  user_text?: string;
  project_text?: string;
  session_text?: string;
  managed_path?: string;
}
