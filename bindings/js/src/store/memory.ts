import {
  bytewise, checkQuery, closed, conflict, matches, newer,
  type Change, type Entry, type Line, type Query, type Saved, type Store, type Wake,
} from "./store.ts";
import { Wakers } from "./wakers.ts";

type Kept<T> = T & { keep: number };

/** The state that all handles share. */
class Data {
  readonly handles = new Set<Wakers>();
  readonly sessions = new Map<string, Saved & { expires: number }>();
  readonly journals = new Map<string, Kept<Line>[]>();
  readonly entries = new Map<string, Kept<Entry>>();
  readonly redeemed = new Map<string, number>();
  commits = 0;
}

/** Sessions in the memory of one process: for tests, and for a server that may forget every open question. */
export class MemoryStore implements Store {
  readonly #data: Data;
  readonly #wakers = new Wakers();
  #closed = false;

  constructor(shared = new Data()) {
    this.#data = shared;
    shared.handles.add(this.#wakers);
  }

  /** Another handle on the same sessions, as another node would have. */
  handle(): MemoryStore {
    return new MemoryStore(this.#data);
  }

  async load(session: string): Promise<Saved | undefined> {
    const held = this.#open().sessions.get(session);
    if (!held) return undefined;
    const { expires: _, ...saved } = held;
    return structuredClone(saved);
  }

  async commit(given: Change): Promise<void> {
    const data = this.#open();
    const change = structuredClone(given);
    const { session, from, version, now, state, records = [], entries = [], next = 0 } = change;
    const { expires = 0, keep = 0, keepRecords = 0 } = change;
    this.#sweep(now);
    const held = data.sessions.get(session);
    if ((held?.version ?? 0) !== from) throw conflict();
    if (state === undefined) data.sessions.delete(session);
    else data.sessions.set(session, { version, state, next, expires });
    const lines = data.journals.get(session) ?? [];
    if (records.length > 0) data.journals.set(session, lines);
    records.forEach((line, index) => lines.push({ version, index, line, keep: keepRecords }));
    for (const entry of entries)
      data.entries.set(JSON.stringify([session, entry.id]), {
        server: "", tool: "", outcome: "", text: "", body: new Uint8Array(), ...entry, session, keep,
      });
    for (const wakers of data.handles) queueMicrotask(() => wakers.wake(session, version));
  }

  async due(now: number, skip: number, limit: number): Promise<string[]> {
    const all = [...this.#open().sessions]
      .map(([name, { next }]) => ({ name, at: next }))
      .filter(({ at }) => at !== 0 && at <= now);
    all.sort((a, b) => a.at - b.at || bytewise(a.name, b.name));
    return all.slice(skip, skip + limit).map(({ name }) => name);
  }

  async watch(session: string, wake: Wake): Promise<() => void> {
    this.#open();
    const stop = this.#wakers.add(session, wake);
    return () => void stop();
  }

  async redeem(id: string, now: number, until: number): Promise<boolean> {
    const { redeemed } = this.#open();
    this.#sweep(now);
    if (redeemed.has(id)) return false;
    redeemed.set(id, until);
    return true;
  }

  async *journal(session: string, after = 0): AsyncIterable<Line> {
    for (const { keep: _, ...line } of [...(this.#open().journals.get(session) ?? [])])
      if (line.version > after) yield structuredClone(line);
  }

  async *history(query: Query = {}): AsyncIterable<Entry> {
    checkQuery(query);
    const found = [...this.#open().entries.values()].filter((entry) => matches(query, entry)).sort(newer);
    for (const { keep: _, ...entry } of found.slice(0, query.limit || found.length)) yield structuredClone(entry);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#data.handles.delete(this.#wakers);
    this.#wakers.clear();
  }

  #open(): Data {
    if (this.#closed) throw closed();
    return this.#data;
  }

  /** Forgets what may be forgotten, every 16th time, because it looks at everything. */
  #sweep(now: number): void {
    const data = this.#data;
    if (++data.commits % 16 !== 0) return;
    const over = (at: number) => at !== 0 && at <= now;
    for (const [name, { expires }] of data.sessions) if (over(expires)) data.sessions.delete(name);
    for (const [id, until] of data.redeemed) if (over(until)) data.redeemed.delete(id);
    for (const [key, { keep }] of data.entries) if (over(keep)) data.entries.delete(key);
    for (const [name, lines] of data.journals) {
      const left = lines.filter(({ keep }) => !over(keep));
      if (left.length > 0) data.journals.set(name, left);
      else data.journals.delete(name);
    }
  }
}
