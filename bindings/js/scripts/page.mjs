// Bundles the pages that Go programs embed: the page of `elicit proxy --ui browser`, the page that ask/page serves, and
// the page of `elicit log --html`.
// For each, it writes the digest of every source into one more file. With --check it writes nothing and fails if a file
// is stale.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = new URL("..", import.meta.url);
/** The languages that a page loads when a person's browser prefers them. */
const languages = ["ar", "de", "zh"];

const pages = [
  { source: "src/page", target: "../../cmd/elicit/internal/browser/page/", languages, lit: true, most: 46 * 1024 },
  { source: "src/page/carrier", target: "../../ask/page/files/", languages, lit: true, most: 42 * 1024 },
  { source: "src/page/log", target: "../../cmd/elicit/internal/logpage/page/", languages: [], lit: false,
    most: 12 * 1024 },
];

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Returns the contents of the made files by name. */
async function bundle({ source, languages, lit, most }) {
  const { outputFiles, metafile } = await build({
    entryPoints: [
      { in: `${source}/index.ts`, out: "page" },
      ...languages.map((language) => ({ in: `${source}/languages/${language}.ts`, out: language })),
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
        "// Code generated from bindings/js/src by ./build.sh page; DO NOT EDIT." +
        (lit ? " Contains lit, BSD-3-Clause, (c) Google LLC." : ""),
    },
  });
  for (const { path, contents } of outputFiles) {
    const size = gzipSync(contents, { level: 9 }).length;
    console.log(`${basename(path)}: ${contents.length} bytes, ${size} gzipped, at most ${most}`);
    if (size > most) throw new Error("the page is too large");
  }
  // codes.ts changes with every new code, and a page takes only lists from it that stay. --check compares the result.
  const isSource = (path) => path.startsWith("src/") && path !== "src/codes.ts";
  const sources = Object.keys(metafile.inputs).filter(isSource);
  const lines = [...sources, "scripts/page.mjs"]
    .sort()
    .map(async (path) => `${digest(await readFile(new URL(path, here)))}  bindings/js/${path}\n`);
  return new Map([
    ...outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]),
    ["page.sum", Buffer.from((await Promise.all(lines)).join(""))],
  ]);
}

for (const page of pages) {
  for (const [name, text] of await bundle(page)) {
    const file = new URL(`${page.target}${name}`, here);
    if (!process.argv.includes("--check")) await writeFile(file, text);
    else if (!(await readFile(file)).equals(text)) throw new Error(`${file.pathname} is stale: run ./build.sh page`);
  }
}
