import { read } from "../base64.ts";
import { InputError } from "../fault.ts";
import { Instance, op } from "../instance.ts";
import { load, type Bytes, type Module, type Source } from "../module.ts";
import type { Consult, Consulted, Phase, Question } from "../contract.ts";
import type { GuardianData } from "./data.ts";
import { evaluate, type Evaluation } from "./evaluation.ts";
import type { GuardianPermit, Manifest } from "./permit.ts";

/** The engine's description of a guest's module. */
export interface Description {
  /** SHA-256 of the module as it was handed in. */
  digest: string;
  manifest: Manifest;
  /** major << 16 | minor of the guardian ABI it was built for. */
  abi: number;
  /** It imports WASI: it runs only where its permit says so. */
  wasi: boolean;
  initialize: boolean;
  /** The rules its fuel is counted by. */
  fuel_version: number;
  /** The cost of an instance, whatever is asked. */
  instance_fuel: number;
  /** Bytes, unless said otherwise. */
  sizes: {
    module: number; metered: number; functions: number; longest_body: number; data: number;
    pages_least: number; pages_most: number;
  };
}

/**
 * The module that the engine of this machine compiles from a metered one. It should take whatever the meter lets
 * through. If it does not, the guest is refused.
 */
async function compiled(metered: Bytes): Promise<Module> {
  try {
    return await WebAssembly.compile(metered);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new InputError("the guardian", [{ code: "engine_refused", pointer: "",
      args: { detail: error.message.slice(0, 300) } }]);
  }
}

/** The event that tells the engine what came of a consult. */
export function consulted({ session, id, round }: Consult, { output, fault, fuel }: Evaluation): Consulted {
  return { event: "consulted", session, id, round, ...(fault === undefined ? { output: output! } : { fault }),
    ...(fuel > 0 && { fuel }) };
}

/**
 * A guardian's module, checked and metered by the engine, compiled by this machine. It gives the same verdict, the same
 * fuel and the same fault as under every other host.
 */
export class Guest {
  readonly digest: string;
  readonly manifest: Manifest;
  readonly #module: Module;

  /**
   * Reads a guest. One that cannot be metered, or is none, is an `InputError` that says why. The engine that reads it
   * has an instance of its own, which is given up: a module that breaks it breaks nothing else.
   */
  static async load(module: Bytes, options: { module?: Source | PromiseLike<Source> } = {}): Promise<Guest> {
    const instance = await Instance.start(await load(options.module));
    const bytes = ArrayBuffer.isView(module) ? new Uint8Array(module.buffer, module.byteOffset,
      module.byteLength) : new Uint8Array(module);
    instance.call(op.guest, 0n, 0n, bytes, "the guardian");
    const { metered, ...description } = JSON.parse(instance.text()) as Description & { metered: string };
    instance.poison(new Error("it has read its guest"));
    return new Guest(description, await compiled(read(metered)));
  }

  private constructor(
    readonly description: Description,
    module: Module,
  ) {
    this.digest = description.digest;
    this.manifest = description.manifest;
    this.#module = module;
  }

  /**
   * Puts a question to it, as text where its exact bytes matter. A guest that imports WASI runs only where that is
   * permitted, and one that declares a data document only with one.
   */
  evaluate(
    question: Question | string,
    permitted: Pick<GuardianPermit, "fuel" | "wasi"> = {},
    data?: GuardianData,
  ): Evaluation {
    return this.#run("elicit_evaluate", question, permitted, data);
  }

  /** Hands it a settings document in place of a question. */
  checkSettings(
    settings: object | string,
    permitted: Pick<GuardianPermit, "fuel" | "wasi"> = {},
    data?: GuardianData,
  ): Evaluation {
    return this.#run("elicit_check_settings", settings, permitted, data);
  }

  /** The permit that gives it nothing to read but what `more` says: for the `guardians` of a configuration. */
  permit(
    more: Omit<GuardianPermit, "digest" | "declared" | "name"> & { name?: string; phases?: Phase[] } = {},
  ): GuardianPermit {
    const { name, phases, reads, codes } = this.manifest;
    return { name, digest: this.digest, declared: { phases, reads, ...(codes && { codes }) },
      ...(this.description.wasi && { wasi: true }), ...more };
  }

  /** The functions it imports, as MODULE.NAME. */
  get imports(): string[] {
    return WebAssembly.Module.imports(this.#module).map(({ module, name }) => `${module}.${name}`);
  }

  /** Puts a consult to it, within what the consult permits. `data` is the document that the consult names. */
  ask({ question_text, fuel, wasi }: Consult, data?: GuardianData): Evaluation {
    return this.evaluate(question_text, { ...(fuel !== undefined && { fuel }), ...(wasi && { wasi }) }, data);
  }

  #run(
    call: "elicit_evaluate" | "elicit_check_settings",
    document: object | string,
    { fuel = 0, wasi = false }: Pick<GuardianPermit, "fuel" | "wasi">,
    data: GuardianData | undefined,
  ): Evaluation {
    if (this.description.wasi && !wasi)
      return { fault: "not_loaded", fuel: 0, pages: 0, log: [], detail: "WASI is not permitted" };
    const text = typeof document === "string" ? document : JSON.stringify(document);
    const compiled = {
      module: this.#module,
      instanceFuel: this.description.instance_fuel,
      needsData: this.manifest.data !== undefined,
    };
    return evaluate(compiled, call, text, fuel, data);
  }
}
