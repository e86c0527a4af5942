// An MCP client in Chromium whose questions are drawn by <elicit-form>, and a server of the official SDK in Node.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, launch } from "../browser/chromium.ts";

const server = new McpServer({ name: "bank", version: "1" });
const leaving = new AbortController();
const told = (out: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(out) }] });
const properties = {
  region: { type: "string" as const, title: "Region", enum: ["eu", "us"] },
  keep: { type: "integer" as const, title: "Days", minimum: 1, maximum: 30 }
};
const form = {
  message: "<b>Where</b> shall it go?",
  requestedSchema: { type: "object" as const, properties, required: ["region"] }
};

server.registerTool("ask", {}, async (extra) =>
  told(await server.server.elicitInput(form, { relatedRequestId: extra.requestId })));
server.registerTool("leave", {}, async (extra) =>
  told(await server.server.elicitInput(form, { relatedRequestId: extra.requestId, signal: leaving.signal })
    .catch((e: Error) => e.message)));
server.registerTool("visit", {}, async (extra) => {
  const result = await server.server.elicitInput(
    { mode: "url", message: "Sign in.", url: `${address}bank`, elicitationId: "link-1" },
    { relatedRequestId: extra.requestId }
  );
  return told(result);
});

const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
const html = `<!doctype html><title>client</title><script type="module" src="/page.js"></script>`;
const wasm = new URL("../../dist/elicit.wasm", import.meta.url);
const csp = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types lit-html";
let script: Uint8Array;
const site = createServer((request, response) => {
  const send = (type: string, body: string | Uint8Array) =>
    response.writeHead(200, { "content-type": type, "content-security-policy": csp }).end(body);
  if (request.url === "/") send("text/html; charset=utf-8", html);
  else if (request.url === "/page.js") send("text/javascript", script);
  else if (request.url === "/elicit.wasm") void readFile(wasm).then((bytes) => send("application/wasm", bytes));
  else if (request.url === "/mcp") void transport.handleRequest(request, response);
  else if (request.url === "/bank") send("text/html", "<title>bank</title>");
  else response.writeHead(404).end();
});

let browser: Browser;
let page: Page;
let address: string;
const complaints: string[] = [];

beforeAll(async () => {
  const entryPoints = [fileURLToPath(new URL("page.ts", import.meta.url))];
  script = (await build({ entryPoints, bundle: true, format: "esm", target: "es2022", write: false }))
    .outputFiles[0]!.contents;
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  browser = await launch();
  page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  await page.waitForFunction(() => "call" in window);
});

afterAll(async () => {
  await closePages(browser);
  await server.close();
  site.close();
});

/** Calls a tool in the page and gives its answer. */
const call = (name: string) => page.evaluate(async (tool) => {
  const [{ text }] = (await (window as unknown as { call(name: string): Promise<[{ text: string }]> }).call(tool));
  return JSON.parse(text) as unknown;
}, name);
const button = (name: string | RegExp) => page.getByRole("button", { name });
const questions = () => page.locator("elicit-form").count();
/** Waits until the element takes keys and clicks. */
const settled = () => page.locator("elicit-form[ready]").waitFor();

test("a form is checked at once by the engine, and the answer reaches the server", async () => {
  const answer = call("ask");
  await page.getByText("<b>Where</b> shall it go?").waitFor();
  await settled();
  await page.getByLabel("Days").fill("99");
  await page.getByLabel("Days").blur();
  await page.getByText("30", { exact: false }).first().waitFor();
  await button("Submit").click();
  await page.getByText("Please check").waitFor();
  await page.getByLabel("Days").fill("14");
  await page.getByRole("radio", { name: "eu" }).check();
  await button("Submit").click();
  expect(await answer).toEqual({ action: "accept", content: { region: "eu", keep: 14 } });
  expect(await questions()).toBe(0);
});

test("no is no", async () => {
  const answer = call("ask");
  await button("Decline").waitFor();
  await settled();
  await button("Decline").click();
  expect(await answer).toEqual({ action: "decline" });
  expect(await questions()).toBe(0);
});

test("a question that is taken back stays with its reason until the next one", async () => {
  const answer = call("leave");
  await button("Submit").waitFor();
  leaving.abort("it was stopped");
  expect(await answer).toContain("stopped");
  await page.getByText("This question is closed").waitFor();
  const next = call("ask");
  await button("Cancel").waitFor();
  expect(await questions()).toBe(1);
  await settled();
  await button("Cancel").click();
  expect(await next).toEqual({ action: "cancel" });
});

test("a page opens once it was agreed to, and the question goes when it is finished", async () => {
  const answer = call("visit");
  await button(/^Open/).waitFor();
  await settled();
  const opening = page.context().waitForEvent("page");
  await button(/^Open/).click();
  expect(await answer).toEqual({ action: "accept" });
  const opened = await opening;
  await opened.waitForURL(`${address}bank`);
  expect(await opened.evaluate(() => window.opener)).toBeNull();
  expect(await questions()).toBe(1);
  await server.server.createElicitationCompletionNotifier("link-1")();
  await page.waitForFunction(() => document.querySelectorAll("elicit-form").length === 0);
});

test("nothing was complained of", () => {
  expect(complaints.filter((c) => !c.includes("favicon") && !c.includes("404"))).toEqual([]);
});
