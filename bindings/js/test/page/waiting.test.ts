import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { button, rigged, settled, type Rig, type Run } from "./rig.ts";

let rig: Rig;
let run: Run | undefined;
rigged((built) => (rig = built));

const ask = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "elicitation/create",
  params: {
    message: `question ${id}`,
    requestedSchema: {
      type: "object",
      properties: { name: { type: "string" }, color: { type: "string", default: "red" } },
    },
  },
});
const end = { jsonrpc: "2.0", id: "$call", result: { content: [{ type: "text", text: "over" }] } };
const withdraw = (requestId: number) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });

/** The part of the page that has the focus: the role or the class of what is focused, also inside the form. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
    return at?.getAttribute("part") ?? at?.tagName ?? "";
  });

test("a question that is taken back never hides the next one, and keeps what was typed", async () => {
  run = await rig.run(await rig.raw([
    { when: { tool: "go" }, say: [ask(1), ask(2)] },
    { when: { tool: "stop" }, say: [withdraw(1), { ...end, result: { content: [] } }] },
    { when: { answer: "2" }, say: [] },
  ]));
  const page = await run.open(rig);
  void run.call("go").catch(String);
  await page.locator("elicit-form").getByText("question 1").waitFor();
  await page.locator("elicit-form").getByLabel("name").fill("Ada");
  await expect.poll(() => run!.kept()).toContain('"receipt":"shown"');
  void run.call("stop").catch(String);
  await page.locator("elicit-form").nth(0).getByText("question 2").waitFor();
  const old = page.locator("elicit-form").nth(1);
  await old.getByText("The server withdrew it.").waitFor();
  expect(await old.locator("dl.kept").textContent()).toContain("Ada");
  expect(await old.locator("dl.kept").textContent()).not.toContain("red"); // a default that nobody touched
  expect(await page.title()).toBe("(1) files asks");
  expect(await page.locator("details.past").first().textContent()).toMatch(/Before a person\s*shown for/);
  await page.waitForFunction(() => document.querySelector("elicit-form")?.hasAttribute("ready") === true);
  await button(page, "Decline").click();
  await button(page, "Close").click();
  await page.getByText("Nothing is asked right now").waitFor();
  expect(await page.locator("elicit-form").count()).toBe(0);
});

test("a waiting question can be chosen, and the other one comes back with what was typed", async () => {
  run = await rig.run(await rig.raw([
    { when: { tool: "go" }, say: [ask(1), ask(2), ask(3)] },
    { when: { answer: "3" }, say: [] },
  ]), "--answer-within", "1h");
  const page = await run.open(rig);
  void run.call("go").catch(String);
  await page.getByRole("heading", { name: "2 waiting" }).waitFor();
  await page.locator("elicit-form").getByLabel("name").fill("Ada");
  await expect.poll(() => run!.kept()).toContain('"event":"drafted"');
  await button(page, /question 3/).click();
  await page.locator("elicit-form").getByText("question 3").waitFor();
  await expect.poll(() => focused(page)).toBe("card");
  expect(await page.locator(".choose").first().textContent()).toMatch(/question 1.*until/s); // its time runs
  await settled(page);
  await button(page, "Decline").click();
  await page.locator("elicit-form").getByText("question 1").waitFor();
  expect(await page.locator("elicit-form").getByLabel("name").inputValue()).toBe("Ada");
  await expect.poll(() => focused(page)).toBe("card");
});

test("after a decision the focus is at what comes next", async () => {
  run = await rig.run(rig.demo());
  const page = await run.open(rig);
  const said = run.call("deploy");
  await settled(page);
  await button(page, "Decline").focus();
  await page.keyboard.press("Enter");
  await said;
  await page.getByText("Nothing is asked right now").waitFor();
  await expect.poll(() => focused(page)).toBe("H2");
});

test("another page says what was decided elsewhere", async () => {
  run = await rig.run(rig.demo());
  const first = await run.open(rig);
  const second = await first.context().newPage();
  await second.goto(first.url());
  const said = run.call("deploy");
  await settled(first);
  await settled(second);
  await button(first, "Decline").click();
  await second.locator("elicit-form").getByText("It was declined.").waitFor();
  expect(await second.locator("elicit-form .closed").textContent()).not.toContain("mode");
  await said;
});

test("closing the page on an open question gives a fresh link", async () => {
  run = await rig.run(rig.demo());
  const page = await run.open(rig);
  const used = await run.link();
  const said = run.call("deploy");
  await settled(page);
  expect(await run.link()).toBe(used);
  await page.close();
  await expect.poll(() => run!.link()).not.toBe(used);
  const again = await run.open(rig);
  await settled(again);
  await button(again, "Decline").click();
  expect(await said).toContain("Declined");
});

test("the page speaks the person's language", async () => {
  for (const [locale, title, dir, decline] of [
    ["de-AT", "Gerade wird nichts gefragt", "ltr", "Ablehnen"],
    ["zh-CN", "目前没有问题", "ltr", "拒绝"],
    ["ar", "لا سؤال الآن", "rtl", "رفض"],
    ["fr", "Nothing is asked right now", "", "Decline"],
  ]) {
    run = await rig.run(rig.demo());
    const page = await run.open(rig, { locale: locale! });
    await page.getByText(title!).waitFor();
    expect(await page.evaluate(() => document.documentElement.dir)).toBe(dir);
    const said = run.call("deploy");
    await settled(page);
    await page.locator("elicit-form").getByRole("button", { name: decline! }).click();
    expect(await said).toContain("Declined");
    await page.locator("details.past").first().waitFor();
    await run.close();
  }
});

test("a person who agreed is notified while they look elsewhere, without the question's text", async () => {
  run = await rig.run(rig.demo());
  const context = await rig.browser.newContext();
  await context.addInitScript(() => {
    const notes: string[] = [];
    class Fake extends EventTarget {
      static permission = "default";
      static requestPermission = async (): Promise<string> => (Fake.permission = "granted");
      constructor(title: string, options: { body?: string }) {
        super();
        notes.push(`${title}: ${options.body ?? ""}`);
      }
    }
    Object.assign(window, { Notification: Fake, notes });
    document.hasFocus = () => false;
  });
  const page = await context.newPage();
  await page.goto(await run.link());
  await button(page, "Notify me of questions").click();
  await page.getByText("You will be notified").waitFor();
  const said = run.call("deploy");
  await settled(page);
  const notes = await page.evaluate(() => (window as unknown as { notes: string[] }).notes);
  expect(notes).toEqual(["(1) files asks: A question waits for you."]);
  await button(page, "Decline").click();
  await said;
});

test("a new question begins at the top of the window after a long form", async () => {
  const long = { ...ask(1), params: { message: "first", requestedSchema: { type: "object",
    properties: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field${i}`, { type: "string" }])) } } };
  const next = { ...ask(2), params: { ...long.params, message: "second" } };
  run = await rig.run(await rig.raw([
    { when: { tool: "go" }, say: [long, next] },
    { when: { answer: "1" }, say: [] },
    { when: { answer: "2" }, say: [] },
  ]));
  const page = await run.open(rig, { viewport: { width: 1180, height: 800 } });
  void run.call("go").catch(String);
  await page.locator("elicit-form").getByText("first").waitFor();
  await settled(page);
  await button(page, "Decline").click(); // scrolls down to the button
  await page.locator("elicit-form").getByText("second").waitFor();
  const message = page.locator("elicit-form").getByText("second");
  await expect.poll(async () => {
    const box = (await message.boundingBox())!;
    return box.y >= 0 && box.y + box.height <= 800;
  }).toBe(true);
  expect(await run.kept()).not.toMatch(/"ref":"2"[^\n]*"outcome"/);
});
