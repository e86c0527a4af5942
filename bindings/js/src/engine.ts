import { AskerMachine, type AskerConfiguration } from "./asker.ts";
import { Asking, type AskingConfiguration } from "./asking.ts";
import { operationNames, type OperationName } from "./codes.ts";
import type { Configuration } from "./configuration.ts";
import type { Description } from "./describe.ts";
import { dispose } from "./dispose.ts";
import { readEffects } from "./effect.ts";
import type { Effect, Event, Form, Grant, Operations, SchemaInput } from "./contract.ts";
import { InputError } from "./fault.ts";
import { openMembers, optionMembers, stepInput, stepTime, type StepOptions, type Wrapped } from "./step-options.ts";
import { Instance, op } from "./instance.ts";
import { load, type Module, type Source } from "./module.ts";
import { OpenForm } from "./open-form.ts";
import { Relay, type RelayConfiguration } from "./relay.ts";

/** The operations that stand both in the contract and in the list of the module. */
export type Operation = keyof Operations & OperationName;

/** An engine in a Wasm instance of its own. Only `open` is asynchronous; every other method returns at once. */
export class Engine implements Disposable {
  /** The effects of configuring the engine: the first record of its journal. */
  readonly beginning: readonly Effect[];

  readonly #instance: Instance;
  readonly #module: Module;
  readonly #config: string;
  readonly #handle: bigint;
  #closed = false;

  /**
   * Opens an engine. A string is the exact JSON text of a configuration. It rejects with an `InputError` for a
   * configuration that cannot be used.
   */
  static async open(
    config: Configuration | string = {},
    options: { module?: Source | PromiseLike<Source> } & StepOptions = {},
  ): Promise<Engine> {
    const { module: source, ...given } = options;
    const module = await load(source);
    return new Engine(
      module,
      await Instance.start(module),
      typeof config === "string" ? config : JSON.stringify(config),
      given,
    );
  }

  private constructor(module: Module, instance: Instance, config: string, given: StepOptions = {}) {
    this.#module = module;
    this.#instance = instance;
    this.#config = config;
    const input = `{"config":${config}${openMembers(given)}}`;
    instance.call(op.open, 0n, stepTime(), input, "the configuration");
    this.#handle = instance.opened();
    this.beginning = readEffects(instance.text());
  }

  /** The compiled module. It can be sent to workers. */
  get module(): Module {
    return this.#module;
  }

  /** The configuration that the engine was opened with, as JSON text. */
  get config(): string {
    return this.#config;
  }

  /** The bytes of the instance's memory. It grows to the size that the largest input needed, and never shrinks. */
  get memory(): number {
    return this.#instance.size;
  }

  /**
   * Gives the engine one event, bare or wrapped, and returns the effects to perform, in order. Without `at` and
   * `random`, the module reads the clock and the system's randomness. With both, here and in `open`, the effects are
   * the same bytes on every platform. It throws an `InputError` for an event that cannot be read; such an event changes
   * nothing.
   */
  step(event: Event | Wrapped<Event>, given: StepOptions = {}): Effect[] {
    return readEffects(this.stepText(stepInput(event, optionMembers(given))));
  }

  /** `step` on the exact text of an input, for hosts that must keep the spelling of every number. */
  stepText(input: string): string {
    this.#instance.call(op.step, this.#handle, stepTime(), input, "the event");
    return this.#instance.text();
  }

  /**
   * The whole state of a session, or undefined if the session is not open. Protect it: anyone who can change it can
   * agree in place of the person.
   */
  save(session: string): string | undefined {
    try {
      this.#instance.call(op.step, this.#handle, 0n, `{"save":${JSON.stringify(session)}}`, "the session");
    } catch (error) {
      if (error instanceof InputError && error.problems[0]?.code === "unknown_session") return undefined;
      throw error;
    }
    return this.#instance.text().slice('{"state":'.length, -1);
  }

  /** Resumes a session from the output of `save`, from this or another engine. Its shown requests are shown again. */
  resume(state: string, given: StepOptions = {}): Effect[] {
    return this.step({ event: "resumed", state_text: state }, given);
  }

  /** The grants that are in force now. */
  grants(): Grant[] {
    this.#instance.call(op.step, this.#handle, stepTime(), '{"list":"grants"}', "the list");
    return (JSON.parse(this.#instance.text()) as { grants: Grant[] }).grants;
  }

  /**
   * Opens the machine of a connection in the same instance as this engine. A trap ends everything in the instance.
   * `connect` opens a machine and runs the loop around it.
   */
  relay(config: RelayConfiguration, given: StepOptions = {}): Relay {
    return new Relay(this.#instance, { config: this.#config, ...config }, given);
  }

  /**
   * Opens a machine of the asking side in the same instance as this engine. With `state`, it goes on with a machine
   * that was saved.
   */
  asking(config: AskingConfiguration, given: StepOptions & { state?: string } = {}): Asking {
    return new Asking(this.#instance, config, given);
  }

  /**
   * Opens the asking side of a process in the same instance as this engine. `createAsker` in `elicit-engine/ask` runs
   * the loop around it.
   */
  asker(config: AskerConfiguration, given: StepOptions = {}): AskerMachine {
    return new AskerMachine(this.#instance, config, given);
  }

  /** Runs one stateless operation. Its output contains the problems of its input. */
  eval<Op extends Operation>(name: Op, input: Operations[Op]["in"]): Operations[Op]["out"] {
    return JSON.parse(this.evalText(name, JSON.stringify(input))) as Operations[Op]["out"];
  }

  /** `eval` with the exact JSON text of the input and the output. */
  evalText(name: Operation, input: string | Uint8Array): string {
    const number = operationNames.indexOf(name);
    if (number < 0) throw new TypeError(`there is no operation ${String(name)}`);
    this.#instance.call(op.firstEval + number, 0n, 0n, input, name);
    return this.#instance.text();
  }

  /**
   * Compiles a schema and keeps the form, so that a user interface can check the answer at every key press. It throws
   * an `InputError` for a schema that cannot be read.
   */
  form(schema: object | string, options: Pick<SchemaInput, "profile" | "limits"> = {}): OpenForm {
    const given = typeof schema === "string" ? { schema_text: schema } : { schema };
    this.#instance.call(op.form, 0n, 0n, JSON.stringify({ ...given, ...options }), "the schema");
    const handle = this.#instance.opened();
    const compiled = JSON.parse(this.#instance.text()) as { form: Form };
    return new OpenForm(this.#instance, handle, compiled.form);
  }

  /** The names and limits that the module understands. */
  describe(): Description {
    this.#instance.call(op.describe, 0n, 0n, "", "describe");
    return JSON.parse(this.#instance.text()) as Description;
  }

  /** Releases the instance, with the forms and connections in it. Calling it again does nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#instance.poison(new Error("the engine is closed"));
  }

  [dispose](): void {
    this.close();
  }
}
