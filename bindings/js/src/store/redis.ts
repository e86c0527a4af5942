import { commit, reap, redeem, sweep } from "./scripts.ts";
import {
  StoreError, bytewise, checkQuery, closed, conflict, pause,
  type Change, type Entry, type Line, type Query, type Saved, type Store, type Wake,
} from "./store.ts";
import { encodeEntry } from "./entry.ts";
import { History, binary } from "./redis-history.ts";
import { Wakers } from "./wakers.ts";

/**
 * The methods that the store calls of a client of the package redis, connected to one server, to Sentinel or to a
 * cluster.
 */
export interface RedisClient {
  withTypeMapping(mapping: Record<number, unknown>): unknown;
  duplicate(options?: never): unknown;
  options?: unknown;
  isReady?: boolean;
}

/** The commands that are used. Replies with a mapping of strings to buffers are buffers. */
export interface Commands {
  eval(script: string, given: { keys: (string | Uint8Array)[]; arguments: (string | Uint8Array)[] }): Promise<unknown>;
  evalSha: Commands["eval"];
  info?(section: string): Promise<unknown>;
  get(key: string): Promise<Uint8Array | null>;
  exists(key: string): Promise<number>;
  set(key: string, value: string, options: { condition: "NX" }): Promise<unknown>;
  hGetAll(key: string): Promise<Record<string, Uint8Array>>;
  hmGet(key: string, fields: Uint8Array[]): Promise<(Uint8Array | null)[]>;
  lRange(key: string, start: number, stop: number): Promise<Uint8Array[]>;
  zRangeWithScores(
    key: string, min: number | string, max: number | string,
    options: { BY: "SCORE"; REV?: true; LIMIT: { offset: number; count: number } },
  ): Promise<{ value: Uint8Array; score: number }[]>;
}

interface Subscriber {
  connect(): Promise<unknown>;
  on(event: string, listener: (error: unknown) => void): unknown;
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  destroy?(): void;
  close?(): Promise<unknown>;
}

const shards = 32;
const format = "1"; // of the keys
const bulk = 36; // the type of a reply that is a string

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Sessions in Redis or Valkey, which many nodes share. A commit is one script and one round trip. The keys and scripts
 * are those of the Go package store/redis, so nodes of both languages share one server. The server must not evict keys
 * (maxmemory-policy noeviction).
 */
export class RedisStore implements Store {
  readonly #commands: Commands;
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #wakers = new Wakers();
  readonly #scripts = new Map<string, Promise<string>>();
  readonly #confirmed = new Map<string, Promise<void>>();
  #subscriber: Promise<Subscriber> | undefined;
  #closed = false;
  #lost = 0; // since when there is no connection
  #swept = 0;

  /**
   * Opens a handle that uses a connected client of the package redis, and leaves it open when it is closed. Handles
   * with one prefix, `elicit` unless given, share their data.
   */
  static async open(client: RedisClient, { prefix = "elicit" } = {}): Promise<RedisStore> {
    if (/[{}]/.test(prefix)) throw new StoreError("invalid", "the prefix has no braces, which are for hash tags");
    const store = new RedisStore(client, prefix);
    await store.#try(() => store.#prepare());
    return store;
  }

