import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { transpile } from "@bytecodealliance/jco";
import { WASIShim } from "@bytecodealliance/preview2-shim/instantiation";

/**
 * Opens a component in Node with the JavaScript that jco generates for it. `api` has the functions of one instance,
 * `start` makes another instance, and `glue` is the size of that JavaScript in bytes.
 */
export async function openComponent(component) {
  const { files } = await transpile(component, { name: "elicit", instantiation: "async", noTypescript: true });
  const at = await mkdtemp(join(tmpdir(), "elicit-component-"));
  try {
    let glue = 0;
    const modules = new Map();
    for (const [name, bytes] of Object.entries(files)) {
      if (name.endsWith(".wasm")) modules.set(name, bytes);
      else {
        await writeFile(join(at, dirname(name) === "." ? name : name.replaceAll("/", "-")), bytes);
        glue += bytes.length;
      }
    }
    const { instantiate } = await import(pathToFileURL(join(at, "elicit.js")));
    const compile = (name) => WebAssembly.compile(modules.get(name));
    const start = async () => (await instantiate(compile, new WASIShim().getImportObject())).abi;
    return { api: await start(), start, glue };
  } finally {
    await rm(at, { recursive: true });
  }
}
