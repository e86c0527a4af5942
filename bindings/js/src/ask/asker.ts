import type { AskerConfiguration, AskerMachine } from "../asker.ts";
import type { AskerReply, ListedQuestion, PageReply, PageRequest, ToldEvent } from "../asker-event.ts";
import type { Content, OpenPage, Problem } from "../contract.ts";
import type { Action } from "../codes.ts";
import { dispose } from "../dispose.ts";
import type { Engine } from "../engine.ts";
import { EngineFault, InputError } from "../fault.ts";
import { AskError, UnfitError, coded, taken } from "./errors.ts";
import { Loop, type Carrier } from "./loop.ts";
import type { AskerOptions, QuestionOptions } from "./options.ts";
import { answerOf, hooked, posing, type Answer, type Next, type Question } from "./question.ts";
import { check, jsonSchema, type FormSchema, type Standard } from "./schema.ts";
import {
  clientOf, intercept, notifying, sending, signalOf, tokenOf, type CallRequest, type Caller, type Context, type Handler,
  type Result, type SdkServer,
} from "./sdk.ts";
import { ownKey, random } from "./seal.ts";

/** Tells for which call the running code computes a value. Every platform for servers has one. */
interface Computing { getStore(): string | undefined; run<T>(call: string, doing: () => T): T }
type Platform = { process?: { getBuiltinModule?(name: string): { AsyncLocalStorage: new () => Computing } } };
const storage = (globalThis as Platform).process?.getBuiltinModule?.("node:async_hooks").AsyncLocalStorage;
const computing = storage && new storage();

/** An event without its name. */
type Unnamed<E> = E extends { ref: string } ? Omit<E, "ref"> : never;

/** A run of a handler. */
interface Run { call: string; caller: Caller; server: SdkServer; context: Context }

/** Lets the tools, prompts and resources of servers ask the person behind a client. See `createAsker`. */
export class Asker implements Disposable {
  readonly #engine: Engine;
  readonly #options: AskerOptions;
  readonly #fallback: string;
  readonly #machine: AskerMachine;
  readonly #loop: Loop;
  readonly #running = new WeakMap<object, Run>();
  readonly #sessions = new WeakMap<SdkServer, string>();
  #refs = 0;
  #mostBody = 0;

