import type { AskingConfiguration } from "../asking.ts";
import type { AskingEffect, AskingEvent, Interrupting, OpenPage } from "../asking-event.ts";
import type { Configuration } from "../configuration.ts";
import { dispose } from "../dispose.ts";
import type { Engine } from "../engine.ts";
import type { Host, Journal } from "../host.ts";
import type { Content, Problem } from "../question.ts";
import type { Store } from "../store/store.ts";
import { AskError, ClaimError, UnfitError, failure } from "./errors.ts";
import { submitTool, told } from "./fallback.ts";
import { answerOf, hooked, type Answer, type Hook, type Question } from "./question.ts";
import { check, jsonSchema, type FormSchema, type Standard } from "./schema.ts";
import { clientOf, methodOf, type Client, type Context, type Handler, type Result, type SdkServer } from "./sdk.ts";
import { Sealer, StateError, type Key } from "./seal.ts";
import { Run, mostPositions } from "./run.ts";
import { opened, unlessClosed, type Running } from "./running.ts";
import { problemsOf, separator, type Session } from "./session.ts";
import { Sessions, random } from "./sessions.ts";

/** The options of an asker. Only the name of the server is required. */
export interface AskerOptions extends Pick<Host, "consult"> {
  server: { name: string; /** Policy, limits and guardians. */ config?: Configuration };
  /** The server's own pages: the beginning of their links, and what learns that a page was opened. */
  page?: { base: string; opened?(page: OpenPage): void; only?: readonly string[] };
  /** The tool with which a model passes on an answer; left out, `elicitation_result`; false for none. */
  fallback?: string | false;
  /** Keys for the state that a client carries, the first of which seals. Servers of several processes share them. */
  keys?: readonly Key[];
  /** The principal behind a request, as the server knows it. */
  principal?(context: Context): string | undefined;
  order?: AskingConfiguration["order"];
  /** Milliseconds that a question may stay open; left out, five minutes. */
  ttl?: number;
  attempts?: number;
  /** See every question on its way out and every answer on its way back. The first is the outermost. */
  hooks?: readonly Hook[];
  /**
   * Keeps the sessions, so that an answer may come to any process of the server, and a process may end at any time. Its
   * texts and answers are in clear. Without a store, this process keeps the sessions.
   */
  store?: Store;
  /** Milliseconds that the store keeps journal and history; left out, 90 days. */
  keep?: number;
  journal?: Journal;
}

/** The principal that called the tool of a context. */
export interface Caller extends Client {
  principal: string;
}

/** The members of a form beside its message and schema. */
export interface QuestionOptions {
  /** Milliseconds that this question may stay open. */
  ttl?: number;
  /** A form: who answers, such as a second approver, on the server's own page. The caller passes its link on. */
  principal?: string;
}

/** Lets the tools of servers ask the person behind a client. See `createAsker`. */
export class Asker implements Disposable {
  readonly #engine: Engine;
  readonly #options: AskerOptions;
  readonly #fallback: string;
  readonly #sealer: Sealer;
  readonly #sessions: Sessions;
  readonly #running = new WeakMap<object, Running>();

  constructor(engine: Engine, options: AskerOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#fallback = options.fallback === false ? "" : (options.fallback ?? "elicitation_result");
    this.#sealer = new Sealer(engine, options.server.name, options.keys);
    this.#sessions = new Sessions(engine, options, this.#fallback);
  }

