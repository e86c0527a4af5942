/** Where a module comes from: its address, a response that carries it, its bytes, or the module itself. */
export type Source = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

let packaged: Promise<WebAssembly.Module> | undefined;

/**
 * Compiles the engine once. Without a source it is the file of this package, compiled at the first call and shared by all
 * later ones. A `WebAssembly.Module` may be sent to workers by postMessage: they need not compile it again.
 */
export function load(source?: Source | PromiseLike<Source>): Promise<WebAssembly.Module> {
  if (source !== undefined) return compile(source);
  packaged ??= compile(new URL("./elicit.wasm", import.meta.url)).catch((error: unknown) => {
    packaged = undefined;
    throw error;
  });
  return packaged;
}

async function compile(source: Source | PromiseLike<Source>): Promise<WebAssembly.Module> {
  const from = await source;
  if (from instanceof WebAssembly.Module) return from;
  if (typeof from === "string" || from instanceof URL) {
    const file = localFile(from);
    return file ? WebAssembly.compile(await readFile("node:fs/promises", file)) : stream(await fetch(from));
  }
  return from instanceof Response ? stream(from) : WebAssembly.compile(from);
}

/** Compiles while the bytes arrive where the server gives them their type; others are read whole. */
async function stream(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  return typed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The file that `from` names on a host that has files and a fetch that refuses them. */
function localFile(from: string | URL): URL | undefined {
  const hasFiles = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node;
  const url = hasFiles && URL.canParse(String(from)) ? new URL(from) : undefined;
  return url?.protocol === "file:" ? url : undefined;
}

/** The name of the module comes as an argument so that bundlers for browsers do not look for it. */
async function readFile(files: string, url: URL): Promise<BufferSource> {
  const { readFile: read } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)) as {
    readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return read(url);
}
