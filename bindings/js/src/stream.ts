/** A queue with one reader, whose writer can wait for it. */
export class Stream<T> implements AsyncIterableIterator<T> {
  readonly #most: number;
  readonly #items: T[] = [];
  #reader: ((result: IteratorResult<T>) => void) | undefined;
  #writer: (() => void) | undefined;
  #ended = false;

  constructor(most: number) {
    this.#most = most;
  }

  push(item: T): void {
    if (this.#ended) return;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) reader({ value: item, done: false });
    else this.#items.push(item);
  }

  /** Resolves when the reader has left few enough items unread. */
  async room(): Promise<void> {
    while (this.#items.length >= this.#most && !this.#ended) await new Promise<void>((resolve) => (this.#writer = resolve));
  }

  /** The reader gets what is left and then the end. */
  end(): void {
    this.#ended = true;
    this.#reader?.({ value: undefined, done: true });
    this.#writer?.();
  }

  next(): Promise<IteratorResult<T>> {
    const item = this.#items.shift();
    if (item !== undefined) {
      this.#writer?.();
      return Promise.resolve({ value: item, done: false });
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => (this.#reader = resolve));
  }

  /** A reader that leaves its loop wants no more. */
  return(): Promise<IteratorResult<T>> {
    this.#items.length = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
