import type { About, Cause, Outcome, Resolution } from "./codes.ts";
import type { Consult } from "./guardian/consult.ts";
import type { Content, Finding, Form, Kind, Mode, Problem, Reason } from "./question.ts";

/** Something the host must do. Effects of one step are performed in order. */
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

/** Keeps one journal record. It must be durable before any reply, open_url or resolve that follows it. */
export interface Append {
  effect: "append";
  /** One line of JSON without its newline, exactly as it has to be kept. */
  record: string;
}

/** Puts a request before a person. Strings from the peer are untrusted: draw them as text. */
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
  form?: Form;
  url?: string;
  findings: Finding[];
  reasons: Reason[];
  /** Milliseconds since 1970-01-01 UTC. */
  deadline?: number;
  /** How many more requests wait behind this one. */
  waiting?: number;
  /** What the person had typed before a reload. */
  draft?: Record<string, unknown>;
  /**
   * What the person typed into such fields before: to be shown apart from defaults, and sent only when they take it.
   */
  suggestions?: Suggestion[];
  /** For how long a yes may be remembered, when the configuration asks to be told. */
  remember?: ("session" | "always")[];
}

/** A value typed before. */
export interface Suggestion {
  field: string;
  value: unknown;
  /** When it was answered, milliseconds since 1970-01-01 UTC. */
  at: number;
  /** The question it answered. */
  id: string;
}

/** A held request is over without an answer: take it away if it was shown. */
export interface Withdraw {
  effect: "withdraw";
  session: string;
  id: string;
  cause: Cause;
}

/** Answers the peer: at most once for a request, ever. */
export interface Reply {
  effect: "reply";
  session: string;
  /** Absent when the request was refused before it had one. */
  id?: string;
  ref: string;
  outcome: Outcome;
  cause: Cause;
  /** On accept of a form. */
  content?: Content;
  problems?: Problem[];
  findings?: Finding[];
  reasons?: Reason[];
  receipts?: string[];
}

/** Opens a page the person has just consented to, where neither host nor model can read it. */
export interface OpenUrl {
  effect: "open_url";
  session: string;
  id: string;
  url: string;
}

/** A consented page was finished, or nobody said so in time; the reply came before. */
export interface Resolve {
  effect: "resolve";
  session: string;
  id: string;
  ref: string;
  resolution: Resolution;
}

/** A person's yes that stands for the same question asked again. */
export interface Grant {
  id: string;
  digest: string;
  session?: string;
  principal?: string;
  server: string;
  /** Of a grant with scope `always`: the identity of the server that it was given to. */
  identity?: string;
  tool?: string;
  message: string;
  scope: "session" | "always";
  expires_at?: number;
}

/** A new grant. The host keeps those with scope `always` for the next configuration. */
export interface Remember {
  effect: "remember";
  session: string;
  grant: Grant;
}

/** Which deadline holds after an extended event. */
export interface Extend {
  effect: "extend";
  session: string;
  id: string;
  deadline: number;
}

/** Stop (`on`) or restart the host's own timers for the calls of a session. */
export interface Pause {
  effect: "pause";
  session: string;
  on: boolean;
  total_ms: number;
}

/** Asks for a ticked event at `at` or soon after. It replaces every earlier one; 0 means none. */
export interface Wake {
  effect: "wake";
  at: number;
}

/**
 * An input that could not be used: a wrong answer, a late one (`outcome`, `cause`), an unknown id. `about` says what
 * kind of input it was; only problems about an answer are for the person to mend.
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

/** Reads the output of a step. A record is not parsed: its text is what has to be kept. */
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

/** Reads a list of effects. What a guardian is asked keeps its text. */
function read(text: string): Effect[] {
  const effects = JSON.parse(text) as Effect[];
  if (!text.includes(consult)) return effects;
  let at = 1;
  for (const effect of effects) {
    const end = objectEnd(text, at);
    // The members before it are strings and numbers, and in a string each of its quotes has a backslash.
    const from = text.indexOf(question, at) + question.length;
    if (effect.effect === "consult") effect.question_text = text.slice(from, end - 1);
    at = end + 1;
  }
  return effects;
}

/** Where the JSON object that begins at `at` ends. */
function objectEnd(text: string, at: number): number {
  for (let depth = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) at = stringEnd(text, at);
    else if (c === 0x7b) depth++;
    else if (c === 0x7d && --depth === 0) return at + 1;
  }
  throw new SyntaxError("the output of the engine is cut");
}

/** Where the closing quote of the JSON string that begins at `at` is. */
function stringEnd(text: string, at: number): number {
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
}
