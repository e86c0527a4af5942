import type { AskingConfiguration } from "../asking.ts";
import type { Interrupting, OpenPage, Posing } from "../asking-event.ts";
import type { Configuration } from "../configuration.ts";
import { dispose } from "../dispose.ts";
import type { Engine } from "../engine.ts";
import type { Host, Journal } from "../host.ts";
import type { Content, Problem } from "../question.ts";
import { UnfitError, failure } from "./errors.ts";
import { check, jsonSchema, type FormSchema, type Standard } from "./schema.ts";
import { clientOf, methodOf, type Client, type Context, type Handler, type Result, type SdkServer } from "./sdk.ts";
import { Sealer, type Key } from "./seal.ts";
import { Session, problemsOf, type Run } from "./session.ts";

/** The options of an asker. Only the name of the server is required. */
export interface AskerOptions extends Pick<Host, "consult"> {
  server: { name: string; /** Policy, limits and guardians. */ config?: Configuration };
  /** The server's own pages: the beginning of their links, and what learns that a page was opened. */
  page?: { base: string; opened?(page: OpenPage): void; only?: readonly string[] };
  /** The tool with which a model passes on an answer; left out, `elicitation_result`; false for none. */
  fallback?: string | false;
  /** Keys for the state that a client carries, the first of which seals. Servers of several processes share them. */
  keys?: readonly Key[];
  /** Who is behind a request, as the server knows it. */
  principal?(context: Context): string | undefined;
  order?: AskingConfiguration["order"];
  /** Milliseconds that a question may stay open; left out, five minutes. */
  ttl?: number;
  attempts?: number;
  journal?: Journal;
}

/** What a form may say beside its message and schema. */
export interface QuestionOptions {
  /** Milliseconds that this question may stay open. */
  ttl?: number;
}

const submitTool = (name: string) => ({
  name,
  title: "Pass on a person's answer",
  description:
    "Another tool's result may ask you for an answer of the person. Ask the person, wait for their reply, then call " +
    "this tool with the id from that result. Never answer for the person. The result of this tool is the result of " +
    "the other tool.",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string", description: "the id in the result that asked" },
      action: { type: "string", enum: ["accept", "decline", "cancel"], description: "what the person decided" },
      content: { type: "object", description: "for accept: the answer, as the schema in that result says" },
    },
    required: ["id", "action"],
  },
});

/** Lets the tools of servers ask the person behind a client. See `createAsker`. */
export class Asker implements Disposable {
  readonly #engine: Engine;
  readonly #options: AskerOptions;
  readonly #fallback: string;
  readonly #sealer: Sealer;
  readonly #servers = new WeakMap<SdkServer, Map<string, Session>>();
  /** Of clients without sessions whose person is known. */
  readonly #people = new Map<string, Session>();
  /** By name. Sealed states and ids in texts for a model carry it. */
  readonly #sessions = new Map<string, Session>();
  readonly #pages = new Map<string, { session: Session; page: OpenPage }>();
  readonly #running = new WeakMap<object, { session: Session; run: Run }>();
  #names = 0;

  constructor(engine: Engine, options: AskerOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#fallback = options.fallback === false ? "" : (options.fallback ?? "elicitation_result");
    this.#sealer = new Sealer(engine, options.server.name, options.keys);
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
      for (const session of this.#servers.get(server)?.values() ?? []) void session.close("session_closed");
    };
    return given;
  }

