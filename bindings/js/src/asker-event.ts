import type {
  AskingSettled as Settled,
  Consult,
  Consulted,
  Content,
  Interrupting,
  Mode,
  OpenPage,
  Posing,
  Problem,
} from "./contract.ts";
import type { Action } from "./codes.ts";

/** Who calls, as the host's transport knows it. */
export interface AskerClient {
  /** The transport's name of the client's session; left out, every call stands alone. */
  session?: string;
  principal?: string;
  version?: string;
  declared?: readonly Mode[];
  /** What it declared, as it came: in place of `declared`. The version is then any date; left out, it is not known. */
  capabilities?: object;
  requests?: boolean;
}

/** Somebody waits for the reply to these events, under their `ref` or else their `call`. */
export type ToldEvent =
  | {
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
  | { event: "returned"; call: string; cancelled?: boolean; result?: unknown; error?: unknown }
  | ({ event: "posed"; ref: string; call: string } & Posing)
  | { event: "checked"; ref: string; schema: object; content: unknown }
  | { event: "kept"; ref: string; call: string; key?: string }
  | { event: "keyed"; ref: string; call: string }
  | { event: "computed"; ref: string; call: string; key?: string; position?: number; value: unknown }
  | {
      event: "submitted";
      ref: string;
      id?: string;
      link?: string;
      client?: AskerClient;
      action: Action;
      content?: Content;
      cleared?: string[];
    }
  | { event: "claimed"; ref: string; link: string; browser: string; principal?: string }
  | { event: "viewed"; ref: string; link: string }
  | { event: "requested"; ref: string; request: PageRequest }
  | { event: "completed"; ref: string; id: string }
  | { event: "listed"; ref: string; principal?: string }
  | { event: "cancelled"; ref: string; id: string; by: string }
  | { event: "closed"; ref: string; session?: string };

/** The events of the asking side of a process: engine/asking/asker/event.go describes them. */
export type AskerEvent =
  | ToldEvent
  | { event: "given_up"; ref: string }
  | { event: "responded"; ref: string; result?: unknown; error?: { code: number; message: string } }
  /** `said` is the result of the operation that the effect asked for. */
  | { event: "unsealed" | "sealed"; call: string; said: object }
  | { event: "progressed"; call: string }
  | { event: "redeemed"; call: string; again?: boolean }
  | { event: "consulted"; session: string; said: Consulted }
  | { event: "loaded"; session: string; version: number; state: string }
  | { event: "committed"; session: string; version: number }
  | { event: "missing" | "conflicted" | "watched" | "unwatched"; session: string }
  | { event: "hinted"; session: string; version?: number }
  | { event: "store_failed"; session?: string; call?: string; why?: string; away?: boolean }
  | { event: "found"; sessions: string[] }
  | { event: "appended"; session: string; why?: string }
  | { event: "ticked" };

/** Why there is no result. */
export type AskerFailure =
  | "no_call" | "interrupted" | "given_up" | "session_closed" | "state_invalid" | "wrong_principal" | "link_used"
  | "nobody_waits" | "store_failed" | "journal_failed" | "seal_failed" | "values_too_large"
  | "still_running" | "result_unknown" | "refused";

/** How a question ends without an accepted answer. */
export type AskerKind =
  | "declined" | "declined_by_policy" | "policy" | "cancelled" | "timeout" | "attempts" | "closed" | "unsupported"
  | "invalid" | "client" | "busy" | "other";

/** A request of a browser to the server's own pages. */
export interface PageRequest {
  method: string;
  host: string;
  path: string;
  headers: [string, string][];
  body?: string;
  /** Who is signed in, "" for nobody. Left out, the server has no login. */
  principal?: string;
  /** Why the login let the person not in. */
  refused?: "forbidden" | "failed";
}

/** What the web server answers. The body is a text, or a file of the page. */
export interface PageReply {
  status: number;
  headers: [string, string][];
  body?: string;
  file?: string;
}

/** The result for who waits. One member says what it is; none of them is a plain success. */
export interface AskerReply {
  effect: "reply";
  to: string;
  failed?: AskerFailure;
  why?: string;
  problems?: Problem[];
  open?: boolean;
  settle?: Settled;
  /** The kind of the error with which a question ends, and a sentence that says why there is nothing else. */
  kind?: AskerKind;
  text?: string;
  /** The code of the error of JSON-RPC that a prompt or a resource ends with. */
  code?: number;
  /** To send to the client first. */
  notice?: { method: string; params: Record<string, unknown> };
  value?: unknown;
  position?: number;
  result?: Record<string, unknown>;
  error?: NonNullable<Interrupting["error"]>;
  resume?: { call: string; method?: string; target?: string; arguments?: Record<string, unknown> };
  session?: string;
  page?: { open?: OpenPage; principal?: string; expires?: number; browser?: string; consented?: boolean };
  visit?: string;
  /** After `listed`. */
  listed?: { questions: ListedQuestion[]; more?: boolean };
  /** After `requested`. */
  response?: PageReply;
  /** After `called`: `returned` is to bring the result. */
  keep?: boolean;
}

/** A question that waits for an answer. */
export interface ListedQuestion {
  /** For `cancelled`. */
  id: string;
  /** The principal who caused it, and the one who may answer. */
  caller?: string;
  principal?: string;
  /** The tool, prompt or resource. */
  target: string;
  message: string;
  offer?: string;
  page?: boolean;
  /** Milliseconds since 1970. */
  expires: number;
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

/** Work whose result comes back as an event. */
export type AskerWork =
  | { effect: "load"; session: string }
  | {
      effect: "commit";
      session: string;
      from: number;
      version: number;
      now: number;
      state?: string;
      records?: string[];
      history?: {
        id: string; at: number; server: string; tool?: string; outcome: string; text?: string; body: string;
      }[];
      next?: number;
      expires: number;
      keep: number;
      keep_records: number;
      lazy?: boolean;
    }
  | { effect: "redeem"; call: string; id: string; now: number; until: number }
  | { effect: "due"; now: number; skip?: number; limit: number }
  | { effect: "progress"; call: string; method: string; params: Record<string, unknown> }
  /** The input of an operation of the engine but for the keys: `engine.eval(effect, { keys, ...rest })`. */
  | { effect: "unseal" | "seal"; call: string; purpose: string; [member: string]: unknown }
  | { effect: "append"; session: string; records: string[] }
  | { effect: "consult"; session: string; ask: Consult };

/** The effects of the asking side of a process: engine/asking/asker/effect.go describes them. */
export type AskerEffect =
  | AskerReply
  | AskerSend
  | AskerWork
  | OpenPage
  | { effect: "cancel_sent"; ref: string }
  | { effect: "watch" | "unwatch"; session: string }
  | { effect: "wake"; in?: number };
