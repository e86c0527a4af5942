// make.mjs CORE WIT COMPONENT dresses a core module as a component: the world of WIT goes into it, and the adapter of the
// Bytecode Alliance stands between its WASI calls and the interfaces of WASI 0.2.
import { readFile, writeFile } from "node:fs/promises";
import { componentEmbed, componentNew, preview1AdapterReactorPath } from "@bytecodealliance/jco";

const [core, wit, to] = process.argv.slice(2);
const embedded = await componentEmbed({ binary: await readFile(core), witSource: await readFile(wit, "utf8"), world: "elicit" });
const adapter = await readFile(preview1AdapterReactorPath());
await writeFile(to, await componentNew(embedded, [["wasi_snapshot_preview1", adapter]]));
