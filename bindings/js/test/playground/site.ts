import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Locator, Page } from "playwright-core";
import { build } from "vite";
import { launch } from "../browser/chromium.ts";

/** The element, once it takes keys and clicks. */
export const ready = (page: Page): Locator => page.locator("elicit-form[ready]");

const root = fileURLToPath(new URL("../../playground", import.meta.url));
const types: Record<string, string> = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css",
  ".wasm": "application/wasm", ".json": "application/json"
};

/** The built playground on a plain web server, as anyone would host it, and a browser to look at it. */
export class Site {
  readonly complaints: string[] = [];

  /** `out` is a folder of dist/, one for each file of tests: they run side by side. */
  static async open(out: string): Promise<Site> {
    const folder = join(root, "../../../dist", out);
    await build({ root, configFile: join(root, "vite.config.ts"), logLevel: "error", build: { outDir: folder } });
    const server = createServer((request, response) => {
      const path = new URL(request.url!, "http://localhost").pathname;
      readFile(join(folder, path === "/" ? "index.html" : path)).then(
        (bytes) => response
          .setHeader("content-type", types[extname(path) || ".html"] ?? "application/octet-stream")
          .end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Site(server, await launch());
  }

  private constructor(
    readonly server: Server,
    readonly browser: Browser,
  ) {}

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** A new page with the first example on it. Whatever it complains of, or asks of others, is noted. */
  async page(): Promise<Page> {
    this.complaints.length = 0;
    const page = await this.browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(this.address) &&
        !request.url().startsWith("data:")) this.complaints.push(`request to ${request.url()}`);
    });
    await page.goto(this.address);
    await page.locator(".inspector").getByText("Asks the person", { exact: true }).waitFor();
    return page;
  }

  /** What axe has against a page, which has to be one without a content security policy. */
  async axe(page: Page): Promise<unknown[]> {
    const source = await readFile(fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)),
      "utf8");
    await page.evaluate(`window.axe ?? (() => { ${source} })()`);
    const found = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run());
    return found.violations.map((v) => [v.id, v.nodes.map((n) => n.html)]);
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}
