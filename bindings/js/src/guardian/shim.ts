import type { Log } from "./log.ts";
import { SplitMix64 } from "./random.ts";

/** WASI's error numbers. */
const success = 0;
const badf = 8;
const fault = 21;
const inval = 28;
const nosys = 52;

// These limits hold for one call, so that no call costs more than its fuel.
const maxRandom = 1 << 10;
const maxVectors = 64;
const maxWaits = 64;
const maxWritten = 1 << 10;

/**
 * The first reading of every clock, in nanoseconds, and how fine it is. It is not 0, because Go's runtime takes that
 * for a clock that does not work.
 */
const tick = 1n;

/** The furthest a clock goes. */
const forever = (1n << 63n) - 1n;

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** Thrown out of a guest by proc_exit. */
export class GuestExit extends Error {}

/**
 * WASI preview 1 without a world, plugins/ABI.md: no files, no arguments, a clock that moves only when the guest
 * sleeps, random bytes that are the same every time. It is the whole state of one instance, and follows plugins/host
 * line by line.
 */
export class Shim {
  readonly #random = new SplitMix64();
  #slept = 0n; // nanoseconds
  exited = false;
  readonly #memory: () => ArrayBuffer | undefined;
  readonly #log: Log;

  /** `memory` has nothing to give while a start section runs: then nothing is there but proc_exit. */
  constructor(memory: () => ArrayBuffer | undefined, log: Log) {
    this.#memory = memory;
    this.#log = log;
  }

  /** The functions of WASI that a guest may import: those that do anything, and the others, which are not there. */
  imports(names: readonly string[]): WebAssembly.ModuleImports {
    const there: WebAssembly.ModuleImports = {
      args_get: () => success,
      environ_get: () => success,
      args_sizes_get: (count: number, bytes: number) => this.#counts(count >>> 0, bytes >>> 0),
      environ_sizes_get: (count: number, bytes: number) => this.#counts(count >>> 0, bytes >>> 0),
      clock_res_get: (id: number, to: number) => this.#clock(id >>> 0, to >>> 0, 0n),
      clock_time_get: (id: number, _: bigint, to: number) => this.#clock(id >>> 0, to >>> 0, this.#slept),
      poll_oneoff: (list: number, events: number, n: number, told: number) => this.#wait(list >>> 0, events >>> 0,
        n >>> 0, told >>> 0),
      random_get: (to: number, n: number) => this.#fill(to >>> 0, n >>> 0),
      fd_write: (fd: number, list: number, n: number, written: number) => this.#write(fd >>> 0, list >>> 0, n >>> 0,
        written >>> 0),
      fd_fdstat_get: (fd: number, to: number) => this.#status(fd >>> 0, to >>> 0),
      fd_prestat_get: () => badf,
      fd_prestat_dir_name: () => badf,
      sched_yield: () => success,
      proc_exit: () => {
        this.exited = true;
        throw new GuestExit("the guest exited");
      },
    };
    const started = (call: (...args: never[]) => number) =>
      (...args: never[]) => (this.#memory() ? call(...args) : nosys);
    return Object.fromEntries(names.map((name) => {
      const call = there[name] as ((...args: never[]) => number) | undefined;
      return [name, name === "proc_exit" ? call! : call ? started(call) : () => nosys];
    }));
  }

  /** The n bytes at `from`, undefined when they are not all there. */
  #at(from: number, n: number): Uint8Array | undefined {
    const memory = this.#memory()!;
    return from + n > memory.byteLength ? undefined : new Uint8Array(memory, from, n);
  }

  #put(to: number, size: 4 | 8, value: bigint): number {
    const bytes = this.#at(to, size);
    for (let i = 0; bytes && i < size; i++) bytes[i] = Number(value >> BigInt(8 * i) & 0xffn);
    return bytes ? success : fault;
  }

  #counts(count: number, bytes: number): number {
    return this.#put(count, 4, 0n) || this.#put(bytes, 4, 0n);
  }

  #clock(id: number, to: number, slept: bigint): number {
    return id > 3 ? inval : this.#put(to, 8, tick + slept);
  }

  /**
   * The clock jumps to the first moment asked for, and what was due by then is told. Waiting for a stream fails.
   */
  #wait(waits: number, events: number, n: number, told: number): number {
    if (n === 0 || n > maxWaits) return inval;
    const asked = this.#at(waits, 48 * n);
    if (!asked || !this.#at(events, 32 * n)) return fault;
    const list = asked.slice(); // the guest may have them overlap
    const view = new DataView(list.buffer);
    const until: (bigint | undefined)[] = []; // undefined for a stream
    for (let of = 0; of < list.length; of += 48) {
      if (list[of + 8] !== 0) {
        until.push(undefined);
        continue;
      }
      const moment = least(view.getBigUint64(of + 24, true), forever);
      const absolute = (list[of + 40]! & 1) === 1;
      until.push(absolute ? moment - least(moment, tick) : least(moment + this.#slept, forever));
    }
    const streams = until.includes(undefined);
    const first = until.reduce<bigint>((a, b) => least(a, b ?? forever), forever);
    if (!streams && first > this.#slept) this.#slept = first;
    let count = 0;
    until.forEach((moment, i) => {
      if (moment !== undefined && (streams || moment > this.#slept)) return;
      const event = this.#at(events + 32 * count++, 32)!;
      event.fill(0);
      event.set(list.subarray(48 * i, 48 * i + 8)); // what the guest calls it
      event[10] = list[48 * i + 8]!;
      if (moment === undefined) event[8] = badf;
    });
    return this.#put(told, 4, BigInt(count));
  }

  /** Words of SplitMix64 in little-endian order, a new word for each call's first byte. */
  #fill(to: number, n: number): number {
    if (n > maxRandom) return inval;
    const bytes = this.#at(to, n);
    if (!bytes) return fault;
    for (let i = 0; i < n; i += 8) {
      this.#random.next();
      // behind the end they are lost
      for (let j = 0; j < 8; j++) bytes[i + j] = (j < 4 ? this.#random.low : this.#random.high) >>> (8 * j);
    }
    return success;
  }

  /** Standard output and standard error go into the log, and all of it counts as written. */
  #write(fd: number, vectors: number, n: number, written: number): number {
    if (fd !== 1 && fd !== 2) return badf;
    if (n > maxVectors) return inval;
    const list = this.#at(vectors, 8 * n);
    if (!list) return fault;
    const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
    let total = 0;
    let room = maxWritten;
    for (let i = 0; i < 8 * n; i += 8) {
      const piece = this.#at(view.getUint32(i, true), view.getUint32(i + 4, true));
      if (!piece) return fault;
      total += piece.length;
      const seen = Math.min(room, piece.length);
      room -= seen;
      this.#log.write((fd - 1) as 0 | 1, piece.subarray(0, seen));
    }
    return this.#put(written, 4, BigInt(total));
  }

  /** The standard streams are character devices, 0 to read and 1 and 2 to write. */
  #status(fd: number, to: number): number {
    if (fd > 2) return badf;
    const stat = this.#at(to, 24);
    if (!stat) return fault;
    stat.fill(0);
    stat[0] = 2; // character device
    stat[8] = fd > 0 ? 1 << 6 : 1 << 1;
    return success;
  }
}
