// Copies the modules that ./build.sh wasm and wasm_browser made, the schemas of the documents that guardians and hosts
// exchange, and the licences to the places where the package expects them.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
try {
  for (const name of ["elicit", "elicit-browser"])
    copyFileSync(here(`../../../dist/${name}.wasm`), here(`../dist/${name}.wasm`));
} catch (error) {
  console.error(`${error.message}\nrun ./build.sh wasm and ./build.sh wasm_browser first`);
  process.exit(1);
}

// The files that the pages of a server load.
const pages = readdirSync(here("../../../ask/page/files")).map((name) => [name, `ask/page/files/${name}`]);
const shared = ["form.js", "icon.svg"].map((name) => [name, `internal/web/${name}`]);
const files = [...pages, ...shared].map(([name, path]) => [name, readFileSync(here(`../../../${path}`), "utf8")]);
writeFileSync(here("../dist/ask/files.js"), `export const files = ${JSON.stringify(Object.fromEntries(files))};\n`);

mkdirSync(here("../dist/schema"), { recursive: true });
for (const name of ["question", "verdict", "manifest", "permits"]) {
  copyFileSync(here(`../../../plugins/schema/${name}.schema.json`), here(`../dist/schema/${name}.schema.json`));
}

for (const name of ["LICENSE", "NOTICE"]) copyFileSync(here(`../../../${name}`), here(`../${name}`));

// What an import of a module gives with a bundler that copies such files. TypeScript has no other declaration of it.
const address = "/** The address to which the bundler copied the module. */\ndeclare const address: string;\n";
for (const name of ["elicit", "elicit-browser"]) {
  writeFileSync(here(`../dist/${name}.d.wasm.ts`), `${address}export default address;\n`);
  writeFileSync(here(`../dist/cjs/${name}.d.wasm.ts`), `${address}export = address;\n`);
}
