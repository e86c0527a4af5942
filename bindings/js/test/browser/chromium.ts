import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { transform } from "esbuild";
import { chromium, type Browser } from "playwright-core";
import { inject } from "vitest";
import { patience } from "../until.ts";

const whole = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const shell = process.env["CHROMIUM_SHELL"] ?? "/usr/bin/chromium-headless-shell";
const launched = new Map<string, Promise<Browser>>();

/**
 * The system's Chromium, which ends with the process. The files of tests that run in a process share it, one after the
 * other: each closes what it opened, by `closePages` at the latest.
 *
 * It is Debian's headless shell where that is installed. That is the same version of the engine, without the windows of
 * a desktop browser, and opens a page for a fifth of the work. "whole" asks for the browser that people have.
 * CHROMIUM and CHROMIUM_SHELL name other programs.
 */
export async function launch(kind?: "whole"): Promise<Browser> {
  const path = kind === "whole" || !existsSync(shell) ? whole : shell;
  const before = launched.get(path);
  if (before !== undefined && (await before).isConnected()) return before;
  const started = start(path);
  launched.set(path, started);
  return started;
}

/** Starts it with its profile in the folder of the run, because a process may end before it could remove a profile. */
async function start(executablePath: string): Promise<Browser> {
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = inject("shared");
  try {
    const browser = await chromium.launch({
      executablePath,
      args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    // The default of half a minute is too short for a busy machine.
    browser.on("context", (context) => context.setDefaultTimeout(patience));
    return browser;
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
}

/** Closes every page of a browser, and forgets what they kept. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

const root = new URL("../../", import.meta.url);
const types: Record<string, string> = { html: "text/html; charset=utf-8", js: "text/javascript", ts: "text/javascript",
  mjs: "text/javascript", wasm: "application/wasm", json: "application/json" };

/** The policy of every page of a test: only files of this server run. */
const csp = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

/** Serves the package on loopback, TypeScript without its types, and `extra` by path, a page with its own policy. */
export async function serve(extra: Record<string, () => string>, policies: Record<string, string> = {}):
Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    const type = types[path.split(".").at(-1)!] ?? "text/plain";
    content(path, extra).then(
      (body) =>
        response.writeHead(200, { "content-type": type, "content-security-policy": policies[path] ?? csp }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

async function content(path: string, extra: Record<string, () => string>): Promise<string | Buffer> {
  const given = extra[path];
  if (given) return given();
  if (!/^\/(dist|test)\/[\w/-]+\.(m?js|ts|wasm)$/.test(path)) throw new Error(path);
  const file = await readFile(new URL(`.${path}`, root));
  return path.endsWith(".ts") ? (await transform(file, { loader: "ts" })).code : file;
}
