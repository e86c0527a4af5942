/// <reference lib="esnext.disposable" preserve="true" />

/** `Symbol.dispose`, or the symbol that compilers use instead on a runtime without it. */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("Symbol.dispose") as typeof Symbol.dispose);
