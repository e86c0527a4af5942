import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const folder = fileURLToPath(new URL("../../../testdata/vectors", import.meta.url));

/**
 * Puts all vectors into one file beside the page. Inputs keep their exact bytes. Outputs are compared without white
 * space.
 */
function vectors(): Plugin {
  const all = () => JSON.stringify(readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("/") && name.endsWith(".json")).sort().map(read));
  return {
    name: "vectors",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "vectors.json", source: all() });
    },
    configureServer(server) {
      server.middlewares.use("/vectors.json", (_, out) => out.setHeader("content-type", "application/json").end(all()));
    },
  };
}

function read(name: string) {
  const text = readFileSync(join(folder, name), "utf8");
  const { tcId, spec, about, op } = JSON.parse(text) as Record<string, string>;
  return { id: tcId, spec, about, op, in: member(text, "in"), want: compact(member(text, "want")) };
}

/** The exact text of a member of the outermost object. */
function member(text: string, name: string): string {
  for (let at = text.indexOf("{") + 1; ; ) {
    const key = /\s*,?\s*"([^"]*)"\s*:\s*/y;
    key.lastIndex = at;
    const found = key.exec(text);
    if (!found) throw new Error(`no member ${name}`);
    const end = valueEnd(text, key.lastIndex);
    if (found[1] === name) return text.slice(key.lastIndex, end);
    at = end;
  }
}

function valueEnd(text: string, at: number): number {
  for (let depth = 0; ; ) {
    const piece = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^"[\]{},\s]+|[,\s]+/y;
    piece.lastIndex = at;
    const found = piece.exec(text)![0];
    if (/^[[{]/.test(found)) depth++;
    if (/^[\]}]/.test(found)) depth--;
    if (!/^[,\s]/.test(found)) {
      at = piece.lastIndex;
      if (depth === 0) return at;
    } else at = piece.lastIndex;
  }
}

function compact(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (piece) => (piece.startsWith('"') ? piece : ""));
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [vectors()],
  build: {
    outDir: "../../../dist/playground", emptyOutDir: true, target: "es2023", assetsInlineLimit: 0,
    modulePreload: { polyfill: false }
  },
});
