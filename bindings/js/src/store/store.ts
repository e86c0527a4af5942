/**
 * Sessions of the asking side at rest, so that any node can go on where another stopped. The package store for Go has
 * the same rules, and nodes of both languages can share one Redis. Times are milliseconds since 1970, and come from the
 * caller. A store copies what it gets.
 */
export interface Store {
  /** The session as the last commit left it, or undefined. */
  load(session: string): Promise<Saved | undefined>;
  /** Stores the change completely or not at all, and resolves with the new version. Code `conflict`: load again. */
  commit(change: Change): Promise<number>;
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
  /** True for the first caller with this id before its expiry, and false for every other. */
  redeem(id: string, now: number, expires: number): Promise<boolean>;
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

/** The changes of one step to a session. */
export interface Change {
  session: string;
  /** The version that was loaded; 0: the session must not exist. */
  from: number;
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
  before?: Pick<Entry, "session" | "id" | "at">;
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

/** How far the clocks of nodes may differ. A redeemed id is remembered this much longer. */
export const skew = 10 * 60 * 1000;

const most = { name: 1024, state: 5 << 20, parts: 4096, time: 2 ** 50, due: 1000, skip: 2 ** 20 };
export const lastTime = most.time;

const invalid = (why: string) => new StoreError("invalid", `no store takes ${why}`);
export const conflict = () => new StoreError("conflict", "another commit came first");
export const closed = () => new StoreError("closed", "the store is closed");

/**
 * The version that a commit gives: one more than `from`. A new session begins at a version made from `now`, so that a
 * name that is used again does not meet commits for its predecessor.
 */
export const versionOf = ({ from, now }: Change) => (from === 0 ? Math.max(1, now * 1024) : from + 1);

const encoder = new TextEncoder();
const isTime = (at: number) => Number.isSafeInteger(at) && at >= 0 && at <= most.time;

/** False for half a surrogate pair, which would be encoded as another character. */
export const isWellFormed = (text: string) => !/[\ud800-\udfff]/u.test(text);

/** Throws for a name of a session or another id that no store takes. */
export function checkName(name: string): void {
  if (name === "" || !isWellFormed(name) || encoder.encode(name).length > most.name)
    throw invalid(`a name that is empty, longer than ${most.name} bytes, or no Unicode`);
}

/** Throws for a change that no store takes. */
export function checkChange(change: Change): void {
  const { session, from, now, state, records = [], entries = [] } = change;
  checkName(session);
  const { next = 0, expires = 0, keep = 0, keepRecords = 0 } = change;
  for (const at of [now, next, expires, keep, keepRecords]) if (!isTime(at)) throw invalid(`the time ${at}`);
  if (!Number.isSafeInteger(from) || from < 0) throw invalid(`the version ${from}`);
  if (state === undefined && from === 0) throw invalid("the deletion of a session that does not exist");
  const sizes = [state?.length ?? 0, total(records), total(entries.map(({ body = new Uint8Array() }) => body))];
  if (Math.max(...sizes) > most.state) throw invalid(`more than ${most.state} bytes at once`);
  if (Math.max(records.length, entries.length) > most.parts)
    throw invalid(`more than ${most.parts} records or entries`);
  for (const { id, at, server = "", tool = "", outcome = "", text = "" } of entries) {
    checkName(id);
    if (!isTime(at) || ![server, tool, outcome, text].every(isWellFormed)) throw invalid("an entry without a time");
  }
}

const total = (parts: readonly Uint8Array[]) => parts.reduce((sum, part) => sum + part.length, 0);

export function checkDue(now: number, skip: number, limit: number): void {
  if (!isTime(now) || !Number.isInteger(limit) || limit < 1 || limit > most.due) throw invalid(`the limit ${limit}`);
  if (!Number.isInteger(skip) || skip < 0 || skip > most.skip) throw invalid(`the skip ${skip}`);
}

/** False for an id whose expiry has come. */
export function checkRedeem(id: string, now: number, expires: number): boolean {
  checkName(id);
  if (!(now >= 0) || !isTime(expires)) throw invalid(`the time ${expires}`);
  return expires > now;
}

export function checkQuery({ limit = 0, since = 0, until = 0 }: Query): void {
  if (!Number.isInteger(limit) || limit < 0 || !isTime(since) || !isTime(until)) throw invalid("this query");
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
export const newer = (a: Pick<Entry, "session" | "id" | "at">, b: typeof a): number =>
  b.at - a.at || bytewise(b.session, a.session) || bytewise(b.id, a.id);

/** Compares texts by their bytes, as every node must. */
export function bytewise(a: string, b: string): number {
  const [x, y] = [encoder.encode(a), encoder.encode(b)];
  const at = x.findIndex((byte, i) => byte !== y[i]);
  return at < 0 ? x.length - y.length : x[at]! - (y[at] ?? -1);
}
