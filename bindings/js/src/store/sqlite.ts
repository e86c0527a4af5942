import { sqlite as sql } from "./statements.ts";
import {
  StoreError, closed, conflict, paged, pause,
  type Change, type Entry, type Line, type Query, type Saved, type Store, type Wake,
} from "./store.ts";
import { Wakers } from "./wakers.ts";

/** The methods that the store calls of a database: `DatabaseSync` of node:sqlite, or `Database` of better-sqlite3. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): { run(...values: any[]): { changes: number | bigint }; all(...values: any[]): unknown[] };
  close(): unknown;
}

export interface SqliteOptions {
  /** Opens the file, which is there by then; `new DatabaseSync(path)` of node:sqlite unless given. */
  open?: (path: string) => SqliteDatabase;
  /** For how many milliseconds a call waits for other writers; 5,000 unless given. */
  busy?: number;
  /** How often, in milliseconds, a handle looks for commits of others while somebody watches; 20 unless given. */
  poll?: number;
}

interface Host {
  process?: { platform: string; getBuiltinModule?(name: string): unknown };
}

type Stats = Record<"mode" | "ino" | "dev", number> & { isFile(): boolean };

interface Files {
  constants: { O_RDWR: number; O_CREAT: number };
  openSync(path: string, flags: number, mode: number): number;
  fstatSync(file: number): Stats;
  statSync(path: string, options: { throwIfNoEntry: false }): Stats | undefined;
  closeSync(file: number): void;
}

const application = 0x456c6374; // the kind of the file
const schema = 2;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const bytes = (name: string) => new TextEncoder().encode(name);
const text = (name: Uint8Array) => decoder.decode(name);
const same = (file: Stats, now?: Stats) => now?.ino === file.ino && now.dev === file.dev;

/**
 * Sessions in one SQLite file on a local disk, which many processes share, also those in Go and Python. A commit is on
 * the disk when it resolves, and a lazy one with the next that is not. The file has the mode 0600, and one that others
 * may read or write is refused.
 */
export class SqliteStore implements Store {
  readonly #database: SqliteDatabase;
  readonly #there: () => boolean;
  readonly #busy: number;
  readonly #poll: number;
  readonly #prepared = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  readonly #wakers = new Wakers();
  #watched = 0;
  #looking = false;
  #seen = { seq: 0, gone: 0 };
  #closed = false;
  #calls = 0;

