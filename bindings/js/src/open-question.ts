import type { Answered } from "./event.ts";
import type { Cause } from "./codes.ts";
import type { Connection } from "./connection.ts";
import type { Configuration } from "./configuration.ts";
import type { ProblemEffect, Show } from "./effect.ts";
import type { Engine } from "./engine.ts";
import { EngineFault } from "./fault.ts";
import type { Host } from "./host.ts";
import type { OpenForm } from "./open-form.ts";
import type { Mode, Problem } from "./question.ts";
import type { RelayConfiguration } from "./relay.ts";
import type { RelayEffect } from "./relay-effect.ts";

/** What draws questions and calls back with answers. */
export interface Ui {
  /** What it can put before a person; left out, both. */
  readonly modes?: readonly Mode[];
  /** Draws a question. The person's answer goes to `accept`, `decline` or `cancel` of it, now or later. */
  show(question: OpenQuestion): void;
  /** Takes a question away that is over without an answer of this ui. */
  withdraw(id: string, cause: Cause): void;
  /** Opens the page a person has just consented to. Left out, a new window, as far as there are windows. */
  open?(url: string, id: string): void;
  /** A page that was consented to is finished, or nobody said so in time. */
  resolved?(id: string, resolution: "completed" | "lapsed"): void;
  /** `show` threw, so the question was cancelled for want of a ui. Left out, the error comes up as an uncaught one. */
  failed?(error: unknown): void;
  /** A deadline was moved. */
  extended?(id: string, deadline: number): void;
}

/** A question before a person. `show` holds what to draw; its strings are the peer's and untrusted. */
export class OpenQuestion {
  readonly #connection: Connection;
  readonly #compile: (() => OpenForm) | undefined;
  #form: OpenForm | undefined;
  #over = false;
  /** Told what guardians that take their time make of the answer. */
  #heard: ((problems: Problem[]) => void) | undefined;

  constructor(
    connection: Connection,
    readonly show: Show,
    compile: (() => OpenForm) | undefined,
    readonly principal?: string,
  ) {
    this.#connection = connection;
    this.#compile = compile;
  }

  get id(): string {
    return this.show.id;
  }

  /** Whether it has been settled or withdrawn. */
  get over(): boolean {
    return this.#over;
  }

