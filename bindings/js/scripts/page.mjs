// Bundles the pages that Go programs embed: the page of `elicit proxy --ui browser`, the page that ask/page serves, and
// the page of `elicit log --html`. The first two share the script form.js, which draws a form.
// It writes the digest of every source into one more file. With --check it writes nothing and fails if a file is stale.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = new URL("..", import.meta.url);
/** The languages that a page loads when a person's browser prefers them. */
const languages = ["ar", "de", "zh"];

/** The folders, and how many bytes a script there may have, compressed. */
const browser = { target: "../../cmd/elicit/internal/browser/page/", most: 8 * 1024 };
const carrier = { target: "../../ask/page/files/", most: 6 * 1024 };
const log = { target: "../../cmd/elicit/internal/logpage/page/", most: 12 * 1024 };
const shared = { target: "../../internal/web/", most: 40 * 1024 };

const page = (folder, source) => ({ folder, name: "page.js", source: `${source}/index.ts` });
const spoken = (folder, source) =>
  languages.map((language) => ({ folder, name: `${language}.js`, source: `${source}/languages/${language}.ts` }));

/** The entry points of each build. Those of one build share a script. */
const builds = [
  [page(browser, "src/page"), page(carrier, "src/page/carrier")],
  ...[...spoken(browser, "src/page"), ...spoken(carrier, "src/page/carrier"), page(log, "src/page/log")]
    .map((entry) => [entry]),
];

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
const banner = "// Code generated from bindings/js/src by ./build.sh page; DO NOT EDIT.";

/** The sources of all builds. */
const sources = new Set(["scripts/page.mjs"]);

/** Makes the files of one build, and notes its sources. */
async function bundle(entries) {
  const { outputFiles, metafile } = await build({
    entryPoints: entries.map(({ source }, i) => ({ in: source, out: `${i}` })),
    outdir: "out",
    absWorkingDir: fileURLToPath(here),
    bundle: true,
    splitting: true,
    chunkNames: "form",
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
  });
  // codes.ts changes with every new code, and a page takes only lists from it that stay. --check compares the result.
  for (const path of Object.keys(metafile.inputs)) {
    if (path.startsWith("src/") && path !== "src/codes.ts") sources.add(path);
  }
  return outputFiles.map(({ path, text }) => {
    const { folder, name } = entries[parseInt(basename(path))] ?? { folder: shared, name: basename(path) };
    const lit = Object.keys(metafile.outputs[`out/${basename(path)}`].inputs).some((file) => file.includes("/lit"));
    const made = Buffer.from(`${banner}${lit ? " Contains lit, BSD-3-Clause, (c) Google LLC." : ""}\n${text}`);
    const size = gzipSync(made, { level: 9 }).length;
    console.log(`${name}: ${made.length} bytes, ${size} gzipped, at most ${folder.most}`);
    if (size > folder.most) throw new Error("the page is too large");
    return { path: folder.target + name, made };
  });
}

const files = (await Promise.all(builds.map(bundle))).flat();
const sums = [...sources]
  .sort()
  .map(async (path) => `${digest(await readFile(new URL(path, here)))}  bindings/js/${path}\n`);
files.push({ path: `${shared.target}page.sum`, made: Buffer.from((await Promise.all(sums)).join("")) });
for (const { path, made } of files) {
  const file = new URL(path, here);
  if (!process.argv.includes("--check")) await writeFile(file, made);
  else if (!(await readFile(file)).equals(made)) throw new Error(`${file.pathname} is stale: run ./build.sh page`);
}
