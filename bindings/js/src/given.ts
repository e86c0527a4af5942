/** What a step depends on besides the event, in place of the machine's. */
export interface Given {
  /** Milliseconds since 1970-01-01 UTC. */
  at?: number;
  /** 64 hex digits of randomness. */
  dice?: string;
}

/** The time of a call. */
export const now = ({ at }: Given = {}): bigint => BigInt(at ?? Date.now());

/** The members of an input that say what is given. */
export function spelled({ at, dice }: Given): string {
  return (at === undefined ? "" : `,"at":${at}`) + (dice === undefined ? "" : `,"dice":${JSON.stringify(dice)}`);
}
