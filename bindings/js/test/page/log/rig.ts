import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { closePages, launch } from "../../browser/chromium.ts";
import { pagePrograms } from "../rig.ts";

/** The module for pages, which `npm run build` copies. */
export const wasm = fileURLToPath(new URL("../../../dist/elicit-browser.wasm", import.meta.url));

/** The command, a folder and a real Chromium. */
export class LogRig {
  private constructor(
    readonly folder: string,
    private readonly command: string,
    readonly browser: Browser,
  ) {}

  static async build(): Promise<LogRig> {
    const folder = await mkdtemp(join(tmpdir(), "elicit-log-"));
    return new LogRig(folder, join(await pagePrograms(), "elicit"), await launch());
  }

  async idle(): Promise<void> {
    await closePages(this.browser);
  }

  async close(): Promise<void> {
    await this.idle();
    await rm(this.folder, { recursive: true, force: true });
  }

  async file(name: string, text: string | readonly string[]): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, typeof text === "string" ? text : text.join(""));
    return path;
  }

  /** Runs the command in the folder, away from the files of the person who tests. */
  async elicit(...args: string[]): Promise<{ stdout: string; stderr: string; failed: boolean }> {
    const home = join(this.folder, "home");
    const env = { ...process.env, HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
    try {
      const said = await promisify(execFile)(this.command, args, { env, cwd: this.folder });
      return { ...said, failed: false };
    } catch (error) {
      return { ...(error as { stdout: string; stderr: string }), failed: true };
    }
  }

  /** Writes the page of a journal, and returns its path. */
  async page(journal: string, ...flags: string[]): Promise<string> {
    const path = `${journal}.html`;
    await this.elicit("log", "--utc", "--html", path, "--module", "none", ...flags, basename(journal));
    return path;
  }

  /** Opens a page as a file, and fails when it asks a network for anything. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1180, height: 900 }, ...options });
    const page = await context.newPage();
    const own = pathToFileURL(path).href;
    page.on("request", (request) => {
      if (!request.url().startsWith("blob:")) expect(request.url()).toBe(own);
    });
    page.on("pageerror", (error) => expect.fail(String(error)));
    await page.goto(own);
    await page.locator("html[data-ready]").waitFor({ state: "attached" });
    return page;
  }

  /** The faults that axe finds in a page. The page's policy does not bind code that the browser itself evaluates. */
  async axe(page: Page): Promise<unknown> {
    const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    await page.evaluate(await readFile(axe, "utf8"));
    return page.evaluate(async () => (await (globalThis as unknown as Axe).axe.run())
      .violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]));
  }
}

interface Axe {
  axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** Builds a rig for the tests of a file. */
export function logRigged(built: (rig: LogRig) => void): void {
  let rig: LogRig;
  beforeAll(async () => built((rig = await LogRig.build())));
  afterEach(async () => rig.idle());
  afterAll(async () => rig.close());
}
