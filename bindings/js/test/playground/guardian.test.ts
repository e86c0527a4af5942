import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { assemble, code, manifest } from "../guardian/assemble.ts";
import { ready, Site } from "./site.ts";

let site: Site, page: Page, complaints: string[];

beforeAll(async () => {
  site = await Site.open();
  ({ complaints } = site);
});

beforeEach(async () => {
  page = await site.page();
});

const say = (decision: string, more: object = {}) => JSON.stringify({ v: 1, decision, ...more });
const choose = (module: Uint8Array, name = "guardian.wasm", on = page) =>
  on.locator("#module").setInputFiles({ name, mimeType: "application/wasm", buffer: Buffer.from(module) });
const pane = () => page.locator(".inspector").textContent();
const permit = () => page.getByLabel("Permit of test", { exact: true });

async function repermit(change: (permit: Record<string, unknown>) => void) {
  const now = JSON.parse(await permit().inputValue()) as Record<string, unknown>;
  change(now);
  await permit().fill(JSON.stringify(now));
}

test("a guardian that denies keeps the question from the person, and says why", async () => {
  const finding = { code: "too_keen", message: "It asks too eagerly.", severity: "high", pointer: "/request/message" };
  await choose(assemble({
    says: say("deny", { findings: [finding] }),
    manifest: { ...manifest, summary: "Says no.", license: "MIT" }
  }));
  await page.getByText("Denies it", { exact: true }).waitFor();
  const card = (await page.locator(".guardian").textContent())!;
  const parts = ["test", "Says no.", "before_show before_send", "/request /answer", "Importsnothing", "3 functions",
    "memory 2 to 32 pages", "ABI 1.0", "MIT"];
  for (const part of parts) expect(card).toContain(part);
  expect(await page.locator(".digest").textContent()).toMatch(/^[0-9a-f]{64}$/);
  const said = ["It asks too eagerly.", "too_keen /request/message", " of 5,000,000 fuel", "2 pages of memory"];
  for (const part of said) expect(await pane()).toContain(part);
  expect(await page.locator(".person").textContent()).toContain("Nobody is disturbed.");
  await page.getByRole("tab", { name: "Decision" }).click();
  expect(await pane()).toContain("guardian test denies it: It asks too eagerly.");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.locator(".inspector").getByText("Asks the person", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("one that is dropped is taken as well", async () => {
  const bytes = [...assemble()];
  await page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(bytes)], "dropped.wasm"));
    const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector("elicit-playground")!.dispatchEvent(drop);
  }, bytes);
  await page.getByText("Nothing against it", { exact: true }).waitFor();
  expect(await page.locator(".guardian").textContent()).toContain("dropped.wasm");
});

test("there is one to try", async () => {
  await page.getByRole("button", { name: "Try one that denies links" }).click();
  await page.getByText("Denies it", { exact: true }).waitFor();
  expect(await pane()).toContain("No links here");
  const permit = page.getByLabel("Permit of no-links", { exact: true });
  await permit.fill((await permit.inputValue()).replace("{", '{"audit":true,'));
  await expect.poll(pane).toContain("only listened to");
  await page.locator("elicit-form").waitFor();
  expect(complaints).toEqual([]);
});

test.each([
  ["spins", code.forever, "It used all the fuel it was permitted and was stopped.", "100 %"],
  ["recurses", [0x20, 0, 0x20, 1, ...code.call(1)], "Its calls nested too deep and it was stopped."],
  ["traps", code.trap, "It crashed."],
  ["talks nonsense", code.echo, "It answered, but not with a verdict.", "unknown member /phase"],
])("one that %s denies, in plain English", async (_, evaluate, ...parts) => {
  await choose(assemble({ evaluate }));
  await page.getByText("No verdict", { exact: true }).waitFor();
  for (const part of parts) expect(await pane()).toContain(part);
  expect(await page.locator(".person").textContent()).toContain("Nobody is disturbed.");
  expect(complaints).toEqual([]);
});

