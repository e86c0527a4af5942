// make.mjs CORE WIT COMPONENT makes a component of a core module. It embeds the world of WIT, and adds the Bytecode
// Alliance's adapter from the module's WASI calls to the interfaces of WASI 0.2.
import { readFile, writeFile } from "node:fs/promises";
import { componentEmbed, componentNew, preview1AdapterReactorPath } from "@bytecodealliance/jco";

const [core, wit, to] = process.argv.slice(2);
const [binary, witSource] = [await readFile(core), await readFile(wit, "utf8")];
const embedded = await componentEmbed({ binary, witSource, world: "elicit" });
const adapter = await readFile(preview1AdapterReactorPath());
await writeFile(to, await componentNew(embedded, [["wasi_snapshot_preview1", adapter]]));
