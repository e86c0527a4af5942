import type { Answered, Mode, Problem, ProblemEffect, RelayEffect, Show } from "./contract.ts";
import type { Cause } from "./codes.ts";
import type { Connection } from "./connection.ts";
import type { Configuration } from "./configuration.ts";
import type { Engine } from "./engine.ts";
import { EngineFault } from "./fault.ts";
import type { Host } from "./host.ts";
import type { OpenForm } from "./open-form.ts";
import type { RelayConfiguration } from "./relay.ts";

/** A user interface: it draws questions and passes on the answers. */
export interface Ui {
  /** The modes that it can show to a person; left out, both. */
  readonly modes?: readonly Mode[];
  /** Draws a question. The ui passes the person's answer to its `accept`, `decline` or `cancel`, now or later. */
  show(question: OpenQuestion): void;
  /** Removes a question that ended without an answer of this ui. */
  withdraw(id: string, cause: Cause): void;
  /** Opens the page that a person has just agreed to. Left out, a new window opens, if the platform has windows. */
  open?(url: string, id: string): void;
  /** An agreed page was completed, or lapsed because no completion came in time. */
  resolved?(id: string, resolution: "completed" | "lapsed"): void;
  /** `show` threw, so the question was cancelled via `no_ui`. Left out, the error becomes an uncaught error. */
  failed?(error: unknown): void;
  /** The deadline of a question was moved. `deadline` is in milliseconds since 1970-01-01 UTC. */
  extended?(id: string, deadline: number): void;
}

/** A question that a person can answer. `show` says what to draw; its strings come from the peer and are untrusted. */
export class OpenQuestion {
  readonly #connection: Connection;
  readonly #compile: (() => OpenForm) | undefined;
  #form: OpenForm | undefined;
  #over = false;
  /** Called when guardians have decided about the answer, if they did not decide at once. */
  #reviewed: ((problems: Problem[]) => void) | undefined;

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

  /** Whether the question has been settled or withdrawn. */
  get over(): boolean {
    return this.#over;
  }

  /** Every problem of the content typed so far; an empty list means that it fits. A string is JSON text. */
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
   * Answers yes. `show.takes` says whether a `note` and edited `arguments` reach whoever asked. It resolves with no
   * problem if the answer was taken. Otherwise it resolves with the problems of the answer, and the question stays
   * open. If the host asks guardians, it resolves after their verdicts.
   */
  accept(
    content?: object | string,
    more: Pick<Answered, "cleared" | "remember" | "via" | "note" | "arguments" | "arguments_text"> = {},
  ): Promise<Problem[]> {
    if (typeof content === "string") return this.#answer({ action: "accept", content_text: content, ...more });
    return this.#answer({
      action: "accept",
      ...(content && { content: content as NonNullable<Answered["content"]> }),
      ...more,
    });
  }

  /** Answers no. With `mute`, this server may not ask again in this session. The asker may read a `note`. */
  decline(more: Pick<Answered, "mute" | "via" | "note"> = {}): Promise<Problem[]> {
    return this.#answer({ action: "decline", ...more });
  }

  /** Ends the question without an answer. */
  cancel(more: Pick<Answered, "mute" | "via"> = {}): Promise<Problem[]> {
    return this.#answer({ action: "cancel", ...more });
  }

  /** Records that the person saw the question, focused it, or began to type. */
  note(receipt: "shown" | "focused" | "first_input"): Promise<Problem[]> {
    return this.#problems(this.#connection.do({ event: "noted", ...this.#key(), receipt }));
  }

  /** Keeps the values typed so far, for a reload. Without content, it drops the kept draft. */
  draft(content?: object | string): Promise<Problem[]> {
    const kept = typeof content === "string" ? { draft_text: content } : content && { draft: content };
    return this.#problems(this.#connection.do({ event: "drafted", ...this.#key(), ...kept }));
  }

  /** Asks for a later deadline, in milliseconds since 1970-01-01 UTC. */
  extend(until: number): Promise<Problem[]> {
    return this.#problems(this.#connection.do({ event: "extended", ...this.#key(), until }));
  }

  /**
   * Takes a problem effect of this question. The problem of a second answer, given while guardians review the first, is
   * not about the first.
   */
  takeProblem({ about, problems }: ProblemEffect): void {
    if (about === "answer" && problems[0]?.code !== "answer_in_review") this.#endReview(problems);
  }

  #endReview(problems: Problem[]): void {
    this.#reviewed?.(problems);
    this.#reviewed = undefined;
  }

  /** Marks the question as over and releases its form. */
  end(): void {
    this.#over = true;
    this.#endReview([]);
    this.#form?.close();
    this.#form = undefined;
  }

  #key(): { session: string; id: string } {
    return { session: this.show.session, id: this.show.id };
  }

  #answer(answer: Omit<Answered, "event" | "session" | "id">): Promise<Problem[]> {
    const whose = this.principal === undefined ? {} : { principal: this.principal };
    return this.#problems(this.#connection.do({ event: "answered", ...this.#key(), ...whose, ...answer }));
  }

  async #problems(effects: Promise<RelayEffect[]>): Promise<Problem[]> {
    const own = (await effects).filter((e) => "id" in e && e.id === this.id);
    const problems = own.flatMap((e) => (e.effect === "problem" && e.about !== "guardian" ? e.problems : []));
    const looked = own.some((e) => e.effect === "consult");
    if (!looked || problems.length > 0 || this.#over) return problems;
    return new Promise((resolve) => (this.#reviewed = resolve));
  }
}

/** The options with which a schema compiles to the same form that the engine shows. */
function formOptions(config: Configuration | string): Parameters<Engine["form"]>[1] {
  const { profile, limits = {} } = typeof config === "string" ? (JSON.parse(config) as Configuration) : config;
  const { schema: bytes, fields, choices, text } = limits;
  const given = Object.entries({ bytes, fields, choices, text }).filter(([, n]) => n !== undefined);
  return { ...(profile && { profile }), ...(given.length > 0 && { limits: Object.fromEntries(given) }) };
}

/** The part of a host that shows the questions of a connection in a ui. */
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
      if (questions.has(effect.id)) return; // a new engine shows the question again, and the ui still has it
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
    problem: (effect) => questions.get(effect.id ?? "")?.takeProblem(effect),
    settled({ ref, reply: { id = "" } }) {
      schemas.delete(ref);
      questions.get(id)?.end();
      queueMicrotask(() => questions.delete(id)); // without an answer, its withdraw follows in the same batch
    },
    withdraw: ({ id, cause }) => withdraw(id, cause),
    open_url: ({ url, id }) => (ui.open ? ui.open(url, id) : openWindow(url)),
    resolve: ({ id, resolution }) => ui.resolved?.(id, resolution),
    extend: ({ id, deadline }) => ui.extended?.(id, deadline),
    // After a journal failure the machine withdraws the questions itself. A broken machine gives no more effects.
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