test("what is no guardian is refused with its reason", async () => {
  await choose(assemble({ imports: [["env", "fetch", "i", "i"]] }), "thief.wasm");
  await page.getByText("is not let in").waitFor();
  expect(await page.locator("section").first().textContent()).toContain("env.fetch");
  await choose(new Uint8Array([1, 2, 3]), "nothing.wasm");
  await page.getByText("nothing.wasm").waitFor();
  expect(await page.locator(".guardian").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("the permit decides what it is told, and one that does not hold stops everything", async () => {
  await choose(assemble());
  await page.getByText("Nothing against it", { exact: true }).waitFor();
  await page.getByText("What it was told").click();
  await expect.poll(pane).toContain("deploy-bot");
  await repermit((g) => (g["reads"] = ["/request/message"]));
  await expect.poll(pane).not.toContain("deploy-bot");
  await repermit((g) => (g["fuel"] = 3));
  await page.getByText("A permit does not hold.").first().waitFor();
  expect(await page.locator(".guardian .bad").textContent())
    .toContain("test gave no usable answer about its settings (fuel) /settings");
  await permit().fill("{");
  await expect.poll(() => page.locator(".guardian .bad").textContent()).toContain("line 1, column 2");
  expect(complaints).toEqual([]);
});

const answer = async () => {
  const form = page.locator("elicit-form");
  await form.getByLabel("Staging").check();
  await ready(page).waitFor();
  await form.getByRole("button", { name: "Submit" }).click();
};

test("an answer is looked at before it leaves", async () => {
  const finding = { code: "not_today", message: "No deployments on Fridays.", pointer: "/answer/environment" };
  await choose(assemble({
    says: say("deny", { findings: [finding] }), manifest: { ...manifest, phases: ["before_send"] }
  }));
  await page.getByText("No guardian has been asked yet.").waitFor();
  await answer();
  await page.getByText("Denies it", { exact: true }).waitFor();
  expect(await pane()).toContain("before the answer is sent");
  expect(await page.locator(".person").textContent()).toContain("No deployments on Fridays.");
  expect(complaints).toEqual([]);
});

test.each([
  ["Approve", '"action":"accept"'],
  ["Refuse", '"action":"decline"']
])("another person may have to be asked: %s", async (name, reply) => {
  await choose(assemble({
    says: say("pass", { obligations: [{ do: "second_person" }] }),
    manifest: { ...manifest, phases: ["before_send"] }
  }));
  await page.getByText("No guardian has been asked yet.").waitFor();
  await answer();
  await page.getByText("Waits for another person").waitFor();
  await page.getByRole("button", { name }).click();
  await page.getByRole("tab", { name: "Reply" }).click();
  await expect.poll(pane).toContain(reply);
  expect(complaints).toEqual([]);
});

test("what a guardian says is text, wherever it is shown", async () => {
  const hostile = "<img src=x onerror=alert(1)>";
  const module = assemble({
    says: say("deny", { findings: [{ code: "x", message: hostile }] }),
    manifest: {
      ...manifest, summary: hostile, version: hostile, license: hostile, source: "javascript:alert(1)",
    },
  });
  await choose(module, `${hostile}.wasm`);
  await page.getByText("Denies it", { exact: true }).waitFor();
  for (const name of ["Decision", "Journal", "Effects", "Guardians"]) await page.getByRole("tab", { name }).click();
  expect(await page.locator("img, a[href^=javascript]").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a link carries the guardians with their permits", async () => {
  await choose(assemble({ says: say("deny", { findings: [{ code: "x", message: "Not so." }] }) }), "small.wasm");
  await page.getByText("Denies it", { exact: true }).waitFor();
  await repermit((g) => (g["audit"] = true));
  await expect.poll(pane).toContain("only listened to");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("status").getByText("with its guardians").waitFor();
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await page.locator(".guardian").getByText("small.wasm").waitFor();
  expect(JSON.parse(await permit().inputValue())).toMatchObject({ name: "test", audit: true });
  await page.getByRole("tab", { name: "Guardians" }).click();
  await expect.poll(pane).toContain("only listened to");
  await page.getByText("Denies it", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("before sharing it is said that a large guardian stays out, and the link says so too", async () => {
  const large = assemble();
  const padding = Buffer.concat([Buffer.from([0, 0x83, 0x80, 0x02, 1, 0x70]), Buffer.alloc(32769)]);
  await choose(Buffer.concat([large, padding]), "large.wasm");
  await page.getByText("Too large for a link: Share leaves it out.").waitFor();
  await page.getByRole("button", { name: "Share without guardians" }).click();
  await page.getByRole("status").getByText("without large.wasm").waitFor();
  const link = page.url();
  expect(link.length).toBeLessThan(4000);
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByRole("status").getByText("This link was made without large.wasm.").waitFor();
  expect(await page.locator(".guardian").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("nothing is cut off on a narrow screen, and axe finds nothing", async () => {
  const checked = await site.page("lenient", { width: 360, height: 800 });
  await choose(
    assemble({ says: say("ask", { findings: [{ code: "x", message: "x".repeat(300) }] }) }),
    "guardian.wasm", checked);
  await checked.getByText("Asks for a person's word", { exact: true }).waitFor();
  expect(await checked.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await site.axe(checked)).toEqual([]);
});
