import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Locator, Page } from "playwright-core";
import { build } from "vite";
import { launch } from "../browser/chromium.ts";
import { once } from "../once/once.ts";

/** The element, once it takes keys and clicks. */
export const ready = (page: Page): Locator => page.locator("elicit-form[ready]");

const root = fileURLToPath(new URL("../../playground", import.meta.url));
const types: Record<string, string> = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css",
  ".wasm": "application/wasm", ".json": "application/json"
};

let opened: Promise<Site> | undefined;

type Kind = "strict" | "lenient";

export interface View {
  width: number;
  height: number;
  colorScheme?: "light" | "dark";
}

/** The built playground on a plain web server, as anyone would host it, and a browser to look at it. */
export class Site {
  readonly complaints: string[] = [];
  readonly #pages = new Map<Kind, Page>();

  /** Opens it once for all files of tests in this process. */
  static open(): Promise<Site> {
    return (opened ??= Site.#open());
  }

  static async #open(): Promise<Site> {
    const folder = await once("playground", (outDir) =>
      build({ root, configFile: join(root, "vite.config.ts"), logLevel: "error", build: { outDir } }));
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
    server.unref();
    return new Site(server, await launch());
  }

  private constructor(
    readonly server: Server,
    readonly browser: Browser,
  ) {}

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /**
   * The playground as a visitor finds it, with the first example. Compiling the engine takes most of the time of a new
   * page. So a test gets the page of the one before, with another element in it, unless that page was closed or left.
   * The site notes the page's complaints and its requests to others. A lenient page has no content security policy.
   */
  async page(kind: Kind = "strict", view: View = { width: 1440, height: 900 }): Promise<Page> {
    let page = this.#pages.get(kind);
    const isThere = page !== undefined && !page.isClosed() && page.url().startsWith(this.address);
    this.complaints.length = 0;
    if (page === undefined || !isThere) {
      await page?.close();
      page = await this.#blank(kind);
      this.#pages.set(kind, page);
    }
    await page.setViewportSize({ width: view.width, height: view.height });
    await page.emulateMedia({ colorScheme: view.colorScheme ?? "light" });
    if (isThere) await page.evaluate(renew);
    else await page.goto(this.address);
    await page.locator(".inspector").getByText("Asks the person", { exact: true }).waitFor();
    return page;
  }

  async #blank(kind: Kind): Promise<Page> {
    const page = await this.browser.newPage({ bypassCSP: kind === "lenient", reducedMotion: "reduce" });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(this.address) &&
        !request.url().startsWith("data:")) this.complaints.push(`request to ${request.url()}`);
    });
    return page;
  }

  /** The faults that axe finds in a page, which must have no content security policy. */
  async axe(page: Page): Promise<unknown[]> {
    const source = await readFile(fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)),
      "utf8");
    await page.evaluate(`window.axe ?? (() => { ${source} })()`);
    const found = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run());
    return found.violations.map((v) => [v.id, v.nodes.map((n) => n.html)]);
  }
}

/** Makes the playground of a page a new one. */
function renew(): void {
  history.replaceState(null, "", location.pathname);
  scrollTo(0, 0);
  document.querySelector("elicit-playground")!.replaceWith(document.createElement("elicit-playground"));
}
