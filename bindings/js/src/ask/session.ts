import type { Asking, AskingConfiguration } from "../asking.ts";
import type { AskingEffect, AskingEvent, Interrupting, OpenPage, Posing, Settled } from "../asking-event.ts";
import type { Engine } from "../engine.ts";
import { askHost, type Host, type Journal } from "../host.ts";
import type { Problem } from "../question.ts";
import { Interrupt } from "./errors.ts";
import { send, signalOf, type Context, type SdkServer } from "./sdk.ts";

/** What a session needs of its asker. */
export interface SessionHost extends Pick<Host, "consult"> {
  journal?: Journal;
  /** A page was opened. */
  page(session: Session, page: OpenPage): void;
  /** The session is over. */
  over(session: Session): void;
}

/** A run of a handler. */
export interface Run {
  readonly name: string;
  readonly context: Context;
  positions: number;
  waiting: Map<number, { resolve(settled: Settled): void; reject(why: Error): void }>;
  /** What learns the id of the question that offers a URL. */
  visits: Map<string, (id: string) => void>;
  /** Resolves when the run was ended early. */
  interrupted: Promise<Interrupting>;
  interrupt(how: Interrupting): void;
}

/** The loop around the machine of one client: clock, timer, journal and requests. All decisions are the machine's. */
export class Session {
  readonly #machine: Asking;
  readonly #server: SdkServer;
  readonly #host: SessionHost;
  readonly #runs = new Map<string, Run>();
  readonly #sent = new Map<string, AbortController>();
  #last: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #wake = 0;
  #kept = false;

  constructor(
    engine: Engine,
    config: AskingConfiguration,
    server: SdkServer,
    host: SessionHost,
    /** The name by which a later request finds this session. */
    readonly name: string,
    /** The session is of one call, and over when nothing of the call is open. */
    readonly brief: boolean,
  ) {
    this.#server = server;
    this.#host = host;
    this.#machine = engine.asking(config);
    void this.#inTurn(() => this.#machine.beginning);
  }

  /** Begins a run. Its request was cancelled when the signal of the context aborts. */
  async begin(name: string, context: Context, call: Omit<Extract<AskingEvent, { event: "called" }>, "event" | "call">) {
    let interrupt!: (how: Interrupting) => void;
    const interrupted = new Promise<Interrupting>((resolve) => (interrupt = resolve));
    const run: Run = { name, context, positions: 0, waiting: new Map(), visits: new Map(), interrupted, interrupt };
    this.#runs.set(name, run);
    const cancelled = () => void this.do({ event: "cancelled", call: name });
    signalOf(context)?.addEventListener("abort", cancelled, { once: true });
    const problems = problemsOf(await this.do({ event: "called", call: name, ...call }));
    if (problems.length > 0) throw new Error(`the call cannot begin: ${problems[0]!.code}`);
    return run;
  }

  /** Poses a question of a run and waits for its outcome. It rejects with an `Interrupt` when the run is over. */
  pose(run: Run, question: Posing, visit?: (id: string) => void): Promise<Settled> {
    if (this.#runs.get(run.name) !== run) return Promise.reject(new Interrupt("the call is over"));
    const position = run.positions++;
    if (visit && question.url !== undefined) run.visits.set(question.url, visit);
    const settled = new Promise<Settled>((resolve, reject) => run.waiting.set(position, { resolve, reject }));
    this.do({ event: "posed", call: run.name, position, ...question }).catch((why: Error) => {
      run.waiting.get(position)?.reject(why);
    });
    return settled;
  }

  /** Ends a run. Waiting questions of it reject. */
  async end(run: Run): Promise<void> {
    this.#runs.delete(run.name);
    for (const one of run.waiting.values()) one.reject(new Interrupt("the call ended while the person thinks"));
    run.waiting.clear();
    await this.do({ event: "returned", call: run.name });
    this.#rest();
  }

  /** Gives the machine one event and performs its effects after those of all earlier events. */
  do(event: AskingEvent): Promise<AskingEffect[]> {
    return this.#inTurn(() => this.#machine.step(event));
  }

  /** Settles every open question, and releases the machine. */
  async close(cause: "session_closed" | "shutdown"): Promise<void> {
    if (this.#closed) return;
    await this.do({ event: "closed", cause }).catch(() => {});
    this.#release();
  }

  #release(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#machine.close();
    this.#host.over(this);
  }

  /** Releases the machine of one call when no later run needs it. */
  #rest(): void {
    if (this.brief && this.#runs.size === 0 && (this.#wake === 0 || !this.#kept)) this.#release();
  }

  #inTurn(step: () => readonly AskingEffect[]): Promise<AskingEffect[]> {
    const turn = this.#last.then(async () => {
      if (this.#closed) return [];
      const effects = [...step()];
      for (const effect of effects) if (effect.effect === "append") await this.#host.journal?.append(effect.record);
      for (const effect of effects) this.#perform(effect);
      return effects;
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  #perform(effect: AskingEffect): void {
    switch (effect.effect) {
      case "send":
        this.#offered(effect);
        return this.#send(effect);
      case "cancel_sent":
        this.#sent.get(effect.ref)?.abort(new Error("the question is over"));
        return;
      case "notify":
        void this.#server.notification({ method: effect.method, params: effect.params } as never).catch(() => {});
        return;
      case "interrupt":
        this.#offered(effect);
        this.#kept = effect.keep ?? false; // otherwise the client carries all that a later run needs
        this.#runs.get(effect.call)?.interrupt(effect);
        return;
      case "page":
        return this.#host.page(this, effect);
      case "settle": {
        const run = this.#runs.get(effect.call);
        run?.waiting.get(effect.position)?.resolve(effect);
        run?.waiting.delete(effect.position);
        return;
      }
      case "consult":
        void askHost(this.#host, effect).then((event) => this.do(event), () => {});
        return;
      case "wake":
        return this.#setTimer(effect.at);
      default:
    }
  }

  #offered(effect: Extract<AskingEffect, { effect: "send" | "interrupt" }>): void {
    const text = JSON.stringify(effect);
    for (const [url, learn] of this.#runs.get(effect.call)?.visits ?? [])
      if (text.includes(JSON.stringify(url))) learn(effect.id);
  }

  #send({ ref, call, method, params }: Extract<AskingEffect, { effect: "send" }>): void {
    const context = this.#runs.get(call)?.context;
    const abort = new AbortController();
    this.#sent.set(ref, abort);
    const answered = context
      ? send(context, { method, params }, abort.signal)
      : Promise.reject(new Error("the call of the question is over"));
    answered
      .then(
        (result) => this.do({ event: "responded", ref, result }),
        (why: { code?: unknown; message?: string }) => {
          if (abort.signal.aborted) return [];
          const code = typeof why.code === "number" ? why.code : -32603;
          return this.do({ event: "responded", ref, error: { code, message: String(why.message ?? why) } });
        },
      )
      .catch(() => {}) // the machine is closed
      .finally(() => this.#sent.delete(ref));
  }

  #setTimer(at: number): void {
    clearTimeout(this.#timer);
    this.#wake = at;
    if (at === 0) return;
    const tick = () => void this.do({ event: "ticked" }).then(() => this.#rest(), () => {});
    this.#timer = setTimeout(tick, Math.min(Math.max(at - Date.now(), 1), 2 ** 31 - 1));
    (this.#timer as { unref?(): void }).unref?.(); // a transport keeps the program running, a clock does not
  }
}

/** The problems that a step reports. */
export const problemsOf = (effects: readonly AskingEffect[]): Problem[] =>
  effects.flatMap((effect) => (effect.effect === "problem" ? effect.problems : []));
