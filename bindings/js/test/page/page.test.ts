import { describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { button, isEverythingMissing, rigged, settled, type Rig, type Run } from "./rig.ts";

let rig: Rig;
let run: Run | undefined;
rigged((built) => (rig = built));

const integer = (page: Page) => page.getByRole("textbox", { name: "Integer" });
const pasts = (page: Page) => page.locator("details.past");

describe.skipIf(isEverythingMissing)("server-everything through the page", () => {
  test("a form, from click to tool result", async () => {
    run = await rig.run(rig.everything());
    const page = await run.open(rig);
    const said = run.call("trigger-elicitation-request");
    await page.getByText("Please provide inputs for the following fields:").waitFor();
    await page.getByLabel("String", { exact: false }).first().fill("Ada Lovelace");
    await integer(page).fill("7");
    await settled(page);
    await button(page, "Submit").click();
    const text = await said;
    expect(text).toContain("Ada Lovelace");
    expect(text).toContain('"integer": 7');
    expect(text).toContain("It was a dark and stormy night.");
    await pasts(page).first().waitFor();
    await expect.poll(() => run!.kept()).toContain('"receipts":["shown","focused","first_input"]');
  });

  test("what the engine does not accept is said while typing, and nothing leaves", async () => {
    run = await rig.run(rig.everything());
    const page = await run.open(rig);
    const said = run.call("trigger-elicitation-request");
    await integer(page).fill("101");
    await page.getByLabel("String with email format").fill("nobody");
    await page.getByLabel("String with uri format").focus();
    await page.getByText(/at most 100/).first().waitFor();
    await settled(page);
    await button(page, "Submit").click();
    await page.getByRole("alert").getByText("Not sent yet").waitFor();
    await page.getByLabel("String", { exact: false }).first().fill("Ada");
    await integer(page).fill("100");
    await page.getByLabel("String with email format").fill("a@example.org");
    await button(page, "Submit").click();
    expect(await said).toContain('"integer": 100');
  });

  test("a page is opened on the click, by nobody else, and the engine knows", async () => {
    run = await rig.run(rig.everything());
    const page = await run.open(rig);
    const said = run.call("trigger-url-elicitation",
      { url: "https://example.com/sign-in", message: "Sign in, please" });
    await settled(page);
    const opened = page.context().waitForEvent("page");
    await page.context().route(/^https?:\/\/(?!127\.)/, (route) => route.fulfill({ body: "<title>elsewhere</title>" }));
    await button(page, /^Open /).click();
    const other = await opened;
    await other.waitForLoadState();
    expect(await other.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
    expect(await run.kept()).toContain('"effect":"open_url"');
    await said;
  });

  test("a page the server waits for is followed to its end, and can be opened again", async () => {
    run = await rig.run(rig.demo("-protocol", "2025-11-25"), "--completion-wait", "30s");
    const page = await run.open(rig);
    await page.context().route(/^https?:\/\/(?!127\.)/, (route) => route.fulfill({ body: "<title>elsewhere</title>" }));
    const said = run.call("connect");
    await settled(page);
    const first = page.context().waitForEvent("page");
    await button(page, /^Open /).click();
    await (await first).close();
    await page.locator("elicit-form").getByText("The server says that the page is finished.").waitFor();
    await said;
    await pasts(page).first().locator("summary").click();
    const second = page.context().waitForEvent("page");
    await button(page, "Open the page again").click();
    await second;
  });

  test("a page can be opened again if its end is told before the answer is confirmed", async () => {
    run = await rig.run(rig.demo("-protocol", "2025-11-25"), "--completion-wait", "30s");
    const page = await run.open(rig);
    await page.context().route(/^https?:\/\/(?!127\.)/, (route) => route.fulfill({ body: "<title>elsewhere</title>" }));
    await page.route("**/answer*", async (route) => {
      const response = await route.fetch();
      await pasts(page).first().getByText("finished", { exact: false }).waitFor({ state: "attached" });
      await route.fulfill({ response });
    });
    const said = run.call("connect");
    await settled(page);
    const first = page.context().waitForEvent("page");
    await button(page, /^Open /).click();
    await (await first).close();
    await said;
    await pasts(page).first().locator("summary").click();
    const second = page.context().waitForEvent("page");
    await button(page, "Open the page again").click();
    await second;
  });

  test("a declined page is not opened", async () => {
    run = await rig.run(rig.everything());
    const page = await run.open(rig);
    const said = run.call("trigger-url-elicitation",
      { url: "https://example.com/sign-in", message: "Sign in, please" });
    await settled(page);
    await button(page, "Decline").click();
    await said;
    expect(page.context().pages()).toHaveLength(1);
    expect(await run.kept()).not.toContain('"effect":"open_url"');
  });
});

describe("one page for every question", () => {
  test.skipIf(isEverythingMissing)("a reload in the middle keeps the draft", async () => {
    run = await rig.run(rig.everything());
    const page = await run.open(rig);
    const said = run.call("trigger-elicitation-request");
    await page.getByLabel("String", { exact: false }).first().fill("half a na");
    await expect.poll(() => run!.kept()).toContain('"event":"drafted"');
    await page.reload();
    const field = page.getByLabel("String", { exact: false }).first();
    await expect.poll(() => field.inputValue()).toBe("half a na");
    await field.fill("a whole name");
    await settled(page);
    await button(page, "Submit").click();
    expect(await said).toContain("a whole name");
  });

  test("two questions queue, are counted, and come in turn", async () => {
    run = await rig.run(rig.demo());
    const page = await run.open(rig);
    const said = run.call("two");
    await expect.poll(() => page.title()).toBe("(2) files asks");
    const later = (await page.locator(".waiting .asked").textContent())!; // the server asks both at once
    await settled(page);
    await button(page, "Decline").click();
    await page.locator("elicit-form").getByText(later).waitFor();
    await expect.poll(() => page.title()).toBe("(1) files asks");
    await settled(page);
    await button(page, "Cancel").click();
    await said;
    await expect.poll(() => pasts(page).locator(".end").allTextContents()).toEqual(["Cancelled", "Declined"]);
  });

  test.skipIf(isEverythingMissing)("a question its asker takes back closes with the reason", async () => {
    run = await rig.run(rig.everything());
    const page = await run.open(rig);
    const stop = new AbortController();
    const said = run.call("trigger-elicitation-request", {}, stop.signal).catch(String);
    await integer(page).fill("9");
    stop.abort();
    await said;
    await page.locator("elicit-form").getByText("This question is closed").waitFor();
    await page.locator("elicit-form").getByText("What you had entered").waitFor();
    await pasts(page).first().getByText("Taken back").waitFor();
    await button(page, "Close").click();
    await page.getByText("Nothing is asked right now").waitFor();
  });

  test("an answer given on one page closes the other", async () => {
    run = await rig.run(rig.demo());
    const first = await run.open(rig);
    const second = await first.context().newPage();
    await second.goto(first.url());
    const said = run.call("deploy");
    await settled(first);
    await settled(second);
    await button(first, "Decline").click();
    await second.locator("elicit-form").getByText("This question is closed").waitFor();
    expect(await said).toContain("Declined");
  });

  test("a refusal and its reason can be read afterwards", async () => {
    const policy = new URL("../../../../testdata/demo/policy.json", import.meta.url).pathname;
    run = await rig.run(rig.demo(), "--policy", policy);
    const page = await run.open(rig);
    await run.call("leak");
    await pasts(page).first().locator("summary").click();
    const entry = pasts(page).first();
    await expect.poll(() => entry.locator(".end").textContent()).toBe("Declined");
    const told = await entry.textContent();
    expect(told).toContain("files, running leak");
    expect(told).toContain("policy");
    expect(told).toContain("Before a personnever");
  });

  test("muting ends what waits", async () => {
    run = await rig.run(rig.demo());
    const page = await run.open(rig);
    const said = run.call("two");
    await page.getByRole("heading", { name: "1 waiting" }).waitFor();
    await page.getByLabel(/hear no more of/).check();
    await settled(page);
    await button(page, "Decline").click();
    await said;
    await expect.poll(() => pasts(page).count()).toBe(2);
  });

  test("time runs down, can be asked for, and ends a question with the reason", async () => {
    run = await rig.run(rig.demo(), "--answer-within", "8s");
    const page = await run.open(rig);
    const first = run.call("deploy");
    await button(page, "More time").click();
    await page.getByRole("timer").getByText(/5:0\d/).waitFor();
    await settled(page);
    await button(page, "Accept").click();
    await first;
    const second = run.call("deploy", { service: "other" });
    await page.locator("elicit-form").getByText("This question is closed").waitFor();
    expect(await second).toContain("ancelled");
    expect(await pasts(page).first().textContent()).toContain("nobody answered in time");
  });

  test.skipIf(isEverythingMissing)("a keyboard is enough", async () => {
    run = await rig.run(rig.everything());
    const page = await run.open(rig);
    const said = run.call("trigger-elicitation-request");
    await settled(page);
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("part") ?? "");
    for (let i = 0; i < 6 && !(await focused()).includes("control"); i++) await page.keyboard.press("Tab");
    expect(await focused()).toContain("control");
    await page.keyboard.type("Ada");
    for (let i = 0; i < 40 && !(await focused()).includes("submit"); i++) await page.keyboard.press("Tab");
    expect(await focused()).toContain("submit");
    await page.keyboard.press("Enter");
    expect(await said).toContain("Ada");
    await page.getByText("Nothing is asked right now").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Who decided").waitFor();
  });

  test("a yes can be remembered for the run", async () => {
    run = await rig.run(rig.demo());
    const page = await run.open(rig);
    const first = run.call("deploy");
    await settled(page);
    await page.getByLabel(/agree to the same question/).selectOption("session");
    await button(page, "Accept").click();
    const said = await first;
    expect(await run.call("deploy")).toBe(said);
    await expect.poll(() => pasts(page).locator(".end").allTextContents()).toEqual(["Accepted", "Accepted"]);
    expect(await pasts(page).first().textContent()).toContain("Before a personnever");
  });

  test("a break in the connection is said, and what came meanwhile appears", async () => {
    run = await rig.run(rig.demo());
    const page = await run.open(rig);
    await page.route("**/events", (route) => route.abort());
    await page.reload();
    await page.getByText("connection lost").waitFor();
    const said = run.call("deploy");
    await page.unroute("**/events");
    await settled(page);
    await button(page, "Decline").click();
    expect(await said).toContain("Declined");
  });

  test("a browser that is told to open the page gets there, and stays in after a reload", async () => {
    run = await rig.run(rig.demo(), "--no-open=false");
    const said = run.call("deploy");
    await expect.poll(() => rig.opened()).toMatch(/\.html$/);
    const page = await (await rig.browser.newContext()).newPage();
    await page.goto(`file://${await rig.opened()}`);
    await settled(page);
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\w+\/$/);
    await page.reload();
    await settled(page);
    await button(page, "Decline").click();
    expect(await said).toContain("Declined");
  });

  test("the end of the run is told", async () => {
    run = await rig.run(rig.demo());
    const page = await run.open(rig);
    await run.close();
    await page.getByText("This run is over").waitFor();
  });
});