  private constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#commands = client.withTypeMapping({ [bulk]: (globalThis as { Buffer?: unknown }).Buffer }) as Commands;
    this.#prefix = prefix;
  }

  async load(session: string): Promise<Saved | undefined> {
    const fields = await this.#try(() => this.#commands.hGetAll(this.#key(session, `s:${session}`)));
    const { v, n, s: state } = fields;
    if (!v || !state) return undefined;
    return { version: Number(text(v)), next: Number(text(n!)), state: copy(state) };
  }

  async commit(change: Change): Promise<void> {
    const { session, from, version, now, state, records = [], entries = [], next = 0 } = change;
    const { expires = 0, keep = 0, keepRecords = 0 } = change;
    const left = (until: number) => (until === 0 ? 0 : Math.max(1, until - now)); // the server's clock may differ
    const args: (string | number | Uint8Array)[] = [
      from, version, crypto.randomUUID(), state === undefined ? "1" : "0", session,
      state ?? "", next, left(expires), keep, left(keepRecords), this.#channel(session),
      records.length, ...records,
      entries.length,
      ...entries.flatMap((entry) => [History.member(session, entry.id), entry.at, encodeEntry(session, entry)]),
    ];
    const shard = shardOf(session);
    const keys = [`s:${session}`, `g:${session}`, "due", `j:${session}`, "order", "entries", "keep"];
    if ((await this.#run(commit, keys.map((key) => this.#at(shard, key)), args)) !== 1) throw conflict();
  }

  /** Sessions that have expired are still in the index, and are removed when they are met. */
  async due(now: number, skip: number, limit: number): Promise<string[]> {
    for (;;) {
      const { found, there } = await this.#try(() => this.#due(now, skip, limit));
      if (there.every(Boolean)) return found;
      const gone = found.filter((_, i) => !there[i]);
      await Promise.all(
        gone.map((name) => this.#run(reap, [this.#key(name, `s:${name}`), this.#key(name, "due")], [name])),
      );
    }
  }

  async #due(now: number, skip: number, limit: number) {
    const range = { BY: "SCORE", LIMIT: { offset: 0, count: skip + limit } } as const;
    const lists = await Promise.all([
      ...Array.from({ length: shards }, (_, shard) =>
        this.#commands.zRangeWithScores(this.#at(shard, "due"), "-inf", now, range)),
      this.#sweep(now),
    ]);
    const all = lists.flat().map(({ value, score }) => ({ name: text(value), score }));
    all.sort((a, b) => a.score - b.score || bytewise(a.name, b.name));
    const found = all.slice(skip, skip + limit).map(({ name }) => name);
    const there = await Promise.all(found.map((name) => this.#commands.exists(this.#key(name, `s:${name}`))));
    return { found, there };
  }

  /** Forgets old entries of one shard after the other. */
  async #sweep(now: number): Promise<[]> {
    const shard = (this.#swept = (this.#swept + 1) % shards);
    await this.#run(sweep, ["order", "entries", "keep"].map((key) => this.#at(shard, key)), [now]);
    return [];
  }

  async watch(session: string, wake: Wake): Promise<() => void> {
    if (this.#closed) throw closed();
    const channel = this.#channel(session);
    const ended = this.#wakers.add(session, wake);
    const stop = () => {
      if (!ended()) return;
      this.#confirmed.delete(channel);
      void this.#subscriber?.then((subscriber) => subscriber.unsubscribe(channel)).catch(() => {});
    };
    try {
      const subscriber = await this.#try(() => (this.#subscriber ??= this.#subscribe()));
      const hear = (version: string) => this.#wakers.wake(session, Number(version) || undefined);
      const confirmed = this.#confirmed.get(channel) ?? subscriber.subscribe(channel, hear);
      this.#confirmed.set(channel, confirmed);
      await this.#try(() => confirmed);
    } catch (error) {
      this.#confirmed.delete(channel);
      stop();
      throw error;
    }
    return stop;
  }

  /** The connection on which this handle hears of commits. While it was lost, any commit may have been missed. */
  async #subscribe(): Promise<Subscriber> {
    const subscriber = this.#client.duplicate() as Subscriber;
    subscriber.on("error", () => this.#wakers.wakeAll());
    subscriber.on("ready", () => this.#wakers.wakeAll());
    await subscriber.connect().catch((error) => {
      this.#subscriber = undefined;
      throw error;
    });
    return subscriber;
  }

  async redeem(id: string, now: number, until: number): Promise<boolean> {
    const args = [crypto.randomUUID(), until - now];
    return (await this.#run(redeem, [`${this.#prefix}:redeemed:${id}`], args)) === 1;
  }

  async *journal(session: string, after = 0): AsyncIterable<Line> {
    for (let at = 0, page = 64; ; at += page) {
      const lines = await this.#try(() =>
        this.#commands.lRange(this.#key(session, `j:${session}`), at, at + page - 1));
      for (const line of lines) {
        const first = line.indexOf(0x3a);
        const second = line.indexOf(0x3a, first + 1);
        const version = Number(text(line.subarray(0, first)));
        const index = Number(text(line.subarray(first + 1, second)));
        if (version > after) yield { version, index, line: copy(line.subarray(second + 1)) };
      }
      if (lines.length < page) return;
    }
  }

  async *history(query: Query = {}): AsyncIterable<Entry> {
    checkQuery(query);
    const shard = query.session === undefined || query.session === "" ? undefined : shardOf(query.session);
    const all = shard === undefined ? Array.from({ length: shards }, (_, i) => i) : [shard];
    const keys = all.map((one) => ({ order: this.#at(one, "order"), entries: this.#at(one, "entries") }));
    const history = new History(this.#commands, query, keys);
    for (let left = query.limit || Infinity; left > 0; left--) {
      const entry = await this.#try(() => history.next());
      if (!entry) return;
      yield entry;
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#wakers.clear();
    const subscriber = await this.#subscriber?.catch(() => undefined);
    await (subscriber?.destroy ?? subscriber?.close)?.call(subscriber);
  }

  async #prepare(): Promise<void> {
    const info = await this.#commands.info?.("memory"); // a client of a cluster has no single server to ask
    const said = info === undefined ? "" : text(info as Uint8Array | string);
    if (said !== "" && !said.includes("\nmaxmemory:0\r") && !said.includes("\nmaxmemory_policy:noeviction\r"))
      throw new StoreError("invalid", "the server may evict sessions: set its maxmemory-policy to noeviction");
    const key = `${this.#prefix}:format`;
    await this.#commands.set(key, format, { condition: "NX" });
    const got = text((await this.#commands.get(key)) ?? "");
    if (got !== format) throw new StoreError("newer", `format ${got} was written by a newer program`);
  }

  async #run(script: string, keys: string[], args: (string | number | Uint8Array)[]): Promise<unknown> {
    const given = { keys, arguments: args.map((arg) => (typeof arg === "string" ? arg : bytes(arg))) };
    const sha = await (this.#scripts.get(script) ?? this.#digest(script));
    return this.#try(async () => {
      try {
        return await this.#commands.evalSha(sha, given);
      } catch (error) {
        if (!String((error as Error).message).startsWith("NOSCRIPT")) throw error;
        return this.#commands.eval(script, given);
      }
    });
  }

  #digest(script: string): Promise<string> {
    const digest = crypto.subtle.digest("SHA-1", encoder.encode(script)).then((sum) =>
      [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
    this.#scripts.set(script, digest);
    return digest;
  }

  /** Does something with the server, and turns its errors into those of a store. */
  async #try<T>(doing: () => T | Promise<T>): Promise<T> {
    if (this.#closed) throw closed();
    // A client keeps a command until it has a connection again, and the server would do it when nobody waits any more.
    for (this.#lost ||= performance.now(); this.#client.isReady === false; await pause(10))
      if (performance.now() > this.#lost + 1_500) throw new StoreError("unavailable", "there is no connection");
    this.#lost = 0;
    try {
      return await doing();
    } catch (error) {
      if (error instanceof StoreError) throw error;
      if (this.#closed) throw closed();
      const said = String((error as Error).message ?? error);
      const full = said.startsWith("OOM ") || said.includes("OOM command not allowed");
      throw new StoreError(full ? "full" : "unavailable", said, { cause: error });
    }
  }

  /** A key of the shard of a session. The part in braces decides on the node of a cluster. */
  #key(session: string, what: string): string {
    return this.#at(shardOf(session), what);
  }

  #at(shard: number, what: string): string {
    return `{${this.#prefix}:${String(shard).padStart(2, "0")}}${what}`;
  }

  #channel(session: string): string {
    return `${this.#prefix}:commits:${session}`;
  }
}

/** The shard of a session: FNV-1a of its name. */
function shardOf(session: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(session)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % shards;
}

const text = (value: Uint8Array | string) => (typeof value === "string" ? value : decoder.decode(value));
const copy = (value: Uint8Array) => new Uint8Array(value);

/** Arguments are strings and buffers, of which only the latter are binary. */
const bytes = (value: number | Uint8Array) => (typeof value === "number" ? String(value) : binary(value));
