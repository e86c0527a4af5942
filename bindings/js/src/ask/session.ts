import type { AskingEffect, AskingEvent, OpenPage, Settled } from "../asking-event.ts";
import type { Asking, Look } from "../asking.ts";
import { askHost, type Host } from "../host.ts";
import type { Problem } from "../question.ts";
import type { Store } from "../store/store.ts";
import { AskError, CancelledError, Interrupt, StoreFailure } from "./errors.ts";
import { Gone, awaits, runs as isRunning, valueOf, type Held } from "./machine.ts";
import { posing, type Question } from "./question.ts";
import { retry } from "./retry.ts";
import type { Run } from "./run.ts";
import { send, signalOf } from "./sdk.ts";

/** The part of its asker that a session uses. */
export interface SessionHost extends Pick<Host, "consult"> {
  store?: Store;
  /** A page was opened. */
  page(page: OpenPage): void;
  /** The session is over here. */
  over(session: Session): void;
}

/** Stands between the name of a session and a link or an id in it. */
export const separator = ".";

/** The loop around the machine of one client: clock, timer, store and requests. All decisions are the machine's. */
export class Session {
  readonly #machine: Held;
  readonly #host: SessionHost;
  readonly #runs = new Map<string, Run>();
  readonly #sent = new Map<string, AbortController>();
  #last: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: (() => void) | undefined;
  #reloading = false;
  #closed = false;
  #users = 0;
  #kept = false;

  constructor(
    machine: Held,
    host: SessionHost,
    /** The name by which a later request finds this session, here or on another node. */
    readonly name: string,
    /** The session is of one call, and over here when nothing of the call is open. */
    readonly brief: boolean,
  ) {
    this.#machine = machine;
    this.#host = host;
  }

  get client() {
    return this.#machine.client;
  }

  /** When the machine wants a tick; infinite for never. */
  get due(): number {
    return this.#machine.due || Infinity;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The part of the session that this process has. A run that the machine does not know has nothing of it. */
  looks(machine: Asking): Look {
    const known = [...this.#runs.values()].filter((run) => run.begun || (run.tried && isRunning(machine, run.name)));
    const runs = known.filter((run) => !run.stopped);
    const waits = runs.flatMap((run) => [...run.waiting.keys()].map((position) => ({ call: run.name, position })));
    return { calls: runs.map((run) => run.name), waits, refs: [...this.#sent.keys()] };
  }

  /** Uses the session, which is not released meanwhile. */
  async using<T>(doing: () => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await doing();
    } finally {
      this.#users--;
      this.#rest();
    }
  }

  /** Registers a run. Its request was cancelled when the signal of the context aborts. */
  register(run: Run): void {
    this.#runs.set(run.name, run);
    signalOf(run.context)?.addEventListener("abort", () => {
      run.aborted = true;
      if (run.tried && this.#runs.get(run.name) === run) void this.#finish({ event: "cancelled", call: run.name });
    }, { once: true });
  }

  /** Whether a call of this target may go on with one that was interrupted. Such a call must begin at once. */
  awaits(target: string): boolean {
    return this.#machine.last !== undefined && awaits(this.#machine.last, "tools/call", target);
  }

  /** Gives the machine an event of a run, and first what it must hear before. It rejects if the run cannot begin. */
  async tell(run: Run, event?: AskingEvent): Promise<AskingEffect[]> {
    run.tried = true;
    this.#watch();
    try {
      const effects = await this.#inTurn(async () => {
        const found = await this.#machine.step(event, run);
        if (!run.refused) run.stepped();
        return found;
      });
      if (run.refused) throw new Error(`the call cannot begin: ${problemsOf(effects)[0]?.code}`);
      return effects;
    } catch (error) {
      if (error instanceof StoreFailure && !run.begun) run.uncertain = true;
      throw error;
    }
  }

  /** Poses a question of a run and waits for its outcome. It rejects with an `Interrupt` when the run is over. */
  pose(run: Run, position: number, question: Question, visit?: (id: string) => void): Promise<Settled> {
    const over = this.#over(run);
    if (over) return Promise.reject(over);
    if (visit && question.url !== undefined) run.visits.set(question.url, visit);
    const settled = new Promise<Settled>((resolve, reject) => run.waiting.set(position, { resolve, reject }));
    const fail = (why: Error) => {
      run.waiting.get(position)?.reject(why);
      run.waiting.delete(position);
    };
    this.tell(run, { event: "posed", call: run.name, position, ...posing(question) }).then((effects) => {
      // The machine does not know the call: somebody else ended it.
      if (problemsOf(effects).some(({ code }) => code === "unknown_call")) fail(ended("call_ended"));
    }, fail);
    return settled;
  }

  /** The JSON text of the value that an earlier run has kept at a position. */
  async value(run: Run, position: number, key: string): Promise<string | undefined> {
    const over = this.#over(run);
    if (over) throw over;
    if (!run.begun) {
      if (run.called.answers === undefined) return undefined; // no earlier run, or none that kept a value
      await this.tell(run);
    }
    let machine: Asking | undefined;
    await this.#inTurn(async () => {
      machine = await this.#machine.known();
      return [];
    });
    return machine && valueOf(machine, run.name, position, key);
  }

