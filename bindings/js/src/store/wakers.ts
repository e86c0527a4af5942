import type { Wake } from "./store.ts";

/** Those who watch sessions through one handle. */
export class Wakers {
  readonly #wakes = new Map<string, Set<Wake>>();

  /** The function that it returns ends the watch, and returns true if it was the session's last. */
  add(session: string, wake: Wake): () => boolean {
    const own: Wake = (version) => wake(version); // one function may watch twice
    const all = this.#wakes.get(session) ?? new Set();
    this.#wakes.set(session, all.add(own));
    return () => {
      if (!all.delete(own) || all.size > 0 || this.#wakes.get(session) !== all) return false;
      return this.#wakes.delete(session);
    };
  }

  wake(session: string, version?: number): void {
    for (const wake of [...(this.#wakes.get(session) ?? [])]) wake(version);
  }

  wakeAll(): void {
    for (const session of [...this.#wakes.keys()]) this.wake(session);
  }

  clear(): void {
    this.#wakes.clear();
  }
}
