import type { Asking } from "../asking.ts";
import type { AskingEffect, AskingEvent, Interrupting, Settled } from "../asking-event.ts";
import { TooLargeError } from "./errors.ts";
import { runs } from "./machine.ts";
import type { Context, SdkServer } from "./sdk.ts";

/** The most questions and values of one call, and the most bytes of its values. */
export const mostPositions = 256;
const mostBytes = 32 * 1024;

export type Called = Omit<Extract<AskingEvent, { event: "called" }>, "event" | "call">;

/**
 * A run of a handler. The session hears of it with its first question, in the same commit: a handler that never asks
 * costs none.
 */
export class Run {
  /** The next position of a question or value. */
  positions = 0;
  readonly waiting = new Map<number, { resolve(settled: Settled): void; reject(why: Error): void }>();
  /** Called with the id of the question that offers a URL. */
  readonly visits = new Map<string, (id: string) => void>();
  /** Resolves when the run was ended early. */
  readonly interrupted: Promise<Interrupting>;
  readonly interrupt: (how: Interrupting) => void;
  stopped?: true;
  /** Its request was cancelled. */
  aborted?: true;
  /** The session knows the run. */
  begun = false;
  /** The session has had the event of the run, and may know it. */
  tried = false;
  /** The store failed while the session was told. */
  uncertain = false;
  /** The machine did not take the run. */
  refused = false;
  #values: AskingEvent[] = [];
  #size = 0;

  constructor(
    readonly name: string,
    readonly server: SdkServer,
    readonly context: Context,
    readonly called: Called,
  ) {
    let interrupt!: (how: Interrupting) => void;
    this.interrupted = new Promise((resolve) => (interrupt = resolve));
    this.interrupt = interrupt;
  }

  /** The effects of an event, and of what the machine must hear first: that the run began, and its values. */
  advance(machine: Asking, event?: AskingEvent): AskingEffect[] {
    const effects: AskingEffect[] = [];
    if (!this.begun && !(this.uncertain && runs(machine, this.name))) {
      effects.push(...machine.step({ event: "called", call: this.name, ...this.called }));
      this.refused = !runs(machine, this.name);
      if (this.refused) return effects;
    }
    for (const one of [...this.#values, ...(event ? [event] : [])]) effects.push(...machine.step(one));
    return effects;
  }

  /** The session has heard of the run and its values. */
  stepped(): void {
    this.begun = true;
    this.#values = [];
  }

  /** Counts a value that an earlier run has kept. */
  kept(text: string): string {
    this.#size += bytes(text);
    return text;
  }

  /** Keeps a value with the next event of the run. */
  keep(position: number, key: string, text: string): string {
    if (this.#size + bytes(text) > mostBytes) throw new TooLargeError(mostBytes);
    this.#values.push({ event: "once", call: this.name, position, key, value: JSON.parse(text) as unknown });
    return this.kept(text);
  }
}

const bytes = (text: string) => new TextEncoder().encode(text).length;
