// Copies the module that ./build.sh wasm made, and the schemas of the documents that guardians and hosts exchange, to
// the places where the package expects them.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
try {
  copyFileSync(here("../../../dist/elicit.wasm"), here("../dist/elicit.wasm"));
} catch (error) {
  console.error(`${error.message}\nrun ./build.sh wasm first`);
  process.exit(1);
}

mkdirSync(here("../dist/schema"), { recursive: true });
for (const name of ["question", "verdict", "manifest", "grants"]) {
  copyFileSync(here(`../../../plugins/schema/${name}.schema.json`), here(`../dist/schema/${name}.schema.json`));
}

// What an import of the module gives with a bundler that copies such files. TypeScript has no other declaration of it.
const address = "/** The address to which the bundler copied the module. */\ndeclare const address: string;\n";
writeFileSync(here("../dist/elicit.d.wasm.ts"), `${address}export default address;\n`);
writeFileSync(here("../dist/cjs/elicit.d.wasm.ts"), `${address}export = address;\n`);