  /** Every problem of what has been typed so far, none when it would be taken. A string is taken as JSON. */
  check(content: object | string): Problem[] {
    if (this.#compile === undefined || this.#over) return [];
    try {
      this.#form ??= this.#compile();
      return this.#form.check(content);
    } catch (error) {
      if (error instanceof EngineFault) return [{ code: "internal", pointer: "" }];
      throw error;
    }
  }

  /**
   * Answers yes. What is wrong with the content comes back, and the question stays open; nothing when it was taken.
   * Guardians that the host asks may take their time over it: so long it is neither.
   */
  accept(content?: object | string, more: Pick<Answered, "cleared" | "remember" | "via"> = {}): Promise<Problem[]> {
    if (typeof content === "string") return this.#answer({ action: "accept", content_text: content, ...more });
    return this.#answer({
      action: "accept",
      ...(content && { content: content as NonNullable<Answered["content"]> }),
      ...more,
    });
  }

  /** Answers no. `mute`: this server may not ask again in this session. */
  decline(more: Pick<Answered, "mute" | "via"> = {}): Promise<Problem[]> {
    return this.#answer({ action: "decline", ...more });
  }

  /** Leaves it without an answer. */
  cancel(more: Pick<Answered, "mute" | "via"> = {}): Promise<Problem[]> {
    return this.#answer({ action: "cancel", ...more });
  }

  /** Tells that it was drawn, turned to, or begun. */
  note(receipt: "shown" | "focused" | "first_input"): Promise<Problem[]> {
    return this.#tell(this.#connection.do({ event: "noted", ...this.#names(), receipt }));
  }

  /** Keeps what has been typed so far, for a reload; nothing drops it. */
  draft(content?: object | string): Promise<Problem[]> {
    const kept = typeof content === "string" ? { draft_text: content } : content && { draft: content };
    return this.#tell(this.#connection.do({ event: "drafted", ...this.#names(), ...kept }));
  }

  /** Asks for more time, until then in milliseconds since 1970. */
  extend(until: number): Promise<Problem[]> {
    return this.#tell(this.#connection.do({ event: "extended", ...this.#names(), until }));
  }

  /**
   * Takes a problem effect of this question. A second answer while guardians look at the first says nothing about the
   * first.
   */
  object({ about, problems }: ProblemEffect): void {
    if (about === "answer" && problems[0]?.code !== "answer_in_review") this.#hear(problems);
  }

  #hear(problems: Problem[]): void {
    this.#heard?.(problems);
    this.#heard = undefined;
  }

  /** It is over: nothing can be asked of it any more. */
  end(): void {
    this.#over = true;
    this.#hear([]);
    this.#form?.close();
    this.#form = undefined;
  }

  #names(): { session: string; id: string } {
    return { session: this.show.session, id: this.show.id };
  }

  #answer(answer: Omit<Answered, "event" | "session" | "id">): Promise<Problem[]> {
    const whose = this.principal === undefined ? {} : { principal: this.principal };
    return this.#tell(this.#connection.do({ event: "answered", ...this.#names(), ...whose, ...answer }));
  }

  async #tell(effects: Promise<RelayEffect[]>): Promise<Problem[]> {
    const own = (await effects).filter((e) => "id" in e && e.id === this.id);
    const problems = own.flatMap((e) => (e.effect === "problem" && e.about !== "guardian" ? e.problems : []));
    const looked = own.some((e) => e.effect === "consult");
    if (!looked || problems.length > 0 || this.#over) return problems;
    return new Promise((resolve) => (this.#heard = resolve));
  }
}

/** How a schema has to be read to give the form that the engine shows. */
function formOptions(config: Configuration | string): Parameters<Engine["form"]>[1] {
  const { profile, limits = {} } = typeof config === "string" ? (JSON.parse(config) as Configuration) : config;
  const { schema: bytes, fields, choices, text } = limits;
  const given = Object.entries({ bytes, fields, choices, text }).filter(([, n]) => n !== undefined);
  return { ...(profile && { profile }), ...(given.length > 0 && { limits: Object.fromEntries(given) }) };
}

/** What puts the questions of a connection before a ui. */
export function uiHost(
  connection: Connection,
  ui: Ui,
  engine: Engine,
  { principal, config = engine.config }: RelayConfiguration,
): Partial<Host> {
  const schemas = new Map<string, string>();
  const questions = new Map<string, OpenQuestion>();
  const withdraw = (id: string, cause: Cause) => {
    const question = questions.get(id);
    question?.end();
    questions.delete(id);
    if (question) ui.withdraw(id, cause);
  };
  return {
    question: ({ ref, schema_text }) => schema_text !== undefined && void schemas.set(ref, schema_text),
    show(effect) {
      if (questions.has(effect.id)) return; // shown again by a new engine, and still there
      const schema = schemas.get(effect.ref);
      const compile = schema === undefined ? undefined : () => engine.form(schema, formOptions(config));
      const question = new OpenQuestion(connection, effect, compile, principal);
      questions.set(effect.id, question);
      try {
        ui.show(question);
      } catch (error) {
        void question.cancel({ via: "no_ui" });
        if (!ui.failed) throw error;
        ui.failed(error);
      }
    },
    problem: (effect) => questions.get(effect.id ?? "")?.object(effect),
    settled({ ref, reply: { id = "" } }) {
      schemas.delete(ref);
      questions.get(id)?.end();
      queueMicrotask(() => questions.delete(id)); // where nobody answered, its withdraw follows in the same batch
    },
    withdraw: ({ id, cause }) => withdraw(id, cause),
    open_url: ({ url, id }) => (ui.open ? ui.open(url, id) : openWindow(url)),
    resolve: ({ id, resolution }) => ui.resolved?.(id, resolution),
    extend: ({ id, deadline }) => ui.extended?.(id, deadline),
    // A journal that fails withdraws by itself; a machine that broke says nothing more.
    failed: (why) => why instanceof EngineFault && [...questions.keys()].forEach((id) => withdraw(id, "shutdown")),
  };
}

function openWindow(url: string): void {
  (globalThis as { open?: (url: string, target: string, features: string) => unknown }).open?.(
    url,
    "_blank",
    "noopener,noreferrer",
  );
}
