import { fill } from "./chance.ts";
import { statuses } from "./codes.ts";
import { EngineFault, InputError } from "./fault.ts";
import type { Problems } from "./operation.ts";
import { wasi } from "./shim.ts";

/** The door of a module, wasm/ABI.md. */
interface Door extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  elicit_abi(): number;
  elicit_input(size: number): number;
  elicit_call(op: number, handle: bigint, at: bigint, size: number): bigint;
}

/** The operations of the door by number; from `firstEval` on come the stateless ones. */
export const op = {
  describe: 0, open: 1, step: 2, close: 3, form: 4, check: 5, guest: 6, client: 7, server: 8, firstEval: 16,
} as const;

/** The version of the door that this package was written for. */
const abi = 1;

/** What stands before the JSON of every output. */
const headerSize = 16;

/** The most bytes of an input: a message of a connection. Other operations take 8 MiB. */
export const most = 64 << 20;

/** Room for inputs is asked for at least so large, and given up when it is larger than that. */
const least = 4096;
const kept = 1 << 20;

/** Up to here a string gets three bytes for each of its units; a longer one is encoded first and copied. */
const short = 1 << 15;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// A packed result is taken apart here: BigInt arithmetic would make two more BigInts a call.
const packed = new BigInt64Array(1);
const halves = new Uint32Array(packed.buffer);
const low = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;
const high = 1 - low;

/** One running module. The first trap, stack overflow or exit ends it: its memory cannot be trusted after that. */
export class Instance {
  #door: Door | undefined;
  readonly #said: () => string;
  #bytes: Uint8Array<ArrayBuffer>;
  /** Where the output is, and its size. */
  #at = 0;
  #size = 0;
  /** Where inputs go. */
  #input = new Uint8Array(0);
  #fault: EngineFault | undefined;

  static async start(module: WebAssembly.Module): Promise<Instance> {
    let door: Door | undefined;
    let said = "";
    const imports = wasi(
      () => door!.memory.buffer as ArrayBuffer,
      (text) => {
        said = (said + text).slice(-2000);
      },
      fill,
    );
    const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
    door = exports as Door;
    return new Instance(door, () => said);
  }

  private constructor(door: Door, said: () => string) {
    this.#door = door;
    this.#said = said;
    try {
      door._initialize();
    } catch (cause) {
      throw this.poison(cause);
    }
    const version = door.elicit_abi();
    if (version !== abi) throw new Error(`this module speaks version ${version} of the door, not ${abi}`);
    this.#bytes = new Uint8Array(door.memory.buffer as ArrayBuffer);
  }

  /** Bytes of memory it holds. */
  get size(): number {
    return this.#door?.memory.buffer.byteLength ?? 0;
  }

  /** Whether it has ended. */
  get ended(): boolean {
    return this.#door === undefined;
  }

  /**
   * Performs operation `number` on `input`, which is named so when it is refused. The output stands until the next
   * call. A fault that the engine finds in itself spoils the engine or form of the handle and leaves the others as they
   * are.
   */
  call(number: number, handle: bigint, at: bigint, input: string | Uint8Array, name: string): void {
    const door = this.#door;
    if (!door) throw this.poison(undefined);
    // The door stays shut until the call is safely back: after a stack overflow there may be no stack left to shut it with.
    this.#door = undefined;
    let size: number;
    try {
      size = this.#write(door, input);
      if (size >= 0) packed[0] = door.elicit_call(number, handle, at, size);
    } catch (cause) {
      throw this.poison(cause);
    }
    this.#door = door;
    if (size < 0) {
      const code = number === op.client || number === op.server ? "message_too_long" : "json_size";
      throw new InputError(name, [{ code, pointer: "", args: { limit: most } }]);
    }
    this.#at = halves[high]!;
    this.#size = halves[low]!;
    this.#renew(door);
    const status = this.#bytes[this.#at]!;
    if (status !== 0) throw this.#refusal(status, name);
  }

  /** How long the JSON of the output is, in bytes. */
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

  /** Ends it: every later call throws the same fault. */
  poison(cause: unknown): EngineFault {
    this.#door = undefined;
    return (this.#fault ??= new EngineFault(this.#said().trim() || String(cause ?? "it overflowed"), true, { cause }));
  }

  #refusal(status: number, name: string): Error {
    if (statuses[status] === "internal") return new EngineFault("the engine found a fault in itself", false);
    return new InputError(name, (JSON.parse(this.text()) as Problems).problems);
  }

  /** Writes an input and returns its size, or -1 when there is no room for it. */
  #write(door: Door, input: string | Uint8Array): number {
    if (input.length === 0) return 0;
    if (typeof input === "string") {
      if (input.length <= short) {
        const room = this.#room(door, input.length * 3);
        return room ? encoder.encodeInto(input, room).written : -1;
      }
      input = encoder.encode(input);
    }
    const room = this.#room(door, input.length);
    room?.set(input);
    return room ? input.length : -1;
  }

  /**
   * Where an input of `size` bytes goes: the last place again where that is large enough, and not so large that it
   * should be given up. Memory that has grown leaves its view empty.
   */
  #room(door: Door, size: number): Uint8Array | undefined {
    const room = this.#input.length;
    if (size <= room && room <= kept) return this.#input;
    const asked = Math.max(size, least);
    const at = door.elicit_input(asked) >>> 0;
    this.#renew(door);
    this.#input = this.#bytes.subarray(at, at === 0 ? 0 : at + asked);
    return at === 0 ? undefined : this.#input;
  }

  /** Makes the view anew when the memory has grown, which empties the old one. */
  #renew(door: Door): void {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(door.memory.buffer as ArrayBuffer);
  }
}
