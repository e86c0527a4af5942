// Builds a small program with each bundler as the README says, and runs the result in Chromium. Weighs what a Worker
// uploads.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { build, createServer as createVite } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, launch } from "../browser/chromium.ts";
import { night } from "../once/once.ts";
import { binary, Project, runtime, tool } from "./project.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((m) => m[1]!);
/** The part of the README that a bundler without knowledge of `import.meta.url` needs. */
const addressed = examples.find((example) => example.includes("elicit-engine/elicit.wasm"))!;
/** A line of the README in backticks. */
const line = (start: string) => {
  const found = [...readme.matchAll(/`([^`\n]+)`/g)].find((m) => m[1]!.startsWith(start));
  if (!found) throw new Error(`README.md has no line with ${start}`);
  return found[1]!;
};

const asks = `
import "elicit-engine/form";
const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const element = document.createElement("elicit-form");
const form = engine.form(schema);
element.form = form.form;
document.body.append(element);
await element.updateComplete;
globalThis.said = [element.shadowRoot.querySelectorAll("input").length, ...form.check("{}").map((p) => p.code)].join();
`;
const plain = `import { Engine } from "elicit-engine";\nconst engine = await Engine.open();\n${asks}`;
const html = `<!doctype html><title>test</title><body><script type="module" src="./main.js"></script>`;
const said = "1,missing";

let project: Project;
let browser: Browser;
beforeAll(async () => {
  project = await Project.open();
  project.write("index.html", html);
  project.write("main.js", plain);
  browser = await launch();
});
afterAll(async () => {
  await closePages(browser);
  project?.remove();
});

/** The text that the program writes on a page, or why it fails. */
async function saidBy(url: string): Promise<string> {
  const page = await browser.newPage();
  try {
    const failed = new Promise<string>((resolve) => page.on("pageerror", ({ message }) => resolve(message)));
    await page.goto(url);
    const told = page.waitForFunction(() => (globalThis as { said?: string }).said);
    return await Promise.race([told.then((value) => value.jsonValue() as Promise<string>), failed]);
  } finally {
    await page.close();
  }
}

/** Serves a directory of the project and returns what its page says. */
async function inPage(directory: string): Promise<string> {
  const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
  const server = createServer((request, response) => {
    const path = new URL(request.url!, "http://host").pathname;
    const body = path === "/" ? Promise.resolve(html) : readFile(join(project.at, directory, path));
    body.then(
      (content) => response.writeHead(200, { "content-type": types[extname(path) || ".html"] }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await saidBy(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("Vite builds it with nothing added", async () => {
  const target = "es2022";
  await build({ root: project.at, logLevel: "error", build: { outDir: "vite", target }, configFile: false });
  const made = readFileSync(join(project.at, "vite/index.html"), "utf8");
  const [, script] = /src="\/(assets\/[^"]+\.js)"/.exec(made)!;
  project.write("vite/main.js", `import "./${script!}";`);
  expect(await inPage("vite")).toBe(said);
});

night("Vite serves it during development", async () => {
  const server = await createVite({ root: project.at, logLevel: "error", configFile: false, server: { port: 0 } });
  try {
    await server.listen();
    expect(await saidBy(server.resolvedUrls!.local[0]!)).toBe(said);
  } finally {
    await server.close();
  }
});

night("webpack builds it with nothing added", async () => {
  type Stats = { hasErrors(): boolean; toString(): string };
  type Webpack = (options: object, done: (error: Error | null, stats?: Stats) => void) => void;
  const webpack = tool("webpack") as Webpack;
  const output = { path: join(project.at, "webpack"), filename: "main.js" };
  await new Promise<void>((resolve, reject) =>
    webpack({ mode: "production", context: project.at, entry: "./main.js", output }, (error, stats) =>
      error || stats?.hasErrors() ? reject(error ?? new Error(String(stats))) : resolve(),
    ),
  );
  expect(await inPage("webpack")).toBe(said);
});

night("Rollup builds it with the README's two plugins", async () => {
  type Bundle = { write(options: object): Promise<unknown> };
  const { rollup } = tool("rollup") as { rollup(options: object): Promise<Bundle> };
  const { nodeResolve } = tool("@rollup/plugin-node-resolve") as { nodeResolve(): object };
  const { importMetaAssets } = tool("@web/rollup-plugin-import-meta-assets") as { importMetaAssets(): object };
  const made = new Function("nodeResolve", "importMetaAssets", `return { ${line("plugins:")} }`) as (
    ...plugins: unknown[]
  ) => object;
  const bundle = await rollup({ input: join(project.at, "main.js"), ...made(nodeResolve, importMetaAssets) });
  await bundle.write({ dir: join(project.at, "rollup"), format: "es" });
  expect(await inPage("rollup")).toBe(said);
});

test("esbuild builds it with the README's line and address", async () => {
  project.write("app.js", addressed + asks);
  const [, ...args] = line("esbuild ").split(" ");
  project.run(binary("esbuild"), ...args, "--log-level=warning", "--entry-names=main");
  expect(await inPage("out")).toBe(said);
});

test("without the address, the error says how to give it", async () => {
  const args = ["main.js", "--bundle", "--format=esm", "--outdir=lost", "--log-level=warning"];
  project.run(binary("esbuild"), ...args);
  expect(await inPage("lost")).toMatch(/elicit\.wasm: 404.*Engine\.open\(config, \{ module: address \}\)/);
});

const bun = runtime("@oven/bun-linux-x64/bin/bun");
test.skipIf(bun === undefined)("Bun builds it with the README's line and address", async () => {
  project.write("app.js", addressed + asks);
  const [, ...args] = line("bun build ").split(" ");
  project.run(bun!, ...args);
  project.write("out/main.js", `import "./app.js";`);
  expect(await inPage("out")).toBe(said);
});

const talk = `
import { Engine } from "elicit-engine";
import { elicitationHandler } from "elicit-engine/mcp";
const engine = await Engine.open();
const ui = { show: (question) => question.accept({}), withdraw() {} };
const handler = elicitationHandler(engine, ui, { server: "backup" });
const params = { message: "Go on?", requestedSchema: { type: "object", properties: {} } };
console.log((await handler({ method: "elicitation/create", params })).action);
`;

night.each([
  ["Node", process.execPath, []],
  ["Bun", bun, ["run"]],
  ["Deno", runtime("@deno/linux-x64-glibc/deno"), ["run", "--allow-read", "--no-prompt"]],
])("%s runs it without a bundler", (name, program, args) => {
  if (program === undefined) {
    // Their packages on npm have programs for this system and processor only.
    expect([process.platform, process.arch], `${name} is not installed`).not.toEqual(["linux", "x64"]);
    return;
  }
  project.write("talk.js", talk);
  expect(project.run(program, ...args, "talk.js").trim()).toBe("accept");
});

test("Node loads it by require", () => {
  const required = talk.replaceAll(/^import (\{.*\}) from (".*");$/gm, "const $1 = require($2);");
  project.write("talk.cjs", `(async () => {${required}})();`);
  expect(project.run(process.execPath, "talk.cjs").trim()).toBe("accept");
});

const magic = Buffer.from("\0asm");
const files = (at: string) => readdirSync(at, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name, parentPath }) => ({ name, bytes: readFileSync(join(parentPath, name)) }));
const isModule = ({ bytes }: { bytes: Buffer }) => bytes.subarray(0, 4).equals(magic);

// A free account of Cloudflare takes 3 MB of gzip.
test("a Worker that asks has one module, and is at most 3 MB of gzip", () => {
  project.write("worker.js", `
    import address from "elicit-engine/elicit.wasm";
    import { createAsker, fetchPages } from "elicit-engine/ask";
    import { MemoryStore } from "elicit-engine/store";
    import { EncryptedStore } from "elicit-engine/store/encrypted";
    const ask = await createAsker({ server: { name: "w" }, module: new URL(address, import.meta.url) });
    const fetch = fetchPages(ask);
    export default { fetch, store: (keys) => EncryptedStore.open(new MemoryStore(), keys) };
    console.log(typeof fetch);`);
  project.run(binary("esbuild"), "worker.js", "--bundle", "--minify", "--format=esm", "--loader:.wasm=file",
    "--outdir=upload", "--log-level=warning");
  const cwd = join(project.at, "upload");
  expect(project.run(process.execPath, "upload/worker.js").trim()).toBe("function");
  expect(files(cwd).filter(isModule)).toHaveLength(1);
  const size = gzipSync(execFileSync("tar", ["-c", "."], { cwd, maxBuffer: 1 << 28 }), { level: 9 }).length;
  console.log(`a Worker that asks: ${size} bytes of gzip`);
  expect(size).toBeLessThanOrEqual(3e6);
});

test("the package has each module once, also in no other spelling", () => {
  const all = files(join(project.at, "node_modules/elicit-engine"));
  const modules = all.filter(isModule);
  const others = all.filter((file) => !isModule(file));
  expect(modules.map(({ name }) => name).sort()).toEqual(["elicit-browser.wasm", "elicit.wasm"]);
  for (const { bytes } of modules) {
    // A place whose Base64 is a part of that of all bytes. Both modules may have the same code there.
    const part = bytes.subarray(999_999, 1_000_299);
    const spelled = [part, part.toString("base64"), part.toString("hex")];
    const holds = others.filter((file) => spelled.some((text) => file.bytes.includes(text)));
    expect(holds.map(({ name }) => name)).toEqual([]);
  }
});
