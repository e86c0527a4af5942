import { decodeEntry, encodeEntry } from "./entry.ts";
import { Ring, tampered, type Key } from "./ring.ts";
import {
  matches,
  type Change, type Entry, type Line, type NewEntry, type Query, type Saved, type Store, type Wake,
} from "./store.ts";

export type { Key } from "./ring.ts";

/** The secrets of an encrypted store. */
export interface Secrets {
  /** At least 32 bytes, for names and ids. It stays the same when keys rotate. */
  names: Uint8Array;
  /**
   * The first key seals, and all open. To rotate, put a new key first, and keep the old ones as long as something
   * sealed with them is at rest.
   */
  keys: readonly Key[];
}

/**
 * Wraps a store so that what is at rest cannot be read, and cannot be changed or moved unnoticed. States,
 * records and entries are sealed with AES-256-GCM, each with a key of its own, derived from a secret and a random salt.
 * Each is bound to what it belongs to: kind, session, version, place. Names of sessions, servers, tools and outcomes
 * and other ids become codes that only the owner of the secrets can make. Times, sizes and numbers stay readable.
 * Somebody who can write to the inner store can still delete a session, or bring back an older one. Package
 * store/encrypted of Go and elicit_engine.store.encrypted of Python write the same.
 *
 * What cannot be opened is a `StoreError` with the code `plain`, `tampered` or `key`: it is not encrypted, was changed
 * or moved, or was sealed with a key that is not there. It never counts as absent. Closing closes the inner store.
 */
export class EncryptedStore implements Store {
  readonly #inner: Store;
  readonly #ring: Ring;

  constructor(inner: Store, { names, keys }: Secrets) {
    this.#inner = inner;
    this.#ring = new Ring(names, keys);
  }

  async load(session: string): Promise<Saved | undefined> {
    const name = await this.#ring.name(session);
    const saved = await this.#inner.load(name);
    if (saved === undefined) return undefined;
    const state = await this.#ring.open(saved.state, "state", name, saved.version);
    return { ...saved, state };
  }

  async commit(change: Change): Promise<void> {
    const given = structuredClone(change); // sealing takes several turns
    const { session, version, state, records = [], entries = [] } = given;
    const ring = this.#ring;
    const name = await ring.name(session);
    const sealed: Change = { ...given, session: name, records: [], entries: [] };
    if (state !== undefined) sealed.state = await ring.seal(state, "state", name, version);
    sealed.records = await Promise.all(records.map((line, i) => ring.seal(line, "record", name, version, i)));
    sealed.entries = await Promise.all(entries.map((entry) => this.#sealed(session, name, entry)));
    return this.#inner.commit(sealed);
  }

  async #sealed(session: string, name: string, entry: NewEntry): Promise<NewEntry> {
    const { at, server = "", tool = "", outcome = "" } = entry;
    const id = await this.#ring.code("entry", session, entry.id);
    const plain = encoder.encode(encodeEntry(session, entry));
    return {
      id,
      at,
      server: await this.#ring.code("server", server),
      tool: await this.#ring.code("tool", tool),
      outcome: await this.#ring.code("outcome", outcome),
      body: await this.#ring.seal(plain, "entry", `${name} ${id}`, at),
    };
  }

  async due(now: number, skip: number, limit: number): Promise<string[]> {
    return Promise.all((await this.#inner.due(now, skip, limit)).map((name) => this.#ring.session(name)));
  }

  async watch(session: string, wake: Wake): Promise<() => void> {
    return this.#inner.watch(await this.#ring.name(session), wake);
  }

  async redeem(id: string, now: number, until: number): Promise<boolean> {
    return this.#inner.redeem(await this.#ring.code("redeemed", id), now, until);
  }

  async *journal(session: string, after = 0): AsyncIterable<Line> {
    const name = await this.#ring.name(session);
    let last = { version: 0, index: -1 };
    for await (const { version, index, line } of this.#inner.journal(name, after)) {
      const plain = await this.#ring.open(line, "record", name, version, index);
      // a record was moved, repeated or left out
      if (version < last.version || (version === last.version && index !== last.index + 1)) throw tampered();
      last = { version, index };
      yield { version, index, line: plain };
    }
  }

  /** A search for text opens every entry that the other members select. */
  async *history(query: Query = {}): AsyncIterable<Entry> {
    const { before: _, ...wanted } = query; // the inner store has another order within a moment
    let left = query.limit ?? 0;
    for await (const sealed of this.#inner.history(await this.#query(query))) {
      const entry = await this.#entry(sealed);
      if (!matches(wanted, entry)) continue;
      yield entry;
      if (--left === 0) return;
    }
  }

  /** The calls to the inner store. */
  async #query(query: Query): Promise<Query> {
    const ring = this.#ring;
    const inner: Query = { ...query };
    for (const name of ["server", "tool", "outcome"] as const)
      if (query[name] !== undefined) inner[name] = await ring.code(name, query[name]);
    if (query.session) inner.session = await ring.name(query.session);
    if (query.before) {
      const { session, id, at } = query.before;
      inner.before = { session: await ring.name(session), id: await ring.code("entry", session, id), at };
    }
    if (query.text) {
      delete inner.text;
      if ((query.limit ?? 0) > 0) delete inner.limit; // counted after opening; a limit that is none stays one
    }
    return inner;
  }

  async #entry(sealed: Entry): Promise<Entry> {
    const place = `${sealed.session} ${sealed.id}`;
    const plain = await this.#ring.open(sealed.body, "entry", place, sealed.at);
    return readable(() => decodeEntry(plain));
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }
}

const encoder = new TextEncoder();

function readable<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw tampered();
  }
}
