import { connect, type Connection } from "../connection.ts";
import type { Engine } from "../engine.ts";
import { EngineFault } from "../fault.ts";
import type { ConnectOptions, Host } from "../host.ts";
import type { Ui } from "../open-question.ts";
import type { Content, End, Mode, Problem } from "../contract.ts";

/** An `elicitation/create` request as the official SDKs pass it to a handler. */
export interface ElicitRequest {
  params?: { [member: string]: unknown } | undefined;
}

/** The answer as the official SDKs expect it. */
export interface ElicitResult {
  [member: string]: unknown;
  action: "accept" | "decline" | "cancel";
  content?: Content;
}

/** The second argument of a handler in the SDKs: `signal` is there in 1.x, `mcpReq.signal` in 2.x. */
export interface Extra {
  signal?: AbortSignal;
  mcpReq?: { signal?: AbortSignal };
}

/** The options of a handler: those of a connection, and the members of a host that the SDK and the ui lack. */
export interface HandlerOptions extends ConnectOptions, Pick<Host, "consult" | "failed"> {
  /** The name that you gave the server. People see it and policy matches it. It is never the name it gives itself. */
  server?: string;
  /** The protocol date in force; left out, 2025-11-25. A function is called at each connection's first question. */
  version?: string | (() => string | undefined);
  /** The owner of the session. */
  principal?: string;
}

/** A handler for `elicitation/create`, and the other parts that a client needs. */
export interface ElicitationHandler {
  (request: ElicitRequest, extra?: Extra): Promise<ElicitResult>;
  /** The value to declare under `capabilities.elicitation`. */
  readonly capability: { form?: Record<string, never>; url?: Record<string, never> };
  /** The handler for `notifications/elicitation/complete`. */
  readonly completed: (notification: { params: { elicitationId: string } }) => Promise<void>;
  /**
   * Answers the entries of an input-required result, for a client that sends the call again itself. Send the answers
   * with the unchanged `requestState`.
   */
  readonly responses: (inputRequests: InputRequests, extra?: Extra) => Promise<Record<string, ElicitResult>>;
  /** Call it when the connection is closed. It withdraws open questions. The next request begins a new session. */
  readonly close: () => Promise<void>;
}

export type InputRequests = Record<string, { method: string; params?: ElicitRequest["params"] }>;

/** The question was refused, and no person saw it. The SDKs reply with `code`, the message and `data`. */
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
 * Makes a handler that gives a server's questions to the engine and, if policy says so, shows them to a person. Any
 * number of handlers may share one engine. Each has its own machine in it, with its own queue, rate limit, grants and
 * journal.
 */
export function elicitationHandler(engine: Engine, ui: Ui, options: HandlerOptions = {}): ElicitationHandler {
  const connection = new HandlerConnection(engine, ui, options);
  return Object.assign((request: ElicitRequest, extra?: Extra) => connection.ask(request, extra), {
    capability: connection.capability,
    completed: ({ params }: { params: { elicitationId: string } }) => connection.completed(params),
    responses: (requests: InputRequests, extra?: Extra) => connection.responses(requests, extra),
    close: () => connection.close(),
  });
}

/** An answer that a caller waits for. */
interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** A message that the machine writes. */
interface Written {
  id?: number | string;
  params?: { name?: string; inputResponses?: unknown };
  result?: unknown;
  error?: { code: number; message: string; data: { problems: Problem[] } };
}

/**
 * The questions of one connection. The SDK reads the transport and passes on only the questions. This class rebuilds
 * the messages for the machine, with its own ids. It gives a question as a request of the server, and the entries
 * of an input-required result as the result of a call of the client.
 */
class HandlerConnection {
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
    const request = { id, method: "elicitation/create", params };
    return this.#exchange<ElicitResult>(id, "server", [["server", request]], extra);
  }

  async responses(requests: InputRequests, extra?: Extra): Promise<Record<string, ElicitResult>> {
    for (const [key, { method }] of Object.entries(requests)) {
      if (method !== "elicitation/create")
        throw new TypeError(`${key} asks for ${method}, which is not for this handler`);
    }
    if (Object.keys(requests).length === 0) return {};
    const id = ++this.#asked;
    // This call takes the place of the client's own call. It is not a call of a tool.
    const call = { id, method: "prompts/get", params: { name: String(id) } };
    const result = { resultType: "input_required", inputRequests: requests };
    return this.#exchange(
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
    await this.#connection?.receive("server", stringify({ method: "notifications/elicitation/complete", params }));
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(new Error("the connection is closed"));
    await connection?.do({ event: "ended", end: "server" }).catch(() => {}); // the connection has ended already
    await connection?.shutdown();
  }

  /**
   * Gives the machine messages and waits for its answer with the id `id`. On an abort, it gives the machine the
   * cancellation that the end `asker` would send.
   */
  async #exchange<T>(id: number, asker: End, messages: [End, object][], extra: Extra = {}): Promise<T> {
    const signal = extra.signal ?? extra.mcpReq?.signal;
    signal?.throwIfAborted();
    const connection = (this.#connection ??= this.#open());
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const give = (from: End, message: object) =>
      void connection.receive(from, stringify(message)).catch((why: unknown) => this.#take(id)?.reject(why));
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

  /** Opens the connection. */
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
        write: (to, message) => this.#receive(to, JSON.parse(String(message)) as Written),
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

  /** Takes a message of the machine: an answer to a question, an error, or a call with the answers to entries. */
  #receive(to: End, { id, params, result, error }: Written): void {
    const call = Number(params?.name);
    if (to === "server" && params?.inputResponses !== undefined) {
      this.#take(call)?.resolve(params.inputResponses);
      // Tell the machine too that the call has ended.
      void this.#connection?.receive("server", stringify({ id, result: {} })).catch(() => {});
    } else if (error) this.#take(Number(id))?.reject(new RefusedError(error.code, error.message, error.data));
    else if (to === "server" && result !== undefined) this.#take(Number(id))?.resolve(result);
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

const stringify = (message: object) => JSON.stringify({ jsonrpc: "2.0", ...message });
