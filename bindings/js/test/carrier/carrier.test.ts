import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { enter, Rig, type Server } from "./rig.ts";
import { night } from "../once/once.ts";

let rig: Rig;
let server: Server;

beforeAll(async () => {
  rig = await Rig.build();
});
beforeEach(async () => {
  server = await rig.serve();
});
afterEach(async () => {
  server.close();
  await rig.close();
});

const place = {
  message: "Where should I deploy?",
  schema: {
    type: "object",
    required: ["region"],
    properties: {
      region: { type: "string", title: "Region", minLength: 3 },
      copies: { type: "integer", title: "Copies", minimum: 1, default: 2 },
    },
  },
};
const key = {
  message: "The key of the registry, please",
  schema: { type: "object", required: ["key"], properties: { key: { type: "string", title: "Registry key" } } },
  secret: true,
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor();
const region = (page: Page) => page.getByRole("textbox", { name: "Region" });
const hasDone = (page: Page) => heading(page, /Deployments.* has your answer/);

test("a form, from the click to the answer: wrong, then right, and then the link is dead", async () => {
  const { link } = await server.put(place);
  const page = await rig.person();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(link);
  await heading(page, /Deployments.* asks you a question/);
  expect(await page.getByText(place.message).count(), "nothing of the question before the click").toBe(0);
  await button(page, "Continue").click();
  await page.locator("elicit-form[ready]").waitFor();
  await region(page).fill("eu");
  await button(page, "Submit").click();
  await page.getByRole("alert").getByText("at least 3 characters").waitFor();
  expect(await region(page).getAttribute("aria-invalid")).toBe("true");
  expect(await page.evaluate(() => document.querySelector("elicit-form")!.matches(":focus-within"))).toBe(true);
  await region(page).fill("eu-1");
  await button(page, "Submit").click();
  await hasDone(page);
  expect(await server.answer()).toMatchObject({ action: "accept", answer: { region: "eu-1", copies: 2 } });
  expect(complaints).toEqual([]);
  await page.reload();
  await heading(page, "This question has been answered");
});

test("a reload keeps the question, and another link in the same tab opens", async () => {
  const first = await server.put(place);
  const second = await server.put({ ...place, message: "And where next?" });
  const page = await rig.person();
  await enter(page, first.link);
  await page.reload();
  await page.getByText(place.message).waitFor();
  await page.goto(second.link);
  await button(page, "Continue").click();
  await page.getByText("And where next?").waitFor();
});

test("a secret is a password that stays in no page", async () => {
  const { link } = await server.put(key);
  const page = await rig.person();
  await enter(page, link);
  const input = page.locator("elicit-form input");
  expect(await input.getAttribute("type")).toBe("password");
  expect(await input.getAttribute("autocomplete")).toBe("off");
  await page.getByText("What you type here goes straight to").waitFor();
  expect(await page.getByText("possibly the model").count()).toBe(0);
  const replies: string[] = [];
  page.on("response", (response) => void response.text().then((text) => replies.push(text)));
  await input.fill("k-hunter2");
  await button(page, "Submit").click();
  await hasDone(page);
  expect(await server.answer()).toMatchObject({ answer: { key: "k-hunter2" } });
  await expect.poll(() => replies.length).toBeGreaterThan(0);
  expect(replies.join()).not.toContain("hunter2");
  expect(await page.locator("input, elicit-form").count()).toBe(0);
  const kept = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]);
  expect(await page.evaluate(kept)).toBe('[{},{},""]');
});

test.each([
  ["Decline", "You declined", "decline"],
  ["Cancel", "You cancelled", "cancel"],
])("%s", async (label, title, action) => {
  const { link } = await server.put(place);
  const page = await rig.person();
  await enter(page, link);
  await button(page, label).click();
  await heading(page, title);
  expect(await server.answer()).toMatchObject({ action });
});

test("a second browser is refused, before and after the answer", async () => {
  const { link } = await server.put(place);
  const [first, second] = [await rig.person(), await rig.person()];
  await second.goto(link);
  await enter(first, link);
  await button(second, "Continue").click();
  await heading(second, "This link was opened in another browser");
  expect(await second.getByText(place.message).count()).toBe(0);
  await region(first).fill("eu-1");
  await button(first, "Submit").click();
  await hasDone(first);
  await second.reload();
  await heading(second, "This link does not work"); // it learns nothing of the end
});

test("two tabs and a double click give one answer", async () => {
  const { link } = await server.put(place);
  const page = await rig.person();
  await enter(page, link);
  const tab = await page.context().newPage();
  await tab.goto(link);
  await tab.locator("elicit-form[ready]").waitFor();
  await region(page).fill("eu-1");
  await region(tab).fill("us-1");
  await button(page, "Submit").dblclick();
  await hasDone(page);
  await button(tab, "Submit").click();
  await tab.getByText("It has been answered.").waitFor();
  expect(await server.answer()).toMatchObject({ answer: { region: "eu-1" } });
  await server.advance(0); // every line that was written before this one has been read
  expect(server.answers).toEqual([]);
});

