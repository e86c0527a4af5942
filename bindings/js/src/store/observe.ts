import { StoreError, type Query, type Store } from "./store.ts";

/** One call of a store, for logs, counters and traces. It tells nothing of states, records and entries. */
export interface StoreCall {
  method: Exclude<keyof Store, "close">;
  session?: string | undefined;
  /** How many milliseconds it took. */
  took: number;
  /** `ok`, `redeemed` for an id that came before, the code of a `StoreError`, or `failed`. */
  result: string;
  error?: unknown;
}

/** Resolves when a store answers, for health checks of a server. It looks for a session that is not there. */
export const ping = async (store: Store): Promise<void> => void await store.load("ping/");

/** A store that tells of each call after it. The functions must not throw. */
export function observe(store: Store, ...tell: ((call: StoreCall) => void)[]): Store {
  function begin(method: StoreCall["method"], session?: string) {
    const began = performance.now();
    return (result: string, error?: unknown) => {
      for (const one of tell) one({ method, session, took: performance.now() - began, result, error });
    };
  }
  const failed = (error: unknown) => error instanceof StoreError ? error.code : "failed";
  async function told<T>(doing: Promise<T>, end: ReturnType<typeof begin>, result = (_: T) => "ok"): Promise<T> {
    return doing.then((got) => (end(result(got)), got), (error) => {
      end(failed(error), error);
      throw error;
    });
  }
  async function* each<T>(all: AsyncIterable<T>, end: ReturnType<typeof begin>): AsyncIterable<T> {
    let [result, why]: [string, unknown] = ["ok", undefined];
    try {
      yield* all;
    } catch (error) {
      [result, why] = [failed(error), error];
      throw error;
    } finally { // also when the reader stops early
      end(result, why);
    }
  }
  return {
    load: (session) => told(store.load(session), begin("load", session)),
    commit: (change) => told(store.commit(change), begin("commit", change.session)),
    due: (now, skip, limit) => told(store.due(now, skip, limit), begin("due")),
    watch: (session, wake) => told(store.watch(session, wake), begin("watch", session)),
    redeem: (id, now, until) =>
      told(store.redeem(id, now, until), begin("redeem"), (first) => first ? "ok" : "redeemed"),
    journal: (session, after) => each(store.journal(session, after), begin("journal", session)),
    history: (query: Query = {}) => each(store.history(query), begin("history", query.session)),
    close: () => store.close(),
  };
}

/** Counts calls by method and result, such as `commit conflict`. Each `due` is a page of a sweep. */
export class StoreCounters {
  readonly all: Record<string, number> = {};
  /** For `observe`. */
  readonly count = ({ method, result }: StoreCall): void => {
    this.all[`${method} ${result}`] = (this.all[`${method} ${result}`] ?? 0) + 1;
  };
}

/** A function for `observe` that logs each call: as a warning where somebody should look. */
export const log = (to: Pick<Console, "debug" | "warn">) => (call: StoreCall): void =>
  to[["ok", "conflict", "redeemed", "closed"].includes(call.result) ? "debug" : "warn"]("store", call);
