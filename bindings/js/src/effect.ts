import type { About, Cause, Outcome, Resolution } from "./codes.ts";
import type { Annotations } from "./event.ts";
import type { Consult } from "./guardian/consult.ts";
import type {
  Content,
  Deed,
  Finding,
  Form,
  Kind,
  MessagePart,
  Mode,
  Problem,
  Reason,
  Takes,
} from "./question.ts";

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
  does?: Deed;
  command?: string;
  cwd?: string;
  paths?: string[];
  hosts?: string[];
  reach_cut?: boolean;
  outside?: boolean;
  /**
   * The differences from the last message of the same tool that was almost the same and that the person accepted.
   * The texts of `same` and `new` together are the message. Present if the configuration sets `show_changes`.
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

const list = '{"effects":[';
const head = '{"effect":"append","record":';
const consult = '"effect":"consult"';
const question = ',"question":';

/** Reads the output of a step. It does not parse records, because the host must keep their exact text. */
export function readEffects<E extends { effect: string } = Effect>(text: string): E[] {
  const effects: object[] = [];
  const last = text.lastIndexOf(head);
  let at = list.length;
  while (at <= last) {
    const end = objectEnd(text, at);
    if (text.startsWith(head, at)) effects.push({ effect: "append", record: text.slice(at + head.length, end - 1) });
    else effects.push(...read(`[${text.slice(at, end)}]`));
    at = text[end] === "," ? end + 1 : end;
  }
  if (text[at] !== "]") effects.push(...read("[" + text.slice(at, -1)));
  return effects as E[];
}

/** Reads a list of effects. The question of a consult also keeps its exact text. */
function read(text: string): Effect[] {
  const effects = JSON.parse(text) as Effect[];
  if (!text.includes(consult)) return effects;
  let at = 1;
  for (const effect of effects) {
    const end = objectEnd(text, at);
    // The members before `question` are strings and numbers. The marker has unescaped quotes, so no string contains it.
    const from = text.indexOf(question, at) + question.length;
    if (effect.effect === "consult") effect.question_text = text.slice(from, end - 1);
    at = end + 1;
  }
  return effects;
}

/** The position after the JSON object that begins at `at`. */
export function objectEnd(text: string, at: number): number {
  for (let depth = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) at = stringEnd(text, at);
    else if (c === 0x7b) depth++;
    else if (c === 0x7d && --depth === 0) return at + 1;
  }
  throw new SyntaxError("the output of the engine is cut off");
}

/** The position of the closing quote of the JSON string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
}