test("a link that is too old, and a form whose time is up", async () => {
  const { link } = await server.put({ ...place, seconds: 600 });
  const late = await server.put({ ...key, seconds: 600 });
  const unseen = await server.put({ ...place, seconds: 600 });
  const page = await rig.person();
  await enter(page, link);
  const other = await page.context().newPage();
  await enter(other, late.link);
  await region(page).fill("eu-typed");
  await other.locator("elicit-form input").fill("k-typed");
  await server.advance(601);
  await button(page, "Submit").click();
  await page.getByText("Nobody answered in time.").waitFor();
  await page.getByText("eu-typed").waitFor(); // what was typed stays readable
  await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await heading(other, "Time is up");
  expect(await other.locator("input").count(), "a secret goes").toBe(0);
  await other.goto(unseen.link);
  await button(other, "Continue").click();
  await heading(other, "This link does not work"); // a browser that never had it learns nothing of its end
});

test("a withdrawn question, a cut link, and a link that is none", async () => {
  const { link, token } = await server.put(place);
  const page = await rig.person();
  await enter(page, link);
  await server.withdraw(token);
  await button(page, "Decline").click();
  await page.getByText("The server withdrew it.").waitFor();
  await page.goto(server.base);
  await heading(page, "This link is not complete");
  await page.goto(`${server.base}#/nothing`);
  await button(page, "Continue").click();
  await heading(page, "This link does not work");
});

test("a server that is gone is said, and nothing is lost", async () => {
  const { link } = await server.put(place);
  const page = await rig.person();
  await enter(page, link);
  await region(page).fill("eu-1");
  await page.route("**/answer", (route) => route.abort());
  await button(page, "Submit").click();
  await page.getByRole("alert").getByText("did not reach the server").waitFor();
  await page.unroute("**/answer");
  await button(page, "Submit").click();
  await hasDone(page);
});

test("the person signs in, somebody else learns nothing", async () => {
  const guarded = await rig.serve("-login");
  try {
    const { link } = await guarded.put({ ...place, principal: "ada" });
    const page = await rig.person();
    await page.goto(`${guarded.base}../login?user=mallory`);
    await page.goto(link);
    await button(page, "Continue").click();
    await heading(page, "This link is not for you");
    expect(await page.content()).not.toContain(place.message);
    const ada = await rig.person();
    await ada.goto(link);
    await heading(ada, "Sign in first");
    await ada.getByRole("link", { name: "Sign in" }).click();
    await ada.getByRole("link", { name: "Back" }).click(); // without the part behind #
    await button(ada, "Continue").click();
    await ada.locator("elicit-form[ready]").waitFor();
    await region(ada).fill("eu-1");
    await button(ada, "Submit").click();
    await hasDone(ada);
    expect(await guarded.answer()).toMatchObject({ answer: { region: "eu-1" } });
  } finally {
    guarded.close();
  }
});

test("keys alone are enough", async () => {
  const { link } = await server.put(place);
  const page = await rig.person();
  await page.goto(link);
  await button(page, "Continue").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("elicit-form[ready]").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("eu-1");
  await page.keyboard.press("Control+Enter");
  await hasDone(page);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
});

test.each([
  ["de", "Weiter", "Absenden", "ltr"],
  ["zh-Hans", "继续", "提交", "ltr"],
  ["ar", "متابعة", "إرسال", "rtl"],
])("the page speaks %s", async (locale, next, submit, dir) => {
  const { link } = await server.put(place);
  const page = await rig.person({ locale });
  await page.goto(link);
  await button(page, next).click();
  await page.locator("elicit-form[ready]").waitFor();
  const root = page.locator("html");
  expect([await root.getAttribute("lang"), await root.getAttribute("dir")]).toEqual([locale, dir]);
  await page.locator("elicit-form button.submit").waitFor();
  expect((await page.locator("elicit-form button.submit").textContent())?.trim()).toBe(submit);
});

night.each([
  ["light", 800],
  ["dark", 800],
  ["light", 360],
] as const)("everybody can use every state, %s at %d", async (colorScheme, width) => {
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const page = await rig.person({ colorScheme, viewport: { width, height: 740 } });
  const look = async (): Promise<void> => {
    await page.evaluate(axe);
    const run = () => (globalThis as unknown as Axe).axe.run();
    const { violations } = await page.evaluate(run);
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    const wide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(wide), "nothing sticks out sideways").toBeLessThanOrEqual(0);
  };
  const { link } = await server.put(key);
  await page.goto(link);
  await button(page, "Continue").waitFor();
  await look();
  await button(page, "Continue").click();
  await page.locator("elicit-form[ready]").waitFor();
  await look();
  await button(page, "Submit").click();
  await page.getByRole("alert").waitFor();
  await look();
  await page.locator("elicit-form input").fill("k-1");
  await button(page, "Submit").click();
  await hasDone(page);
  await look();
  await page.reload();
  await heading(page, "This question has been answered");
  await look();
});

interface Axe {
  axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}
