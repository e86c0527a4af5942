// Reads the files of testdata/vectors. It needs Node; vectors.ts runs in a page too.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readVectors, type Vector } from "./vectors.ts";

const root = fileURLToPath(new URL("../../../testdata/vectors/", import.meta.url));

/** Whether `./build.sh nightly` runs the tests, which takes longer and tries more. */
export const nightly = process.env["ELICIT_NIGHTLY"] !== undefined;

/** Every sixteenth vector, for a host that runs them a second time; all of them at night. */
export function someVectors(): Vector[] {
  return allVectors().filter((_, i) => i % 16 === 0 || nightly);
}

/** All vectors in the order of their names. */
export function allVectors(): Vector[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.includes("/") && file.endsWith(".json")).sort();
  const all = files.flatMap((file) => readVectors(file, readFileSync(root + file, "utf8")))
    .sort((a, b) => (a.tcId < b.tcId ? -1 : 1));
  if (all.length < 1000) throw new Error(`${all.length} vectors in ${root} are too few to be all`);
  return all;
}
