// Writes dist/cjs, the package for `require`: each file of dist as CommonJS, with its declarations. Both packages read
// one elicit.wasm. A program that loads both has every class twice, so `instanceof` of one does not know the other's.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const from = fileURLToPath(new URL("../dist", import.meta.url));
const to = join(from, "cjs");
rmSync(to, { recursive: true, force: true });
const files = readdirSync(from, { recursive: true })
  .filter((name) => /\.(js|d\.ts)$/.test(name) && name !== join("ask", "files.js"));

const write = (name, text) => {
  mkdirSync(dirname(join(to, name)), { recursive: true });
  writeFileSync(join(to, name), text);
};

for (const name of files) {
  const text = readFileSync(join(from, name), "utf8");
  write(name, name.endsWith(".js") ? script(text) : declarations(text));
}
write("package.json", `${JSON.stringify({ type: "commonjs" })}\n`);

function script(text) {
  const here = "import_meta_url";
  const define = { "import.meta.url": here };
  const { code } = transformSync(text, { format: "cjs", target: "es2022", platform: "node", define, charset: "utf8" });
  if (!code.includes(here)) return code.replaceAll('"./files.js"', '"../../ask/files.js"');
  // Bundlers get the package for `import`, in which they find the module by themselves.
  const url = `const ${here} = require("node:url").pathToFileURL(__filename).href;\n`;
  return url + code.replaceAll('"./elicit.wasm"', '"../elicit.wasm"');
}

/** Lit has declarations for `import` only. A declaration for `require` has to say that it means those. */
function declarations(text) {
  const mode = '{ "resolution-mode": "import" }';
  return text
    .replaceAll(/^import (?:type )?\{(.*?)\} from ("lit[^"]*");$/gm, (_, names, lit) =>
      `import type {${names.replaceAll("type ", "")}} from ${lit} with ${mode};`)
    .replaceAll(/import\(("lit[^"]*")\)/g, `import($1, { with: ${mode} })`);
}
