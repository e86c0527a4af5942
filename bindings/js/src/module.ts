/** The type `WebAssembly.Module`. Without the library "dom", as in a server of Node, it has no name and is `object`. */
export type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : object;

/** The bytes of a file: `BufferSource` of the library "dom". */
export type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** The source of a module: its URL, a response with its bytes, the bytes, or a compiled module. */
export type Source = string | URL | Response | PromiseLike<Response> | Bytes | Module;

let packaged: Promise<Module> | undefined;

/**
 * Compiles the engine. Without a source, it compiles the file of this package at the first call, and later calls share
 * the module. A `WebAssembly.Module` can be sent to workers with `postMessage`, so that they need not compile it again.
 * It rejects when the file cannot be read or is not a module, and when the page forbids WebAssembly.
 */
export function load(source?: Source | PromiseLike<Source>): Promise<Module> {
  if (source !== undefined) return compile(source);
  const file = new URL("./elicit.wasm", import.meta.url);
  packaged ??= compile(file).catch((cause: unknown) => {
    packaged = undefined;
    throw forbidden() ? cause : new Error(misplaced(file, cause), { cause });
  });
  return packaged;
}

/** Bundlers that do not know `new URL(file, import.meta.url)` leave the file behind without a word. */
function misplaced(file: URL, cause: unknown): string {
  const why = cause instanceof Error ? cause.message : String(cause);
  const policy = cause instanceof TypeError ? " Does the Content-Security-Policy permit it in connect-src?" : "";
  return (
    `the module is not at ${file.href} (${why}). ` +
    `Copy "elicit-engine/elicit.wasm" there, or give its address: Engine.open(config, { module: address }).${policy}`
  );
}

async function compile(source: Source | PromiseLike<Source>): Promise<Module> {
  const from = await source;
  try {
    return await compiled(from);
  } catch (cause) {
    if (!forbidden()) throw cause;
    throw new Error("the Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src", { cause });
  }
}

/** Whether a page's policy refuses even the smallest module. The words of such an error differ in each browser. */
function forbidden(): boolean {
  try {
    new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    return false;
  } catch (cause) {
    return "location" in globalThis && !(cause instanceof ReferenceError);
  }
}

async function compiled(from: Awaited<Source>): Promise<Module> {
  if (from instanceof WebAssembly.Module) return from;
  if (typeof from === "string" || from instanceof URL) {
    const file = readLocal(from);
    return file ? WebAssembly.compile(await file) : stream(await fetch(from));
  }
  return from instanceof Response ? stream(from) : WebAssembly.compile(from);
}

/** Compiles while the bytes arrive, if the server sends the media type application/wasm. Else it reads them first. */
async function stream(response: Response): Promise<Module> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  return typed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The parts of Node, and of systems with its modules, that read a file. */
interface Node {
  process?: { getBuiltinModule?(name: "node:fs/promises"): { readFile(url: URL): Promise<Bytes> } };
}

/**
 * The bytes of the file that `from` names, on Node: its `fetch` refuses file URLs. Node gives its own module without an
 * `import`, in which bundlers for browsers would look for a file.
 */
function readLocal(from: string | URL): Promise<Bytes> | undefined {
  const files = (globalThis as Node).process?.getBuiltinModule?.("node:fs/promises");
  const url = files && URL.canParse(String(from)) ? new URL(from) : undefined;
  return url?.protocol === "file:" ? files!.readFile(url) : undefined;
}
