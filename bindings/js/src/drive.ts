import type { Append, Effect, ProblemEffect, Reply, Wake } from "./effect.ts";
import { Engine } from "./engine.ts";
import type { Event } from "./event.ts";
import { EngineFault, InputError } from "./fault.ts";
import type { Consult, Consulted } from "./guardian/consult.ts";
import type { Fault } from "./codes.ts";
import type { Guest } from "./guardian/guest.ts";
import { Guests } from "./guardian/guests.ts";
import { Keeper } from "./keeper.ts";
import { Stream } from "./stream.ts";

/** What is handed to a host: records go to the journal, and wakes are the driver's own timer. */
export type Handed = Exclude<Effect, Append | Wake>;

/** What a host's own guardian says: its verdict as text, and who says so where another person was asked; or why there is none. */
export type Said = string | { output: string; principal?: string } | { fault: Fault };

/**
 * What a host does about effects, by their names; what it has no performer for is dropped. Performers are called one at a
 * time, in order, and are not waited for: what one of them promises is its own business. It may call `do`.
 */
export type Host = { [E in Exclude<Handed, Consult> as E["effect"]]?: (effect: E) => void } & {
  /**
   * Asks a guardian that the driver does not hold: a language model, another person, a module in a worker. What it returns, or
   * promises, goes to the engine; when it throws, the guardian counts as unavailable. A session's host that has none leaves it to the driver's.
   */
  consult?(effect: Consult): Said | PromiseLike<Said>;
};

/** Keeps records, in order. The next event is not stepped before `append` has kept the last one's record. */
export interface Journal {
  /** Returns, or resolves, when the line is durable. After it fails nothing is decided any more. */
  append(line: string): void | PromiseLike<void>;
  /** A new chain begins with the next line: at the start, and after an engine was replaced. */
  begin?(): void;
}

export interface DriverOptions {
  journal?: Journal;
  /** The guardians it runs itself, the moment they are asked. */
  guests?: Iterable<Guest>;
  /** Milliseconds since 1970-01-01 UTC. */
  now?: () => number;
  /** 64 hex digits; left out, the module draws them from crypto.getRandomValues. */
  dice?: () => string;
  /** Settles everything with the cause shutdown when it is aborted. */
  signal?: AbortSignal;
  /** How many events may wait for their turn, and effects for their reader. */
  most?: number;
  /** Told when an engine broke and was replaced. */
  replaced?: (fault: EngineFault) => void;
}

/** The journal failed, so nothing may be decided. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/**
 * The loop around `step`: it gives the engine a clock, a timer and a journal, and hands each effect to the host it is for.
 * Events take turns. An engine that breaks is replaced by a new one that knows every session as it was before the event.
 */
export class Driver {
  #engine: Engine;
  readonly #options: DriverOptions;
  readonly #now: () => number;
  readonly #most: number;
  readonly #keeper = new Keeper();
  readonly #guests: Guests;
  readonly #host: Host;
  readonly #hosts = new Map<string, Host>();
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #begun = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakeAt = 0;
  #broken: Error | undefined;
  #over = false;
  #stream: Stream<Handed> | undefined;

  static readonly #drivers = new WeakMap<Engine, Driver>();

  /** The driver of an engine that nobody drives yet, or the one that drives it. */
  static of(engine: Engine): Driver {
    return Driver.#drivers.get(engine) ?? new Driver(engine);
  }

  /**
   * From here on the engine is the driver's: nobody else may step or close it. Guests that the configuration does not fit, or whose
   * settings they refuse, are an `InputError`.
   */
  constructor(engine: Engine, host: Host = {}, options: DriverOptions = {}) {
    this.#engine = engine;
    this.#host = host;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#most = options.most ?? 1024;
    this.#guests = new Guests(options.guests);
    this.#fits(engine.config, "the configuration");
    Driver.#drivers.set(engine, this);
    const leave = () => void this.shutdown().catch(() => {}); // a journal that fails has answered everything
    options.signal?.addEventListener("abort", leave, { once: true });
    if (options.signal?.aborted) leave();
  }

  /** The engine as it is now, for what changes nothing: `eval`, `form`, `describe`. */
  get engine(): Engine {
    return this.#engine;
  }

  /** Hands the effects of one session to a host of its own, or takes it away again. */
  join(session: string, host: Host | undefined): void {
    if (host) this.#hosts.set(session, host);
    else this.#hosts.delete(session);
  }

