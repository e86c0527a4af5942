/** The inputs of a step besides its event. Left out, the module reads the clock and the system's randomness. */
export interface StepOptions {
  /** Milliseconds since 1970-01-01 UTC. */
  at?: number;
  /** 32 random bytes as 64 hex digits. */
  random?: string;
}

/** The time of a call, in milliseconds since 1970-01-01 UTC. */
export const stepTime = ({ at }: StepOptions = {}): bigint => BigInt(at ?? Date.now());

/** The options as members of the JSON of an input, each with a comma before it. */
export function optionMembers({ at, random }: StepOptions): string {
  return (at === undefined ? "" : `,"at":${at}`) + (random === undefined ? "" : `,"random":${JSON.stringify(random)}`);
}
