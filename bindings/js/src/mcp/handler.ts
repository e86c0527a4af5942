import { Driver, type Handed } from "../drive.ts";
import type { Asked, Event } from "../event.ts";
import type { Reply } from "../effect.ts";
import type { Engine } from "../engine.ts";
import { uiHost, type Ui } from "../open-question.ts";
import type { Content, Mode, Problem } from "../question.ts";

/** An `elicitation/create` as the official SDKs hand it over. */
export interface ElicitRequest {
  params?: { [member: string]: unknown } | undefined;
}

/** The answer as the official SDKs take it. */
export interface ElicitResult {
  [member: string]: unknown;
  action: "accept" | "decline" | "cancel";
  content?: Content;
}

/** What the SDKs hand over beside the request: `signal` in 1.x, `mcpReq.signal` in 2.x. */
export interface Extra {
  signal?: AbortSignal;
  mcpReq?: { signal?: AbortSignal };
}

export interface HandlerOptions {
  /** The name you gave the server: shown to the person, matched by policy. Never the name it gives itself. */
  server?: string;
  /** The protocol date in force, where it is known. Left out, it is told from the request. */
  version?: string | (() => string | undefined);
  /** Whose session it is. */
  principal?: string;
}

/** A handler for `elicitation/create`, with what else a client needs. */
export interface ElicitationHandler {
  (request: ElicitRequest, extra?: Extra): Promise<ElicitResult>;
  /** What to declare under `capabilities.elicitation`. */
  readonly capability: { form?: Record<string, never>; url?: Record<string, never> };
  /** The handler for `notifications/elicitation/complete`. */
  readonly completed: (notification: { params: { elicitationId: string } }) => Promise<void>;
  /** Answers the entries of an input-required result, for a client that calls again by itself. Send them with the state as it came. */
  readonly responses: (inputRequests: InputRequests, extra?: Extra) => Promise<Record<string, ElicitResult>>;
  /** The connection is gone: withdraws what is open. The next request begins a new session. */
  readonly close: () => Promise<void>;
}

export type InputRequests = Record<string, { method: string; params?: ElicitRequest["params"] }>;

/** The question was not put to anybody; the SDKs reply with `code`, the message and `data`. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  constructor(
    readonly code: number,
    message: string,
    readonly data: { problems: Problem[] },
  ) {
    super(message);
  }
}

/**
 * Makes a handler that puts a server's questions through the engine and, where policy says so, before a person. One engine,
 * or its driver, serves any number of handlers: one for each connection.
 */
export function elicitationHandler(engine: Engine | Driver, ui: Ui, options: HandlerOptions = {}): ElicitationHandler {
  const desk = new Desk(engine instanceof Driver ? engine : Driver.of(engine), ui, options);
  return Object.assign((request: ElicitRequest, extra?: Extra) => desk.ask(request, extra), {
    capability: desk.capability,
    completed: ({ params }: { params: { elicitationId: string } }) => desk.completed(params.elicitationId),
    responses: (requests: InputRequests, extra?: Extra) => desk.responses(requests, extra),
    close: () => desk.close(),
  });
}

/** One question that a peer waits for. */
interface Waiting {
  version: string;
  mode: Mode;
  schema: string | undefined;
  echo: unknown;
  resolve(result: ElicitResult): void;
  reject(error: unknown): void;
}

let sessions = 0;

/** The question of one request as `decode` gives it. */
type Question = Pick<Asked, "mode" | "message" | "schema" | "url" | "link" | "claim" | "strict_review" | "persistable">;

/** One connection's questions. */
class Desk {
  readonly capability: { form?: Record<string, never>; url?: Record<string, never> };
  readonly #driver: Driver;
  readonly #ui: Ui;
  readonly #options: HandlerOptions;
  readonly #modes: Mode[];
  readonly #waiting = new Map<string, Waiting>();
  #session: string | undefined;
  #asked = 0;

