// Puts the module that ./build.sh wasm made where the package expects it.
import { copyFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
try {
  copyFileSync(here("../../../dist/elicit.wasm"), here("../dist/elicit.wasm"));
} catch (error) {
  console.error(`${error.message}\nrun ./build.sh wasm first`);
  process.exit(1);
}
