import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const home = fileURLToPath(new URL("..", import.meta.url));

test.each([
  ["the engine alone", 6 << 10, `export { Engine } from "./dist/index.js"`],
  ["the engine, its loop, its guardians and the handler", 15 << 10,
    `export * from "./dist/index.js"; export * from "./dist/mcp/index.js"`],
  ["everything, with lit", 53 << 10, `export * from "./dist/index.js"; export * from "./dist/mcp/index.js";
    export * from "./dist/mcp/element.js"; export * from "./dist/form/index.js"`],
])("%s is at most %i bytes of gzip, without the module", async (name, most, contents) => {
  const { outputFiles } = await build({ stdin: { contents, resolveDir: home }, bundle: true, minify: true,
    format: "esm", target: "es2022", write: false, legalComments: "none" });
  const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
  console.log(`${name}: ${size} bytes of gzip`);
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThanOrEqual(most);
});
