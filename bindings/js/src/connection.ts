import type { Engine } from "./engine.ts";
import { EngineFault } from "./fault.ts";
import type { Given } from "./given.ts";
import type { Consulted } from "./guardian/consult.ts";
import { Guests } from "./guardian/guests.ts";
import { JournalError, said, type ConnectOptions, type Host } from "./host.ts";
import { uiHost } from "./open-question.ts";
import type { Relay, RelayConfiguration } from "./relay.ts";
import type { RelayEffect } from "./relay-effect.ts";
import type { End, RelayEvent } from "./relay-event.ts";

/**
 * The loop around the machine of one connection. It gives the machine a clock, a timer, a journal and guests, and
 * decides nothing.
 */
export class Connection {
  readonly #engine: Engine;
  readonly #relay: Relay;
  readonly #host: Host;
  readonly #ui: Partial<Host>;
  readonly #options: ConnectOptions;
  readonly #guests: Guests;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over: Error | undefined;
  readonly #leave = () => void this.shutdown();

  /** See `connect`. */
  constructor(engine: Engine, config: RelayConfiguration, host: Host, options: ConnectOptions) {
    this.#engine = engine;
    this.#host = host;
    this.#options = options;
    this.#guests = new Guests(options.guests);
    this.#guests.fit(engine, config.config ?? engine.config, "the configuration");
    this.#relay = engine.relay(
      { ...(host.ui && { modes: host.ui.modes ?? ["form", "url"] }), ...config },
      this.#given(),
    );
    this.#ui = host.ui ? uiHost(this, host.ui, engine, config) : {};
    this.#next(() => [{ effect: "new_journal" }, ...this.#relay.beginning]).catch(() => {}); // the host is told
    options.signal?.addEventListener("abort", this.#leave, { once: true });
    if (options.signal?.aborted) this.#leave();
  }

  /**
   * Gives the machine one message of an end, without its line end, and resolves when everything that follows has been
   * performed. Whoever reads from a transport waits for it before reading on. Bytes may not change until then.
   */
  receive(from: End, message: string | Uint8Array): Promise<RelayEffect[]> {
    return this.#next(() => this.#relay.receive(from, message, this.#given()), message);
  }

  /**
   * Gives the machine one event in its turn, and resolves with what was performed. It rejects with an `InputError` for
   * an event that cannot be read, with a `JournalError` when a record of the step could not be kept, and with the reason
   * when the connection is over.
   */
  do(event: RelayEvent): Promise<RelayEffect[]> {
    return this.#next(() => this.#step(event));
  }

  /** Settles everything that is open with the cause shutdown, and ends. It may be called again. */
  shutdown(): Promise<void> {
    const end = () => {
      this.#end(new Error("the connection is shut down"));
      this.#relay.close();
    };
    const last = this.do({ event: "ended", end: "host" }).then(end, end); // why it fails, the host was told
    this.#turn = last; // nothing is taken in between
    return last;
  }

  #next(step: () => RelayEffect[], message?: string | Uint8Array): Promise<RelayEffect[]> {
    const turn = this.#turn.then(() => {
      if (this.#over) throw this.#over;
      return this.#perform(step(), message);
    });
    this.#turn = turn.catch((why: unknown) => why instanceof EngineFault && this.#end(why));
    return turn;
  }

  #step(event: RelayEvent): RelayEffect[] {
    if (event.event === "configured")
      this.#guests.fit(this.#engine, event.config_text ?? event.config ?? {}, "the event");
    return this.#relay.step(event, this.#given());
  }

  #given(): Given {
    const dice = this.#options.dice?.();
    return { at: (this.#options.now ?? Date.now)(), ...(dice !== undefined && { dice }) };
  }

  /** Performs the effects of a step in their order, and then those of what guests said that were asked in it. */
  async #perform(effects: readonly RelayEffect[], message?: string | Uint8Array): Promise<RelayEffect[]> {
    const done: RelayEffect[] = [];
    const answers: Consulted[] = [];
    for (const effect of effects) {
      const answer = effect.effect === "consult" ? this.#guests.answer(effect) : undefined;
      if (answer) answers.push(answer);
      else done.push(effect);
      if (effect.effect === "append" || effect.effect === "new_journal") await this.#keep(effect);
      else if (effect.effect === "forward") this.#hand("write", effect.to, message);
      else if (effect.effect === "send") this.#hand("write", effect.to, effect.message);
      else if (effect.effect === "wake") this.#wake(effect.at);
      else if (effect.effect !== "consult") this.#hand(effect.effect, effect);
      else if (!answer)
        void said(this.#host, effect)
          .then((event) => this.do(event))
          .catch(() => {}); // it ended meanwhile
    }
    for (const answer of answers) done.push(...(await this.#perform(this.#step(answer))));
    return done;
  }

  async #keep(effect: Extract<RelayEffect, { effect: "append" | "new_journal" }>): Promise<void> {
    const { journal } = this.#options;
    try {
      await (effect.effect === "append" ? journal?.append(effect.record) : journal?.begin?.());
    } catch (cause) {
      const why = new JournalError("a record could not be kept", { cause });
      this.#hand("failed", why);
      await this.#perform(this.#step({ event: "append_failed" }));
      throw why;
    }
  }

  /** Calls whoever performs something. What a performer throws comes up where errors do that nobody catches. */
  #hand(name: Exclude<keyof Host, "ui" | "consult">, ...what: unknown[]): void {
    for (const host of [this.#ui, this.#host]) {
      try {
        (host[name] as ((...what: unknown[]) => void) | undefined)?.(...what);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Replaces the timer. The machine asks again when the tick comes early. */
  #wake(at: number): void {
    clearTimeout(this.#timer);
    if (at === 0) return;
    const tick = () => void this.do({ event: "ticked" }).catch(() => {}); // the host is told
    this.#timer = setTimeout(tick, Math.min(Math.max(at - (this.#options.now ?? Date.now)(), 1), 2 ** 31 - 1));
  }

  /** Ends the loop. A machine that broke can say nothing more, so both ends are closed for it. */
  #end(why: Error): void {
    if (this.#over) return;
    this.#over = why;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#leave);
    if (!(why instanceof EngineFault)) return;
    for (const end of ["server", "client"] as const) this.#hand("close", { effect: "close", end });
    this.#hand("failed", why);
  }
}

/**
 * Opens the machine of a connection in the engine's instance and runs the loop around it: `receive` what comes from
 * both ends, and let `host` write what goes to them. A configuration that cannot be used, or that guests do not fit, is
 * an `InputError`.
 */
export function connect(
  engine: Engine,
  config: RelayConfiguration,
  host: Host,
  options: ConnectOptions = {},
): Connection {
  return new Connection(engine, config, host, options);
}
