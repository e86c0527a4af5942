import type { Consulted, End, RelayEffect, RelayEvent, Wake } from "./contract.ts";
import type { Engine } from "./engine.ts";
import { EngineFault } from "./fault.ts";
import type { StepOptions } from "./step-options.ts";
import { Guests } from "./guardian/guests.ts";
import { JournalError, askHost, type ConnectOptions, type Host } from "./host.ts";
import { uiHost } from "./open-question.ts";
import type { Relay, RelayConfiguration } from "./relay.ts";

/**
 * The loop around the machine of one connection. It gives the machine a clock, a timer, a journal and guests. All
 * decisions are the machine's.
 */
export class Connection {
  readonly #engine: Engine;
  readonly #relay: Relay;
  readonly #host: Host;
  readonly #ui: Partial<Host>;
  readonly #options: ConnectOptions;
  readonly #guests: Guests;
  /** Settles when the last step in the queue has been performed. */
  #last: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over: Error | undefined;
  readonly #abort = () => void this.shutdown();

  /** See `connect`. */
  constructor(engine: Engine, config: RelayConfiguration, host: Host, options: ConnectOptions) {
    this.#engine = engine;
    this.#host = host;
    this.#options = options;
    this.#guests = new Guests(options.guests, options.data);
    this.#guests.fit(engine, config.config ?? engine.config, "the configuration");
    this.#relay = engine.relay(
      { ...(host.ui && { modes: host.ui.modes ?? ["form", "url"] }), ...config },
      this.#stepOptions(),
    );
    this.#ui = host.ui ? uiHost(this, host.ui, engine, config) : {};
    // A failure needs no more handling here: `failed` tells the host.
    this.#inTurn(() => [{ effect: "new_journal" }, ...this.#relay.beginning]).catch(() => {});
    options.signal?.addEventListener("abort", this.#abort, { once: true });
    if (options.signal?.aborted) this.#abort();
  }

  /**
   * Gives the machine one message of an end, without its line end. It resolves with the effects after they have been
   * performed. A caller that reads from a transport should wait for it before it reads the next message. Bytes must not
   * change until then.
   */
  receive(from: End, message: string | Uint8Array): Promise<RelayEffect[]> {
    return this.#inTurn(() => this.#relay.receive(from, message, this.#stepOptions()), message);
  }

  /**
   * Gives the machine one event after all earlier ones. It resolves with the effects after they have been performed. It
   * rejects with an `InputError` for an event that cannot be read, and with a `JournalError` if a record of the step
   * could not be kept. After the end of the connection, it rejects with the reason of that end.
   */
  do(event: RelayEvent): Promise<RelayEffect[]> {
    return this.#inTurn(() => this.#step(event));
  }

  /** Settles every open question with the cause `shutdown`, and ends the connection. Calling it again does nothing. */
  shutdown(): Promise<void> {
    const end = () => {
      this.#end(new Error("the connection is shut down"));
      this.#relay.close();
    };
    const done = this.do({ event: "ended", end: "host" }).then(end, end); // `failed` told the host why it failed
    this.#last = done; // no other step runs in between
    return done;
  }

  #inTurn(step: () => RelayEffect[], message?: string | Uint8Array): Promise<RelayEffect[]> {
    const turn = this.#last.then(() => {
      if (this.#over) throw this.#over;
      return this.#perform(step(), message);
    });
    this.#last = turn.catch((why: unknown) => why instanceof EngineFault && this.#end(why));
    return turn;
  }

  #step(event: RelayEvent): RelayEffect[] {
    if (event.event === "configured")
      this.#guests.fit(this.#engine, event.config_text ?? event.config ?? {}, "the event");
    return this.#relay.step(event, this.#stepOptions());
  }

  #stepOptions(): StepOptions {
    const random = this.#options.random?.();
    const { now, elapsed = now ? undefined : () => performance.now() } = this.#options;
    return {
      at: (now ?? Date.now)(),
      ...(elapsed && { elapsed: Math.floor(elapsed()) }),
      ...(random !== undefined && { random }),
    };
  }

  /** Performs the effects of a step in order. Then it gives the machine the verdicts of guests asked in the step. */
  async #perform(effects: readonly RelayEffect[], message?: string | Uint8Array): Promise<RelayEffect[]> {
    const done: RelayEffect[] = [];
    const answers: Consulted[] = [];
    for (const effect of effects) {
      const answer = effect.effect === "consult" ? this.#guests.answer(effect) : undefined;
      if (answer) answers.push(answer);
      else done.push(effect);
      if (effect.effect === "append" || effect.effect === "new_journal") await this.#journal(effect);
      else if (effect.effect === "forward") this.#call("write", effect.to, message);
      else if (effect.effect === "send") this.#call("write", effect.to, effect.message);
      else if (effect.effect === "wake") this.#setTimer(effect);
      else if (effect.effect !== "consult") this.#call(effect.effect, effect);
      else if (!answer)
        void askHost(this.#host, effect)
          .then((event) => this.do(event))
          .catch(() => {}); // the connection ended meanwhile
    }
    for (const answer of answers) done.push(...(await this.#perform(this.#step(answer))));
    return done;
  }

  async #journal(effect: Extract<RelayEffect, { effect: "append" | "new_journal" }>): Promise<void> {
    const { journal } = this.#options;
    try {
      await (effect.effect === "append" ? journal?.append(effect.record) : journal?.begin?.());
    } catch (cause) {
      const why = new JournalError("a record was not kept", { cause });
      this.#call("failed", why);
      await this.#perform(this.#step({ event: "append_failed" }));
      throw why;
    }
  }

  /** Calls a method of the user interface and of the host. An error that a method throws becomes an uncaught error. */
  #call(name: Exclude<keyof Host, "ui" | "consult">, ...what: unknown[]): void {
    for (const host of [this.#ui, this.#host]) {
      try {
        // A later version may have effects with the names of members that are no functions.
        (host[name] as ((...what: unknown[]) => void) | undefined)?.call?.(host, ...what);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Replaces the timer. A timer may not count suspended time, so it may tick early: the machine asks for another. */
  #setTimer({ at, in: wait }: Wake): void {
    clearTimeout(this.#timer);
    if (at === 0) return;
    const tick = () => void this.do({ event: "ticked" }).catch(() => {}); // `failed` tells the host
    const ms = wait ?? at - (this.#options.now ?? Date.now)();
    this.#timer = setTimeout(tick, Math.min(Math.max(ms, 1), 20_000));
  }

  /** Ends the loop. A broken machine gives no more effects, so the loop closes both ends itself. */
  #end(why: Error): void {
    if (this.#over) return;
    this.#over = why;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#abort);
    if (!(why instanceof EngineFault)) return;
    for (const end of ["server", "client"] as const) this.#call("close", { effect: "close", end });
    this.#call("failed", why);
  }
}

/**
 * Opens the machine of a connection in the engine's instance and runs the loop around it. Give the messages of both
 * ends to `receive`; `host` writes the messages to them. It throws an `InputError` for a configuration that cannot be
 * used, or that the guests do not fit.
 */
export function connect(
  engine: Engine,
  config: RelayConfiguration,
  host: Host,
  options: ConnectOptions = {},
): Connection {
  return new Connection(engine, config, host, options);
}
