import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { allVectors } from "../test/vector-files.ts";

/**
 * Puts all vectors into one file beside the page. Inputs keep their exact bytes. Outputs are compared without white
 * space.
 */
function vectors(): Plugin {
  const all = () => JSON.stringify(allVectors().map(({ tcId, place: _, ...shown }) => ({ id: tcId, ...shown })));
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

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [vectors()],
  build: {
    outDir: "../../../dist/playground", emptyOutDir: true, target: "es2023", assetsInlineLimit: 0,
    modulePreload: { polyfill: false }
  },
});
