// Prints the nanoseconds from the bytes of the module to the engine's first answer, in a process of its own.
import { readFileSync } from 'node:fs';
import { Engine } from '../bindings/js/dist/index.js';

const bytes = readFileSync(new URL('../bindings/js/dist/elicit.wasm', import.meta.url));
const start = process.hrtime.bigint();
const engine = await Engine.open({}, { module: bytes });
const { ok } = engine.eval('parse', { document: 1 });
if (!ok) throw new Error('the engine does not answer');
console.log(String(process.hrtime.bigint() - start));
