import { connect, type Connection } from "../connection.ts";
import type { Engine } from "../engine.ts";
import { EngineFault } from "../fault.ts";
import type { ConnectOptions, Host } from "../host.ts";
import type { Ui } from "../open-question.ts";
import type { Content, Mode, Problem } from "../question.ts";
import type { End } from "../relay-event.ts";

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

/** Options of a handler: those of a connection, and the part of a host that is left beside the SDK and the ui. */
export interface HandlerOptions extends ConnectOptions, Pick<Host, "consult" | "failed"> {
  /** The name you gave the server: shown to the person, matched by policy. Never the name it gives itself. */
  server?: string;
  /** The protocol date in force; left out, 2025-11-25. A function is asked at the first question of each connection. */
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
  /**
   * Answers the entries of an input-required result, for a client that calls again by itself. Send them with the state
   * as it came.
   */
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
 * Makes a handler that puts a server's questions through the engine and, where policy says so, before a person. Any
 * number of handlers may share one engine: each has a machine of its own in it, with a queue, a rate, grants and a
 * journal of its own.
 */
export function elicitationHandler(engine: Engine, ui: Ui, options: HandlerOptions = {}): ElicitationHandler {
  const desk = new Desk(engine, ui, options);
  return Object.assign((request: ElicitRequest, extra?: Extra) => desk.ask(request, extra), {
    capability: desk.capability,
    completed: ({ params }: { params: { elicitationId: string } }) => desk.completed(params),
    responses: (requests: InputRequests, extra?: Extra) => desk.responses(requests, extra),
    close: () => desk.close(),
  });
}

/** One answer that a peer waits for. */
interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** A message as the machine writes it. */
interface Written {
  id?: number | string;
  params?: { name?: string; inputResponses?: unknown };
  result?: unknown;
  error?: { code: number; message: string; data: { problems: Problem[] } };
}

/**
 * The questions of one connection. The SDK owns the wire and hands over the questions, so this gives the machine the
 * messages that they came in, under ids of its own. A question is a request of the server. The entries of a round are
 * the answer to a call of the client.
 */
class Desk {
  readonly capability: { form?: Record<string, never>; url?: Record<string, never> };
  readonly #engine: Engine;
  readonly #ui: Ui;
  readonly #options: HandlerOptions;
  readonly #modes: readonly Mode[];
  readonly #waiting = new Map<number, Waiting>();
  #connection: Connection | undefined;
  #asked = 0;

  constructor(engine: Engine, ui: Ui, options: HandlerOptions) {
    this.#engine = engine;
    this.#ui = ui;
    this.#options = options;
    this.#modes = ui.modes ?? ["form", "url"];
    this.capability = Object.fromEntries(this.#modes.map((mode) => [mode, {}]));
  }

  ask({ params = {} }: ElicitRequest, extra?: Extra): Promise<ElicitResult> {
    const id = ++this.#asked;
    return this.#wait<ElicitResult>(id, "server", [["server", { id, method: "elicitation/create", params }]], extra);
  }

  async responses(requests: InputRequests, extra?: Extra): Promise<Record<string, ElicitResult>> {
    for (const [key, { method }] of Object.entries(requests)) {
      if (method !== "elicitation/create")
        throw new TypeError(`${key} asks for ${method}, which is not for this handler`);
    }
    if (Object.keys(requests).length === 0) return {};
    const id = ++this.#asked;
    const call = { id, method: "prompts/get", params: { name: String(id) } }; // stands for the client's own; of no tool
    const result = { resultType: "input_required", inputRequests: requests };
    return this.#wait(
      id,
      "client",
      [
        ["client", call],
        ["server", { id, result }],
      ],
      extra,
    );
  }

  async completed(params: { elicitationId: string }): Promise<void> {
    await this.#connection?.receive("server", spelled({ method: "notifications/elicitation/complete", params }));
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(new Error("the connection is closed"));
    await connection?.do({ event: "ended", end: "server" }).catch(() => {}); // over already
    await connection?.shutdown();
  }

  /**
   * Gives the machine messages and waits for what it answers under `id`. An abort is told it as `asker` would tell it.
   */
  async #wait<T>(id: number, asker: End, messages: [End, object][], extra: Extra = {}): Promise<T> {
    const signal = extra.signal ?? extra.mcpReq?.signal;
    signal?.throwIfAborted();
    const connection = (this.#connection ??= this.#open());
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const give = (from: End, message: object) =>
      void connection.receive(from, spelled(message)).catch((why: unknown) => this.#take(id)?.reject(why));
    const cancel = () => {
      give(asker, { method: "notifications/cancelled", params: { requestId: id } });
      this.#take(id)?.reject(signal!.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    for (const [from, message] of messages) give(from, message);
    try {
      return (await answer) as T;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** The connection, opened at the first question. */
  #open(): Connection {
    const { server = "server", version: known, principal, consult, failed, ...options } = this.#options;
    const version = (typeof known === "function" ? known() : known) ?? "2025-11-25";
    const connection = connect(
      this.#engine,
      {
        server,
        role: "client",
        modes: this.#modes,
        session: { version, declared: this.#modes },
        ...(principal !== undefined && { principal }),
      },
      {
        ui: this.#ui,
        write: (to, message) => this.#written(to, JSON.parse(String(message)) as Written),
        ...(consult && { consult }),
        failed: (why) => {
          failed?.(why);
          if (why instanceof EngineFault) for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(why);
        },
      },
      options,
    );
    return connection;
  }

  /** Takes a message of the machine: an answer to a question, a call with the answers of a round, or an error. */
  #written(to: End, { id, params, result, error }: Written): void {
    const call = Number(params?.name);
    if (to === "server" && params?.inputResponses !== undefined) {
      this.#take(call)?.resolve(params.inputResponses);
      // The call is over for the machine too.
      void this.#connection?.receive("server", spelled({ id, result: {} })).catch(() => {});
    } else if (error) this.#take(Number(id))?.reject(new RefusedError(error.code, error.message, error.data));
    else if (to === "server" && result !== undefined) this.#take(Number(id))?.resolve(result);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

const spelled = (message: object) => JSON.stringify({ jsonrpc: "2.0", ...message });
