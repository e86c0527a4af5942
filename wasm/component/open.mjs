import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { transpile } from "@bytecodealliance/jco";
import { WASIShim } from "@bytecodealliance/preview2-shim/instantiation";

/** The door of a component in Node, by way of what jco makes of it. `glue` is its size in bytes. */
export async function openDoor(component) {
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
    const start = async () => (await instantiate((name) => WebAssembly.compile(modules.get(name)), new WASIShim().getImportObject())).door;
    return { door: await start(), start, glue };
  } finally {
    await rm(at, { recursive: true });
  }
}
