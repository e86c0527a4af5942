import { fill } from "./entropy.ts";
import { statuses } from "./codes.ts";
import { EngineFault, InputError } from "./fault.ts";
import type { Problems } from "./contract.ts";
import type { Module } from "./module.ts";
import { wasi } from "./shim.ts";

/** The exports of a module; see wasm/ABI.md. */
interface ModuleExports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  elicit_abi(): number;
  elicit_input(size: number): number;
  elicit_call(op: number, handle: bigint, at: bigint, size: number): bigint;
}

/** The numbers of the operations of `elicit_call`. The stateless operations begin at `firstEval`. */
export const op = {
  describe: 0, open: 1, step: 2, close: 3, form: 4, check: 5, guest: 6, client: 7, server: 8, data: 9, elapsed: 11,
  firstEval: 16,
} as const;

/** The version of the ABI that this package was written for. */
const abi = 1;

/** The bytes before the JSON of every output: status and handle. */
const headerSize = 16;

/** The most bytes of an input, which a message of a connection may have. Other operations accept 8 MiB. */
export const most = 64 << 20;

/** The module is asked for at least `least` bytes of input. An area over `kept` bytes is used for one call only. */
const least = 4096;
const kept = 1 << 20;

/** Up to this length, a string gets three bytes for each of its units. A longer string is encoded first and copied. */
const short = 1 << 15;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// These arrays split a packed result. BigInt arithmetic would make two more BigInts for each call.
const packed = new BigInt64Array(1);
const halves = new Uint32Array(packed.buffer);
const low = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;
const high = 1 - low;

/** One running module. The first trap, stack overflow or exit ends it, because its memory cannot be trusted then. */
export class Instance {
  #exports: ModuleExports | undefined;
  /** The last 2,000 characters that the module printed. */
  readonly #printed: () => string;
  #bytes: Uint8Array<ArrayBuffer>;
  /** The offset of the output in the memory, and its size in bytes. */
  #at = 0;
  #size = 0;
  /** The area for inputs. */
  #input = new Uint8Array(0);
  #fault: EngineFault | undefined;

  static async start(module: Module): Promise<Instance> {
    let exports: ModuleExports | undefined;
    let printed = "";
    const imports = wasi(
      () => exports!.memory.buffer as ArrayBuffer,
      (text) => {
        printed = (printed + text).slice(-2000);
      },
      fill,
    );
    exports = (await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports })).exports as ModuleExports;
    return new Instance(exports, () => printed);
  }

  private constructor(exports: ModuleExports, printed: () => string) {
    this.#exports = exports;
    this.#printed = printed;
    try {
      exports._initialize();
    } catch (cause) {
      throw this.poison(cause);
    }
    const version = exports.elicit_abi();
    if (version !== abi) throw new Error(`this module has version ${version} of the ABI, not ${abi}`);
    this.#bytes = new Uint8Array(exports.memory.buffer as ArrayBuffer);
  }

  /** The bytes of its memory; 0 after its end. */
  get size(): number {
    return this.#exports?.memory.buffer.byteLength ?? 0;
  }

  /** Whether the instance has ended. */
  get ended(): boolean {
    return this.#exports === undefined;
  }

  /**
   * Performs operation `number` on `input`. Errors call the input `name`. The output is valid until the next call. A
   * fault that the engine reports itself makes the engine or form of the handle unusable, and leaves the others
   * unchanged.
   */
  call(number: number, handle: bigint, at: bigint, input: string | Uint8Array, name: string): void {
    const exports = this.#exports;
    if (!exports) throw this.poison(undefined);
    // No call is possible until this one returns. After a stack overflow, there may be no stack left to forbid calls.
    this.#exports = undefined;
    let size: number;
    try {
      size = this.#write(exports, input);
      if (size >= 0) packed[0] = exports.elicit_call(number, handle, at, size);
    } catch (cause) {
      throw this.poison(cause);
    }
    this.#exports = exports;
    if (size < 0) {
      const code = number === op.client || number === op.server ? "message_too_long" : "json_size";
      throw new InputError(name, [{ code, pointer: "", args: { limit: most } }]);
    }
    this.#at = halves[high]!;
    this.#size = halves[low]!;
    this.#renew(exports);
    const status = this.#bytes[this.#at]!;
    if (status !== 0) throw this.#refusal(status, name);
  }

  /** Tells what has elapsed for the next call whose input has no time. It has no output. */
  elapsed(ms: number): void {
    this.#exports?.elicit_call(op.elapsed, BigInt(ms), 0n, 0);
  }

  /** The length of the output's JSON in bytes. */
  get length(): number {
    return this.#size - headerSize;
  }

  /** The JSON of the output. */
  text(): string {
    return decoder.decode(this.#bytes.subarray(this.#at + headerSize, this.#at + this.#size));
  }

  /** The handle that the call opened. */
  opened(): bigint {
    return new DataView(this.#bytes.buffer, this.#at + 8).getBigUint64(0, true);
  }

  /** Ends the instance. Every later call throws the same fault. */
  poison(cause: unknown): EngineFault {
    this.#exports = undefined;
    const message = this.#printed().trim() || String(cause ?? "the stack overflowed");
    return (this.#fault ??= new EngineFault(message, true, { cause }));
  }

  #refusal(status: number, name: string): Error {
    if (statuses[status] === "internal") return new EngineFault("the engine reported a bug in itself", false);
    return new InputError(name, (JSON.parse(this.text()) as Problems).problems);
  }

  /** Writes an input and returns its size in bytes, or -1 if the module has no room for it. */
  #write(exports: ModuleExports, input: string | Uint8Array): number {
    if (input.length === 0) return 0;
    if (typeof input === "string") {
      if (input.length <= short) {
        const room = this.#room(exports, input.length * 3);
        return room ? encoder.encodeInto(input, room).written : -1;
      }
      input = encoder.encode(input);
    }
    const room = this.#room(exports, input.length);
    room?.set(input);
    return room ? input.length : -1;
  }

  /**
   * The area for an input of `size` bytes. It is the last area again if that is large enough and at most `kept` bytes.
   * `elicit_input` releases the last area.
   */
  #room(exports: ModuleExports, size: number): Uint8Array | undefined {
    const room = this.#input.length;
    if (size <= room && room <= kept) return this.#input;
    const asked = Math.max(size, least);
    const at = exports.elicit_input(asked) >>> 0;
    this.#renew(exports);
    this.#input = this.#bytes.subarray(at, at === 0 ? 0 : at + asked);
    return at === 0 ? undefined : this.#input;
  }

  /** Replaces the view after the memory has grown: growing sets the length of the old view to 0. */
  #renew(exports: ModuleExports): void {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(exports.memory.buffer as ArrayBuffer);
  }
}
