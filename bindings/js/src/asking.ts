import type { AskingEffect, AskingEvent, Mode } from "./contract.ts";
import type { Configuration } from "./configuration.ts";
import { dispose } from "./dispose.ts";
import { readEffects } from "./effect.ts";
import { op, type Instance } from "./instance.ts";
import { openMembers, optionMembers, stepInput, stepTime, type StepOptions, type Wrapped } from "./step-options.ts";

/** The configuration of a machine of the asking side. docs/reference/asking.md describes its members. */
export interface AskingConfiguration {
  server: string;
  /** The protocol date of the session, or of the request in dates with rounds. */
  version: string;
  /** The modes that the client declared. */
  declared?: readonly Mode[];
  /** The host can send requests to the client. */
  requests?: boolean;
  principal?: string;
  config?: Configuration;
  page?: string;
  page_only?: readonly string[];
  fallback?: string;
  prefix?: string;
  order?: "queue" | "supersede" | "reject";
  ttl_ms?: number;
  hold_ms?: number;
  attempts?: number;
  /** Outcomes name the target of their call and the message of their question. */
  history?: boolean;
}

/** The host's knowledge of a machine that another process may have stepped. */
export interface Look {
  /** The runs here that were not interrupted. */
  calls?: readonly string[];
  /** The questions that they wait for. */
  waits?: readonly { call: string; position: number }[];
  /** The requests that were sent and not answered. */
  refs?: readonly string[];
  /** Of a page that a person wants to see. */
  link?: string;
}

/** The machine that asks the person behind one client. It lives in the instance of the engine that opened it. */
export class Asking implements Disposable {
  /** The effects of opening it. */
  readonly beginning: readonly AskingEffect[];
  readonly #instance: Instance;
  readonly #handle: bigint;
  #closed = false;

  /** See `Engine.asking`. */
  constructor(instance: Instance, config: AskingConfiguration, { state, ...given }: StepOptions & { state?: string }) {
    this.#instance = instance;
    const loaded = state === undefined ? "" : `,"state":${state}`;
    const input = `{"asking":${JSON.stringify(config)}${loaded}${openMembers(given)}}`;
    instance.call(op.open, 0n, stepTime(given), input, "the configuration");
    this.#handle = instance.opened();
    this.beginning = readEffects<AskingEffect>(instance.text());
  }

  /**
   * Gives the machine one event, bare or wrapped. It throws an `InputError` for an event that cannot be read, which
   * changes nothing.
   */
  step(event: AskingEvent | Wrapped<AskingEvent>, given: StepOptions = {}): AskingEffect[] {
    const input = stepInput(event, optionMembers(given));
    this.#instance.call(op.step, this.#handle, stepTime(given), input, "the event");
    return readEffects<AskingEffect>(this.#instance.text());
  }

  /**
   * The effects that the host has missed, the open page of a link, and last when the machine wants a tick. It changes
   * nothing.
   */
  look(given: Look): AskingEffect[] {
    this.#instance.call(op.step, this.#handle, 0n, `{"look":${JSON.stringify(given)}}`, "the look");
    return readEffects<AskingEffect>(this.#instance.text());
  }

  /** The whole state as JSON text. It holds answers in clear. It throws an `InputError` for a closed session. */
  save(): string {
    this.#instance.call(op.step, this.#handle, 0n, '{"save":true}', "the save");
    return this.#instance.text().slice('{"state":'.length, -1);
  }

  /** Releases the machine in the module. It settles no question; the event `closed` does that. */
  close(): void {
    if (this.#closed || this.#instance.ended) return;
    this.#closed = true;
    this.#instance.call(op.close, this.#handle, 0n, "", "the machine");
  }

  [dispose](): void {
    this.close();
  }
}
