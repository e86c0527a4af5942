/** `Symbol.dispose`, or what compilers put in its place where the runtime does not have it. */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);
