/**
 * Sessions of the asking side at rest, so that any node can go on where another stopped. The package store for Go has
 * the same rules, and nodes of both languages can share one Redis. Times are milliseconds since 1970, and come from the
 * caller. A store copies what it gets.
 */
export interface Store {
  /** The session as the last commit left it, or undefined. */
  load(session: string): Promise<Saved | undefined>;
  /**
   * Stores the change completely or not at all, if the stored version is `from`: 0 says that there is no session.
   * Otherwise it fails with the code `conflict`.
   */
  commit(change: Change): Promise<void>;
  /**
   * At most `limit` sessions whose `next` has come, the oldest first. A caller that can do nothing with some of them
   * skips as many of the first.
   */
  due(now: number, skip: number, limit: number): Promise<string[]>;
  /**
   * Calls `wake` after each commit by any node that begins after the promise has resolved. Several commits may share a
   * call, and there may be a call without a commit. The version is that of the last commit, if the store knows it. The
   * function that it resolves with ends the watch.
   */
  watch(session: string, wake: Wake): Promise<() => void>;
  /** True for the first caller with this id, and false for every other. The id is remembered until that time. */
  redeem(id: string, now: number, until: number): Promise<boolean>;
  /** The records of a session after a version, in order. They stay when the session is deleted. */
  journal(session: string, after?: number): AsyncIterable<Line>;
  /** The settled questions that match, newest first. */
  history(query?: Query): AsyncIterable<Entry>;
  /** Releases this handle. Later calls fail with the code `closed`. */
  close(): Promise<void>;
}

/** Hears of commits to a session. */
export type Wake = (version?: number) => void;

/** A session as a store holds it. */
export interface Saved {
  version: number;
  state: Uint8Array;
  /** When a step wants a tick; 0 never. */
  next: number;
}

/** The changes of one step to a session. The machine has decided them: a store compares a version, and writes. */
export interface Change {
  session: string;
  /** The version that was loaded; 0: the session must not exist. */
  from: number;
  /** The version that the session gets. */
  version: number;
  now: number;
  /** Left out, the session is deleted. */
  state?: Uint8Array | undefined;
  records?: readonly Uint8Array[];
  next?: number;
  /** Questions that this step settled. An entry with the session and id of another replaces it. */
  entries?: readonly NewEntry[];
  /** When the session, entries and records may be forgotten; 0 never. */
  expires?: number;
  keep?: number;
  keepRecords?: number;
  /** The change may come to the disk later, with the next one that is not lazy. Only a power cut may lose it. */
  lazy?: boolean;
}

/** One record of a session's journal. */
export interface Line {
  version: number;
  index: number;
  line: Uint8Array;
}

/** A settled question, named by its session and id. */
export interface Entry {
  session: string;
  id: string;
  at: number;
  server: string;
  tool: string;
  outcome: string;
  /** The text that a search looks at. */
  text: string;
  body: Uint8Array;
}

export type NewEntry = Pick<Entry, "id" | "at"> & Partial<Omit<Entry, "session">>;

/** Selects entries. A member that is left out matches everything. */
export interface Query {
  session?: string;
  server?: string;
  tool?: string;
  outcome?: string;
  /** Contained in the entry's text, in any case of letters. */
  text?: string;
  /** since ≤ at < until. */
  since?: number;
  until?: number;
  /** Only entries after this one in the order of the history: the last of a page. */
  before?: Place;
  limit?: number;
}

/** A store failed. After the code `unavailable`, a commit or redeem may or may not have happened: load again. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  constructor(
    readonly code: "conflict" | "unavailable" | "full" | "newer" | "invalid" | "closed" | "plain" | "tampered" | "key",
    message: string,
    options?: ErrorOptions,
  ) {
    super(`store: ${message}`, options);
  }
}

export const lastTime = 2 ** 50;

export const conflict = () => new StoreError("conflict", "another commit came first");
export const closed = () => new StoreError("closed", "the store is closed");
export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

const encoder = new TextEncoder();

/** Throws for a query that cannot match. */
export function checkQuery({ limit = 0, since = 0, until = 0 }: Query): void {
  if (![limit, since, until].every((at) => Number.isSafeInteger(at) && at >= 0 && at <= lastTime))
    throw new StoreError("invalid", "no store takes this query");
}

/** Reports whether the query selects the entry, without its limit. */
export function matches(query: Query, entry: Entry): boolean {
  for (const name of ["session", "server", "tool", "outcome"] as const)
    if (query[name] && query[name] !== entry[name]) return false;
  if (entry.at < (query.since ?? 0) || (query.until && entry.at >= query.until)) return false;
  if (query.before && newer(query.before, entry) >= 0) return false;
  return entry.text.toLowerCase().includes((query.text ?? "").toLowerCase());
}

/** Compares in the order of the history: the newest first, then in reverse order of session and id. */
export const newer = (a: Place, b: Place): number =>
  b.at - a.at || bytewise(b.session, a.session) || bytewise(b.id, a.id);

export type Place = Pick<Entry, "session" | "id" | "at">; // of an entry in the history

/** Yields the entries that a query selects. `page` resolves with some of those after a place, in order, or none. */
export async function* paged(query: Query, page: (after: Place) => Promise<Entry[]>): AsyncIterable<Entry> {
  checkQuery(query);
  let last: Place = { at: query.until || lastTime + 1, session: "", id: "" };
  if (query.before && newer(query.before, last) > 0) last = query.before;
  for (let left = query.limit || Infinity; ; ) {
    const some = await page(last);
    for (const entry of some) {
      last = entry;
      if (!matches(query, entry)) continue;
      yield entry;
      if (--left === 0) return;
    }
    if (some.length === 0) return;
  }
}

/** Compares texts by their bytes, as every node must. */
export function bytewise(a: string, b: string): number {
  const [x, y] = [encoder.encode(a), encoder.encode(b)];
  const at = x.findIndex((byte, i) => byte !== y[i]);
  return at < 0 ? x.length - y.length : x[at]! - (y[at] ?? -1);
}
