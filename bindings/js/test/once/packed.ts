import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { once } from "./once.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** Packs the package as npm would publish it, and returns the path of the file. */
export async function packed(): Promise<string> {
  const folder = await once("packed", (at) =>
    promisify(execFile)("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", at], { cwd: home }));
  return join(folder, (await readdir(folder))[0]!);
}