  #over(run: Run): Error | undefined {
    if (this.#closed && !run.begun) return ended("session_closed");
    if (this.#runs.get(run.name) !== run || run.stopped) return new Interrupt("the call is over");
    return run.aborted && !run.begun ? ended("call_ended") : undefined;
  }

  /** Ends a run. Waiting questions of it reject. The machine hears nothing of a run that never asked. */
  async end(run: Run): Promise<void> {
    this.leave(run);
    if (run.tried) await this.#finish({ event: run.begun || run.stopped ? "returned" : "cancelled", call: run.name });
    this.#rest();
  }

  /** Gives the machine one event and performs its effects after those of all earlier events. */
  do(event: AskingEvent): Promise<AskingEffect[]> {
    return this.#inTurn(() => this.#machine.step(event));
  }

  /** The open page of a link. */
  async page(link: string): Promise<OpenPage | undefined> {
    const look = (machine: Asking) => ({ ...this.looks(machine), link });
    const effects = await this.#inTurn(() => this.#machine.look(look), false);
    for (const effect of effects) if (effect.effect !== "page") this.#perform(effect);
    return effects.find((effect) => effect.effect === "page");
  }

  /** Settles every open question, and releases the machine. */
  async close(cause: "session_closed" | "shutdown"): Promise<void> {
    if (this.#closed) return;
    await this.do({ event: "closed", cause }).catch(() => {});
    this.#release();
  }

  /** Ends what runs here. The session stays in the store, for other processes. */
  async depart(): Promise<void> {
    const runs = [...this.#runs.values()];
    this.#reject(ended("shutdown"));
    for (const { name, stopped, tried } of runs)
      if (!stopped && tried) await this.do({ event: "cancelled", call: name }).catch(() => {});
    this.#release();
  }

  /** Lets go of a run. */
  leave(run: Run): void {
    this.#runs.delete(run.name);
    for (const one of run.waiting.values()) one.reject(new Interrupt("the call ended while the person thinks"));
    run.waiting.clear();
    if (this.#runs.size === 0) this.#stopWatching();
  }

  #reject(why: Error): void {
    for (const run of this.#runs.values()) {
      if (!run.begun) continue; // it has nothing here, or is told by its own step
      for (const one of run.waiting.values()) one.reject(why);
      run.waiting.clear();
    }
  }

  #release(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#stopWatching();
    this.#reject(ended("session_closed"));
    for (const abort of this.#sent.values()) abort.abort(new Error("the session is over"));
    this.#machine.release();
    this.#host.over(this);
  }

  /** Releases the machine of one call when no later run here needs it. A store keeps it for the others. */
  #rest(): void {
    const idle = this.brief && this.#runs.size === 0 && this.#users === 0;
    if (idle && (this.#host.store || this.#machine.due === 0 || !this.#kept)) this.#release();
  }

  #inTurn(effects: () => Promise<AskingEffect[]>, perform = true): Promise<AskingEffect[]> {
    const turn = this.#last.then(async () => {
      if (this.#closed) throw ended("session_closed");
      try {
        const found = await effects();
        if (perform) for (const effect of found) this.#perform(effect);
        return found;
      } catch (error) {
        if (error instanceof StoreFailure) this.#reload();
        if (!(error instanceof Gone)) throw error;
        this.#release(); // another process closed it, or its time was up
        throw ended("session_closed");
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Reports the end of a run until the store takes it: a question must not stay open when nobody waits for it. */
  async #finish(event: AskingEvent): Promise<void> {
    const done = await this.#tried(event);
    if (!done) void this.using(() => retry(() => this.#tried(event)));
  }

  /** False if the store could not be reached. */
  async #tried(event: AskingEvent): Promise<boolean> {
    try {
      await this.do(event);
      return true;
    } catch (error) {
      return !(error instanceof StoreFailure);
    }
  }

  /** Follows what other processes do, as long as something runs here. */
  #watch(): void {
    const { store } = this.#host;
    if (!store || this.#unwatch) return;
    let over = false;
    this.#unwatch = () => (over = true);
    void retry(async () => {
      if (over) return true;
      try {
        const stop = await store.watch(this.name, () => void this.#catchUp());
        if (over) stop();
        else this.#unwatch = stop;
        await this.#catchUp(); // the hints until now are lost
        return true;
      } catch {
        return this.#closed;
      }
    }, 0);
  }

  #stopWatching(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  /** Performs what other processes have decided. It resolves with false if the store could not be reached. */
  async #catchUp(): Promise<boolean> {
    if (this.#closed || this.#runs.size === 0) return true;
    try {
      await this.#inTurn(() => this.#machine.look((machine) => this.looks(machine)));
      return true;
    } catch (error) {
      return !(error instanceof StoreFailure);
    }
  }

  /** Loads the machine until that succeeds, if runs here may wait for what was committed. */
  #reload(): void {
    if (this.#reloading || this.#runs.size === 0) return;
    this.#reloading = true;
    void retry(async () => {
      const done = await this.#catchUp();
      this.#reloading = !done;
      return done;
    });
  }

  #perform(effect: AskingEffect): void {
    switch (effect.effect) {
      case "send":
        this.#offered(effect);
        return this.#send(effect);
      case "cancel_sent":
        this.#sent.get(effect.ref)?.abort(new Error("the question is over"));
        this.#sent.delete(effect.ref);
        return;
      case "notify": {
        const [run] = this.#runs.values();
        const { method, params } = effect;
        void run?.server.notification({ method, params } as never).catch(() => {});
        return;
      }
      case "interrupt": {
        this.#offered(effect);
        this.#kept = effect.keep ?? false; // otherwise the client carries all that a later run needs
        const run = this.#runs.get(effect.call);
        if (run) run.stopped = true;
        return run?.interrupt(effect);
      }
      case "page":
        return this.#host.page({ ...effect, link: this.name + separator + effect.link });
      case "settle": {
        const run = this.#runs.get(effect.call);
        run?.waiting.get(effect.position)?.resolve(effect);
        run?.waiting.delete(effect.position);
        return;
      }
      case "consult":
        void askHost(this.#host, effect).then((event) => this.do(event)).catch(() => {});
        return;
      case "wake":
        return this.#setTimer(effect.at);
      default:
    }
  }

  #offered(effect: Extract<AskingEffect, { effect: "send" | "interrupt" }>): void {
    const text = JSON.stringify(effect);
    for (const [url, learn] of this.#runs.get(effect.call)?.visits ?? [])
      if (text.includes(JSON.stringify(url))) learn(this.name + separator + effect.id);
  }

  /** Sends a request. While the store is away, the answer waits here: nobody else has it. */
  #send({ ref, call, method, params }: Extract<AskingEffect, { effect: "send" }>): void {
    const context = this.#runs.get(call)?.context;
    if (!context || this.#sent.has(ref)) return;
    const abort = new AbortController();
    this.#sent.set(ref, abort);
    const answered = send(context, { method, params }, abort.signal).then(
      (result): AskingEvent => ({ event: "responded", ref, result }),
      (why: { code?: unknown; message?: string }): AskingEvent => {
        const code = typeof why.code === "number" ? why.code : -32603;
        return { event: "responded", ref, error: { code, message: String(why.message ?? why) } };
      },
    );
    void answered.then(async (event) => {
      if (abort.signal.aborted) return; // we took it back
      await retry(async () => abort.signal.aborted || (await this.#tried(event)), 0);
      this.#sent.delete(ref);
    });
  }

  #setTimer(at: number): void {
    clearTimeout(this.#timer);
    if (at === 0 || this.#closed) return;
    const tick = () => void this.using(() => this.#tried({ event: "ticked" }));
    this.#timer = setTimeout(tick, Math.min(Math.max(at - Date.now(), 1), 2 ** 31 - 1));
    (this.#timer as { unref?(): void }).unref?.(); // a transport keeps the program running, a clock does not
  }
}

const ended = (cause: string): AskError => new CancelledError(cause, `cancelled: ${cause}`);

/** The problems that a step reports. */
export const problemsOf = (effects: readonly AskingEffect[]): Problem[] =>
  effects.flatMap((effect) => (effect.effect === "problem" ? effect.problems : []));
