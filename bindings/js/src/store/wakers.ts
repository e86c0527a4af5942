/** Those who watch sessions through one handle. */
export class Wakers {
  readonly #wakes = new Map<string, Set<() => void>>();

  /** The function that it returns ends the watch, and returns true if it was the session's last. */
  add(session: string, wake: () => void): () => boolean {
    const own = () => wake(); // one function may watch twice
    const all = this.#wakes.get(session) ?? new Set();
    this.#wakes.set(session, all.add(own));
    return () => {
      if (!all.delete(own) || all.size > 0 || this.#wakes.get(session) !== all) return false;
      return this.#wakes.delete(session);
    };
  }

  wake(session: string): void {
    for (const wake of [...(this.#wakes.get(session) ?? [])]) wake();
  }

  wakeAll(): void {
    for (const session of [...this.#wakes.keys()]) this.wake(session);
  }

  clear(): void {
    this.#wakes.clear();
  }
}
