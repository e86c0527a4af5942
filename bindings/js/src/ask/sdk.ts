import type { AskerClient } from "../asker-event.ts";
import type { Carrier, Notify } from "./loop.ts";

/** The members of the second argument of a handler, in the official SDK 1.x and 2.x. */
export interface Context {
  _meta?: { progressToken?: unknown };
  signal?: AbortSignal;
  sessionId?: string;
  requestInfo?: unknown;
  sendRequest?(request: unknown, schema: never, options?: unknown): Promise<unknown>;
  sendNotification?(notification: unknown): Promise<void>;
  mcpReq?: {
    _meta?: { progressToken?: unknown };
    signal?: AbortSignal;
    envelope?: Record<string, unknown>;
    inputResponses?: Record<string, unknown>;
    requestState?(): unknown;
    send(request: never, schema: never, options?: never): Promise<unknown>;
    notify(notification: never): Promise<void>;
  };
  http?: unknown;
}

/** A request to call a tool, to get a prompt or to read a resource. */
export interface CallRequest {
  method: string;
  params: { name?: string; uri?: string; arguments?: Record<string, unknown> };
}

export type Result = Record<string, unknown>;
export type Handler = (request: CallRequest, context: Context) => Result | Promise<Result>;

/** The low-level server of either SDK. */
export interface SdkServer {
  setRequestHandler: (method: never, ...rest: never[]) => unknown;
  assertCanSetRequestHandler(method: never): void;
  notification(notification: never): Promise<void>;
  getClientCapabilities(): unknown;
  getNegotiatedProtocolVersion?(): string | undefined;
  onclose?: (() => void) | undefined;
}

/** Who called the tool, the prompt or the resource of a context, as the machine reads it. */
export type Caller = Omit<AskerClient, "capabilities">;

const capabilities = "io.modelcontextprotocol/clientCapabilities";
const revision = "io.modelcontextprotocol/protocolVersion";

/** What a request, or the beginning of its session, tells of the client. The machine reads it. */
export function clientOf(server: SdkServer, context: Context): AskerClient {
  const envelope = context.mcpReq?.envelope;
  const version = (envelope?.[revision] as string | undefined) ?? server.getNegotiatedProtocolVersion?.();
  const http = context.http !== undefined || context.requestInfo !== undefined;
  const stateless = http && context.sessionId === undefined; // the response would reach another instance
  return {
    capabilities: (envelope?.[capabilities] ?? server.getClientCapabilities() ?? {}) as object,
    ...(version !== undefined && { version }),
    requests: !stateless,
  };
}

export const signalOf = (context: Context): AbortSignal | undefined => context.mcpReq?.signal ?? context.signal;

/** A schema of either SDK that takes every result as it is: the machine checks answers itself. */
const raw = {
  safeParse: (data: unknown) => ({ success: true, data }),
  "~standard": { version: 1, vendor: "elicit", validate: (value: unknown) => ({ value }) },
} as never;

/** Sends requests on the stream of the call that the context belongs to. */
export const sending = (context: Context): NonNullable<Carrier["send"]> => async ({ method, params }, signal) => {
  const options = { signal, timeout: 2 ** 31 - 1 };
  if (context.mcpReq) return context.mcpReq.send({ method, params } as never, raw, options as never);
  if (context.sendRequest) return context.sendRequest({ method, params }, raw, options);
  throw new TypeError("the context of the handler cannot send requests");
};

/** Under which token the client hears of the progress of a call. */
export const tokenOf = (context: Context): unknown => (context.mcpReq?._meta ?? context._meta)?.progressToken;

/** Sends notifications on the stream of the call that the context belongs to. */
export const notifying = (context: Context): Notify => async (notification) =>
  context.mcpReq ? context.mcpReq.notify(notification as never) : context.sendNotification?.(notification);

/** The name of the method that a handler is set for: a text in 2.x, a schema with a literal in 1.x. */
function methodOf(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  const method = (given as { shape?: { method?: { value?: unknown; _def?: { value?: unknown } } } }).shape?.method;
  const value = method?.value ?? method?._def?.value;
  return typeof value === "string" ? value : undefined;
}

/** Lets handlers of a server pass through others, by method. They must not be set yet. */
export function intercept(server: SdkServer, by: Record<string, (handler: Handler) => Handler>): void {
  for (const method of Object.keys(by)) server.assertCanSetRequestHandler(method as never);
  const set = server.setRequestHandler.bind(server) as (...all: unknown[]) => unknown;
  server.setRequestHandler = ((method: unknown, handler: Handler, ...more: unknown[]) => {
    const around = more.length === 0 ? by[methodOf(method) ?? ""] : undefined;
    return set(method, around ? around(handler) : handler, ...more);
  }) as SdkServer["setRequestHandler"];
}
