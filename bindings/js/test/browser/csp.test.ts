// The policy that README.md recommends is enough for the engine and the form, and a page with less says what it lacks.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, launch, serve } from "./chromium.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const policy = /^default-src .*'wasm-unsafe-eval'.*$/m.exec(readme)![0];
const policies = {
  "/whole.html": policy,
  "/typed.html": `${policy}; require-trusted-types-for 'script'; ${/add `(trusted-types .*?)`/.exec(readme)![1]}`,
  "/no-wasm.html": policy.replace(" 'wasm-unsafe-eval'", ""),
  "/no-fetch.html": policy.replace(/; connect-src .*/, ""),
};
let browser: Browser;
let site: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  const entryPoints = [fileURLToPath(new URL("csp.ts", import.meta.url))];
  const built = await build({ entryPoints, bundle: true, format: "esm", target: "es2022", write: false });
  const page = () => `<!doctype html><title>csp</title><script type="module" src="/dist/csp.js"></script>`;
  const pages = Object.fromEntries(Object.keys(policies).map((name) => [name, page]));
  site = await serve({ ...pages, "/dist/csp.js": () => built.outputFiles[0]!.text }, policies);
  browser = await launch("whole");
});

afterAll(async () => {
  await closePages(browser);
  site?.server.close();
});

/** Opens a page, with what it complains of. */
async function open(name: string): Promise<[Page, string[]]> {
  const complaints: string[] = [];
  const page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(site.url + name);
  return [page, complaints];
}

const said = (page: Page, name: "answer" | "bytes") =>
  page.evaluate((of) => (window as unknown as Record<string, Promise<string>>)[of], name);

test.each(["whole", "typed"])("a form is drawn and answered under the policy of README.md: %s", async (name) => {
  const [page, complaints] = await open(`${name}.html`);
  await page.locator("elicit-form[ready]").waitFor();
  expect(await page.locator("elicit-form").evaluate((form) => getComputedStyle(form).display)).toBe("block");
  await page.getByLabel("Name").fill("Ada");
  await page.getByRole("button", { name: "Submit" }).click();
  expect(await said(page, "answer")).toBe(`{"name":"Ada"}`);
  expect(await said(page, "bytes")).toBe("compiled");
  expect(complaints.filter((one) => !/favicon|404/.test(one))).toEqual([]);
});

test.each(["answer", "bytes"] as const)("without 'wasm-unsafe-eval', the error names it: %s", async (which) => {
  const [page] = await open("no-wasm.html");
  const error = await said(page, which);
  expect(error).toContain("Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src");
  expect(error).not.toContain("is not at");
});

test("without connect-src, the error names it", async () => {
  const [page] = await open("no-fetch.html");
  expect(await said(page, "answer")).toContain("connect-src");
});
