import { postgres as statements } from "./statements.ts";
import {
  StoreError, closed, conflict, paged,
  type Change, type Entry, type Line, type Query, type Saved, type Store, type Wake,
} from "./store.ts";
import { Wakers } from "./wakers.ts";

/** The methods that the store calls of a `Pool` of the package pg. */
export interface PostgresPool {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  connect(callback: (error: Error | undefined, client: PostgresClient | undefined) => void): void;
  on(event: "error", listener: () => void): unknown;
  off(event: "error", listener: () => void): unknown;
}

export interface PostgresClient {
  query(given: { text: string; query_timeout?: number }): Promise<unknown>;
  on(event: "notification", listener: (note: { payload?: string | undefined }) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  on(event: "end", listener: () => void): unknown;
  release(destroy: boolean): void;
}

const format = 1; // of the tables
const patience = 5_000; // in milliseconds; then a handle finds out whether it hears of commits
const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // anybody may send a note
const encoder = new TextEncoder();
const text = (name: Uint8Array) => decoder.decode(name);
const bytes = (name = "") => encoder.encode(name);
const ignore = () => {}; // the pool replaces a connection that ends; without a listener the process would end

/**
 * Sessions in PostgreSQL, which many nodes share, also those in Go and Python. A commit is one statement, and is on the
 * server's disk when it resolves. A handle hears of commits on a connection of the pool that it keeps once somebody
 * watches.
 */
export class PostgresStore implements Store {
  readonly #sql: Record<string, string>;
  readonly #wakers = new Wakers();
  #hears = false;
  #over = () => {}; // ends the pause
  #closed = false;
  #calls = 0;

