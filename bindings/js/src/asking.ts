import type { AskingEffect, AskingEvent, Mode } from "./contract.ts";
import type { Configuration } from "./configuration.ts";
import { op, type Instance } from "./instance.ts";
import { Machine } from "./machine.ts";
import { optionMembers, stepInput, stepTime, type StepOptions, type Wrapped } from "./step-options.ts";

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
export class Asking extends Machine<AskingEffect> {
  /** See `Engine.asking`. */
  constructor(instance: Instance, config: AskingConfiguration, { state, ...given }: StepOptions & { state?: string }) {
    const loaded = state === undefined ? "" : `,"state":${state}`;
    super(instance, `"asking":${JSON.stringify(config)}${loaded}`, given);
  }

  /**
   * Gives the machine one event, bare or wrapped. It throws an `InputError` for an event that cannot be read, which
   * changes nothing.
   */
  step(event: AskingEvent | Wrapped<AskingEvent>, given: StepOptions = {}): AskingEffect[] {
    return this.put(stepInput(event, optionMembers(given)), "the event", stepTime(given));
  }

  /**
   * The effects that the host has missed, the open page of a link, and last when the machine wants a tick. It changes
   * nothing.
   */
  look(given: Look): AskingEffect[] {
    return this.put(`{"look":${JSON.stringify(given)}}`, "the look");
  }

  /** The whole state as JSON text. It holds answers in clear. It throws an `InputError` for a closed session. */
  save(): string {
    this.instance.call(op.step, this.handle, 0n, '{"save":true}', "the save");
    return this.instance.text().slice('{"state":'.length, -1);
  }
}
