// A project outside this tree with the packed package in it, and the tools of test/bundlers.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "../once/once.ts";
import { packed } from "../once/packed.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));
const tools = fileURLToPath(new URL(".", import.meta.url));

/** Runs a command and returns its output. An error contains what the command said. */
export function run(command: string, args: string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
  }
}

if (!existsSync(join(tools, "node_modules"))) throw new Error("run npm run tools first, which installs the bundlers");

export class Project {
  readonly at = mkdtempSync(join(tmpdir(), "elicit-bundled-"));

  private constructor(
    /** The packed package. */
    readonly tarball: string,
  ) {}

  static async open(): Promise<Project> {
    const tarball = await packed();
    const installed = await once("installed", async (at) => {
      writeFileSync(join(at, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
      run("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", tarball], at);
    });
    const project = new Project(tarball);
    cpSync(installed, project.at, { recursive: true });
    return project;
  }

  write(name: string, text: string): string {
    writeFileSync(join(this.at, name), text);
    return join(this.at, name);
  }

  run(command: string, ...args: string[]): string {
    return run(command, args, this.at);
  }

  remove(): void {
    rmSync(this.at, { recursive: true, force: true });
  }
}

/** Loads one of the tools. It has no types here, because only these tests install it. */
export const tool = createRequire(join(tools, "package.json"));

/** The program of a runtime that the npm registry has for this system, else undefined. */
export function runtime(path: string): string | undefined {
  const program = join(tools, "node_modules", path);
  return existsSync(program) ? program : undefined;
}

/** A program of this package's own development dependencies, or of the tools. */
export function binary(name: string): string {
  const ours = join(home, "node_modules/.bin", name);
  return existsSync(ours) ? ours : join(tools, "node_modules/.bin", name);
}
