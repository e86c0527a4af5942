import type { Answered } from "./event.ts";
import type { Cause } from "./codes.ts";
import type { Driver, Handed, Host } from "./drive.ts";
import type { ProblemEffect, Show } from "./effect.ts";
import { EngineFault } from "./fault.ts";
import type { OpenForm } from "./open-form.ts";
import type { Mode, Problem } from "./question.ts";

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
  readonly #driver: Driver;
  readonly #schema: string | undefined;
  #form: OpenForm | undefined;
  #over = false;
  /** Told what guardians that take their time make of the answer. */
  #heard: ((problems: Problem[]) => void) | undefined;

  constructor(
    driver: Driver,
    readonly show: Show,
    schema: string | undefined,
    readonly principal?: string,
  ) {
    this.#driver = driver;
    this.#schema = schema;
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
    if (this.#schema === undefined || this.#over) return [];
    try {
      this.#form ??= this.#driver.engine.form(this.#schema, formOptions(this.#driver.engine.config));
      return this.#form.check(content);
    } catch (error) {
      this.#form = undefined; // with an engine that broke; the next one makes it anew
      if (error instanceof EngineFault) return [{ code: "internal", pointer: "" }];
      throw error;
    }
  }

  /**
   * Answers yes. What is wrong with the content comes back, and the question stays open; nothing when it was taken. Guardians that the host
   * asks may take their time over it: so long it is neither.
   */
  accept(content?: object | string, more: Pick<Answered, "cleared" | "remember" | "via"> = {}): Promise<Problem[]> {
    if (typeof content === "string") return this.#answer({ action: "accept", content_text: content, ...more });
    return this.#answer({ action: "accept", ...(content && { content: content as NonNullable<Answered["content"]> }), ...more });
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
    return this.#tell(this.#driver.do({ event: "noted", ...this.#names(), receipt }));
  }

  /** Keeps what has been typed so far, for a reload; nothing drops it. */
  draft(content?: object | string): Promise<Problem[]> {
    const kept = typeof content === "string" ? { draft_text: content } : content && { draft: content };
    return this.#tell(this.#driver.do({ event: "drafted", ...this.#names(), ...kept }));
  }

  /** Asks for more time, until then in milliseconds since 1970. */
  extend(until: number): Promise<Problem[]> {
    return this.#tell(this.#driver.do({ event: "extended", ...this.#names(), until }));
  }

  /** Takes a problem effect of this question. A second answer while guardians look at the first says nothing about the first. */
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
    return this.#tell(this.#driver.do({ event: "answered", ...this.#names(), ...whose, ...answer }));
  }

  async #tell(effects: Promise<Handed[]>): Promise<Problem[]> {
    const own = (await effects).filter((e) => "id" in e && e.id === this.id);
    const problems = own.flatMap((e) => (e.effect === "problem" && e.about !== "guardian" ? e.problems : []));
    const looked = own.some((e) => e.effect === "consult");
    if (!looked || problems.length > 0 || this.#over) return problems;
    return new Promise((resolve) => (this.#heard = resolve));
  }
}

/** How a schema has to be read to give the form that the engine shows. */
function formOptions(config: string): Parameters<Driver["engine"]["form"]>[1] {
  const { profile, limits = {} } = JSON.parse(config) as { profile?: "tolerant"; limits?: Record<string, number> };
  const { schema: bytes, fields, choices, text } = limits;
  const given = Object.entries({ bytes, fields, choices, text }).filter(([, n]) => n !== undefined);
  return { ...(profile && { profile }), ...(given.length > 0 && { limits: Object.fromEntries(given) }) };
}

/** A host that puts the questions of one session before a ui. `schema` gives the schema of an open request, as text. */
export function uiHost(driver: Driver, ui: Ui, schema: (ref: string) => string | undefined, principal?: string): Host {
  const questions = new Map<string, OpenQuestion>();
  return {
    show(effect) {
      if (questions.has(effect.id)) return; // shown again by a new engine, and still there
      const question = new OpenQuestion(driver, effect, schema(effect.ref), principal);
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
    reply({ id = "" }) {
      questions.get(id)?.end();
      queueMicrotask(() => questions.delete(id)); // where nobody answered, its withdraw follows in the same batch
    },
    withdraw(effect) {
      const question = questions.get(effect.id);
      question?.end();
      questions.delete(effect.id);
      if (question) ui.withdraw(effect.id, effect.cause);
    },
    open_url: (effect) => (ui.open ? ui.open(effect.url, effect.id) : openWindow(effect.url)),
    resolve: (effect) => ui.resolved?.(effect.id, effect.resolution),
    extend: (effect) => ui.extended?.(effect.id, effect.deadline),
  };
}

function openWindow(url: string): void {
  (globalThis as { open?: (url: string, target: string, features: string) => unknown }).open?.(url, "_blank", "noopener,noreferrer");
}
