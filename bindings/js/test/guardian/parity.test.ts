import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { closePages, launch, serve } from "../browser/chromium.ts";
import { runKit, type Held, type Kit } from "./kit.ts";
import { night } from "../once/once.ts";

const root = new URL("../../../../plugins/tck/", import.meta.url);
// The guests of made.json are no files. plugins/tck runs them in both engines, and guest.test.ts reads those that are
// refused.
const kits = Object.fromEntries(
  readdirSync(new URL("cases/", root)).filter((name) => name !== "made.json").map((name) => [name, read(name)]),
);

/** The file of a module. The ready-made guardians are in plugins/guests. */
function moduleFile(name: string): URL {
  const ready = new URL(`../guests/modules/${name}.wasm`, root);
  return existsSync(ready) ? ready : new URL(`modules/${name}.wasm`, root);
}

/** A file of cases with its guests and documents. */
function read(name: string): Kit {
  type Named = Kit["cases"][0] & { document?: string };
  const text = readFileSync(new URL(`cases/${name}`, root), "utf8");
  const { modules, cases } = JSON.parse(text) as { modules: Kit["modules"]; cases: Named[] };
  return {
    modules: modules.map((m) => ({
      ...m, bytes: readFileSync(moduleFile(m.module)).toString("base64")
    })),
    cases: cases.map((c) => ({
      ...c,
      text: c.document === undefined ? c.text : readFileSync(new URL(`questions/${c.document}`, root), "utf8")
    })),
  };
}

function holds(where: string, all: Record<string, Held>): void {
  const count = Object.values(all).reduce((n, held) => n + held.count, 0);
  expect(Object.values(all).flatMap((held) => held.differences)).toEqual([]);
  expect(count).toBeGreaterThan(100);
  console.log(`${where}: ${count} guests and cases of plugins/tck`);
}

test("every case of the kit comes out the same in Node as under wazero", async () => {
  const all: Record<string, Held> = {};
  for (const [name, kit] of Object.entries(kits)) all[name] = await runKit(kit);
  holds(`Node ${process.version}`, all);
});

night("and in Chromium", async () => {
  const site = await serve({
    "/page.html": () =>
      `<!doctype html><title>guardians</title><script type="module" src="/test/guardian/page.ts"></script>`,
    "/kits.json": () => JSON.stringify(kits),
  });
  const browser = await launch("whole");
  try {
    const page = await browser.newPage();
    await page.goto(site.url + "page.html");
    holds(`Chromium ${browser.version()}`,
      (await page.evaluate(() => (window as unknown as { kits: Promise<Record<string, Held>> }).kits)));
  } finally {
    await closePages(browser);
    site.server.close();
  }
});
