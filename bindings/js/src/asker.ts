import type { AskerClient, AskerEffect, AskerEvent } from "./asker-event.ts";
import type { AskingConfiguration } from "./asking.ts";
import { op, type Instance } from "./instance.ts";
import { Machine } from "./machine.ts";
import { optionMembers, stepInput, stepTime, type StepOptions } from "./step-options.ts";

/** The configuration of the asking side of a process. docs/reference/asking.md describes its members. */
export interface AskerConfiguration
  extends Pick<AskingConfiguration,
    "server" | "config" | "page" | "page_only" | "fallback" | "order" | "ttl_ms" | "hold_ms" | "attempts"> {
  /** The host has a store; left out, this process alone has the sessions. */
  store?: boolean;
  /** The host keeps records itself. */
  journal?: boolean;
  keep_ms?: number;
  keep_journal_ms?: number;
  results_ms?: number;
  progress_ms?: number;
}

/** With a clock that never goes back, which the machine must have in each step or in none. It is never 0. */
const timed = (given: StepOptions): StepOptions => ({ elapsed: Math.ceil(performance.now()) + 1, ...given });

/** The asking side of one process: the sessions of all clients, and each transaction with their store. */
export class AskerMachine extends Machine<AskerEffect> {
  /** See `Engine.asker`. */
  constructor(instance: Instance, config: AskerConfiguration, given: StepOptions = {}) {
    super(instance, `"asker":${JSON.stringify(config)}`, timed(given));
  }

  /** Gives the machine one event. It throws an `InputError` for one that cannot be read, which changes nothing. */
  step(event: AskerEvent, given: StepOptions = {}): AskerEffect[] {
    return this.put(stepInput({ event }, optionMembers(timed(given))), "the event", stepTime(given));
  }

  /**
   * The client as the machine reads it from its `capabilities`, and the tool with which a model passes on an answer, if
   * some question reaches this client in no other way.
   */
  client(client: AskerClient): { client: AskerClient; tool?: object } {
    this.instance.call(op.step, this.handle, 0n, JSON.stringify({ fallback: client }), "the client");
    return JSON.parse(this.instance.text()) as { client: AskerClient; tool?: object };
  }
}