  /** Opens a file, and makes it if it is not there. */
  static async open(path: string, { open, busy = 5_000, poll = 20 }: SqliteOptions = {}): Promise<SqliteStore> {
    const { process } = globalThis as Host;
    const files = process?.getBuiltinModule?.("node:fs") as Files | undefined;
    const own = process?.getBuiltinModule?.("node:sqlite") as { DatabaseSync: new (path: string) => SqliteDatabase };
    if (!files || !(open || own)) throw new StoreError("invalid", "there is no SQLite here: pass the option open");
    const file = files.openSync(path, files.constants.O_RDWR | files.constants.O_CREAT, 0o600);
    const stats = files.fstatSync(file);
    files.closeSync(file);
    const { resolve } = process!.getBuiltinModule!("node:path") as { resolve(path: string): string };
    const found = resolve(path); // a later change of the folder changes nothing
    const there = () => same(stats, files.statSync(found, { throwIfNoEntry: false }));
    if (!stats.isFile() || (process!.platform !== "win32" && (stats.mode & 0o077) !== 0))
      throw new StoreError("invalid", `${path} must be a file with the mode 0600`);
    const store = new SqliteStore(open ? open(found) : new own.DatabaseSync(found), there, busy, poll);
    try {
      for (const what of ["busy_timeout = 0", "journal_mode = WAL", "synchronous = FULL"])
        await store.#try(() => store.#database.prepare(`PRAGMA ${what}`).all());
      await store.#transaction(() => store.#tables());
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  private constructor(database: SqliteDatabase, there: () => boolean, busy: number, poll: number) {
    [this.#database, this.#there, this.#busy, this.#poll] = [database, there, busy, poll];
  }

  /** Makes the tables in an empty file. Of several processes one does. */
  #tables(): void {
    const one = (query: string) => Object.values(this.#database.prepare(query).all()[0] as object)[0] as number;
    const [kind, version] = [one("PRAGMA application_id"), one("PRAGMA user_version")];
    const objects = one("SELECT count(*) FROM sqlite_schema");
    if (kind === 0 && version === 0 && objects === 0) this.#database.exec(sql["tables"]!);
    else if (kind !== application) throw new StoreError("invalid", "the file belongs to another program");
    else if (version > schema) throw new StoreError("newer", `schema ${version} was made by a newer program`);
    else if (version === 1) this.#database.exec(sql["second"]!);
  }

  async load(session: string): Promise<Saved | undefined> {
    const [row] = await this.#rows<{ version: number; due: number; state: Uint8Array }>("get_session", bytes(session));
    return row && { version: row.version, state: row.state, next: row.due };
  }

  async commit(change: Change): Promise<void> {
    const { session, from, version, now, state, records = [], entries = [], next = 0 } = change;
    const { expires = 0, keep = 0, keepRecords = 0, lazy = false } = change;
    const name = bytes(session);
    await this.#transaction(() => {
      this.#sweep(now);
      if (!this.#run("tick", state === undefined ? 1 : 0))
        throw new StoreError("newer", "a newer program has changed the schema");
      const put = [version, next, expires, state, name];
      if (!(state === undefined ? this.#run("remove", name, from)
        : from === 0 ? this.#run("insert", ...put) : this.#run("update", ...put, from))) throw conflict();
      records.forEach((line, i) => this.#run("record", name, version, i, keepRecords, line));
      for (const { id, at, server = "", tool = "", outcome = "", text = "", body = new Uint8Array() } of entries)
        this.#run("entry", name, bytes(id), at, server, tool, outcome, keep, text, body);
    }, lazy);
    queueMicrotask(() => this.#wakers.wake(session, version));
  }

  async due(now: number, skip: number, limit: number): Promise<string[]> {
    return (await this.#rows<{ name: Uint8Array }>("get_due", now, limit, skip)).map(({ name }) => text(name));
  }

  async watch(session: string, wake: Wake): Promise<() => void> {
    const seen = await this.#clock();
    const ended = this.#wakers.add(session, wake);
    this.#watched++;
    if (!this.#looking) { // every commit after this moment is news
      this.#seen = seen;
      void this.#look();
    }
    let stop = () => {
      stop = () => {};
      this.#watched--;
      ended();
    };
    return () => stop();
  }

  /** Wakes those whose sessions changed, while somebody watches. */
  async #look(): Promise<void> {
    for (this.#looking = true; ; ) {
      await pause(this.#poll);
      if (this.#watched === 0 || this.#closed) break;
      try {
        const { seq, gone } = await this.#clock();
        const { seq: before, gone: goneBefore } = this.#seen;
        if (seq !== before)
          for (const one of await this.#rows<{ name: Uint8Array; version: number }>("get_changed", before))
            this.#wakers.wake(text(one.name), one.version);
        if (gone !== goneBefore) this.#wakers.wakeAll(); // a deleted session leaves no trace, so everyone looks
        this.#seen = { seq, gone };
      } catch {
        this.#wakers.wakeAll();
      }
    }
    this.#looking = false;
  }

  async #clock() {
    return (await this.#rows<{ seq: number; gone: number }>("get_clock"))[0]!;
  }

  redeem(id: string, now: number, until: number): Promise<boolean> {
    return this.#transaction(() => {
      this.#sweep(now);
      return this.#run("redeem", bytes(id), until);
    });
  }

  async *journal(session: string, after = 0): AsyncIterable<Line> {
    const name = bytes(session);
    let last = { version: after, place: 2 ** 31 };
    for (;;) {
      const some = await this.#rows<typeof last & { line: Uint8Array }>("get_records", name, last.version, last.place);
      for (last of some) yield { version: last.version, index: last.place, line: (last as (typeof some)[0]).line };
      if (some.length === 0) return;
    }
  }

  history(query: Query = {}): AsyncIterable<Entry> {
    const { since = 0, session = "", server = "", tool = "", outcome = "" } = query;
    return paged(query, async (last) => {
      const given = [last.at, bytes(last.session), bytes(last.id), since, bytes(session), server, tool, outcome];
      type Row = Omit<Entry, "session" | "id"> & Record<"session" | "id", Uint8Array>;
      const some = await this.#rows<Row>("get_entries", Object.fromEntries(given.map((one, i) => [i + 1, one])));
      return some.map((row) => ({ ...row, session: text(row.session), id: text(row.id) }));
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#wakers.clear();
    this.#database.close();
  }

  /** Forgets some of what may be forgotten, at every 16th call. */
  #sweep(now: number): void {
    if (++this.#calls % 16 !== 0) return;
    for (const what of ["clock", "session", "record", "entry", "redeemed"]) this.#run(`forget_${what}`, now);
  }

  #statement(name: string) {
    const found = this.#prepared.get(name) ?? this.#database.prepare(sql[name]!);
    this.#prepared.set(name, found);
    return found;
  }

  /** Executes a statement, and reports whether it changed something. */
  #run(name: string, ...values: unknown[]): boolean {
    return Number(this.#statement(name).run(...values).changes) > 0;
  }

  #rows<T>(name: string, ...values: unknown[]): Promise<T[]> {
    return this.#try(() => this.#statement(name).all(...values) as T[]);
  }

  /** Runs a change in a transaction that holds the file's write lock from its beginning. */
  #transaction<T>(change: () => T, lazy = false): Promise<T> {
    return this.#try(() => {
      this.#database.exec(`PRAGMA synchronous = ${lazy ? "NORMAL" : "FULL"}`);
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = change();
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        try {
          this.#database.exec("ROLLBACK");
        } catch {} // SQLite has already done it
        throw error;
      }
    });
  }

  /** Does something with the file, again while another has its lock, and turns errors into those of a store. */
  async #try<T>(doing: () => T): Promise<T> {
    for (const end = performance.now() + this.#busy; ; await pause(1)) {
      if (this.#closed) throw closed();
      // Processes that opened a file before and after it was deleted or replaced share nothing: the earlier ones fail.
      if (!this.#there()) throw new StoreError("unavailable", "the file was deleted or replaced: open it again");
      try {
        return doing();
      } catch (error) {
        if (error instanceof StoreError) throw error;
        const { code, errcode = 0, message } = error as { code?: string; errcode?: number; message: string };
        const is = (name: string, number: number) => (errcode & 0xff) === number || String(code).startsWith(name);
        if (is("SQLITE_BUSY", 5) && performance.now() < end) continue;
        throw new StoreError(is("SQLITE_FULL", 13) ? "full" : "unavailable", message, { cause: error });
      }
    }
  }
}
