import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { Rig, settled, type Run } from "./rig.ts";

/** Pictures are kept where PICTURES says (docs/ when they are to be renewed), else among what is built. */
const folder = process.env["PICTURES"] ?? fileURLToPath(new URL("../../dist/pictures", import.meta.url));
const policy = fileURLToPath(new URL("../../../../testdata/demo/policy.json", import.meta.url));

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.build();
  await mkdir(folder, { recursive: true });
});
afterAll(async () => rig.close());

/** A run in which something was declined by policy and something accepted, with one question open and one waiting. */
async function busy(run: Run, page: Page): Promise<Promise<unknown>[]> {
  await run.call("leak");
  const first = run.call("deploy", { service: "docs", environment: "staging" });
  await settled(page);
  await page.getByRole("button", { name: "Accept" }).click();
  await first;
  const open = [run.call("deploy", { service: "shop", environment: "production" }), run.call("deploy", { service: "billing", environment: "production" })];
  await page.getByRole("heading", { name: "1 waiting" }).waitFor();
  return open.map((call) => call.catch(String));
}

const views = [
  { name: "page-light", colorScheme: "light", viewport: { width: 1120, height: 640 } },
  { name: "page-dark", colorScheme: "dark", viewport: { width: 1120, height: 640 } },
  { name: "page-narrow", colorScheme: "light", viewport: { width: 360, height: 780 } },
] as const;

test.each(views)("picture $name", async ({ name, ...view }) => {
  const run = await rig.run(rig.demo(), "--policy", policy);
  const page = await run.open(rig, view);
  const open = await busy(run, page);
  await page.locator("details.past").last().locator("summary").click();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), "nothing sticks out sideways").toBeLessThanOrEqual(0);
  await run.close();
  await Promise.all(open);
});

test.each(["light", "dark"] as const)("everybody can use every state of the page, %s", async (colorScheme) => {
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const run = await rig.run(rig.demo(), "--policy", policy);
  const page = await run.open(rig, { colorScheme });
  // The page's policy does not bind code that the browser itself evaluates, so axe needs no looser policy.
  const complaints = async (at = page): Promise<unknown> => {
    await at.evaluate(axe);
    return at.evaluate(async () => (await (globalThis as unknown as Axe).axe.run()).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]));
  };
  expect(await complaints()).toEqual([]);
  const open = await busy(run, page);
  await page.locator("details.past").last().locator("summary").click();
  expect(await complaints()).toEqual([]);
  await run.close();
  await Promise.all(open);
  await page.locator("elicit-form").getByText("This question is closed").waitFor();
  expect(await complaints()).toEqual([]);

  const properties = { name: { type: "string", minLength: 2 }, token: { type: "string", title: "API key" } };
  const requestedSchema = { type: "object", properties, required: ["name"] };
  const asking = { jsonrpc: "2.0", method: "elicitation/create" };
  const ask = (id: number) => ({ ...asking, id, params: { message: `Q${id}`, requestedSchema } });
  const withdrawn = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const typed = await rig.run(await rig.raw([
    { when: { tool: "go" }, say: [ask(1), ask(2)] },
    { when: { tool: "stop" }, say: [withdrawn] },
  ]));
  const form = await typed.open(rig, { colorScheme });
  const calls = [typed.call("go").catch(String)];
  await form.getByRole("heading", { name: "1 waiting" }).waitFor(); // its line moves what stands below
  await form.getByLabel("name").fill("A");
  await settled(form);
  const buttons = form.locator("elicit-form .loud");
  expect(await buttons.allTextContents(), "a dangerous choice is not the loudest").toEqual(["Decline"]);
  await form.getByRole("button", { name: "Submit" }).click();
  await form.getByText("Not sent yet. Please check:").waitFor();
  expect(await complaints(form)).toEqual([]);
  calls.push(typed.call("stop").catch(String));
  await form.getByText("What you had entered").waitFor();
  await form.locator("details.past").first().locator("summary").click();
  expect(await complaints(form)).toEqual([]);
  await form.screenshot({ path: `${folder}/page-kept-${colorScheme}.png`, fullPage: true });
  await typed.close();
  await Promise.all(calls);
});

interface Axe {
  axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}
