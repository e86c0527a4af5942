import type { TemplateResult } from "lit";
import { expect, test } from "vitest";
import { Attention } from "../../src/page/attention.ts";
import { gist, type Tongue } from "../../src/page/ended.ts";
import { en } from "../../src/page/languages/en.ts";
import type { EndedQuestion } from "../../src/page/proxy-client.ts";
import { button, rigged, settled, type Rig } from "./rig.ts";

const tongue: Tongue = { lang: "en", words: en, cause: () => undefined };
const ended = (id: string, took: number, more: Partial<EndedQuestion> = {}): EndedQuestion => ({
  id, number: 1, asked: 0, shown: 1000, ended: 1000 + took, server: "s", mode: "form", message: "?",
  outcome: "accept", cause: "user", by: "", ...more,
});
const drawn = (attention: Attention): unknown => (attention.draw(tongue) as TemplateResult).values?.[0];

test("the line tells the median, and how many answers were under two seconds", () => {
  const attention = new Attention();
  const note = (id: string, took: number, more?: object): void => {
    attention.see(id);
    attention.note(ended(id, took, more));
  };
  [1999, 2000, 10_000, 500].forEach((took, i) => note(`q${i}`, took));
  note("policy", 0, { cause: "policy" });
  note("withdrawn", 0, { outcome: "withdrawn" });
  note("unseen", 0, { shown: undefined });
  attention.note(ended("before the page was opened", 0));
  note("q3", 400); // the proxy tells it again
  expect(drawn(attention)).toBeUndefined();
  note("q4", 3000, { outcome: "decline" });
  expect(drawn(attention)).toBe("You answered 5 questions here, shown for 2 seconds (median); 2 under 2 s.");
  note("q5", 4000, { outcome: "cancel" });
  expect(drawn(attention)).toBe("You answered 6 questions here, shown for 3 seconds (median); 2 under 2 s.");
});

test("a message in one line says more than its first line, and hides nothing that turns text", () => {
  expect(gist("Roll out the release\n\n  deploy --to production \nIn /srv")).toBe(
    "Roll out the release · deploy --to production · In /srv");
  expect(gist("safe\u202egpj")).toBe("safe[U+202E]gpj");
  expect(gist("x".repeat(500))).toHaveLength(160);
});

let rig: Rig;
rigged((built) => (rig = built));

test("the line appears with the fifth answer, and a reload begins anew", async () => {
  const run = await rig.run(rig.demo());
  const page = await run.open(rig);
  for (let i = 1; i <= 5; i++) {
    expect(await page.locator(".attention").count()).toBe(0);
    const said = run.call("deploy");
    await settled(page);
    await button(page, "Decline").click();
    await said;
    await expect.poll(() => page.locator("details.past").count()).toBe(i);
  }
  await page.getByText(/^You answered 5 questions here, shown for .+ \(median\); \d under 2 s\.$/).waitFor();
  expect(await page.locator(".attention").getAttribute("role")).toBe(null); // it is never announced
  await page.reload();
  await expect.poll(() => page.locator("details.past").count()).toBe(5);
  expect(await page.locator(".attention").count()).toBe(0);
});
