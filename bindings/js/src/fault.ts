import type { Problem } from "./contract.ts";

/**
 * The engine broke: a trap, a stack overflow, an exit, or a bug that the engine reports itself. After a fault with
 * `lost`, the instance and everything in it is gone. After another fault, only `save` and `close` of that engine work.
 */
export class EngineFault extends Error {
  override readonly name = "EngineFault";
  constructor(
    message: string,
    readonly lost: boolean,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The caller gave an input that cannot be read: a configuration, an event or a schema. The input changed nothing. */
export class InputError extends Error {
  override readonly name = "InputError";
  constructor(
    what: string,
    readonly problems: Problem[],
  ) {
    super(`${what}: ${problems.map((p) => p.code + (p.pointer && ` at ${p.pointer}`)).join(", ")}`);
  }
}
