/** The inputs of a step besides its event. Left out, the module reads the clock and the system's randomness. */
export interface StepOptions {
  /** Milliseconds since 1970-01-01 UTC. */
  at?: number;
  /** Milliseconds of a clock that never goes back and counts suspended time. Deadlines follow it. */
  elapsed?: number;
  /** 32 random bytes as 64 hex digits. */
  random?: string;
}

/** An event with the inputs of its step beside it. An input that is given here and in the options is an error. */
export interface Wrapped<Event> extends StepOptions {
  event: Event;
}

/** The time of a call, in milliseconds since 1970-01-01 UTC. */
export const stepTime = ({ at }: StepOptions = {}): bigint => BigInt(at ?? Date.now());

/** The options as members of the JSON of an input, each with a comma before it. */
export function optionMembers({ at, elapsed, random }: StepOptions): string {
  const time = (at === undefined ? "" : `,"at":${at}`) + (elapsed === undefined ? "" : `,"elapsed":${elapsed}`);
  return time + (random === undefined ? "" : `,"random":${JSON.stringify(random)}`);
}

/** The members beside the configuration of a machine. With "texts", its effects have exact texts; see readEffects. */
export function openMembers(given: StepOptions): string {
  return `${optionMembers(given)},"texts":true`;
}

/** The input of a step: its event, bare or wrapped, and what is given beside it, with a comma before each member. */
export function stepInput(event: { event: unknown }, beside: string): string {
  const wrapped = typeof event.event === "object" ? event : { event };
  return `${JSON.stringify(wrapped).slice(0, -1)}${beside}}`;
}
