import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { Engine, type Append, type Event, type Show } from "../../dist/index.js";
import { Site } from "./site.ts";

let site: Site, page: Page, journal: string;

beforeAll(async () => {
  site = await Site.open();
  journal = await written(3);
});

beforeEach(async () => {
  page = await site.page();
});

/** A journal of `rounds` × (a question accepted, one declined, one withdrawn by the server). */
async function written(rounds: number): Promise<string> {
  const engine = await Engine.open({ limits: { burst: 10_000 } });
  const records: string[] = [];
  let at = Date.UTC(2026, 0, 1);
  const keep = (effects: readonly unknown[]) => {
    for (const one of effects as (Append | Show)[]) if (one.effect === "append") records.push(one.record);
    return (effects as (Append | Show)[]).find((one) => one.effect === "show")?.id;
  };
  const step = (event: Event) => keep(engine.step(event, { at: (at += 600_000) }));
  keep(engine.beginning);
  step({ event: "opened", session: "s", server: "build-bot", side: "answering", declared: ["form", "url"],
    shown: ["form", "url"] });
  const schema = { type: "object", properties: {} };
  for (let i = 0; i < rounds; i++) {
    for (const [n, verb] of ["accept", "decline", "withdraw"].entries()) {
      const ref = `${i}-${n}`;
      const message = `${verb} ${i}?`;
      const id = step({ event: "asked", session: "s", ref, tool: "deploy", mode: "form", message, schema })!;
      if (verb === "withdraw") step({ event: "cancelled", session: "s", ref });
      else step({ event: "answered", session: "s", id, action: verb as "accept" });
    }
  }
  engine.close();
  return records.map((record) => record + "\n").join("");
}

const choose = (text: string, name = "2026-01-01.jsonl") =>
  page.locator("#journal").setInputFiles({ name, mimeType: "application/jsonl", buffer: Buffer.from(text) });
const replay = () => page.getByRole("tab", { name: "Replay" }).click();
const rows = () => page.locator(".past tbody tr").allTextContents();

test("a dropped journal is verified, listed and scrubbed", async () => {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.jsonl"));
    document.querySelector("elicit-playground")!.dispatchEvent(
      new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, journal);
  await page.getByText("The chain holds: 20 records replayed in this tab").waitFor();
  expect(await rows()).toHaveLength(9);
  expect((await rows())[0]).toMatch(/withdraw 2\?.*build-bot.*deploy.*withdrawn/s);
  expect((await rows())[1]).toMatch(/decline 2\?.*decline/s);
  const moment = page.getByLabel("Moment: record");
  await moment.fill("3");
  await expect.poll(rows).toEqual([expect.stringMatching(/accept 0\?.*waiting for a person/s)]);
  await moment.press("ArrowRight");
  await expect.poll(rows).toEqual([expect.stringMatching(/accept 0\?.*accept.*person/s)]);
  await page.getByText("1 of 9 questions asked by then").waitFor();
  await page.getByRole("button", { name: "Put away" }).click();
  await page.getByLabel("Choose a journal").waitFor();
  expect(site.complaints).toEqual([]);
});

test("it is decided again under the policy that is edited", async () => {
  await replay();
  await choose(journal);
  await page.getByText("9 of 9 decisions would change.").waitFor();
  const policy = page.getByLabel("Another policy");
  const rules = [{ when: { message: "accept 1*" }, then: "accept", why: "seen" }];
  await policy.fill(JSON.stringify({ version: 1, rules }));
  await page.getByText("1 of 9 decisions would change.").waitFor();
  await page.getByRole("cell", { name: "accept 1?", exact: true }).waitFor();
  await policy.fill('{"version": 1}');
  await page.getByText("Every one of 9 decisions would fall the same.").waitFor();
  expect(site.complaints).toEqual([]);
});

test("it stays readable beside a policy that is broken", async () => {
  await replay();
  await choose(journal);
  await page.getByLabel("Policy", { exact: true }).fill("{");
  await page.getByText("The policy cannot be read.").first().waitFor();
  await page.getByText("The chain holds: 20 records").waitFor();
});

test("one near the limit is read, and a policy that leaves no room for it is told", async () => {
  const large = await written(770);
  expect(large.length).toBeGreaterThan(2.9 * 1024 * 1024);
  await replay();
  await choose(large);
  await page.getByText("2310 of 2310 decisions would change; the first 100 are shown.").waitFor();
  expect(await rows()).toHaveLength(100);
  await page.getByLabel("Another policy").fill(`{"version": 1, "$schema": "${"x".repeat(1_200_000)}"}`);
  await page.locator(".inspector .bad li").first().waitFor();
  expect(await page.getByText("would fall the same").count()).toBe(0);
});

test.each([
  ["an edited record", (text: string) => text.replace("decline 1?", "decline 7?"), "The first 10 records hold."],
  ["a record left out", (text: string) => text.split("\n").filter((_, i) => i !== 4).join("\n"),
    "The first 4 records hold."],
  ["no journal at all", () => "{}\n", "The first 0 records hold."],
])("%s is told, and nothing behind it is shown", async (_, change, said) => {
  await replay();
  await choose(change(journal));
  await page.locator(".inspector").getByText(said).waitFor();
  await page.locator(".inspector .bad li").first().waitFor();
  for (const row of await rows()) expect(row).not.toMatch(/7\?|withdraw 1/);
  expect(site.complaints).toEqual([]);
});

test("markup in a journal stays text, and one that is too large is refused with a sentence", async () => {
  await replay();
  const hostile = "<img src=x onerror=alert(1)>";
  await choose(await written(1), `${hostile}.jsonl`);
  await page.locator(".inspector").getByText(hostile).waitFor();
  expect(await page.locator("img").count()).toBe(0);
  await page.getByRole("button", { name: "Put away" }).click();
  for (const [name, text] of [["long", "{".padEnd((4 << 20) + 1)], ["quotes", "{".padEnd(3 << 20, '"')]] as const) {
    await choose(text, `${name}.jsonl`);
    await page.getByRole("status").getByText(`${name}.jsonl is too large`).waitFor();
  }
  expect(site.complaints).toEqual([]);
});

test.each([[360, 740], [1280, 800]])("at %i pixels axe finds nothing and nothing sticks out", async (width, height) => {
  const checked = await site.page("lenient", { width, height });
  await checked.locator("elicit-form[ready]").waitFor();
  await checked.getByRole("tab", { name: "Replay" }).click();
  await checked.locator("#journal").setInputFiles({ name: "a.jsonl", mimeType: "", buffer: Buffer.from(journal) });
  await checked.getByText("The chain holds").waitFor();
  expect(await site.axe(checked)).toEqual([]);
  expect(await checked.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
