import type { AnswerDetail } from "../../src/form/index.ts";
import {
  Engine,
  InputError,
  type Consult,
  type Effect,
  type Evaluation,
  type Event,
  type Problem,
  type Reply,
  type Show,
} from "../../src/index.ts";
import { consulted } from "../../src/guardian/guest.ts";
import { Guests } from "../../src/guardian/guests.ts";
import type { Case } from "./case.ts";
import { permits, type Held } from "./guardian.ts";
import { answer, receive, type Asked, type Received } from "./peer.ts";

/** One batch of effects and the event that led to it. */
export interface Step {
  event: string;
  effects: Effect[];
}

/** One consult of a guardian, and its result. There is no result while another person must approve. */
export interface Asking {
  consult: Consult;
  said?: Evaluation;
  /** The duration in this tab, in milliseconds. */
  took?: number;
}

/** One run of a case in this tab: the engine is opened, the question asked and answered. */
export class Session {
  readonly steps: Step[] = [];
  readonly journal: string[] = [];
  /** The server's message, if it could be read. */
  received: Received | undefined;
  /** The problems of the policy, if there is no engine because of them. */
  refused: readonly Problem[] = [];
  /** The open questions. The first one is drawn. */
  shown: Show[] = [];
  replies: { asked: Asked; reply: Reply }[] = [];
  /** The problems of an answer that did not fit. */
  unfit: Problem[] = [];
  readonly askings: Asking[] = [];
  #engine: Engine | undefined;
  #teller: Engine | undefined;

  /** Opens an engine with the policy of `it` and asks the pasted question. */
  static async of(it: Case, module: WebAssembly.Module, guardians: readonly Held[] = []): Promise<Session> {
    const session = new Session(it, guardians);
    try {
      const policy = it.policy.trim() === "" ? "{}" : JSON.stringify({ [`${it.layer}_text`]: it.policy });
      const config = `{"policy":${policy},"guardians":${permits(guardians)}}`;
      const engine = await Engine.open(config, { module });
      const problems = new Guests(guardians.map((held) => held.guest)).misfits(engine, config);
      if (problems.length > 0) throw new InputError("guardians", problems);
      session.#engine = engine;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const teller = await Engine.open({}, { module });
      const unreadable = guardians.flatMap(({ permit }, i) => unread(teller, permit, `/guardians/${i}`));
      session.refused = unreadable.length > 0 ? unreadable : error.problems;
      session.#teller = teller;
      return session;
    }
    session.#take("configured", session.#engine.beginning);
    session.#ask();
    return session;
  }

  private constructor(
    readonly of: Case,
    readonly guardians: readonly Held[],
  ) {}

  get engine(): Engine | undefined {
    return this.#engine;
  }

  /** An engine that can explain codes, also if the case has no engine. */
  get teller(): Engine | undefined {
    return this.#engine ?? this.#teller;
  }

  /** The decision on the question of a `show` or `reply`. */
  answer(id: string, { action, json, cleared }: AnswerDetail): void {
    this.unfit = [];
    this.#do({ event: "answered", session: "s", id, action, ...(json === undefined ? {} : { content_text: json }),
      ...(cleared?.length ? { cleared: [...cleared] } : {}) });
  }

  note(id: string, receipt: "shown" | "focused" | "first_input"): void {
    if (this.shown.some((s) => s.id === id)) this.#do({ event: "noted", session: "s", id, receipt });
  }

  /** Gives another person's verdict on an answer that a guardian wants approved. */
  approve(asking: Asking, decision: "allow" | "deny"): void {
    const { session, id, round } = asking.consult;
    asking.said = { output: JSON.stringify({ v: 1, decision }), fuel: 0, pages: 0, log: [] };
    this.#do({ event: "consulted", session, id, round, output: asking.said.output!, principal: "another person" });
  }

  /** The exact bytes of the reply to the server. */
  wire(): string | undefined {
    return this.#engine && this.received && answer(this.#engine, this.of, this.received, this.replies);
  }

  /** The journal as a file, with one record a line. */
  journalText(): string {
    return this.journal.map((record) => record + "\n").join("");
  }

  close(): void {
    this.teller?.close();
  }

  #ask(): void {
    const { server, tool } = this.of;
    this.received = receive(this.#engine!, this.of);
    this.#do({ event: "opened", session: "s", server: server || "server", side: "answering", declared: ["form", "url"],
      shown: ["form", "url"] });
    this.received.asked.forEach(({ key: _, at: __, bare: ___, ...question }, i) => {
      this.#do({ event: "asked", session: "s", ref: String(i), ...(tool ? { tool } : {}), ...question });
    });
  }

  #do(event: Event): void {
    this.#take(event.event, this.#engine!.step(event));
  }

  #take(event: string, effects: readonly Effect[]): void {
    this.steps.push({ event, effects: [...effects] });
    for (const effect of effects) this.#perform(effect);
    for (const effect of effects) if (effect.effect === "consult") this.#consult(effect);
  }

  #consult(consult: Consult): void {
    const asking: Asking = { consult };
    this.askings.push(asking);
    if (consult.phase === "second_person") return;
    const from = performance.now();
    const held = consult.host ? undefined : this.guardians.find(({ guest }) => guest.digest === consult.digest);
    const fault = consult.digest === undefined || consult.host ? "unavailable" : "not_loaded";
    asking.said = held ? held.guest.ask(consult) : { fault, fuel: 0, pages: 0, log: [] };
    asking.took = performance.now() - from;
    this.#do(consulted(consult, asking.said));
  }

  #perform(effect: Effect): void {
    switch (effect.effect) {
      case "append":
        this.journal.push(effect.record);
        return;
      case "show":
        this.shown = [...this.shown.filter((s) => s.id !== effect.id), effect];
        return;
      case "withdraw":
        this.shown = this.shown.filter((s) => s.id !== effect.id);
        return;
      case "reply": {
        this.shown = this.shown.filter((s) => s.id !== effect.id);
        const asked = this.received?.asked[Number(effect.ref)];
        if (asked) this.replies.push({ asked, reply: effect });
        return;
      }
      case "problem":
        this.unfit = effect.problems;
        return;
    }
  }
}

/** Why a permit is not JSON, with places in its own text. In the configuration it has none. */
function unread(teller: Engine, permit: string, pointer: string): Problem[] {
  const read = teller.eval("parse", { document_text: permit });
  return "problems" in read ? read.problems.map((p) => ({ ...p, pointer: pointer + p.pointer })) : [];
}