  /**
   * Opens a handle that uses a pool, and leaves it open when it is closed. It makes the tables if they are not there.
   * Handles with one schema, `elicit` unless given, share their data.
   */
  static async open(pool: PostgresPool, { schema = "elicit" } = {}): Promise<PostgresStore> {
    const store = new PostgresStore(pool, schema);
    const [look] = await store.#rows<Record<"early" | "there" | "older", boolean>>("look", schema);
    if (look!.early) throw new StoreError("invalid", "the server confirms early: turn synchronous_commit and fsync on");
    if (!look!.there) await store.#rows("tables");
    const version = Number((await store.#rows<{ version: number }>("format"))[0]!.version);
    if (version > format) throw new StoreError("newer", `format ${version} was made by a newer program`);
    if (version < format || look!.older)
      throw new StoreError("invalid", "an older program made the tables: drop the schema, or name another");
    pool.on("error", ignore);
    return store;
  }

  private constructor(private readonly pool: PostgresPool, private readonly schema: string) {
    if (schema === "" || encoder.encode(schema).length > 63 || schema.includes("\0")) // the server would use another
      throw new StoreError("invalid", "the name of a schema has 1 to 63 bytes, and no NUL");
    const quoted = `"${schema.replaceAll('"', '""')}"`;
    const put = ([name, sql]: [string, string]) => [name, sql.replaceAll("@", () => quoted)];
    this.#sql = Object.fromEntries(Object.entries(statements).map(put));
  }

  /** The rows of a statement. Errors become those of a store. */
  async #rows<Row>(name: string, ...values: unknown[]): Promise<Row[]> {
    if (this.#closed) throw closed();
    try {
      const result = await this.pool.query(this.#sql[name]!, values.length > 0 ? values : undefined);
      return result.rows as Row[]; // "tables" has several results, which nobody reads
    } catch (error) {
      if (this.#closed) throw closed();
      const { code, message } = error as { code?: string; message?: string };
      // A version that is taken, serialization, a deadlock.
      if (name === "commit" && ["23505", "40001", "40P01"].includes(code ?? "")) throw conflict();
      throw new StoreError(code === "53100" ? "full" : "unavailable", message || String(error), { cause: error });
    }
  }

  async load(session: string): Promise<Saved | undefined> {
    const [row] = await this.#rows<{ version: string; due: string; state: Uint8Array }>("get_session", bytes(session));
    return row && { version: Number(row.version), state: new Uint8Array(row.state), next: Number(row.due) };
  }

  async commit(change: Change): Promise<void> {
    const { session, version, state, records = [], entries = [], next = 0 } = change;
    const { expires = 0, keep = 0, keepRecords = 0 } = change;
    const column = (name: "id" | "server" | "tool" | "outcome" | "text") => entries.map((entry) => bytes(entry[name]));
    const put = await this.#rows("commit", bytes(session), change.from, version, next, expires, state, keepRecords,
      records, keep, entries.map(({ at }) => at), column("id"), column("server"), column("tool"), column("outcome"),
      column("text"), entries.map(({ body }) => body ?? bytes()), this.schema);
    if (put.length === 0) throw conflict();
    this.#wakers.wake(session, version);
    await this.#sweep(change.now);
  }

  /** Forgets some of what may be forgotten, at every 16th call. */
  async #sweep(now: number): Promise<void> {
    if (++this.#calls % 16 === 0) await this.#rows("forget", now).catch(ignore);
  }

  async due(now: number, skip: number, limit: number): Promise<string[]> {
    return (await this.#rows<{ name: Uint8Array }>("get_due", now, limit, skip)).map(({ name }) => text(name));
  }

  async redeem(id: string, now: number, until: number): Promise<boolean> {
    const put = await this.#rows("redeem", bytes(id), until);
    await this.#sweep(now);
    return put.length > 0;
  }

  /** A commit that comes before the handle hears wakes too: everyone is woken when it begins to hear. */
  async watch(session: string, wake: Wake): Promise<() => void> {
    if (this.#closed) throw closed();
    const ended = this.#wakers.add(session, wake);
    if (!this.#hears) void this.#hear();
    return () => void ended();
  }

  /** Listens until the handle is closed, on another connection after each that failed. */
  async #hear(): Promise<void> {
    for (this.#hears = true; !this.#closed; ) {
      const client = await new Promise<PostgresClient | undefined>((done) =>
        this.pool.connect((_, client) => (client?.on("error", ignore), done(client)))); // its end may follow at once
      if (client) await this.#listen(client).catch(ignore);
      client?.release(true);
      if (!this.#closed) await this.#pause(50);
    }
  }

  /** Wakes those whose sessions were committed. A connection that does not confirm to listen again is deaf. */
  async #listen(client: PostgresClient): Promise<void> {
    let lost = false;
    for (const event of ["error", "end"] as const)
      client.on(event as "end", () => ((lost = true), this.#over()));
    client.on("notification", ({ payload = "" }) => {
      const [name, version] = payload.split(" ");
      const session = Uint8Array.from(name!.match(/../g) ?? [], (byte) => parseInt(byte, 16));
      this.#wakers.wake(text(session), Number(version) || undefined);
    });
    for (let first = true; !lost && !this.#closed; first = false) {
      await client.query({ text: this.#sql["listen"]!, query_timeout: patience });
      if (first) this.#wakers.wakeAll(); // notes may have been lost
      if (!lost && !this.#closed) await this.#pause(patience);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.#over = () => (clearTimeout(timer), done());
    });
  }

  async *journal(session: string, after = 0): AsyncIterable<Line> {
    let last = { version: after, index: 2 ** 31 - 1 };
    for (;;) {
      type Row = { version: string; place: number; line: Uint8Array };
      const some = await this.#rows<Row>("get_records", bytes(session), last.version, last.index);
      for (const { version, place, line } of some) {
        last = { version: Number(version), index: place };
        yield { ...last, line: new Uint8Array(line) };
      }
      if (some.length === 0) return;
    }
  }

  history(query: Query = {}): AsyncIterable<Entry> {
    const { since = 0, session, server, tool, outcome } = query;
    return paged(query, async (last) => {
      const some = await this.#rows<Record<keyof Entry, Uint8Array>>("get_entries", last.at, bytes(last.session),
        bytes(last.id), since, bytes(session), bytes(server), bytes(tool), bytes(outcome));
      return some.map(({ at, body, ...names }) => {
        const spelled = Object.entries(names).map(([name, value]) => [name, text(value)]);
        return { ...Object.fromEntries(spelled), at: Number(at), body: new Uint8Array(body) } as Entry;
      });
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#wakers.clear();
    this.#over();
    this.pool.off("error", ignore);
  }
}
