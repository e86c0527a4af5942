// in_node.mjs BUNDLE puts every case to V8 and says how many there are.
import { readFile } from "node:fs/promises";
import { certify } from "./host.mjs";

const { ran, failed } = await certify((file) => readFile(`${process.argv[2]}/${file}`), console.log);
console.log(`Node: ${ran} cases, ${failed} failed`);
process.exitCode = failed || !ran ? 1 : 0;
