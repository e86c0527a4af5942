import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { closePages, launch } from "../browser/chromium.ts";
import { goPrograms } from "../once/once.ts";
import { patience } from "../until.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const everything = join(root, "testdata/realparts/node_modules/@modelcontextprotocol/server-everything/dist/index.js");

/** Whether the reference server is not installed (testdata/realparts/setup.sh), which in CI counts as a failure. */
export const isEverythingMissing = !existsSync(everything) && process.env["CI"] !== "true";

/** The folder of the programs that the tests of the pages run. */
export const pagePrograms = (): Promise<string> =>
  goPrograms("page", "./cmd/elicit", "./testdata/demoserver", "./testdata/rawserver");

/** The programs under test, a folder, and a real Chromium. */
export class Rig {
  private readonly runs: Run[] = [];

  private constructor(
    readonly folder: string,
    private readonly programs: string,
    readonly browser: Browser,
  ) {}

  static async build(kind?: "whole"): Promise<Rig> {
    const folder = await mkdtemp(join(tmpdir(), "elicit-page-"));
    const programs = await pagePrograms();
    await writeFile(join(folder, "opener"), `#!/bin/sh\nprintf %s "$1" >"${folder}/opened"\n`, { mode: 0o700 });
    return new Rig(folder, programs, await launch(kind));
  }

  /** Ends every run, and closes every page. */
  async idle(): Promise<void> {
    for (const run of this.runs.splice(0)) await run.close();
    await closePages(this.browser);
  }

  async close(): Promise<void> {
    await this.idle();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The reference server of the protocol's makers. */
  everything(): string[] {
    return ["node", everything, "stdio"];
  }
  demo(...flags: string[]): string[] {
    return [join(this.programs, "demoserver"), ...flags];
  }

  /** A server that plays a script, honest or not. */
  async raw(script: readonly object[]): Promise<string[]> {
    const path = join(this.folder, `${randomUUID()}.script`);
    await writeFile(path, script.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return [join(this.programs, "rawserver"), path];
  }

  /** The address that the proxy last told the person's browser to open. */
  async opened(): Promise<string> {
    return readFile(join(this.folder, "opened"), "utf8").catch(() => "");
  }

  /** Starts `elicit proxy --ui browser` before a server, and an official client that declares no elicitation. */
  async run(server: string[], ...flags: string[]): Promise<Run> {
    const journal = join(this.folder, `${randomUUID()}.jsonl`);
    const args = ["proxy", "--ui", "browser", "--no-open", "--name", "files", "--policy", "none", "--journal", journal,
      ...flags, "--", ...server];
    const transport = new StdioClientTransport({ command: join(this.programs, "elicit"), args, stderr: "pipe",
      env: { ...(process.env as Record<string, string>), ELICIT_BROWSER: join(this.folder, "opener") } });
    const run = new Run(new Client({ name: "page-test", version: "1" }), journal);
    this.runs.push(run);
    transport.stderr!.on("data", (text: Buffer) => run.hear(text.toString()));
    await run.client.connect(transport);
    return run;
  }
}

/** Builds a rig for the tests of a file, with a kind of Chromium as `launch`. A proxy ends with its test. */
export function rigged(built: (rig: Rig) => void, kind?: "whole"): void {
  let rig: Rig;
  beforeAll(async () => built((rig = await Rig.build(kind))));
  afterEach(async () => rig.idle());
  afterAll(async () => rig.close());
}

/** One proxy, with a client before it and a server behind it. */
export class Run {
  private said = "";
  private heard = (): void => undefined;

  constructor(
    readonly client: Client,
    readonly journal: string,
  ) {}

  hear(text: string): void {
    this.said += text;
    this.heard();
  }

  /** The newest link on the error stream. */
  async link(): Promise<string> {
    for (;;) {
      const found = [...this.said.matchAll(/works once: (http\S+)\n/g)].at(-1)?.[1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.heard = resolve));
    }
  }

  /** Opens the page as a person would, and fails when it complains about anything. */
  async open(rig: Rig, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await rig.browser.newContext({ viewport: { width: 1180, height: 900 }, ...options });
    const page = await context.newPage();
    await page.goto(await this.link());
    await page.locator(".state.listening").waitFor();
    return page;
  }

  /** Calls a tool as the client does, and returns the text of its result. */
  async call(name: string, given: Record<string, unknown> = {}, signal?: AbortSignal): Promise<string> {
    const result = await this.client.callTool({ name, arguments: given }, undefined,
      { timeout: patience, ...(signal && { signal }) });
    return (result.content as { text?: string }[]).map((part) => part.text ?? "").join("\n");
  }

  async kept(): Promise<string> {
    return readFile(this.journal, "utf8");
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Waits until the element takes keys and clicks. */
export async function settled(page: Page): Promise<void> {
  await page.locator("elicit-form[ready]").waitFor();
}
