import type { End } from "./relay-event.ts";

/** Answers a request: it takes the params and returns the result, or a promise of it. */
export type Handler = (params: Record<string, unknown>) => unknown;

interface Message {
  jsonrpc?: string;
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
}

const over = ["notifications/cancelled", "$/cancel_request", "serverRequest/resolved"];

/**
 * Handlers for a host that is the client: one function for each method that a server or an agent may ask for. The
 * machine decides first. What it leaves open, and every request that it passes on, comes to the client, and so to these
 * handlers.
 *
 * A method without a handler gets the error -32601; the machine declines a question then. A handler that throws gives
 * the error -32000, whose message does not tell what went wrong, and `failed` gets what it threw.
 */
export class Handlers {
  readonly #receive: (from: End, message: string) => unknown;
  readonly #failed: (why: unknown, method: string) => void;
  readonly #handlers = new Map<string, Handler>();
  readonly #open = new Set<string>();

  /** `receive` takes the answers, such as `(from, message) => connection.receive(from, message)`. */
  constructor(
    receive: (from: End, message: string) => unknown,
    failed: (why: unknown, method: string) => void = () => {},
  ) {
    this.#receive = receive;
    this.#failed = failed;
  }

  /** Lets a function answer the requests of a method, in place of an earlier one. */
  on(method: string, handler: Handler): void {
    this.#handlers.set(method, handler);
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
      if (over.includes(said.method)) this.#open.delete(JSON.stringify(said.params?.requestId));
      return false;
    }
    const key = JSON.stringify(said.id);
    this.#open.add(key);
    queueMicrotask(() => void this.#answer(said.method ?? "", key, said));
    return true;
  }

  async #answer(method: string, key: string, request: Message): Promise<void> {
    const envelope = { ...(request.jsonrpc !== undefined && { jsonrpc: request.jsonrpc }), id: request.id };
    const handler = this.#handlers.get(method);
    let answer: string;
    try {
      answer = JSON.stringify(
        handler
          ? { ...envelope, result: (await handler(request.params ?? {})) ?? {} }
          : { ...envelope, error: { code: -32601, message: "this client has no handler for the method" } },
      );
    } catch (why) {
      answer = JSON.stringify({ ...envelope, error: { code: -32000, message: "the handler failed" } });
      this.#failed(why, method);
    }
    if (!this.#open.delete(key)) return; // it was withdrawn meanwhile
    this.#receive("client", answer);
  }
}