  /**
   * Gives the engine one event, in its turn, and resolves with the effects when the record is kept and the hosts have
   * the rest. It rejects with an InputError for an event that cannot be read, with a JournalError when the record could
   * not be kept, and at once when too many events wait already: whoever reads from a peer waits for it before reading on.
   */
  do(event: Event): Promise<Handed[]> {
    if (this.#waiting >= this.#most) {
      this.#refuse(event, "rate_limited", "queue_full");
      return Promise.reject(new Error(`${this.#most} events wait already`));
    }
    return this.#queue(event);
  }

  #queue(event: Event): Promise<Handed[]> {
    this.#waiting++;
    const turn = this.#turn.then(() => this.#take(event));
    this.#turn = turn.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return turn;
  }

  /**
   * The effects no host performs, in order. An effect that nobody reads is kept; with `most` of them unread the next event
   * waits. So a loop over them must not wait for `do`.
   */
  effects(): AsyncIterableIterator<Handed> {
    this.#stream ??= new Stream(this.#most);
    return this.#stream;
  }

  /** Settles everything that is open with the cause shutdown and stops the timer. It may be called again. */
  shutdown(): Promise<void> {
    const turn = this.#turn.then(() => this.#end());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #end(): Promise<void> {
    if (this.#over) return;
    try {
      for (const session of this.#keeper.sessions()) {
        if (!this.#broken) await this.#give({ event: "closed", session, cause: "shutdown" });
      }
    } finally {
      this.#over = true;
      this.#wake(0);
      this.#stream?.end();
    }
  }

  async #take(event: Event): Promise<Handed[]> {
    if (this.#over) throw new Error("the driver is shut down");
    if (this.#broken) {
      this.#refuse(event, "shutdown", "journal_failed");
      throw this.#broken;
    }
    await this.#stream?.room();
    return this.#give(event);
  }

  async #give(event: Event): Promise<Handed[]> {
    if (!this.#begun) await this.#begin();
    if (event.event === "configured") this.#fits(event.config_text ?? JSON.stringify(event.config), "the event");
    return this.#go(event);
  }

  /** Steps, performs, and does the same with what the guests say that were asked. */
  async #go(event: Event): Promise<Handed[]> {
    let effects: Effect[];
    try {
      effects = this.#step(event);
    } catch (error) {
      if (error instanceof EngineFault) return this.#replace(event, error);
      throw error;
    }
    return this.#perform(effects);
  }

  #fits(config: string, name: string): void {
    const problems = this.#guests.misfits(this.#engine, config);
    if (problems.length > 0) throw new InputError(name, problems);
  }

  #step(event: Event): Effect[] {
    const dice = this.#options.dice?.();
    const effects = this.#engine.step(event, { at: this.#now(), ...(dice !== undefined && { dice }) });
    this.#keeper.keep(this.#engine, event, effects);
    return effects;
  }

  async #begin(): Promise<void> {
    this.#begun = true;
    this.#options.journal?.begin?.();
    await this.#perform([...this.#engine.beginning]);
  }

  /** Makes the record durable before anything else of the batch happens. */
  async #perform(effects: Effect[]): Promise<Handed[]> {
    let handed = effects.filter((e): e is Handed => e.effect !== "append" && e.effect !== "wake");
    for (const effect of effects) {
      if (effect.effect !== "append") continue;
      try {
        const kept = this.#options.journal?.append(effect.record);
        if (kept) await kept;
      } catch (cause) {
        throw this.#failClosed(handed, new JournalError("a record could not be kept", { cause }));
      }
    }
    const said = new Map<Effect, Consulted>();
    for (const effect of effects) {
      const answer = effect.effect === "consult" ? this.#guests.answer(effect) : undefined;
      if (answer) said.set(effect, answer);
      else if (effect.effect === "wake") this.#wake(effect.at);
      else if (effect.effect !== "append") this.#hand(effect);
    }
    handed = handed.filter((effect) => !said.has(effect));
    for (const answer of said.values()) handed.push(...(await this.#go(answer)));
    return handed;
  }

  #hand(effect: Handed): void {
    const host = this.#hosts.get(effect.session ?? "") ?? this.#host;
    if (effect.effect === "consult") return this.#consult(host.consult ? host : this.#host, effect);
    const perform = host[effect.effect] as ((effect: Handed) => void) | undefined;
    if (!perform) {
      this.#stream?.push(effect);
      return;
    }
    try {
      perform.call(host, effect);
    } catch (error) {
      reportLater(error);
    }
  }

  /** Lets the host ask. Whom nobody can ask says so at once, and a late answer is the engine's to refuse. */
  #consult(host: Host, effect: Consult): void {
    if (!host.consult && this.#stream) return this.#stream.push(effect);
    const nobody = { fault: effect.digest === undefined || effect.host ? "unavailable" : "missing" } as const;
    const asked = (async () => (host.consult ? host.consult(effect) : nobody))();
    const { session, id, round } = effect;
    const engine = this.#engine;
    void asked
      .then(spelled, () => ({ fault: "unavailable" as const }))
      .then((said) => (this.#engine === engine ? this.#queue({ event: "consulted", session, id, round, ...said }) : undefined)) // else another asks anew
      .catch(() => {}); // shut down meanwhile, or the next caller is told
  }

  /** Goes on with a new engine. The event that broke the old one is not given to it. */
  async #replace(event: Event, fault: EngineFault): Promise<Handed[]> {
    try {
      const broken = this.#engine;
      this.#engine = await broken.reopen();
      Driver.#drivers.set(this.#engine, this);
      broken.close();
      await this.#begin();
      for (const kept of this.#keeper.events()) await this.#perform(this.#step(kept));
    } catch (error) {
      if (error instanceof JournalError) throw error;
      throw this.#failClosed([], new EngineFault("a new engine broke too", true, { cause: error }));
    }
    this.#options.replaced?.(fault);
    const lost = [failed(event, "shutdown", "internal")];
    lost.forEach((effect) => this.#hand(effect));
    return lost;
  }

  /** What a batch had decided gives way to an error, and so does whatever is open. */
  #failClosed(effects: Handed[], why: Error): Error {
    this.#broken = why;
    this.#wake(0);
    for (const effect of effects) {
      if (effect.effect === "reply") this.#hand(unkept(effect));
      else if (effect.effect === "withdraw" || effect.effect === "problem") this.#hand(effect);
    }
    for (const { session, id, ref } of this.#keeper.open(effects)) {
      this.#hand(unkept({ session, id, ref }));
      this.#hand({ effect: "withdraw", session, id, cause: "shutdown" });
    }
    return why;
  }

  /** Answers a question that cannot be asked. */
  #refuse(event: Event, cause: "rate_limited" | "shutdown", code: ProblemEffect["problems"][0]["code"]): void {
    if (event.event === "asked") this.#hand(failed(event, cause, code));
  }

  /** Replaces the timer; a clock that was set back since makes it come again. */
  #wake(at: number): void {
    clearTimeout(this.#timer);
    this.#wakeAt = at;
    if (at === 0 || this.#over) return;
    const wait = Math.min(Math.max(at - this.#now(), 1), 2 ** 31 - 1);
    this.#timer = setTimeout(() => {
      if (this.#now() < this.#wakeAt) this.#wake(this.#wakeAt);
      else this.#queue({ event: "ticked" }).catch(() => {}); // the next caller is told
    }, wait);
  }
}

/** What becomes of an event that was not taken: an error reply for a question, a problem for anything else. */
function failed(event: Event, cause: Reply["cause"], code: ProblemEffect["problems"][0]["code"]): Handed {
  const problems = [{ code, pointer: "" }];
  if (event.event === "asked") return { effect: "reply", session: event.session, ref: event.ref, outcome: "error", cause, problems };
  const { session, id } = event as { session?: string; id?: string };
  return { effect: "problem", about: "host", ...(session !== undefined && { session }), ...(id !== undefined && { id }), problems };
}

function unkept({ session, id, ref }: Pick<Reply, "session" | "id" | "ref">): Reply {
  const problems = [{ code: "journal_failed" as const, pointer: "" }];
  return { effect: "reply", session, ...(id !== undefined && { id }), ref, outcome: "error", cause: "shutdown", problems };
}

/** What a host's guardian said, as an event has it: nothing is not an output. */
function spelled(said: Said): Pick<Consulted, "output" | "fault" | "principal"> {
  const whole = typeof said === "string" ? { output: said } : said ?? { fault: "unavailable" };
  return "output" in whole && whole.output === "" ? { fault: "bad_output" } : whole;
}

/** Lets an error that nobody waits for come up where the host looks for such errors. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
