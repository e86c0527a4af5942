import type { Action, Cause, Outcome } from "./codes.ts";
import type { Effect } from "./effect.ts";
import type { Event } from "./event.ts";
import type { Content, Mode, Problem, Reason } from "./question.ts";

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

/** The events of a machine of the asking side. docs/reference/abi.md describes the members. */
export type AskingEvent =
  | {
      event: "called";
      call: string;
      method?: string;
      target?: string;
      arguments?: unknown;
      structured?: boolean;
      answers?: unknown;
      responses?: unknown;
    }
  | ({ event: "posed"; call: string; position: number } & Posing)
  | { event: "responded"; ref: string; result?: unknown; error?: unknown }
  | {
      event: "submitted";
      link?: string;
      id?: string;
      principal?: string;
      action: Action;
      content?: Content;
      cleared?: string[];
      via?: "model";
    }
  | { event: "once"; call: string; position?: number; key?: string; value?: unknown }
  | { event: "claimed"; link: string; browser: string; principal?: string }
  | { event: "completed"; id: string }
  | { event: "returned"; call: string }
  | { event: "cancelled"; call?: string; id?: string }
  | { event: "closed"; cause: "session_closed" | "shutdown" }
  | Extract<Event, { event: "ticked" | "consulted" | "configured" | "revoked" | "unmuted" }>;

/** Ends the run of a call. */
export interface Interrupting {
  effect: "interrupt";
  call: string;
  id: string;
  offer: "input_required" | "url_required" | "fallback";
  requests?: Record<string, { method: string; params: object }>;
  error?: { code: number; message: string; data?: unknown };
  result?: Record<string, unknown>;
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
  show: Extract<Effect, { effect: "show" }>;
}

/** A question of a handler has its outcome. */
export interface Settled {
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
}

/** The effects of a machine of the asking side. */
export type AskingEffect =
  | { effect: "send"; ref: string; call: string; id: string; method: string; params: Record<string, unknown> }
  | { effect: "cancel_sent"; ref: string }
  | { effect: "notify"; method: string; params: Record<string, unknown> }
  | Interrupting
  | OpenPage
  | Settled
  | { effect: "value"; call: string; position: number; value?: unknown; replayed?: boolean }
  | { effect: "resume"; call: string; method?: string; target?: string; arguments?: Record<string, unknown> }
  | Extract<Effect, { effect: "append" | "consult" | "remember" | "wake" | "problem" }>;