  /**
   * Lets the tools of a server ask. Wrap the server before its tools are registered. It takes an `McpServer` or a
   * `Server` of the official SDK 1.x or 2.x, and returns it.
   */
  wrap<S extends object>(given: S): S {
    const server = ("server" in given ? given.server : given) as SdkServer;
    for (const method of ["tools/call", "tools/list"]) server.assertCanSetRequestHandler(method as never);
    const set = server.setRequestHandler.bind(server) as (method: unknown, handler: Handler) => unknown;
    let list: Handler | undefined;
    server.setRequestHandler = ((method: unknown, handler: Handler, ...more: unknown[]) => {
      const name = more.length === 0 ? methodOf(method) : undefined;
      if (name === "tools/list") {
        list = handler;
        return set(method, (request, context) => this.#list(server, handler, request, context));
      }
      if (name === "tools/call")
        return set(method, (request, context) => this.#call(server, handler, list, request, context));
      return (set as (...all: unknown[]) => unknown)(method, handler, ...more);
    }) as SdkServer["setRequestHandler"];
    const closed = server.onclose;
    server.onclose = () => {
      closed?.();
      this.#sessions.gone(server);
    };
    return given;
  }

  /** Asks any question. */
  raw(context: Context, question: Question): Promise<Answer> {
    return this.#ask(context, question);
  }

  /** Asks with a form. The schema is that of a library such as zod, or a JSON Schema. */
  async form<T>(context: Context, message: string, schema: Standard<T>, options?: QuestionOptions): Promise<T>;
  async form(context: Context, message: string, schema: object, options?: QuestionOptions): Promise<Content>;
  async form<T>(context: Context, message: string, schema: FormSchema<T>, options: QuestionOptions = {}): Promise<T> {
    const form = jsonSchema(schema);
    let text = message;
    for (let attempt = 1; ; attempt++) {
      const { content } = await this.#ask(context, { mode: "form", message: text, schema: form, ...options });
      const checked = await check(schema, content ?? {});
      if ("value" in checked) return checked.value;
      if (attempt === (this.#options.attempts ?? 3)) throw new UnfitError("attempts_used", checked.wrong);
      text = `${message}\n\n${checked.wrong}`;
    }
  }

  /** Asks for a yes. True is a yes and false is a no. */
  async confirm(context: Context, message: string, options: QuestionOptions = {}): Promise<boolean> {
    try {
      await this.#ask(context, { mode: "form", message, schema: { type: "object", properties: {} }, ...options });
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code === "declined") return false;
      throw error;
    }
  }

  /** Asks for one of the choices: a list, or an object from values to titles. */
  async choose<const C extends string>(
    context: Context,
    message: string,
    choices: readonly C[] | Readonly<Record<C, string>>,
    options: QuestionOptions = {},
  ): Promise<C> {
    const titled = Array.isArray(choices) ? choices.map((value: C) => [value, value]) : Object.entries(choices);
    const choice = { type: "string", oneOf: titled.map(([value, title]) => ({ const: value, title })) };
    const schema = { type: "object", required: ["choice"], properties: { choice } };
    const { content } = await this.#ask(context, { mode: "form", message, schema, ...options });
    return content?.["choice"] as C;
  }

  /**
   * Asks the person to open a page, and resolves when they agree. With `wait`, it resolves when the page was finished:
   * when `completed` was called with the id that `wait` gets. `wait` may get the same id again in a later run.
   */
  async url(
    context: Context,
    message: string,
    url: string,
    options: Omit<QuestionOptions, "principal"> & { wait?: (id: string) => void } = {},
  ): Promise<void> {
    const { wait, ...rest } = options;
    await this.#ask(context, { mode: "url", message, url, ...(wait && { wait: true }), ...rest }, wait);
  }

  /** Asks for a secret on the server's own page. Neither client nor model sees it. */
  async secret(context: Context, message: string, options: QuestionOptions & { label?: string } = {}): Promise<string> {
    const { label = "Secret", ...rest } = options;
    const secret = { type: "string", title: label, minLength: 1 };
    const schema = { type: "object", properties: { secret }, required: ["secret"] };
    const { content } = await this.#ask(context, { mode: "form", message, schema, secret: true, ...rest });
    return content?.["secret"] as string;
  }

  /**
   * Computes a value once in the life of a call. When the handler runs again after a question, it gets the value of the
   * first run. It is for what the person is shown and the handler then does, such as a plan or a random id.
   *
   * Like a question, a value is known by its place in the handler, and by `key`: the same calls must come in the same
   * order. It is kept as JSON, and is what JSON makes of it, also in the first run. All values of a call have at most
   * 32 KiB. An error of `compute` is thrown and not kept. `compute` must not ask. A value is kept with the next
   * question of its call. Until then it exists in this process alone.
   */
  async once<T>(context: Context, compute: () => T | Promise<T>, key = ""): Promise<T> {
    const of = this.#of(context);
    if (!of) throw new TypeError("ask with the context that the handler got, of a server that was wrapped");
    const position = of.run.positions++;
    if (position >= mostPositions) throw new AskError("rate_limit", "the call has too many questions and values");
    const kept = await opened(of, () => of.session.value(of.run, position, key));
    if (kept !== undefined) return JSON.parse(of.run.kept(kept)) as T;
    const text = JSON.stringify(await compute()) as string | undefined;
    if (text === undefined) throw new TypeError("a value that is kept must be JSON");
    return JSON.parse(of.run.keep(position, key, text)) as T;
  }

  /** The principal that called the tool of a context. Undefined for a context that no running handler has. */
  caller(context: Context): Caller | undefined {
    return this.#of(context)?.caller;
  }

  /** The question of an open page, or undefined for a link that names none. A link is what follows `page.base`. */
  async page(link: string): Promise<OpenPage | undefined> {
    const [name, rest] = parted(link);
    const session = await this.#sessions.find(name);
    const page = await session?.using(() => session.page(rest)).catch(unlessClosed);
    return page && { ...page, link };
  }

  /** Gives an answer from the server's own page. It resolves with the problems of the answer, none if it was taken. */
  async submit(
    link: string,
    answer: { action: "accept" | "decline" | "cancel"; content?: Content; principal?: string },
  ): Promise<Problem[]> {
    return problemsOf((await this.#tell(link, (rest) => ({ event: "submitted", link: rest, ...answer }))) ?? unknown);
  }

  /**
   * Gives an open page to a browser, which `browser` names by a digest of its cookie. The first claim on any process
   * counts, and its browser may claim again. It rejects with a `ClaimError` for another browser and for somebody else
   * than who is to answer. False if no such question is open.
   */
  async claim(link: string, browser: string, principal = ""): Promise<boolean> {
    const who = principal && { principal };
    const effects = await this.#tell(link, (rest) => ({ event: "claimed", link: rest, browser, ...(who || {}) }));
    const code = problemsOf(effects ?? unknown)[0]?.code;
    if (code === "link_used" || code === "wrong_principal") throw new ClaimError(code);
    return code === undefined;
  }

  /** Says that the page of a question in URL mode was finished. False if no open question has that id. */
  async completed(id: string): Promise<boolean> {
    return problemsOf((await this.#tell(id, (rest) => ({ event: "completed", id: rest }))) ?? unknown).length === 0;
  }

  /** Settles every open question as a shutdown. Sessions in a store stay there, for other processes. */
  async close(): Promise<void> {
    await this.#sessions.close();
    this.#engine.close();
  }

  [dispose](): void {
    void this.close();
  }

  /** Gives the session that a link or id begins with an event about the rest. Undefined if there is no session. */
  async #tell(named: string, event: (rest: string) => AskingEvent): Promise<AskingEffect[] | undefined> {
    const [name, rest] = parted(named);
    const session = await this.#sessions.find(name);
    return session?.using(() => session.do(event(rest))).catch(unlessClosed);
  }

  #of(context: Context) {
    return this.#running.get(context) ?? this.#running.get(context.mcpReq ?? context);
  }

  async #ask(context: Context, question: Question, visit?: (id: string) => void): Promise<Answer> {
    const of = this.#of(context);
    if (!of) throw new TypeError("ask with the context that the handler got, of a server that was wrapped");
    const put = async (given: Question) => {
      const position = of.run.positions++;
      const settled = await opened(of, () => of.session.pose(of.run, position, given, visit));
      if (settled.outcome !== "accept") throw failure(settled);
      return answerOf(settled);
    };
    const { hooks = [] } = this.#options;
    if (hooks.length === 0) return put(question);
    const answer = await hooked(hooks, put, context)(question);
    if (question.mode === "form") this.#recheck(question.schema ?? {}, answer.content ?? {});
    return answer;
  }

  /** Checks an answer that a hook may have changed or made. */
  #recheck(schema: object, content: Content): void {
    const checked = this.#engine.eval("check", { schema, content, fill: false });
    const problems = "problems" in checked ? checked.problems : [];
    if (problems.length > 0)
      throw new UnfitError("attempts_used", `an answer of a hook does not fit: ${this.#explain(problems)}`, problems);
  }

  async #list(server: SdkServer, handler: Handler, request: Parameters<Handler>[0], context: Context): Promise<Result> {
    const result = await handler(request, context);
    const client = clientOf(server, context);
    if (!this.#fallback || (client.declared.includes("form") && (client.rounds || client.requests))) return result;
    return { ...result, tools: [...(result["tools"] as unknown[]), submitTool(this.#fallback)] };
  }

  async #call(
    server: SdkServer,
    handler: Handler,
    list: Handler | undefined,
    request: Parameters<Handler>[0],
    context: Context,
  ): Promise<Result> {
    const client = clientOf(server, context);
    const { name: target, arguments: given } = request.params;
    const principal = this.#options.principal?.(context) ?? "";
    const caller = { ...client, principal };
    if (this.#fallback && target === this.#fallback) {
      const answer = (given ?? {}) as { id?: string; action?: "accept"; content?: Content };
      const [name, id] = parted(String(answer.id));
      const session = await this.#sessions.find(name);
      if (!session || session.client.principal !== principal) return told(this.#explain(problemsOf(unknown)));
      return session.using(async () => {
        const effects = await session.do({
          event: "submitted", via: "model", id, action: answer.action ?? "cancel", ...(principal && { principal }),
          ...(answer.content && { content: answer.content }),
        });
        const resume = effects.find((effect) => effect.effect === "resume");
        if (!resume) return told(this.#explain(problemsOf(effects)));
        const again = { name: resume.target!, ...(resume.arguments && { arguments: resume.arguments }) };
        const resumed = { session, find: async () => session, eager: true };
        return this.#run(resumed, server, caller, handler, undefined, { ...request, params: again }, context);
      });
    }
    const binding = { principal, target, arguments: given };
    const state = client.rounds ? this.#sealer.open(context.mcpReq?.requestState?.(), binding) : undefined;
    if (state && !(await this.#sessions.redeem(state.id, state.expires))) throw new StateError("seal_redeemed");
    const kept = state?.state.session;
    const find = () => this.#sessions.of(server, context, client, principal, kept);
    const session = await find();
    const eager = kept !== undefined || session.awaits(target);
    return session.using(() => this.#run(
      { session, find, eager }, server, caller, handler, list, request, context, state?.state.machine));
  }

  async #run(
    { session, find, eager }: { session: Session; find(): Promise<Session>; eager: boolean },
    server: SdkServer, caller: Caller, handler: Handler, list: Handler | undefined,
    request: Parameters<Handler>[0], context: Context, answers?: unknown,
  ): Promise<Result> {
    const { name: target, arguments: given } = request.params;
    const responses = caller.rounds ? context.mcpReq?.inputResponses : undefined;
    const structured = await this.#structured(caller, list, target, context);
    const run = new Run(random(), server, context, {
      method: "tools/call",
      target,
      ...(given && { arguments: given }),
      ...(structured && { structured: true }),
      ...(answers !== undefined && { answers }),
      ...(responses && { responses }),
    });
    const of: Running = {
      session, run, caller,
      reopen: async () => {
        const next = await find();
        of.session.leave(run);
        next.register(run);
        of.session = next;
      },
    };
    session.register(run);
    this.#running.set(context, of);
    if (context.mcpReq) this.#running.set(context.mcpReq, of);
    try {
      // A call that was interrupted before must end there, whatever the handler does.
      if (eager) await opened(of, () => of.session.tell(run));
      const done = Promise.resolve(handler(request, context));
      done.catch(() => {}); // a handler that was interrupted may fail as it likes
      const how = await Promise.race([done.then((result) => ({ result })), run.interrupted]);
      if (!("effect" in how)) return how.result;
      return this.#interrupted(how, of.session, caller.principal, request);
    } finally {
      await of.session.end(run);
    }
  }

  /** Reports whether a tool promises structured content, if its call may end with a text for the model. */
  async #structured(client: Client, list: Handler | undefined, target: string, context: Context): Promise<boolean> {
    if (!this.#fallback || !list || (client.declared.length > 0 && client.requests)) return false;
    const { tools } = (await list({ method: "tools/list", params: {} as never }, context)) as {
      tools: { name: string; outputSchema?: unknown }[];
    };
    return tools.some((tool) => tool.name === target && tool.outputSchema !== undefined);
  }

  /** The result of a call that ends while the person thinks. */
  #interrupted(how: Interrupting, session: Session, principal: string, { params }: Parameters<Handler>[0]): Result {
    if (how.error) throw Object.assign(new Error(how.error.message), how.error);
    if (how.result) return how.result;
    const state = { ...(how.keep && { session: session.name }), machine: how.body }; // otherwise any process can go on
    const binding = { principal, target: params.name, arguments: params.arguments };
    const requestState = this.#sealer.seal(binding, state, how.expires);
    return { resultType: "input_required", inputRequests: how.requests, requestState };
  }

  #explain(problems: Problem[]): string {
    const { problems: said } = this.#engine.eval("explain", { problems }) as { problems?: string[] };
    return said?.join("\n") || "the answer was taken";
  }
}

/** The name of the session that a link or an id begins with, and the rest. */
function parted(named: string): [name: string, rest: string] {
  const at = named.indexOf(separator);
  return at < 0 ? [named, ""] : [named.slice(0, at), named.slice(at + 1)];
}

const unknown: AskingEffect[] = [
  { effect: "problem", about: "host", problems: [{ code: "unknown_request", pointer: "" }] },
];
