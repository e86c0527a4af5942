import type { AnswerDetail } from "../../src/form/index.ts";
import { Engine, InputError, type Effect, type Event, type Problem, type Reply, type Show } from "../../src/index.ts";
import type { Case } from "./case.ts";
import { answer, receive, type Asked, type Received } from "./peer.ts";

/** One batch of effects and the event that led to it. */
export interface Step {
  event: string;
  effects: Effect[];
}

/** One life of a case: opened, asked, answered, all in this tab. */
export class Session {
  readonly steps: Step[] = [];
  readonly journal: string[] = [];
  /** What the server sent, once it could be read. */
  received: Received | undefined;
  /** Why there is no engine: the policy's problems. */
  refused: readonly Problem[] = [];
  /** Open questions, the one to be drawn first. */
  shown: Show[] = [];
  replies: { asked: Asked; reply: Reply }[] = [];
  /** What the engine made of an answer that did not fit. */
  unfit: Problem[] = [];
  #engine: Engine | undefined;

  /** Opens an engine with the policy of `it` and asks what was pasted. */
  static async of(it: Case, module: WebAssembly.Module): Promise<Session> {
    const session = new Session(it);
    try {
      const policy = it.policy.trim() === "" ? {} : { policy: { [`${it.layer}_text`]: it.policy } };
      session.#engine = await Engine.open(policy, { module });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      session.refused = error.problems;
      return session;
    }
    session.#take("configured", session.#engine.beginning);
    session.#ask();
    return session;
  }

  private constructor(readonly of: Case) {}

  get engine(): Engine | undefined {
    return this.#engine;
  }

  /** The decision on the question that `show` or `reply` is about. */
  answer(id: string, { action, json, cleared }: AnswerDetail): void {
    this.unfit = [];
    this.#do({ event: "answered", session: "s", id, action, ...(json === undefined ? {} : { content_text: json }),
      ...(cleared?.length ? { cleared: [...cleared] } : {}) });
  }

  note(id: string, receipt: "shown" | "focused" | "first_input"): void {
    if (this.shown.some((s) => s.id === id)) this.#do({ event: "noted", session: "s", id, receipt });
  }

  /** What goes back to the server, byte for byte. */
  wire(): string | undefined {
    return this.#engine && this.received && answer(this.#engine, this.of, this.received, this.replies);
  }

  /** The journal as a file: a record a line. */
  journalText(): string {
    return this.journal.map((record) => record + "\n").join("");
  }

  close(): void {
    this.#engine?.close();
  }

  #ask(): void {
    const { server, tool } = this.of;
    this.received = receive(this.#engine!, this.of);
    this.#do({ event: "opened", session: "s", server: server || "server", side: "answering", declared: ["form", "url"],
      shown: ["form", "url"] });
    this.received.asked.forEach(({ key: _, ...question }, i) => {
      this.#do({ event: "asked", session: "s", ref: String(i), ...(tool ? { tool } : {}), ...question });
    });
  }

  #do(event: Event): void {
    this.#take(event.event, this.#engine!.step(event));
  }

  #take(event: string, effects: readonly Effect[]): void {
    this.steps.push({ event, effects: [...effects] });
    for (const effect of effects) this.#perform(effect);
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
