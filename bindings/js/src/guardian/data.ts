import { Instance, op } from "../instance.ts";
import { load, type Bytes, type Source } from "../module.ts";

/**
 * A guardian's data document, such as a list of hosts: up to 4 MiB of any bytes. All evaluations read the same copy,
 * and none can write to it. A permit names it by `digest`.
 */
export class GuardianData {
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly digest: string;
  readonly #bytes: Uint8Array;

  /** Takes a copy of the bytes. A document that is too large is an `InputError`. */
  static async load(
    document: Bytes,
    options: { module?: Source | PromiseLike<Source> } = {},
  ): Promise<GuardianData> {
    const view = ArrayBuffer.isView(document)
      ? new Uint8Array(document.buffer, document.byteOffset, document.byteLength)
      : new Uint8Array(document);
    const bytes = view.slice();
    // The engine tells the digest, also where a page has no crypto.subtle. Its memory has grown for it, so it is
    // given up.
    const instance = await Instance.start(await load(options.module));
    instance.call(op.data, 0n, 0n, bytes, "the data document");
    const { digest } = JSON.parse(instance.text()) as { digest: string };
    instance.poison(new Error("it has read its document"));
    return new GuardianData(digest, bytes);
  }

  private constructor(digest: string, bytes: Uint8Array) {
    this.digest = digest;
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  /** Copies at most `to.length` bytes from an offset on, and returns how many there were. */
  read(offset: number, to: Uint8Array): number {
    const window = this.#bytes.subarray(offset, offset + to.length);
    to.set(window);
    return window.length;
  }
}