  constructor(engine: Engine, options: AskerOptions) {
    const { server, page, fallback = "elicitation_result", order, ttl, attempts } = options;
    const { store, keep, keepJournal, results, progress, journal } = options;
    this.#engine = engine;
    this.#options = options;
    this.#fallback = fallback || "";
    this.#machine = engine.asker({
      server: server.name, config: server.config, page: page?.base, page_only: page?.only,
      sign_in: page?.signIn, fallback: this.#fallback, order, attempts, store: store !== undefined,
      ttl_ms: ttl === undefined ? ttl : Math.floor(ttl) || 1, journal: journal !== undefined, keep_ms: keep,
      keep_journal_ms: keepJournal, results_ms: results, progress_ms: progress,
    } as AskerConfiguration);
    const keys = [...(options.keys ?? [ownKey()])];
    const sealing = (operation: "seal" | "unseal", given: object) =>
      engine.eval<"seal" | "unseal">(operation, { keys, ...given } as never);
    const tried = sealing("seal", { random: random(32), purpose: "state", claims: { issued_at: 0, expires_at: 1 } });
    if ("problems" in tried) throw new InputError("the keys", tried.problems); // before the first question
    this.#loop = new Loop({
      ...options, machine: this.#machine, sealing,
      opened: (opened) => page?.opened?.(opened),
    });
  }

  /**
   * Lets the tools, prompts and resources of a server ask. Wrap the server before they are registered. It takes an
   * `McpServer` or a `Server` of the official SDK 1.x or 2.x, and returns it.
   */
  wrap<S extends object>(given: S): S {
    const server = ("server" in given ? given.server : given) as SdkServer;
    let list: Handler | undefined;
    const asks = (handler: Handler): Handler => (request, context) => this.#call(server, handler, request, context);
    intercept(server, {
      "prompts/get": asks,
      "resources/read": asks,
      "tools/call": (handler) => (request, context) => this.#call(server, handler, request, context, list),
      "tools/list": (handler) => {
        list = handler;
        return (request, context) => this.#list(server, handler, request, context);
      },
    });
    const closed = server.onclose;
    server.onclose = () => {
      closed?.();
      const session = this.#sessions.get(server);
      if (session !== undefined) this.#tell({ event: "closed", session }).catch(() => {});
    };
    return given;
  }

  /** Asks any question. `visit` gets the id for `completed`, of a URL that waits. */
  async raw(given: Context, question: Question, visit?: Carrier["visit"]): Promise<Answer> {
    const { call, context, server } = this.#run(given);
    const put: Next = async (posed) => {
      const carrier = { send: sending(context), signal: signalOf(context), visit };
      const reply = await this.#tell({ event: "posed", call, ...posing(posed) }, carrier);
      if (reply.notice) {
        const { method, params } = reply.notice;
        void server.notification({ method, params } as never).catch(() => {}); // it leaves before the call's result
      }
      return answerOf(taken(reply).settle!);
    };
    const { hooks = [] } = this.#options;
    if (hooks.length === 0) return put(question);
    const answer = await hooked(hooks, put, given)(question);
    const { mode, schema = {} } = question;
    if (mode === "form") taken(await this.#tell({ event: "checked", schema, content: answer.content ?? {} }));
    return answer;
  }

  /** Asks with a form. The schema is that of a library such as zod, or a JSON Schema. */
  async form<T>(context: Context, message: string, schema: Standard<T>, options?: QuestionOptions): Promise<T>;
  async form(context: Context, message: string, schema: object, options?: QuestionOptions): Promise<Content>;
  async form<T>(
    context: Context, message: string, schema: FormSchema<T>, options: QuestionOptions & { secret?: true } = {},
  ): Promise<T> {
    const form = jsonSchema(schema);
    let text = message;
    for (let attempt = 1; ; attempt++) {
      const { content } = await this.raw(context, { mode: "form", message: text, schema: form, ...options });
      const checked = await check(schema, content ?? {}, options.secret);
      if ("value" in checked) return checked.value;
      if (attempt === (this.#options.attempts ?? 3)) throw new UnfitError("attempts_used", checked.wrong);
      text = `${message}\n\n${checked.wrong}`;
    }
  }

  /** Asks for a yes. True is a yes and false is a no. */
  async confirm(context: Context, message: string, options: QuestionOptions = {}): Promise<boolean> {
    const asked = this.raw(context, { mode: "form", message, schema: { type: "object", properties: {} }, ...options });
    return asked.then(() => true, (error: { code?: unknown }) => {
      if (error.code === "declined") return false;
      throw error;
    });
  }

  /** Asks for one of the choices: a list, or an object from values to titles. */
  async choose<const C extends string>(
    context: Context, message: string, choices: readonly C[] | Readonly<Record<C, string>>, options?: QuestionOptions,
  ): Promise<C> {
    const titled = Array.isArray(choices) ? choices.map((value: C) => [value, value]) : Object.entries(choices);
    const choice = { type: "string", oneOf: titled.map(([value, title]) => ({ const: value, title })) };
    const schema = { type: "object", required: ["choice"], properties: { choice } };
    const { content } = await this.raw(context, { mode: "form", message, schema, ...options });
    return content?.["choice"] as C;
  }

  /**
   * Asks the person to open a page, and resolves when they agree. With `wait`, it resolves when `completed` was called
   * with the id that `wait` gets, maybe again in a later run. The person gets the URL when `wait` has resolved.
   */
  async url(
    context: Context, message: string, url: string,
    { wait, ...rest }: Omit<QuestionOptions, "principal"> & { wait?: Carrier["visit"] } = {},
  ): Promise<void> {
    await this.raw(context, { mode: "url", message, url, ...(wait && { wait: true }), ...rest }, wait);
  }

  /**
   * Asks for a secret on the server's own page, with the schema of a form or for one text under a label. Neither client
   * nor model sees the answer.
   */
  async secret<T>(context: Context, message: string, schema: Standard<T>, options?: QuestionOptions): Promise<T>;
  async secret(
    context: Context, message: string, schema: { properties: object }, options?: QuestionOptions,
  ): Promise<Content>;
  async secret(context: Context, message: string, options?: QuestionOptions & { label?: string }): Promise<string>;
  async secret(context: Context, message: string, given: object = {}, options: QuestionOptions = {}): Promise<unknown> {
    if ("~standard" in given || "properties" in given)
      return this.form(context, message, given, { ...options, secret: true } as object);
    const { label = "Secret", ...rest } = given as QuestionOptions & { label?: string };
    const secret = { type: "string", title: label, minLength: 1 };
    const schema = { type: "object", properties: { secret }, required: ["secret"] };
    const { content } = await this.raw(context, { mode: "form", message, schema, secret: true, ...rest });
    return content?.["secret"] as string;
  }

  /**
   * Computes a value once in the life of a call, such as a plan to show. A later run gets the value of the first.
   * Like a question, a value is known by its place in the handler and by `key`, on nodes in Go and Python by its type.
   * It is what JSON makes of it, and is kept with the next question of its call. All values of a call have at most
   * 32 KiB. An error of `compute` is thrown and not kept. `compute` cannot ask: `no_call`.
   */
  async once<T>(context: Context, compute: () => T | Promise<T>, key = ""): Promise<T> {
    const of = { call: this.#run(context).call, key };
    const kept = taken(await this.#tell({ event: "kept", ...of }));
    if (kept.value !== undefined) return kept.value as T;
    const doing = async () => compute();
    const text = JSON.stringify(await (computing ? computing.run(of.call, doing) : doing())) as string | undefined;
    if (text === undefined) throw new TypeError("a value that is kept must be JSON");
    const value: unknown = JSON.parse(text);
    taken(await this.#tell({ event: "computed", ...of, position: kept.position ?? 0, value }));
    return value as T;
  }

  /**
   * The key of the call, which is the same in every run of its handler and in every process, for payments. Ask for it
   * before the first question: otherwise no other process runs the handler again when this one was killed.
   */
  async key(context: Context): Promise<string> {
    return taken(await this.#tell({ event: "keyed", call: this.#run(context).call })).value as string;
  }

  /** Who called the tool of a context. Undefined for a context that no running handler has. */
  caller(context: Context): Caller | undefined {
    return this.#of(context)?.caller;
  }

  /** The question of an open page, or undefined for a link that names none. A link is what follows `page.base`. */
  async page(link: string): Promise<OpenPage | undefined> {
    const open = found(await this.#tell({ event: "viewed", link }))?.page?.open;
    return open && { ...open, link };
  }

  /** Gives an answer from the server's own page. It resolves with the problems of the answer, none if it was taken. */
  async submit(
    link: string, { principal = "", ...answer }: { action: Action; content?: Content; principal?: string },
  ): Promise<Problem[]> {
    const reply = await this.#tell({ event: "submitted", link, client: { principal }, ...answer });
    return reply.problems ?? (found(reply) ? [] : [{ code: "unknown_request", pointer: "" }]);
  }

  /**
   * Gives an open page to the first browser, which `browser` names by a digest of its cookie. It rejects with a
   * `ClaimError` for another browser, and a `PrincipalError` for another person. False if no such question is open.
   */
  async claim(link: string, browser: string, principal = ""): Promise<boolean> {
    return found(await this.#tell({ event: "claimed", link, browser, principal })) !== undefined;
  }

  /** The most bytes of a body that the pages take. */
  get mostBody(): number {
    return (this.#mostBody ||= this.#engine.describe().asking!.asker.most_body);
  }

  /** Answers a request to the server's own pages. `fetchPages` and `nodePages` hand it those of a web server. */
  async serve(request: PageRequest): Promise<{ response: PageReply; why?: string }> {
    const { response, why } = await this.#tell({ event: "requested", request });
    return { response: response!, ...(why !== undefined && { why }) };
  }

  /**
   * Reports, in any process, that the flow behind a URL is finished. `id` is what `wait` got. It rejects with an
   * `UnknownError` if no question waits.
   */
  async completed(id: string): Promise<void> {
    taken(await this.#tell({ event: "completed", id }));
  }

  /**
   * The open questions of all processes that a principal caused or may answer, everybody's without one. With `more`
   * there are others, which are listed when these are over.
   */
  async openQuestions(principal = ""): Promise<{ questions: ListedQuestion[]; more: boolean }> {
    return { more: false, ...taken(await this.#tell({ event: "listed", principal })).listed! };
  }

  /** Takes back an open question. `by` says who did it, for the history. False if no such question is open. */
  async cancel(id: string, by: string): Promise<boolean> {
    return found(await this.#tell({ event: "cancelled", id, by })) !== undefined;
  }

  /** Settles every open question as a shutdown. Sessions in a store stay there, for other processes. */
  async close(): Promise<void> {
    await this.#tell({ event: "closed" });
  }

  [dispose](): void {
    void this.close();
  }

  /** The reply to an event under a new name. */
  #tell(event: Unnamed<ToldEvent>, carrier?: Carrier): Promise<AskerReply> {
    return this.#loop.tell({ ref: String(++this.#refs), ...event } as ToldEvent, carrier);
  }

  /** The reply to an event, or to the other one if the machine cannot read the first: that has changed nothing. */
  async #readable(event: ToldEvent, other: ToldEvent): Promise<AskerReply> {
    return this.#loop.tell(event).catch((error: unknown) => {
      if (error instanceof EngineFault) throw error;
      return this.#loop.tell(other);
    });
  }

  #of(context: Context): Run | undefined {
    return this.#running.get(context) ?? this.#running.get(context.mcpReq ?? context);
  }

  #run(context: Context): Run {
    const run = this.#of(context);
    if (run && computing?.getStore() !== run.call) return run;
    throw new AskError("no_call", run ? "what once computes cannot ask" :
      "ask with the context that the handler got, of a server that was wrapped");
  }

  /** Who calls, as the machine reads it. Without the transport's name of the session, the server has a random one. */
  #client(server: SdkServer, context: Context): ReturnType<AskerMachine["client"]> {
    const session = context.sessionId ?? this.#sessions.get(server) ?? random(16);
    const given = clientOf(server, context);
    const principal = this.#options.principal?.(context) ?? "";
    const known = this.#machine.client({ ...given, principal, ...(given.requests && { session }) });
    if (known.client.session) this.#sessions.set(server, session);
    return known;
  }

  async #list(server: SdkServer, handler: Handler, request: CallRequest, context: Context): Promise<Result> {
    const result = await handler(request, context);
    const { tool } = this.#client(server, context);
    if (!tool || result["nextCursor"] !== undefined) return result;
    return { ...result, tools: [...(result["tools"] as unknown[]), tool] };
  }

  async #call(
    server: SdkServer, handler: Handler, request: CallRequest, context: Context, list?: Handler,
  ): Promise<Result> {
    const { method, params } = request;
    const { client, tool } = this.#client(server, context);
    // A text for the model stands in for the result, which the tool's output schema may forbid.
    const structured = list !== undefined && tool !== undefined && (await promises(list, params.name, context));
    const call = random(16);
    this.#loop.notifies.set(call, notifying(context));
    try {
      const calling = {
        event: "called", call, client, method, structured, arguments: params.arguments, token: tokenOf(context),
        target: params.name ?? params.uri,
        state: context.mcpReq?.requestState?.(), responses: context.mcpReq?.inputResponses,
      } as never as ToldEvent & { state?: unknown };
      // A handler that asks nothing may take what no machine reads. The machine lets no call with "" ask or go on.
      const bare = { event: "called", call, client, method, arguments: "", state: calling.state && "unread" };
      const begun = await this.#readable(calling, bare as never);
      if (begun.error || begun.result) return answered(begun); // another run has the answer, or nobody knows it
      taken(begun);
      const { target, arguments: given } = begun.resume ?? {}; // of the call that waited for what a model passes on
      const wanted = begun.resume ? { ...request, params: { ...params, name: target, arguments: given } } : request;
      const run = { call, caller: client, server, context };
      for (const key of [context, context.mcpReq]) if (key) this.#running.set(key, run);
      const [done] = await Promise.allSettled([(async () => handler(wanted as CallRequest, context))()]);
      const returned = { event: "returned", call, cancelled: signalOf(context)?.aborted ?? false } as const;
      const made = done.status === "fulfilled" ? { result: done.value } : { error: wire(done.reason) };
      const end = await this.#readable({ ...returned, ...(begun.keep && made) } as ToldEvent, returned);
      if (end.error || end.result) return answered(end);
      taken(end);
      if (done.status === "rejected") throw done.reason;
      return done.value;
    } catch (error) {
      throw coded(error);
    } finally {
      this.#loop.notifies.delete(call);
    }
  }
}

/** Whether a tool promises structured content. */
async function promises(list: Handler, tool: string | undefined, context: Context, params = {}): Promise<boolean> {
  const { tools, nextCursor: cursor } = await list({ method: "tools/list", params }, context);
  const found = (tools as { name: string; outputSchema?: unknown }[]).find(({ name }) => name === tool);
  return found ? found.outputSchema !== undefined : cursor !== undefined && promises(list, tool, context, { cursor });
}

/** The reply, or undefined if nothing has that name. */
const found = (reply: AskerReply) => (reply.failed === "session_closed" ? undefined : taken(reply));

/** What the machine answers a call with, in place of its handler. */
function answered({ error, result }: AskerReply): Result {
  if (error) throw Object.assign(new Error(error.message), error);
  return result!;
}

/** An error as it is kept. */
const wire = (error: unknown) => {
  const { code, message } = (coded(error) ?? {}) as { code?: unknown; message?: unknown };
  return { code: Number.isInteger(code) ? code : -32603, message: String(message ?? error) };
};