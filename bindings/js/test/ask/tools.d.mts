import type { Asker } from "../../dist/ask/index.js";

export function register<S>(server: S, ask: Asker): S;
