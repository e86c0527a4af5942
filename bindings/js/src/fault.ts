import type { Problem } from "./question.ts";

/**
 * The machine broke: a trap, a stack overflow, an exit, or a bug of the engine that it reports itself. After a `lost`
 * fault the instance and everything in it is gone; otherwise only `save` and `close` of that engine still work.
 */
export class EngineFault extends Error {
  override readonly name = "EngineFault";
  constructor(
    message: string,
    readonly lost: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The caller gave something that cannot be read: a configuration, an event, a schema. Nothing has changed. */
export class InputError extends Error {
  override readonly name = "InputError";
  constructor(
    what: string,
    readonly problems: Problem[],
  ) {
    super(`${what}: ${problems.map((p) => p.code + (p.pointer && ` at ${p.pointer}`)).join(", ")}`);
  }
}
