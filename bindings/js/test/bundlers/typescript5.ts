import { join } from "node:path";
import { tool } from "./project.ts";

/**
 * The part of TypeScript 5.9 that the tests need. Its package has the name of the TypeScript that checks these tests.
 */
interface TypeScript {
  parseCommandLine(args: string[]): { options: object; fileNames: string[]; errors: object[] };
  createCompilerHost(options: object): Host;
  createProgram(files: string[], options: object, host: Host): object;
  getPreEmitDiagnostics(program: object): object[];
  formatDiagnostics(found: object[], host: Host): string;
}

interface Host {
  getCurrentDirectory(): string;
  getSourceFile(name: string, how: { impliedNodeFormat?: number }, ...more: unknown[]): object | undefined;
}

const libraries = new Map<string, object | undefined>();

/**
 * Compiles a file of a directory with the arguments of `tsc --noEmit`, and returns what `tsc` would say. It runs in
 * this process, where only the first compilation has to parse the libraries of TypeScript.
 */
export function typescript5(at: string, args: string[]): string {
  const typescript = tool("typescript-5") as TypeScript;
  const { options, fileNames, errors } = typescript.parseCommandLine(args);
  const host = typescript.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getCurrentDirectory = () => at;
  host.getSourceFile = (name, how, ...more) => {
    if (!/\/typescript-5\/lib\/lib\.[^/]*$/.test(name)) return read(name, how, ...more);
    const key = `${name} ${how.impliedNodeFormat}`;
    if (!libraries.has(key)) libraries.set(key, read(name, how, ...more));
    return libraries.get(key);
  };
  const program = typescript.createProgram(fileNames.map((name) => join(at, name)), options, host);
  return typescript.formatDiagnostics([...errors, ...typescript.getPreEmitDiagnostics(program)], host);
}