describe("nobody else", () => {
  rigged((built) => (rig = built), "whole"); // the browser that people have keeps strangers out

  test("a link opens one page; a second use is not let in, and nobody stays in", async () => {
    run = await rig.run(rig.demo());
    const link = await run.link();
    const page = await run.open(rig);
    const said = run.call("deploy");
    await settled(page);
    const stranger = await (await rig.browser.newContext()).newPage();
    await stranger.goto(link);
    for (const shut of [stranger, page]) await shut.getByText("A fresh link is needed").waitFor();
    expect(new URL(stranger.url()).hash).toBe("");
    await expect.poll(() => run!.link()).not.toBe(link);
    const again = await run.open(rig);
    await settled(again);
    await button(again, "Decline").click();
    expect(await said).toContain("Declined");
  });

  test("a page of another origin can neither read, send nor frame", async () => {
    run = await rig.run(rig.demo());
    const page = await run.open(rig);
    const target = page.url();
    const evil = await page.context().newPage();
    await evil.route("http://127.0.0.1:9/**", (route) => route.fulfill({ contentType: "text/html",
      body: "<title>evil</title>" }));
    await evil.goto("http://127.0.0.1:9/"); // the same site, as browsers count it: only the port differs
    const tried = await evil.evaluate(async (at: string) => {
      const attempt = (path: string, init?: RequestInit) => fetch(at + path,
        { credentials: "include", ...init }).then((r) => `got ${r.status}`, () => "refused");
      return [await attempt(""), await attempt("events"), await attempt("page.js"),
        await attempt("answer", { method: "POST", body: "{}", headers: { "content-type": "application/json" } })];
    }, target);
    expect(tried).toEqual(["refused", "refused", "refused", "refused"]);
    const status = await evil.evaluate(async (at: string) => {
      const blind = await fetch(`${at}answer`, { method: "POST", mode: "no-cors", body: "{}",
        credentials: "include" }).then((r) => r.type, () => "refused");
      const frame = document.createElement("iframe");
      frame.src = at;
      document.body.append(frame);
      await new Promise((resolve) => (frame.onload = resolve));
      return [blind, frame.contentDocument === null];
    }, target);
    expect(status).toEqual(["refused", true]); // the answer is kept from it (CORP), and the frame holds an error page
  });

  test("what a server says is text, wherever it is shown", async () => {
    const line = "<img src=x onerror=document.title='broken'><script>document.title='broken'</script>";
    const ask = (id: number) => ({ jsonrpc: "2.0", id, method: "elicitation/create",
      params: { message: `${line} ${id}`, requestedSchema: { type: "object",
      properties: { [line]: { type: "string", title: line, description: line, default: line } } } } });
    run = await rig.run(await rig.raw([{ when: { tool: "go" }, say: [ask(1), ask(2)] },
      { when: { answer: "2" }, say: [{ jsonrpc: "2.0", id: "$call", result: { content: [] } }] }]));
    const page = await run.open(rig);
    const said = run.call("go").catch(String);
    await page.getByRole("heading", { name: "1 waiting" }).waitFor();
    await settled(page);
    await button(page, "Submit").click();
    await page.getByRole("heading", { name: "1 waiting" }).waitFor({ state: "detached" });
    await pasts(page).first().locator("summary").click();
    await expect.poll(() => pasts(page).first().textContent()).toContain(line);
    expect(await page.locator("main img, main script, elicit-form img, elicit-form script").count()).toBe(0);
    expect(await page.title()).toBe("(1) files asks");
    await run.close();
    await said;
  });

  test.skipIf(isEverythingMissing)("nothing on the page breaks its own policy", async () => {
    run = await rig.run(rig.everything());
    const context = await rig.browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(await run.link());
    const said = run.call("trigger-elicitation-request");
    await settled(page);
    await button(page, "Decline").click();
    await said;
    await pasts(page).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
