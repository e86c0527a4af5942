// Looks at dist/site in the system's Chromium, as a reader would: every page without complaints of axe in both colour
// schemes, every link to a place that is there, the search, the buttons that copy, and the playground.
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const folder = fileURLToPath(new URL("../../../../dist/site/", import.meta.url));
const axe = await readFile(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json",
  ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const faults = [];
const fault = (page, text) => faults.push(`${page}: ${text}`);

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://host");
  readFile(join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname)).then(
    (bytes) => response.setHeader("content-type", types[extname(pathname) || ".html"] ?? "image/png").end(bytes),
    () => response.writeHead(404).end());
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const programs = [process.env["CHROMIUM"], "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const executablePath = programs.find((path) => path !== undefined && existsSync(path));
const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox",
  "--disable-gpu"] });
const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce",
  permissions: ["clipboard-read", "clipboard-write"] });
context.setDefaultTimeout(120_000);

const found = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html"));
const names = found.filter((name) => name !== "404.html").sort();
if (names.length < 20) throw new Error(`${names.length} pages are too few to be all`);

const ids = new Map();
const links = [];
for (const name of names) {
  const page = await context.newPage();
  page.on("pageerror", (error) => fault(name, String(error)));
  page.on("response", (got) => got.status() < 400 || fault(name, `${got.status()} ${got.url()}`));
  page.on("request", (sent) => /^(data|blob):/.test(sent.url()) || sent.url().startsWith(address) ||
    fault(name, `it asks another host: ${sent.url()}`));
  await page.goto(address + name);
  if (name.startsWith("playground/")) await page.locator("elicit-form[ready]").waitFor();
  const seen = await page.evaluate(() => ({ ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
    links: [...document.querySelectorAll("a[href]")].map(({ href }) => href) }));
  ids.set(name, new Set(seen.ids));
  links.push(...seen.links.filter((to) => to.startsWith(address)).map((to) => [name, new URL(to)]));
  await page.evaluate(axe);
  // Between the two schemes only colours differ.
  for (const [colorScheme, rules] of [["light", {}], ["dark", { runOnly: ["color-contrast"] }]]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate((rules) => globalThis.axe.run(rules), rules);
    for (const { id, nodes } of violations) fault(name, `${colorScheme}: axe: ${id}: ${nodes[0].html}`);
  }
  await page.close();
}
for (const [from, { pathname, hash }] of links) {
  const to = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, "$1index.html");
  const anchor = decodeURIComponent(hash.slice(1));
  if (!ids.has(to) && !(await readFile(join(folder, to)).then(() => true, () => false))) fault(from, `no page ${to}`);
  else if (anchor !== "" && ids.has(to) && !ids.get(to).has(anchor)) fault(from, `no ${anchor} in ${to}`);
}

const page = await context.newPage();
await page.goto(`${address}index.html`);
await page.getByRole("button", { name: "Copy" }).first().click();
const copied = await page.evaluate(() => navigator.clipboard.readText());
if (!copied.includes("go install")) fault("index.html", `the button copies ${JSON.stringify(copied)}`);
await page.getByRole("textbox", { name: "Search" }).click();
await page.getByRole("textbox", { name: "Search" }).pressSequentially("guardian");
await page.locator(".md-search-result__item").first().waitFor();
await page.keyboard.press("Escape");
await page.getByRole("link", { name: "Playground" }).first().click();
await page.locator("elicit-form[ready]").waitFor();
await browser.close();
server.close();

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.error(`${names.length} pages, ${links.length} links between them, and axe finds nothing`);
