import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { launch } from "../browser/chromium.ts";
import { once } from "../once/once.ts";

/** The strictest policy for a page that runs scripts: no inline style or script, no eval, no HTML from strings. */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html",
].join("; ");

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A real Chromium, a loopback server that hands out the element, and what was seen of both. */
export interface Rig {
  page: Page;
  /** Requests that left the page's own origin, and requests the server did not expect. */
  strays: string[];
  /** The loads that the content security policy stopped, and uncaught errors. */
  complaints: string[];
  address: string;
  reload(query?: string): Promise<void>;
  close(): Promise<void>;
}

/** The script of the page, bundled once in a run. */
async function bundled(): Promise<Uint8Array> {
  const folder = await once("form", (outdir) => build({
    entryPoints: [here("page.ts")], bundle: true, minify: true, format: "esm", target: "es2022", outdir,
    legalComments: "none",
  }));
  return readFile(join(folder, "page.js"));
}

type RigOptions = { width?: number; height?: number; scheme?: "light" | "dark"; timezone?: string };

export async function openRig(options: RigOptions = {}): Promise<Rig> {
  const files = new Map<string, [string, Uint8Array]>([
    ["/", ["text/html; charset=utf-8", await readFile(here("page.html"))]],
    ["/page.css", ["text/css", await readFile(here("page.css"))]],
    ["/page.js", ["text/javascript", await bundled()]],
  ]);
  const strays: string[] = [];
  const server = await listen((path) => {
    if (!files.has(path)) strays.push(path);
    return files.get(path);
  });
  const context = await opened(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  page.on("request", (request) => {
    if (!request.url().startsWith(address)) strays.push(request.url());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  const reload = async (query = ""): Promise<void> => {
    await page.goto(address + query);
    await page.waitForFunction(() => "mount" in globalThis);
  };
  await reload();
  const close = async (): Promise<void> => {
    await context.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { page, strays, complaints, address, reload, close };
}

async function opened(options: RigOptions): Promise<BrowserContext> {
  const { width = 800, height = 900, scheme = "light", timezone = "Europe/Berlin" } = options;
  return (await launch()).newContext({
    viewport: { width, height },
    colorScheme: scheme,
    timezoneId: timezone,
    locale: "en-GB",
    reducedMotion: "reduce",
  });
}

function listen(find: (path: string) => [string, Uint8Array] | undefined): Promise<Server> {
  const server = createServer((request, response) => {
    const file = find(new URL(request.url ?? "/", "http://localhost").pathname);
    response.setHeader("content-security-policy", policy);
    if (file === undefined) return void response.writeHead(204).end();
    response.setHeader("content-type", file[0]).end(file[1]);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

declare global {
  /** Of page.ts: puts a fresh element on the page. */
  var mount: (properties: Record<string, unknown>, options?: Mounting) => Promise<void>;
  /** Of page.ts: makes a held checker return what it found. */
  var release: () => void;
  /** Of page.ts: what the element said, in order. */
  var told: { type: string; detail: any }[];
}

export interface Mounting {
  /** Strings of this language. */
  lang?: "de" | "zh" | "ar";
  /**
   * Problems that a checker is to find: by content as JSON, else by the rule "every name in `missing` that is not
   * there". A held checker returns at `release`.
   */
  checker?: { missing?: string[]; problems?: unknown[]; held?: boolean };
  /** Whether to return after the first moments, in which the element takes no keys: yes if left out. */
  settled?: boolean;
}

/** Puts an element on the page and waits until it is drawn. */
export async function mount(rig: Rig, properties: Record<string, unknown>, options: Mounting = {}): Promise<void> {
  await rig.page.evaluate(([p, o]) => globalThis.mount(p as Record<string, unknown>, o as object),
    [properties, options] as const);
}

export async function told(rig: Rig, type: string): Promise<any[]> {
  return rig.page.evaluate((t) => globalThis.told.filter((event) => event.type === t).map((event) => event.detail),
    type);
}
