import type { Fault } from "../codes.ts";
import type { Module } from "../module.ts";
import type { GuardianData } from "./data.ts";
import { decoded, Log, type LogLine } from "./log.ts";
import { Shim } from "./shim.ts";

/** The result of one question to one guest. `output` and `fault` exclude each other, and no fault is a pass. */
export interface Evaluation {
  /** The output of the guest, unread. */
  output?: string;
  fault?: Fault;
  /** Used, never more than the budget. */
  fuel: number;
  /** Pages of memory at the end, 64 KiB each. */
  pages: number;
  log: LogLine[];
  /** For people: what the engine of this machine said of a trap. */
  detail?: string;
}

/** The function of a guest that is called: one for a question, one for a settings document. */
export type Call = "elicit_evaluate" | "elicit_check_settings";

/** The most bytes of a question or a settings document, and of an output. */
const maxQuestion = 128 << 10;
const maxOutput = 16 << 10;

/** Fuel of an evaluation: the default, and the most. */
export const defaultFuel = 5_000_000;
export const maxFuel = 50_000_000;

/** Fuel of a settings check with a data document, which the guest may read whole. */
const dataFuel = 250_000_000;

/** The bounds of a start section. */
const startFuel = 5_000_000;

/** The exports of a metered guest (plugins/ABI.md, plugins/meter). */
interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize?(): void;
  elicit_alloc(size: number): number;
  elicit_evaluate(at: number, size: number): bigint;
  elicit_check_settings(at: number, size: number): bigint;
  elicit_meter_fuel: WebAssembly.Global<"i64">;
  elicit_meter_reason: WebAssembly.Global<"i32">;
}

/** A guest's module as this machine compiled it, what an instance costs, and whether it reads a data document. */
export interface Compiled {
  module: Module;
  instanceFuel: number;
  needsData: boolean;
}

/** The fuel of a settings check: that of the permit, or enough to read a data document whole. */
export const settingsFuel = (permitted: number, data: GuardianData | undefined) => (data ? dataFuel : permitted);

/** Why the meter ended a guest, by number. */
const reasons: Record<number, Fault> = { 1: "fuel", 2: "depth" };

const encoder = new TextEncoder();

/**
 * Puts a document to a guest in an instance of its own, following plugins/host step by step: output, fault and fuel
 * are the same as there. It returns after a time that the fuel bounds, whatever the guest does. The guest's calls nest
 * on the stack of the caller. The meter bounds them far below what a stack has, but a caller that is deep in its own
 * stack may have less left.
 */
export function evaluate(
  guest: Compiled,
  call: Call,
  document: string,
  budget: number,
  data?: GuardianData,
): Evaluation {
  const bytes = encoder.encode(document);
  const { module, instanceFuel } = guest;
  if (bytes.length > maxQuestion) return { fault: "question_too_large", fuel: 0, pages: 0, log: [] };
  if (guest.needsData && !data)
    return { fault: "not_loaded", fuel: 0, pages: 0, log: [], detail: "there is no data document" };
  const limit = call === "elicit_check_settings" && data ? dataFuel : maxFuel;
  const most = Math.min(budget > 0 ? budget : defaultFuel, limit);
  if (most < instanceFuel) return { fault: "fuel", fuel: most, pages: 0, log: [],
    detail: "the budget does not pay for an instance" };
  return new Life(module, most, instanceFuel, data).live(call, bytes);
}

/** One evaluation from the making of its memory to the end. */
class Life {
  readonly #module: Module;
  readonly #budget: number;
  readonly #data: GuardianData | undefined;
  #left: number;
  readonly #log = new Log();
  readonly #shim = new Shim(() => this.#exports?.memory.buffer as ArrayBuffer | undefined, this.#log);
  #exports: Exports | undefined;
  #detail: string | undefined;

  constructor(module: Module, budget: number, instanceFuel: number, data: GuardianData | undefined) {
    this.#data = data;
    this.#module = module;
    this.#budget = budget;
    this.#left = budget - instanceFuel;
  }

