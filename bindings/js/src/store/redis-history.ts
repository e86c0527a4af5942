import { latin } from "../base64.ts";
import { decodeEntry } from "./entry.ts";
import type { Commands } from "./redis.ts";
import { lastTime, matches, newer, type Entry, type Query } from "./store.ts";

interface BufferMaker {
  from(value: string | ArrayBufferLike, of?: string | number, length?: number): Uint8Array;
}

const maker = () => (globalThis as unknown as { Buffer: BufferMaker }).Buffer;
const encoder = new TextEncoder();

/** The buffer that the client takes for binary. */
export const binary = (value: Uint8Array) => maker().from(value.buffer, value.byteOffset, value.byteLength);

/** The history of one shard, read some entries at a time. */
interface Branch {
  order: string;
  entries: string;
  /** The highest time that is still to read, the member that was read last, and its time. */
  max: number;
  last: string;
  at: number;
  size: number;
  some: Entry[];
  done: boolean;
}

/** Merges the histories of the shards, each of which is in order. */
export class History {
  readonly #commands: Commands;
  readonly #query: Query;
  readonly #branches: Branch[];

  constructor(commands: Commands, query: Query, keys: { order: string; entries: string }[]) {
    this.#commands = commands;
    this.#query = query;
    const max = Math.min(query.until ? query.until - 1 : lastTime, query.before?.at ?? lastTime);
    this.#branches = keys.map((key) => ({ ...key, max, last: "", at: -1, size: 64, some: [], done: false }));
  }

  /** Names an entry so that members are in the order of session and id. */
  static member(session: string, id: string): Uint8Array {
    const bytes = [...encoder.encode(session)].flatMap((byte) => (byte === 0 ? [0, 0xff] : [byte]));
    return new Uint8Array([...bytes, 0, 1, ...encoder.encode(id)]);
  }

  async next(): Promise<Entry | undefined> {
    await Promise.all(this.#branches.map((branch) => this.#fill(branch)));
    let newest: Branch | undefined;
    for (const branch of this.#branches)
      if (branch.some[0] && (!newest || newer(branch.some[0], newest.some[0]!) < 0)) newest = branch;
    return newest?.some.shift();
  }

  /** Reads the next entries of a shard. It begins at the last one's time again, because others may share it. */
  async #fill(branch: Branch): Promise<void> {
    while (branch.some.length === 0 && !branch.done) {
      const range = { BY: "SCORE", REV: true, LIMIT: { offset: 0, count: branch.size } } as const;
      const since = this.#query.since ?? 0;
      const found = await this.#commands.zRangeWithScores(branch.order, branch.max, since, range);
      branch.done = found.length < branch.size;
      const members = found.filter(({ value, score }) => score !== branch.at || latin(value) < branch.last);
      if (members.length === 0) {
        branch.size *= 2; // all of them were read before
        continue;
      }
      const end = found.at(-1)!;
      branch.last = latin(end.value);
      branch.at = branch.max = end.score;
      const bodies = await this.#commands.hmGet(branch.entries, members.map(({ value }) => value));
      for (const body of bodies) {
        const entry = body && decodeEntry(body); // null: forgotten since
        if (entry && matches(this.#query, entry)) branch.some.push(entry);
      }
    }
  }
}
