import type { End } from "./contract.ts";

/**
 * Answers a request: it takes the params and returns the result, or a promise of it. `signal` is aborted when the
 * request is withdrawn, and then the answer is not used.
 */
export type Handler<Params = Record<string, unknown>, Result = unknown> = (
  params: Params,
  signal: AbortSignal,
) => Result | Promise<Result>;

/** The params and the result of each method. */
type Methods = Record<string, { params: Record<string, unknown>; result: unknown }>;

interface Message {
  jsonrpc?: string;
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
}

const over = ["notifications/cancelled", "$/cancel_request", "serverRequest/resolved"];

/**
 * Handlers for a host that is the client: one function for each method that a server or an agent may ask for. The
 * machine decides first. Every question that it leaves open, and every request that it passes on, comes to the client,
 * and so to these handlers.
 *
 * A method without a handler gets the error -32601; the machine declines a question then. A handler that throws gives
 * the error -32000, whose message does not tell what went wrong, and `failed` gets what it threw. `M` has the types of
 * the params and the result of each method; left out, any method may come:
 *
 *     new Handlers<{ "currentTime/read": { params: { threadId: string }; result: { currentTimeAt: number } } }>(…)
 */
export class Handlers<M extends { [K in keyof M]: { params: object; result: unknown } } = Methods> {
  readonly #receive: (from: End, message: string) => unknown;
  readonly #failed: (why: unknown, method: string) => void;
  readonly #handlers = new Map<string, Handler>();
  readonly #running = new Map<string, AbortController>();

  /** `receive` takes the answers, such as `(from, message) => connection.receive(from, message)`. */
  constructor(
    receive: (from: End, message: string) => unknown,
    failed: (why: unknown, method: string) => void = () => {},
  ) {
    this.#receive = receive;
    this.#failed = failed;
  }

  /** Lets a function answer the requests of a method, in place of an earlier one. */
  on<Name extends keyof M & string>(method: Name, handler: Handler<M[Name]["params"], M[Name]["result"]>): void {
    this.#handlers.set(method, handler as Handler);
  }

  /**
   * Takes a message for the client. It returns false for one that is no request, which is the host's to read. It
   * returns at once, before any handler runs.
   */
  take(message: string | Uint8Array): boolean {
    const text = typeof message === "string" ? message : new TextDecoder().decode(message);
    const said = JSON.parse(text) as Message | null;
    if (said?.method === undefined) return false;
    if (said.id === undefined) {
      if (over.includes(said.method)) this.#end(JSON.stringify(said.params?.requestId));
      return false;
    }
    const key = JSON.stringify(said.id);
    this.#end(key); // the new request is the one to answer
    const running = new AbortController();
    this.#running.set(key, running);
    queueMicrotask(() => void this.#answer(said.method ?? "", key, said, running));
    return true;
  }

  #end(key: string): void {
    this.#running.get(key)?.abort();
    this.#running.delete(key);
  }

  async #answer(method: string, key: string, request: Message, running: AbortController): Promise<void> {
    const envelope = { ...(request.jsonrpc !== undefined && { jsonrpc: request.jsonrpc }), id: request.id };
    const handler = this.#handlers.get(method);
    let answer: string;
    try {
      answer = JSON.stringify(
        handler
          ? { ...envelope, result: (await handler(request.params ?? {}, running.signal)) ?? {} }
          : { ...envelope, error: { code: -32601, message: "this client has no handler for the method" } },
      );
    } catch (why) {
      answer = JSON.stringify({ ...envelope, error: { code: -32000, message: "the handler failed" } });
      if (!running.signal.aborted) this.#failed(why, method);
    }
    if (running.signal.aborted) return; // it was withdrawn meanwhile
    this.#running.delete(key);
    this.#receive("client", answer);
  }
}
