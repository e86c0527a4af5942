// Bundles the page of `elicit proxy --ui browser` into the one file that the command embeds. It writes the digest of
// every source into a second file. With --check it writes nothing and fails if a file is stale.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = new URL("..", import.meta.url);
const target = new URL("../../cmd/elicit/internal/browser/page/", here);
const most = 40 * 1024;

/** The languages that the page loads when a person's browser prefers them. */
const languages = ["ar", "de", "zh"];

const { outputFiles, metafile } = await build({
  entryPoints: [
    { in: "src/page/index.ts", out: "page" },
    ...languages.map((language) => ({ in: `src/page/languages/${language}.ts`, out: language })),
  ],
  outdir: "out",
  absWorkingDir: fileURLToPath(here),
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  banner: {
    js:
      "// Code generated from bindings/js/src by ./build.sh page; DO NOT EDIT. " +
      "Contains lit, BSD-3-Clause, (c) Google LLC.",
  },
});
for (const { path, contents } of outputFiles) {
  const size = gzipSync(contents, { level: 9 }).length;
  console.log(`${basename(path)}: ${contents.length} bytes, ${size} gzipped, at most ${most}`);
  if (size > most) throw new Error("the page is too large");
}

const sources = Object.keys(metafile.inputs).filter((path) => path.startsWith("src/"));
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
const lines = [...sources, "scripts/page.mjs"]
  .sort()
  .map(async (path) => `${digest(await readFile(new URL(path, here)))}  bindings/js/${path}\n`);
const made = new Map([
  ...outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]),
  ["page.sum", Buffer.from((await Promise.all(lines)).join(""))],
]);

for (const [name, text] of made) {
  const file = new URL(name, target);
  if (!process.argv.includes("--check")) await writeFile(file, text);
  else if (!(await readFile(file)).equals(text)) throw new Error(`${name} is stale: run ./build.sh page`);
}
