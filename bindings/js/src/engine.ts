import { operationNames } from "./codes.ts";
import type { Configuration } from "./configuration.ts";
import type { Description } from "./describe.ts";
import { dispose } from "./dispose.ts";
import { readEffects, type Effect, type Grant } from "./effect.ts";
import type { Event } from "./event.ts";
import { InputError } from "./fault.ts";
import { now, spelled, type Given } from "./given.ts";
import { Instance, op } from "./instance.ts";
import { load, type Source } from "./module.ts";
import { OpenForm } from "./open-form.ts";
import type { Operation, Operations, SchemaInput } from "./operation.ts";
import type { Form } from "./question.ts";
import { Relay, type RelayConfiguration } from "./relay.ts";

/** The engine in an instance of its own. Every method works at once; only opening takes time. */
export class Engine implements Disposable {
  /** What configuring it asks for: the first record of its journal. */
  readonly beginning: readonly Effect[];

  readonly #instance: Instance;
  readonly #module: WebAssembly.Module;
  readonly #config: string;
  readonly #handle: bigint;
  #closed = false;

  /** Opens an engine. A configuration that cannot be used is an `InputError`; text is taken as it stands. */
  static async open(
    config: Configuration | string = {},
    options: { module?: Source | PromiseLike<Source> } & Given = {},
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

  private constructor(module: WebAssembly.Module, instance: Instance, config: string, given: Given = {}) {
    this.#module = module;
    this.#instance = instance;
    this.#config = config;
    const input = `{"config":${config}${spelled(given)}}`;
    instance.call(
      op.open,
      0n,
      now(),
      given.at === undefined && given.dice === undefined ? config : input,
      "the configuration",
    );
    this.#handle = instance.opened();
    this.beginning = readEffects(instance.text());
  }

  /** The module it runs, to be sent to workers. */
  get module(): WebAssembly.Module {
    return this.#module;
  }

  /** The configuration it was opened with. */
  get config(): string {
    return this.#config;
  }

  /** Bytes of memory its instance holds. It grows to what the largest input needed and never shrinks. */
  get memory(): number {
    return this.#instance.size;
  }

  /**
   * Gives the engine one event and returns what has to be done, in order. Time and dice are those of the machine unless
   * they are given; with both, here and in `open`, the effects are the same bytes on every machine. An event that
   * cannot be read is an `InputError` and changes nothing.
   */
  step(event: Event, given: Given = {}): Effect[] {
    return readEffects(this.stepText(`{"event":${JSON.stringify(event)}${spelled(given)}}`));
  }

  /** `step` on the exact text of an input, for hosts that may not lose the spelling of a number. */
  stepText(input: string): string {
    this.#instance.call(op.step, this.#handle, now(), input, "the event");
    return this.#instance.text();
  }

  /** A session's whole state, or undefined when it is not open. Whoever can write it can agree for the person. */
  save(session: string): string | undefined {
    try {
      this.#instance.call(op.step, this.#handle, 0n, `{"save":${JSON.stringify(session)}}`, "the session");
    } catch (error) {
      if (error instanceof InputError && error.problems[0]?.code === "unknown_session") return undefined;
      throw error;
    }
    return this.#instance.text().slice('{"state":'.length, -1);
  }

  /** Brings back a session that `save` wrote, here or elsewhere. Its shown requests are shown again. */
  resume(state: string, given: Given = {}): Effect[] {
    return this.step({ event: "resumed", state_text: state }, given);
  }

  /** The grants that hold now. */
  grants(): Grant[] {
    this.#instance.call(op.step, this.#handle, now(), '{"list":"grants"}', "the list");
    return (JSON.parse(this.#instance.text()) as { grants: Grant[] }).grants;
  }

  /**
   * Opens the machine of a connection beside the engine, in the same instance: a trap ends them all. `connect` is the
   * loop around one.
   */
  relay(config: RelayConfiguration, given: Given = {}): Relay {
    return new Relay(this.#instance, { config: this.#config, ...config }, given);
  }

  /** Runs one stateless operation. What is wrong with its input is in its output. */
  eval<Op extends Operation>(name: Op, input: Operations[Op]["in"]): Operations[Op]["out"] {
    return JSON.parse(this.evalText(name, JSON.stringify(input))) as Operations[Op]["out"];
  }

  /** `eval` on exact texts. */
  evalText(name: Operation, input: string | Uint8Array): string {
    const number = operationNames.indexOf(name);
    if (number < 0) throw new TypeError(`there is no operation ${String(name)}`);
    this.#instance.call(op.firstEval + number, 0n, 0n, input, name);
    return this.#instance.text();
  }

  /** Compiles a schema and keeps it, to check answers at every key. One that cannot be read is an `InputError`. */
  form(schema: object | string, options: Pick<SchemaInput, "profile" | "limits"> = {}): OpenForm {
    const given = typeof schema === "string" ? { schema_text: schema } : { schema };
    this.#instance.call(op.form, 0n, 0n, JSON.stringify({ ...given, ...options }), "the schema");
    const handle = this.#instance.opened();
    const compiled = JSON.parse(this.#instance.text()) as { form: Form };
    return new OpenForm(this.#instance, handle, compiled.form);
  }

  /** What the module understands. */
  describe(): Description {
    this.#instance.call(op.describe, 0n, 0n, "", "describe");
    return JSON.parse(this.#instance.text()) as Description;
  }

  /** Gives the instance up, with the forms in it. It may be called again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#instance.poison(new Error("the engine is closed"));
  }

  [dispose](): void {
    this.close();
  }
}