  live(call: Call, document: Uint8Array): Evaluation {
    let said = this.#instantiate() ?? this.#converse(call, document);
    this.#log.flush();
    if (this.#exports && this.#left >= 0) this.#left = Number(this.#exports.elicit_meter_fuel.value);
    if (this.#left < 0) said = { fault: "fuel" }; // whatever came of it, it was not paid for
    return {
      ...said,
      fuel: this.#exports ? this.#budget - Math.max(this.#left, 0) : 0,
      pages: this.#exports ? this.#memory().byteLength >> 16 : 0,
      log: this.#log.lines,
      ...(this.#detail !== undefined && { detail: this.#detail }),
    };
  }

  /** A start section runs in here, on the fuel that the meter left it. */
  #instantiate(): { fault: Fault } | undefined {
    try {
      this.#exports = new WebAssembly.Instance(this.#module, this.#imports()).exports as Exports;
    } catch (error) {
      // An engine throws a RangeError if it has no memory to give, and also if it has no stack left, which no guest
      // causes.
      if (this.#shim.exited) return this.#fail("exit", error);
      if (!(error instanceof RangeError)) return this.#fail("start", error);
      return this.#fail(isStack(error) ? "internal" : "no_memory", error);
    }
    this.#left -= startFuel - Number(this.#exports.elicit_meter_fuel.value);
    if (this.#left < 0) return { fault: "fuel" };
    this.#exports.elicit_meter_fuel.value = BigInt(this.#left);
    return undefined;
  }

  /** Initialize, alloc, write, call, read. */
  #converse(call: Call, document: Uint8Array): Pick<Evaluation, "output" | "fault"> {
    const guest = this.#exports!;
    let own: Fault = "start";
    try {
      guest._initialize?.();
      own = "trap";
      const at = guest.elicit_alloc(document.length) >>> 0;
      if (at === 0 || at + document.length > this.#memory().byteLength) return { fault: "bad_alloc" };
      new Uint8Array(this.#memory(), at, document.length).set(document);
      return this.#read(BigInt.asUintN(64, guest[call](at, document.length)));
    } catch (error) {
      const metered = reasons[guest.elicit_meter_reason.value];
      return this.#fail(metered ?? (this.#shim.exited ? "exit" : error instanceof RangeError ? "internal" : own),
        error);
    }
  }

  /** Is there an output, is it in memory, is it short enough, is it text: in this order. */
  #read(packed: bigint): Pick<Evaluation, "output" | "fault"> {
    if (packed === 0n) return { fault: "refused" };
    const at = Number(packed >> 32n);
    const size = Number(packed & 0xffffffffn);
    if (size === 0 || at + size > this.#memory().byteLength) return { fault: "bad_output" };
    if (size > maxOutput) return { fault: "output_too_large" };
    const output = decoded(new Uint8Array(this.#memory(), at, size));
    return output === undefined ? { fault: "bad_output" } : { output };
  }

  #imports(): WebAssembly.Imports {
    const wanted = WebAssembly.Module.imports(this.#module);
    const names = wanted.filter((i) => i.module === "wasi_snapshot_preview1").map((i) => i.name);
    // Nobody can read yet what a start section logs: its memory belongs to an instance that is not there.
    const log = (level: number, from: number, size: number) => {
      from >>>= 0;
      size >>>= 0;
      if (this.#exports && from + size <= this.#memory().byteLength) this.#log.add(level >>> 0,
        new Uint8Array(this.#memory(), from, size));
    };
    return { elicit_guardian_v1: { log, ...this.#reading() }, wasi_snapshot_preview1: this.#shim.imports(names) };
  }

  /** The data document, of which only what is asked for is copied. While a start section runs there is none. */
  #reading(): WebAssembly.ModuleImports {
    return {
      data_size: () => (this.#exports && this.#data ? this.#data.size : -1),
      data_read: (offset: number, to: number, size: number) => {
        to >>>= 0;
        size >>>= 0;
        if (!this.#exports || !this.#data || to + size > this.#memory().byteLength) return -1;
        return this.#data.read(offset >>> 0, new Uint8Array(this.#memory(), to, size));
      },
    };
  }

  #memory(): ArrayBuffer {
    return this.#exports!.memory.buffer as ArrayBuffer;
  }

  #fail(fault: Fault, error: unknown): { fault: Fault } {
    this.#detail = error instanceof Error ? error.message.slice(0, 300) : String(error);
    return { fault };
  }
}

const isStack = (error: RangeError) => /stack|recursion/i.test(error.message);
