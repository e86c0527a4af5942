// Copies the module that ./build.sh wasm made, and the schemas of the documents that guardians and hosts exchange, to
// the places where the package expects them.
import { copyFileSync, mkdirSync } from "node:fs";

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
