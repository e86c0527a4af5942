import { execFile } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inject, test } from "vitest";
import { nightly } from "../vector-files.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Makes something once for all files of a run and returns its folder. The first caller makes it, and the callers in
 * other processes wait. They get the error as well if it cannot be made.
 */
export async function once(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(inject("shared"), name);
  const ended = `${folder}.ended`;
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return awaited(folder, ended);
  }
  const said = await make(folder).then(() => "", (error: unknown) => (error as Error).message || String(error));
  await writeFile(`${ended}.part`, said);
  await rename(`${ended}.part`, ended);
  return awaited(folder, ended);
}

async function awaited(folder: string, ended: string): Promise<string> {
  for (;;) {
    const said = await readFile(ended, "utf8").catch(() => undefined);
    if (said === "") return folder;
    if (said !== undefined) throw new Error(said);
    await wait(50);
  }
}

/** Builds Go programs of this repository, such as "./cmd/elicit", and returns the folder where they are. */
export function goPrograms(name: string, ...packages: string[]): Promise<string> {
  return once(`go-${name}`, (folder) => promisify(execFile)("go",
    ["build", "-ldflags=-s -w", "-o", `${folder}/`, ...packages], { cwd: root }));
}

/** A test for the night: it is slow, and others by day would notice most of what it does. */
export const night = test.skipIf(!nightly);
