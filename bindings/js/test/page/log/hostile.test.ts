import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { chain, opened, question } from "./journal.ts";
import { logRigged, type LogRig } from "./rig.ts";
import { night } from "../../once/once.ts";

let rig: LogRig;
logRigged((built) => (rig = built));

const hostile = [
  "</script><script>globalThis.owned = 1</script>", "<img src=x onerror=globalThis.owned=1>", "<!--<script>", "-->",
  "line\u2028separator\u2029paragraph", "right\u202eto\u2066left\u200b", "a\u0000b\u001b[2J", "&lt;b&gt;", "{{x}} ${y}",
  "javascript:alert(1)", "\ufeff\u{e0041}", "‮gnp.exe",
];

test("text of a journal is never markup, and hides nothing", async () => {
  const records = hostile.flatMap((text, i) =>
    [opened(`s${i}`, text), ...question(`s${i}`, text, text, "accept", text)]);
  const path = await rig.page(await rig.file("hostile.jsonl", chain(records)));
  const file = await readFile(path, "utf8");
  expect(file).not.toMatch(/owned|onerror=|gnp|javascript:/);
  expect(file.match(/<script[ >]/g)).toHaveLength(3);
  const page = await rig.open(path);
  const options = await page.locator("[role=option]").allInnerTexts();
  expect(options.length).toBe(hostile.length);
  const all = options.join("\n");
  expect(all).toContain("</script><script>globalThis.owned = 1</script>");
  expect(all).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u0000\u001b]/);
  expect(all).toContain("<U+202E>");
  for (let i = 0; i < hostile.length; i++) {
    await page.locator("[role=option]").nth(i).click();
    await page.locator("#detail summary").first().click();
    const raw = (await page.locator("#detail pre").first().textContent())!;
    expect(raw).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u0000\u001b]/);
    expect(JSON.parse(raw)).toMatchObject({ event: { message: hostile[i] } });
  }
  expect(await page.evaluate(() => "owned" in globalThis)).toBe(false);
  expect(await page.locator("main img, main script, #list :not(div, span, bdi)").count()).toBe(0);
  expect(await rig.axe(page)).toEqual([]);
});

test("the page's policy forbids a network, other scripts, and markup of texts", async () => {
  const page = await rig.open(await rig.page(await rig.file("small.jsonl", chain([opened("a", "b")]))));
  const tried = await page.evaluate(async () => {
    const refused = (url: string) => fetch(url).then(() => "fetched", () => "refused");
    const markup = () => {
      try {
        document.body.innerHTML = "<b>x</b>";
        return "made";
      } catch {
        return "refused";
      }
    };
    const script = document.createElement("script");
    const image = new Image();
    const load = new Promise((resolve) => {
      image.onload = () => resolve("loaded");
      image.onerror = () => resolve("refused");
      image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
    });
    const module = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
      .then(() => "compiled", () => "refused");
    let text = "made";
    try {
      script.text = "globalThis.owned = 1";
      document.body.append(script);
    } catch {
      text = "refused";
    }
    return [await refused("https://example.org/"), await refused("data:,x"), await load, markup(), text, module];
  });
  expect(tried).toEqual(["refused", "refused", "refused", "refused", "refused", "refused"]);
});

night("a page of 100,000 records stays usable", async () => {
  const records = [opened("a", "git"), ...Array.from({ length: 33_334 }, (_, i) =>
    question("a", String(i), `Question number ${i} of many?`, i % 3 === 0 ? "decline" : "accept",
      `tool-${i % 40}`)).flat()];
  const path = await rig.page(await rig.file("many.jsonl", chain(records)));
  const page = await rig.open(path);
  expect(await page.locator(".verdict").textContent()).toContain("each of 100,003 records");
  expect(await page.locator("#found").textContent()).toBe("33,334 questions");
  const drawn = () => page.locator("*").count();
  expect(await drawn()).toBeLessThan(1000);
  await page.locator("#list").focus();
  await page.keyboard.press("End");
  await page.locator("[role=option][aria-selected=true]").getByText("Question number 33333 of many?").waitFor();
  expect(await page.locator("[role=option][aria-selected=true]").getAttribute("aria-posinset")).toBe("33334");
  await page.getByLabel("Search").fill("number 20001 of");
  expect(await page.locator("#found").textContent()).toBe("1 of 33,334 questions");
  await page.getByLabel("Search").fill("");
  await page.getByLabel("Show").selectOption("entries");
  expect(await page.locator("#found").textContent()).toBe("100,003 records");
  await page.locator("#over-time .columns span").last().click();
  await page.locator("[role=option]").last().waitFor();
  expect(Number(await page.locator("[role=option]").last().getAttribute("aria-posinset"))).toBeGreaterThan(98_000);
  expect(await drawn()).toBeLessThan(1000);
}, 300_000);
