import { dispose } from "./dispose.ts";
import { readEffects } from "./effect.ts";
import { op, type Instance } from "./instance.ts";
import { openMembers, stepTime, type StepOptions } from "./step-options.ts";

/** Something in the instance of the engine that opened it. It ends with that instance, if it is not closed before. */
export class Handle implements Disposable {
  #closed = false;

  constructor(
    protected readonly instance: Instance,
    protected readonly handle: bigint,
  ) {}

  /** Releases it in the module. It settles no open question; events do that. Calling it again does nothing. */
  close(): void {
    if (this.#closed || this.instance.ended) return;
    this.#closed = true;
    this.instance.call(op.close, this.handle, 0n, "", "the handle");
  }

  [dispose](): void {
    this.close();
  }
}

/** A machine beside the engine: it gets events and gives effects. */
export class Machine<E extends { effect: string }> extends Handle {
  /** The effects of opening it. */
  readonly beginning: readonly E[];

  /** `opening` is the member that has the configuration, and may have others. */
  constructor(instance: Instance, opening: string, given: StepOptions) {
    instance.call(op.open, 0n, stepTime(given), `{${opening}${openMembers(given)}}`, "the configuration");
    super(instance, instance.opened());
    this.beginning = readEffects<E>(instance.text());
  }

  /** Gives the machine an input, which errors call `name`. */
  protected put(input: string, name: string, at = 0n): E[] {
    this.instance.call(op.step, this.handle, at, input, name);
    return readEffects<E>(this.instance.text());
  }
}
