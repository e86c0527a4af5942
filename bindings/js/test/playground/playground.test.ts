import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ready, Site } from "./site.ts";
import { night } from "../once/once.ts";

let site: Site, page: Page, complaints: string[], address: string;

beforeAll(async () => {
  site = await Site.open();
  ({ complaints, address } = site);
});

beforeEach(async () => {
  page = await site.page();
});

const start = (name: string) => page.getByRole("button", { name, exact: true }).click();
const outcome = () => page.locator(".outcome").first();
const tab = (name: string) => page.getByRole("tab", { name }).click();

test.each([
  ["A secret", "Declined", "secrets never belong in a form"],
  ["Drop a table", "Asks the person", "destructive"],
  ["A deceptive link", "Declined", "what stands before the @ is decoration"],
  ["Sign in", "Asks the person", "pages of our own"],
  ["Routine", "Accepted", "nightly, and undone with one command"],
])("%s: %s, and why", async (name, verdict, why) => {
  await start(name);
  await expect.poll(() => outcome().textContent()).toBe(verdict);
  expect(await page.locator(".inspector").textContent()).toContain(why);
  expect(complaints).toEqual([]);
});

test("a question is answered, and the exact bytes go back", async () => {
  const form = page.locator("elicit-form");
  await form.getByLabel("Staging").check();
  await ready(page).waitFor();
  await form.getByRole("button", { name: "Submit" }).click();
  await expect.poll(() => page.locator("pre.view").first().textContent()).toBe(
    '{"jsonrpc":"2.0","id":7,"result":{"action":"accept","content":{"environment":"staging","share":5,"wait":true}}}');
  await tab("Journal");
  await page.getByText("Replayed just now: the same effects, byte for byte.").waitFor();
  expect(await page.locator("details summary").allTextContents()).toEqual(
    expect.arrayContaining([expect.stringContaining("asked"), expect.stringContaining("answered")]));
  await tab("Replay");
  await page.getByText("decline", { exact: true }).or(page.getByText("cancel", { exact: true })).first().waitFor();
  expect(complaints).toEqual([]);
});

test("two questions of one result are answered by one call", async () => {
  await start("Two at once");
  for (const message of ["Which seat?", "And to eat?"]) {
    await page.locator("elicit-form").getByText(message).waitFor();
    await ready(page).waitFor();
    await page.locator("elicit-form").getByRole("button", { name: "Decline" }).click();
  }
  await expect.poll(() => page.locator("pre.view").first().textContent()).toContain(
    '"inputResponses":{"seat":{"action":"decline"},"meal":{"action":"decline"}},' +
      '"requestState":"eyJzdGVwIjoyfQ.sealed"');
});

test("what is typed runs at once, and what cannot be read is told with its place", async () => {
  const message = page.getByLabel("Message of the server");
  await message.fill('{"message":"Hello?","requestedSchema":{"type":"object","properties":{"a":{"type":"date"}}}}');
  await expect.poll(() => outcome().textContent()).toBe("Refused");
  expect(await page.locator(".inspector").textContent()).toContain("/properties/a/type");
  await message.fill('{"message":');
  await page.locator(".bad").first().waitFor();
  await page.getByLabel("Policy", { exact: true }).fill('{"version":1,"approval_policy":"sometimes"}');
  await message.fill('{"message":"Hello?","requestedSchema":{"type":"object","properties":{}}}');
  await expect.poll(() => page.locator(".person").textContent()).toMatch(/policy cannot be read|Nobody is disturbed/);
  expect(complaints).toEqual([]);
});

test("a link carries the case and nothing else does", async () => {
  await page.getByLabel("Server", { exact: true }).fill("shared-server");
  await page.getByText("form from shared-server").waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  await expect.poll(() => page.url()).toContain("#1");
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByText("form from shared-server").waitFor();
  expect(await page.getByLabel("Server", { exact: true }).inputValue()).toBe("shared-server");
});

test.each(["#1", "#1AAAA", "#2whatever", "#%00"])("a broken link %s begins with an example", async (hash) => {
  await page.goto("about:blank");
  await page.goto(address + hash);
  await page.locator(".inspector").getByText("Asks the person", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("a vector is an example, and passes in the tab", async () => {
  await page.getByRole("button", { name: "Vectors…" }).click();
  await page.getByLabel("Look for a vector").fill("coerce/");
  await page.locator(".found button").first().click();
  await expect.poll(() => outcome().textContent()).toBe("Asks the person");
  await tab("Vector");
  await page.getByText("Passes here too").waitFor();
  expect(complaints).toEqual([]);
});

test("markup in what a server sends stays text", async () => {
  const hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  await page.getByLabel("Message of the server").fill(JSON.stringify({ message: hostile, requestedSchema: {
    type: "object", properties: { [hostile]: { type: "string", title: hostile, description: hostile } } } }));
  await expect.poll(() => page.locator("elicit-form").textContent().then((t) => t ?? "", () => "")).not.toBe(undefined);
  await page.locator("elicit-form").getByText(hostile).first().waitFor();
  for (const name of ["Reply", "Journal", "Effects"]) await tab(name);
  expect(await page.locator("img, script[src=x]").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.each([["narrow", 360, 800], ["middle", 900, 900]])("nothing is cut off on a %s screen",
  async (_, width, height) => {
  await page.setViewportSize({ width, height });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

night("axe finds nothing to complain of", async () => {
  const checked = await site.page("lenient");
  const looks = [
    ["Deploy", ready(checked)],
    ["A secret", checked.locator(".inspector").getByText("secrets never belong in a form").first()],
    ["A deceptive link", checked.locator(".inspector").getByText("what stands before the @").first()],
  ] as const;
  for (const [name, drawn] of looks) {
    await checked.getByRole("button", { name, exact: true }).click();
    await drawn.waitFor();
    expect(await site.axe(checked)).toEqual([]);
  }
});
