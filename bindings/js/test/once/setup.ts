import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder that the files of a run share. */
    shared: string;
  }
}

/** Gives the files of a run a folder that they share, which ends with the run: a browser may still write there. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "elicit-js-"));
  project.provide("shared", folder);
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20 });
}