  /** Asks with a form. The schema is that of a library such as zod, or a JSON Schema. */
  async form<T>(context: Context, message: string, schema: Standard<T>, options?: QuestionOptions): Promise<T>;
  async form(context: Context, message: string, schema: object, options?: QuestionOptions): Promise<Content>;
  async form<T>(context: Context, message: string, schema: FormSchema<T>, options: QuestionOptions = {}): Promise<T> {
    const form = jsonSchema(schema);
    let text = message;
    for (let attempt = 1; ; attempt++) {
      const content = await this.#pose(context, { mode: "form", message: text, schema: form }, options);
      const checked = await check(schema, content);
      if ("value" in checked) return checked.value;
      if (attempt === (this.#options.attempts ?? 3)) throw new UnfitError("attempts_used", checked.wrong);
      text = `${message}\n\n${checked.wrong}`;
    }
  }

  /** Asks for a yes. True is a yes and false is a no. */
  async confirm(context: Context, message: string, options: QuestionOptions = {}): Promise<boolean> {
    try {
      await this.#pose(context, { mode: "form", message, schema: { type: "object", properties: {} } }, options);
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
    const choice = Array.isArray(choices)
      ? { type: "string", enum: choices }
      : { type: "string", oneOf: Object.entries(choices).map(([value, title]) => ({ const: value, title })) };
    const schema = { type: "object", properties: { choice: { title: "Choice", ...choice } }, required: ["choice"] };
    return (await this.#pose(context, { mode: "form", message, schema }, options))["choice"] as C;
  }

  /**
   * Asks the person to open a page, and resolves when they agree. With `wait`, it resolves when the page was finished:
   * when `completed` was called with the id that `wait` gets. `wait` may get the same id again in a later run.
   */
  async url(
    context: Context,
    message: string,
    url: string,
    options: QuestionOptions & { wait?: (id: string) => void } = {},
  ): Promise<void> {
    const { wait } = options;
    await this.#pose(context, { mode: "url", message, url, ...(wait && { wait: true }) }, options, wait);
  }

  /** Asks for a secret on the server's own page. Neither client nor model sees it. */
  async secret(context: Context, message: string, options: QuestionOptions & { label?: string } = {}): Promise<string> {
    const secret = { type: "string", title: options.label ?? "Secret", minLength: 1 };
    const schema = { type: "object", properties: { secret }, required: ["secret"] };
    return (await this.#pose(context, { mode: "form", message, schema, secret: true }, options))["secret"] as string;
  }

  /** The question of an open page, or undefined for a link that names none. */
  page(link: string): OpenPage | undefined {
    return this.#pages.get(link)?.page;
  }

  /** Gives an answer from the server's own page. It resolves with the problems of the answer, none if it was taken. */
  async submit(
    link: string,
    answer: { action: "accept" | "decline" | "cancel"; content?: Content; principal?: string },
  ): Promise<Problem[]> {
    const open = this.#pages.get(link);
    if (!open) return [{ code: "unknown_request", pointer: "" }];
    const effects = await open.session.do({ event: "submitted", link, ...answer });
    const problems = problemsOf(effects);
    if (problems.length === 0) this.#pages.delete(link);
    return problems;
  }

  /** Says that the page of a question in URL mode was finished. False if no open question has that id. */
  async completed(id: string): Promise<boolean> {
    for (const session of this.#sessions.values())
      if (problemsOf(await session.do({ event: "completed", id })).length === 0) return true;
    return false;
  }

  /** Settles every open question as a shutdown. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close("shutdown")));
    this.#engine.close();
  }

  [dispose](): void {
    void this.close();
  }

  async #pose(
    context: Context,
    question: Posing,
    { ttl }: QuestionOptions,
    visit?: (id: string) => void,
  ): Promise<Content> {
    const of = this.#running.get(context) ?? this.#running.get(context.mcpReq ?? context);
    if (!of) throw new TypeError("ask with the context that the handler got, of a server that was wrapped");
    const settled = await of.session.pose(of.run, { ...question, ...(ttl !== undefined && { ttl_ms: ttl }) }, visit);
    if (settled.outcome !== "accept") throw failure(settled);
    return settled.content ?? {};
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
    const principal = this.#options.principal?.(context);
    if (this.#fallback && target === this.#fallback) {
      const answer = (given ?? {}) as { id?: string; action?: "accept"; content?: Content };
      const [name = "", id = ""] = String(answer.id).split(".");
      const session = this.#sessions.get(name);
      if (!session) return told(this.#explain([{ code: "unknown_request", pointer: "" }]));
      const effects = await session.do({
        event: "submitted", via: "model", id, action: answer.action ?? "cancel",
        ...(principal !== undefined && { principal }), ...(answer.content && { content: answer.content }),
      });
      const resume = effects.find((effect) => effect.effect === "resume");
      if (!resume) return told(this.#explain(problemsOf(effects)));
      const again = { name: resume.target!, arguments: resume.arguments ?? {} };
      return this.#run(session, client, handler, undefined, { ...request, params: again }, context);
    }
    const binding = { principal, target, arguments: given };
    const state = client.rounds ? this.#sealer.open(context.mcpReq?.requestState?.(), binding) : undefined;
    const session = (state && this.#sessions.get(state.machine)) ?? this.#session(server, client, principal);
    return this.#run(session, client, handler, list, request, context, state?.body);
  }

  async #run(
    session: Session, client: Client, handler: Handler, list: Handler | undefined,
    request: Parameters<Handler>[0], context: Context, answers?: unknown,
  ): Promise<Result> {
    const { name: target, arguments: given } = request.params;
    const responses = client.rounds ? context.mcpReq?.inputResponses : undefined;
    const run = await session.begin(`call-${++this.#names}`, context, {
      target,
      ...(given && { arguments: given }),
      ...((await this.#structured(client, list, target, context)) && { structured: true }),
      ...(answers !== undefined && { answers }),
      ...(responses && { responses }),
    });
    const of = { session, run };
    this.#running.set(context, of);
    if (context.mcpReq) this.#running.set(context.mcpReq, of);
    try {
      const done = Promise.resolve(handler(request, context));
      done.catch(() => {}); // a handler that was interrupted may fail as it likes
      const how = await Promise.race([done.then((result) => ({ result })), run.interrupted]);
      if (!("effect" in how)) return how.result;
      return this.#interrupted(how, session, context, request);
    } finally {
      await session.end(run);
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

  /** What a call ends with while the person thinks. */
  #interrupted(how: Interrupting, session: Session, context: Context, { params }: Parameters<Handler>[0]): Result {
    if (how.error) throw Object.assign(new Error(how.error.message), how.error);
    if (how.result) return how.result;
    const machine = how.keep ? session.name : ""; // otherwise any process can go on
    const binding = { principal: this.#options.principal?.(context), target: params.name, arguments: params.arguments };
    const requestState = this.#sealer.seal(binding, { machine, body: how.body }, how.expires);
    return { resultType: "input_required", inputRequests: how.requests, requestState };
  }

  /** The session of a client: of its server, or for one call of a client whose calls run in rounds. */
  #session(server: SdkServer, client: Client, principal: string | undefined): Session {
    const { version, declared, requests } = client;
    const name = this.#sealer.random().slice(0, 16);
    const config: AskingConfiguration = {
      prefix: `${name}.`,
      server: this.#options.server.name, version, declared, requests,
      ...(this.#options.server.config && { config: this.#options.server.config }),
      ...(principal !== undefined && { principal }),
      ...(this.#options.page && { page: this.#options.page.base }),
      ...(this.#options.page?.only && { page_only: this.#options.page.only }),
      ...(this.#fallback && { fallback: this.#fallback }),
      ...(this.#options.order && { order: this.#options.order }),
      ...(this.#options.ttl !== undefined && { ttl_ms: this.#options.ttl }),
      ...(this.#options.attempts !== undefined && { attempts: this.#options.attempts }),
    };
    const key = JSON.stringify([version, declared, requests, principal]);
    // A server without sessions is made for one request. Only a principal tells whose calls belong together.
    const passing = !requests && !client.rounds;
    let sessions = passing && principal !== undefined ? this.#people : this.#servers.get(server);
    if (!sessions) this.#servers.set(server, (sessions = new Map()));
    const perCall = client.rounds || (passing && principal === undefined);
    const known = perCall ? undefined : sessions.get(key);
    if (known) return known;
    const over = () => void (perCall || sessions.delete(key));
    const session = new Session(this.#engine, config, server, this.#sessionHost(over), name, !requests);
    if (!perCall) sessions.set(key, session);
    this.#sessions.set(name, session);
    return session;
  }

  #sessionHost(over: () => void) {
    return {
      ...(this.#options.journal && { journal: this.#options.journal }),
      ...(this.#options.consult && { consult: this.#options.consult }),
      page: (session: Session, page: OpenPage) => {
        this.#pages.set(page.link, { session, page });
        this.#options.page?.opened?.(page);
      },
      over: (session: Session) => {
        over();
        this.#sessions.delete(session.name);
        for (const [link, one] of this.#pages) if (one.session === session) this.#pages.delete(link);
      },
    };
  }

  #explain(problems: Problem[]): string {
    const { problems: said } = this.#engine.eval("explain", { problems }) as { problems?: string[] };
    return said?.join("\n") || "the answer was taken";
  }
}

const told = (text: string): Result => ({ content: [{ type: "text", text }], isError: true });
