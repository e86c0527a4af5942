/**
 * The policy that the administrator of this machine wrote, for hosts in Node, Bun and Deno. A browser has none.
 *
 *     import { managedPolicy } from "elicit-engine/managed";
 *     const engine = await Engine.open({ policy: { ...managedPolicy(), user } });
 */
import type { Configuration } from "./configuration.ts";

type Policies = Pick<NonNullable<Configuration["policy"]>, "managed_text" | "managed_path">;

interface Stats {
  uid: number;
  mode: number;
  nlink: number;
  size: number;
  isFile(): boolean;
}

interface Files {
  constants: { O_RDONLY: number; O_NOFOLLOW?: number; O_NONBLOCK?: number };
  lstatSync(path: string, options: { throwIfNoEntry: false }): Stats | undefined;
  statSync(path: string): Stats;
  fstatSync(file: number): Stats;
  openSync(path: string, flags: number): number;
  readFileSync(file: number): Uint8Array;
  closeSync(file: number): void;
}

interface Host {
  process?: { platform: string; getBuiltinModule?(name: "node:fs"): Files };
}

const places: Record<string, string> = {
  darwin: "/Library/Application Support/Elicit/managed.json",
  // Windows does not tell Node where ProgramData is, and a user can set the variable of that name.
  win32: "C:\\ProgramData\\Elicit\\managed.json",
};

/**
 * The managed layer for `policy` of a configuration, empty if this machine has none. A file that is there and cannot be
 * used becomes a layer that declines every question and says why. So does every file on Windows, because Node reads no
 * owners there; `elicit --stdio` does. A document with problems is refused as in any configuration.
 */
export function managedPolicy(): Policies {
  const { process } = globalThis as Host;
  const files = process?.getBuiltinModule?.("node:fs");
  if (process === undefined || files === undefined) {
    throw new Error("managedPolicy reads a file, and there is no file system here");
  }
  return readManaged(files, process.platform, places[process.platform] ?? "/etc/elicit/managed.json");
}

/** managedPolicy for one place, which tests choose. */
export function readManaged(files: Files, platform: string, path: string): Policies {
  let text: string;
  try {
    if (files.lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      return {};
    }
    text = readOwned(files, platform, path);
  } catch (fault) {
    const why = `the managed policy of this machine cannot be used: ${path} ${(fault as Error).message}`;
    text = JSON.stringify({
      version: 1,
      rules: [{ name: "managed-policy-unusable", when: {}, then: "decline", why }],
    });
  }
  return { managed_text: text, managed_path: path };
}

function readOwned(files: Files, platform: string, path: string): string {
  if (platform === "win32") {
    throw new Error("has an owner that Node cannot read; use elicit --stdio");
  }
  for (let end = path.lastIndexOf("/"); end >= 0; end = path.lastIndexOf("/", end - 1)) {
    const directory = path.slice(0, end) || "/";
    checkOwned(files.statSync(directory), directory, true);
    if (end === 0) {
      break;
    }
  }
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = files.constants;
  const file = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const at = files.fstatSync(file);
    if (!at.isFile() || at.nlink > 1) {
      throw new Error("is not a regular file with one name");
    }
    checkOwned(at, path, false);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(files.readFileSync(file));
  } finally {
    files.closeSync(file);
  }
}

/** Root must own it, and nobody else may write it. In a sticky directory only its owner can replace a file. */
function checkOwned(at: Stats, path: string, directory: boolean): void {
  if (at.uid !== 0) {
    throw new Error(`is not safe, because ${path} belongs to user ${at.uid}; an administrator runs chown root ${path}`);
  }
  const sticky = directory && (at.mode & 0o1000) !== 0;
  if ((at.mode & 0o022) !== 0 && !sticky) {
    throw new Error(`is not safe, because other users may write ${path}; an administrator runs chmod go-w ${path}`);
  }
}