  constructor(driver: Driver, ui: Ui, options: HandlerOptions) {
    this.#driver = driver;
    this.#ui = ui;
    this.#options = options;
    this.#modes = [...(ui.modes ?? (["form", "url"] as const))];
    this.capability = Object.fromEntries(this.#modes.map((mode) => [mode, {}]));
  }

  async ask(request: ElicitRequest, extra: Extra = {}): Promise<ElicitResult> {
    const signal = extra.signal ?? extra.mcpReq?.signal;
    signal?.throwIfAborted();
    const params = request.params ?? {};
    const version = this.#version(params);
    const { request: question, echo } = this.#decode(version, params);
    const session = this.#open();
    const ref = String(++this.#asked);
    const schema = question.schema && JSON.stringify(question.schema);
    const answer = new Promise<ElicitResult>((resolve, reject) => {
      this.#waiting.set(ref, { version, mode: question.mode, schema, echo, resolve, reject });
    });
    const cancel = () => this.#cancelled(session, ref, signal!.reason);
    signal?.addEventListener("abort", cancel, { once: true });
    this.#do({ event: "asked", session, ref, ...question });
    try {
      return await answer;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  async completed(link: string): Promise<void> {
    if (this.#session !== undefined) await this.#driver.do({ event: "completed", session: this.#session, link });
  }

  async responses(requests: InputRequests, extra: Extra = {}): Promise<Record<string, ElicitResult>> {
    const outer = extra.signal ?? extra.mcpReq?.signal;
    const failed = new AbortController();
    const signal = outer ? AbortSignal.any([outer, failed.signal]) : failed.signal;
    const answers = Object.entries(requests).map(async ([key, { method, params }]) => {
      if (method !== "elicitation/create") throw new TypeError(`${key} asks for ${method}, which is not for this handler`);
      return [key, await this.ask({ params }, { signal })] as const;
    });
    try {
      return Object.fromEntries(await Promise.all(answers));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    await this.#driver.do({ event: "closed", session, cause: "session_closed" });
    this.#driver.join(session, undefined);
    for (const ref of [...this.#waiting.keys()]) this.#take(ref)?.reject(new Error("the connection is closed"));
  }

  /** The session, opened at the first question. */
  #open(): string {
    if (this.#session !== undefined) return this.#session;
    const { server = "server", principal } = this.#options;
    const session = (this.#session = `mcp-${++sessions}`);
    const host = uiHost(this.#driver, this.#ui, (ref) => this.#waiting.get(ref)?.schema, principal);
    this.#driver.join(session, {
      ...host,
      reply: (effect) => {
        host.reply!(effect);
        this.#settle(effect);
      },
    });
    this.#do({ event: "opened", session, server, side: "answering", declared: this.#modes, shown: this.#modes, ...(principal !== undefined && { principal }) });
    return session;
  }

  /** Does an event nobody waits for: when it cannot be done, what waits fails. */
  #do(event: Event): void {
    this.#driver.do(event).then(
      (effects) => this.#unopened(effects),
      (error: unknown) => {
        if (event.event === "asked") this.#take(event.ref)?.reject(error);
      },
    );
  }

  /** A question for a session that could not be opened has a problem instead of a reply. */
  #unopened(effects: Handed[]): void {
    for (const e of effects) {
      if (e.effect === "problem" && e.ref !== undefined) this.#take(e.ref)?.reject(this.#refused(-32603, e.problems));
    }
  }

  #version(params: object): string {
    const { version } = this.#options;
    const known = typeof version === "function" ? version() : version;
    if (known !== undefined) return known;
    // The SDKs have held the request to its date already; only a page of 2026-07-28 has no id.
    return "mode" in params && params.mode === "url" && !("elicitationId" in params) ? "2026-07-28" : "2025-11-25";
  }

  #decode(version: string, params: object): { request: Question; echo?: unknown } {
    const decoded = this.#driver.engine.eval("decode", { version, what: "create", params, declared: this.capability });
    const error = decoded["error"] as { code: number; problems: Problem[] } | undefined;
    const problems = error?.problems ?? (decoded["problems"] as Problem[] | undefined);
    if (problems) throw this.#refused(error?.code ?? -32602, problems);
    return decoded as { request: Question };
  }

  #cancelled(session: string, ref: string, why: unknown): void {
    this.#do({ event: "cancelled", session, ref });
    this.#take(ref)?.reject(why);
  }

  #settle(reply: Reply): void {
    const waiting = this.#take(reply.ref);
    if (!waiting) return;
    if (reply.outcome === "error") {
      waiting.reject(this.#refused(errorCode(reply), reply.problems ?? []));
      return;
    }
    const { version, mode, echo } = waiting;
    const out = this.#driver.engine.eval("encode", {
      version, what: "answer", id: 0, action: reply.outcome, mode,
      ...(reply.content && { content: reply.content }), ...(echo !== undefined && { echo }),
    });
    waiting.resolve((out["result"] ?? out) as ElicitResult);
  }

  #take(ref: string): Waiting | undefined {
    const waiting = this.#waiting.get(ref);
    this.#waiting.delete(ref);
    return waiting;
  }

  #refused(code: number, problems: Problem[]): RefusedError {
    const { problems: sentences = [] } = this.#driver.engine.eval("explain", { problems }) as { problems?: string[] };
    const at = problems[0]?.pointer ? ` (at ${problems[0].pointer})` : "";
    const more = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
    const message = `${sentences[0] ?? "Invalid request"}${at}${more}`;
    return new RefusedError(code, message, { problems });
  }
}

function errorCode({ cause }: Reply): number {
  if (cause === "invalid_request" || cause === "unsupported") return -32602;
  return cause === "rate_limited" || cause === "duplicate" ? -32600 : -32603;
}
