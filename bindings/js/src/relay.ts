import type { Asker, Role } from "./codes.ts";
import type { Configuration } from "./configuration.ts";
import { dispose } from "./dispose.ts";
import { readEffects, type Grant } from "./effect.ts";
import { now, spelled, type Given } from "./given.ts";
import { most, op, type Instance } from "./instance.ts";
import type { Mode } from "./question.ts";
import type { RelayEffect } from "./relay-effect.ts";
import type { End, RelayEvent } from "./relay-event.ts";

/** The configuration of a connection. Everything but the name has a default. */
export interface RelayConfiguration {
  /** The name that policy and people know the server by, never what it calls itself. */
  server: string;
  /** The engine's configuration; left out, the one that the engine was opened with. Text is taken as it stands. */
  config?: Configuration | string;
  /**
   * The server's program and arguments, or the origin of its URL. A yes that holds always answers
   * only this.
   */
  identity?: string;
  /** Whose session it is; answers must come from the same principal. */
  principal?: string;
  /** The place of the host; left out, `between`. */
  role?: Role;
  /** The one who is asked; left out, the `host`, or the `client` where the role is `server`. */
  ask?: Asker;
  /** The modes that the host can put before a person; left out, none. */
  modes?: readonly Mode[];
  /** The agreement of the ends from before, where the host hands over questions alone. */
  session?: { version: string; declared: readonly Mode[] };
  /** Between signs of progress while a call waits for an answer; 0 for none. */
  keep_alive_ms?: number;
  /** How long a call waits for a visited page to be finished. */
  completion_wait_ms?: number;
  /** How long a question outlives the call it belongs to. */
  call_over_ms?: number;
  /** Bytes of one message. */
  max_message?: number;
}

/** From here on a text is encoded before it is measured: a character takes three bytes at most. */
const long = Math.floor(most / 3);

/** How much of a message that is too long for the module tells it whom to answer. */
const beginning = 1 << 16;

/**
 * The machine of one connection between a client and a server: it says what becomes of every message, and asks the
 * engine in it. It lives in the instance of the engine that opened it, and ends with that.
 */
export class Relay implements Disposable {
  /** The effects of opening it. */
  readonly beginning: readonly RelayEffect[];
  readonly #instance: Instance;
  readonly #handle: bigint;
  #closed = false;

  /** See `Engine.relay`. */
  constructor(instance: Instance, { config, server = "", ...more }: RelayConfiguration, given: Given) {
    this.#instance = instance;
    const rest = JSON.stringify({ server, ...more }).slice(1);
    const relay = `{"config":${typeof config === "string" ? config : JSON.stringify(config ?? {})},${rest}`;
    instance.call(op.open, 0n, now(given), `{"relay":${relay}${spelled(given)}}`, "the configuration");
    this.#handle = instance.opened();
    this.beginning = readEffects<RelayEffect>(instance.text());
  }

  /**
   * Gives the machine one message as it came, without its line end. Bytes are taken as they are; one that is longer
   * than 64 MiB is refused as the machine refuses any that is too long.
   */
  receive(from: End, message: string | Uint8Array, given: Given = {}): RelayEffect[] {
    if (typeof message === "string" && message.length > long) message = new TextEncoder().encode(message);
    if (message.length > most)
      return this.step(
        { event: "received", from, cut: true },
        { ...given, message: text(message.slice(0, beginning)) },
      );
    if (given.dice !== undefined) return this.step({ event: "received", from }, { ...given, message: text(message) });
    this.#instance.call(op[from], this.#handle, now(given), message, "the message");
    return readEffects<RelayEffect>(this.#instance.text());
  }

  /** Gives the machine one event. An event that cannot be read is an `InputError` and changes nothing. */
  step(event: RelayEvent, given: Given & { message?: string } = {}): RelayEffect[] {
    const beside = given.message === undefined ? "" : `,"message":${JSON.stringify(given.message)}`;
    this.#instance.call(
      op.step,
      this.#handle,
      now(given),
      `{"event":${JSON.stringify(event)}${beside}${spelled(given)}}`,
      "the event",
    );
    return readEffects<RelayEffect>(this.#instance.text());
  }

  /** The grants that hold now. */
  grants(): Grant[] {
    this.#instance.call(op.step, this.#handle, now(), '{"list":"grants"}', "the list");
    return (JSON.parse(this.#instance.text()) as { grants: Grant[] }).grants;
  }

  /** Gives its place up; `ended` settles what is open. It may be called again. */
  close(): void {
    if (this.#closed || this.#instance.ended) return;
    this.#closed = true;
    this.#instance.call(op.close, this.#handle, 0n, "", "the connection");
  }

  [dispose](): void {
    this.close();
  }
}

const text = (message: string | Uint8Array) =>
  typeof message === "string" ? message : new TextDecoder().decode(message);
