import { random } from "../ask/seal.ts";
import * as base64 from "../base64.ts";
import type { Operations, StoredEntry } from "../contract.ts";
import { Engine } from "../engine.ts";
import {
  matches, StoreError,
  type Change, type Entry, type Line, type NewEntry, type Query, type Saved, type Store, type Wake,
} from "./store.ts";

/** The secrets of an encrypted store, of 32 bytes or more. An id has 1 to 255 bytes, and is not secret. */
export interface Secrets {
  /** For names and ids. It stays the same when keys rotate. */
  names: Uint8Array;
  /** The first seals, and all open. To rotate, put a new key first. Keep old ones while texts at rest need them. */
  keys: readonly { id: string; secret: Uint8Array }[];
}

/** Does an operation with the keys, of which the caller knows what it gives. */
type Perform = <Op extends "encrypt" | "decrypt">(name: Op, given: object) =>
  Required<Exclude<Operations[Op]["out"], { problems: unknown }>>;

const codes: Partial<Record<string, StoreError["code"]>> =
  { stored_plain: "plain", stored_tampered: "tampered", stored_unknown_key: "key" };
const stored = ({ id, at, server, tool, outcome, text, body }: NewEntry): StoredEntry =>
  ({ id, at, server, tool, outcome, text, ...(body && { body_base64: base64.spell(body) }) }) as StoredEntry;
const opened = ({ body_base64: body = "", ...entry }: StoredEntry): Omit<Entry, "session"> & { session?: string } =>
  ({ server: "", tool: "", outcome: "", text: "", ...entry, body: base64.read(body) });

/**
 * Wraps a store so that what is at rest cannot be read, and cannot be changed or moved unnoticed (docs/asking.md). The
 * engine seals and opens. A text that it cannot open causes a `StoreError` with the code `plain`, `tampered` or `key`.
 * It never counts as absent. Closing closes the inner store.
 */
export class EncryptedStore implements Store {
  readonly #inner: Store;
  readonly #do: Perform;

  private constructor(inner: Store, perform: Perform) {
    this.#inner = inner;
    this.#do = perform;
  }

  /** Without an engine, it opens one. It rejects with the code `invalid` for secrets that cannot be used. */
  static async open(inner: Store, { names, keys }: Secrets, engine?: Engine): Promise<EncryptedStore> {
    const ring = {
      names: base64.spellURL(names), keys: keys.map(({ id, secret }) => ({ id, secret: base64.spellURL(secret) })),
    };
    const using = engine ?? (await Engine.open());
    const perform: Perform = (name, given) => {
      const said = using.eval<"encrypt" | "decrypt">(name, { ...ring, ...given });
      if (!("problems" in said)) return said as never;
      const why = using.eval("explain", said).problems;
      throw new StoreError(codes[said.problems[0]!.code] ?? "invalid", String(why));
    };
    perform("encrypt", {});
    return new EncryptedStore(inner, perform);
  }

  #code = (session: string): string => this.#do("encrypt", { session }).session;

  async load(session: string): Promise<Saved | undefined> {
    const saved = await this.#inner.load(this.#code(session));
    if (saved === undefined) return undefined;
    const state = { session, version: saved.version, sealed_base64: base64.spell(saved.state) };
    return { ...saved, state: base64.read(this.#do("decrypt", { state }).state_base64) };
  }

  async commit(given: Change): Promise<void> {
    const { session, version, state, records = [], entries = [] } = given;
    const { change } = this.#do("encrypt", { random: random(32), change: {
      session, version, ...(state && { state_base64: base64.spell(state) }),
      records_base64: records.map(base64.spell), entries: entries.map(stored),
    } });
    return this.#inner.commit({
      ...given, session: change.session, state: state && base64.read(change.state_base64!),
      records: change.records_base64!.map(base64.read), entries: change.entries!.map(opened),
    });
  }

  async due(now: number, skip: number, limit: number): Promise<string[]> {
    return this.#do("decrypt", { sessions: await this.#inner.due(now, skip, limit) }).sessions;
  }

  async watch(session: string, wake: Wake): Promise<() => void> {
    return this.#inner.watch(this.#code(session), wake);
  }

  async redeem(id: string, now: number, until: number): Promise<boolean> {
    return this.#inner.redeem(this.#do("encrypt", { redeemed: id }).redeemed, now, until);
  }

  async *journal(session: string, after = 0): AsyncIterable<Line> {
    let last: { version: number; index: number } | undefined;
    for await (const { version, index, line } of this.#inner.journal(this.#code(session), after)) {
      const record = { session, version, index, sealed_base64: base64.spell(line), ...(last && { last }) };
      last = { version, index };
      yield { ...last, line: base64.read(this.#do("decrypt", { record }).record_base64) };
    }
  }

  /** A search for text opens every entry that the other members select. */
  async *history({ before, ...wanted }: Query = {}): AsyncIterable<Entry> {
    const { since, until, ...asked } = wanted;
    const place = before && { session: before.session, id: before.id, at: before.at };
    const { query } = this.#do("encrypt", { query: { ...asked, ...(place && { before: place }) } });
    let left = wanted.limit ?? 0;
    for await (const sealed of this.#inner.history({ ...query, since: since ?? 0, until: until ?? 0 })) {
      const entry = opened(this.#do("decrypt", { entry: {
        session: sealed.session, id: sealed.id, at: sealed.at, body_base64: base64.spell(sealed.body),
      } }).entry) as Entry;
      if (!matches(wanted, entry)) continue; // without before: the inner store has another order within a moment
      yield entry;
      if (--left === 0) return;
    }
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }
}
