import { chmod, mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chain, opened, question } from "./journal.ts";
import { logRigged, wasm, type LogRig } from "./rig.ts";
import { night } from "../../once/once.ts";

const folder = process.env["PICTURES"] ?? fileURLToPath(new URL("../../../dist/pictures", import.meta.url));

let rig: LogRig;
logRigged((built) => (rig = built));

const field = (page: Page, label: string) => page.locator("#search").getByLabel(label);

/** Two servers, with answers of every kind. */
const story = () => chain([
  opened("a", "git"), opened("b", "backup"),
  ...question("a", "1", "Push to main?", "accept", "push"),
  ...question("b", "1", "Delete the copy of Monday?", "decline", "prune"),
  ...question("a", "2", "Force the push?", "cancel", "push"),
  ...question("a", "3", "Which branch holds the release?", "accept", "tag"),
  { event: { event: "asked", session: "b", ref: "2", side: "answering", mode: "form", message: "Still open?" },
    effects: [{ effect: "show", session: "b", ref: "2", id: "id-b-2", kind: "confirm", findings: [], reasons: [] }] },
]);

/** A page whose records are changed after the command wrote it. */
async function changed(path: string, change: (records: string) => string): Promise<string> {
  const text = await readFile(path, "utf8");
  return rig.file("changed.html", text.replace(/(class="records">)([^<]*)/, (_, begin: string, data: string) => {
    const records = gunzipSync(Buffer.from(data, "base64")).toString();
    return begin + gzipSync(change(records)).toString("base64");
  }));
}

test("the page shows, counts, filters and verifies", async () => {
  const page = await rig.open(await rig.page(await rig.file("story.jsonl", story())));
  const verification = page.locator("#verification");
  await expect.poll(() => verification.textContent()).toContain("computed the hash of each of 15 records");
  expect(await verification.textContent()).toContain("15 records hold, in an unbroken chain.");
  expect(await verification.textContent()).toContain("nothing was replayed");
  expect(await page.locator("#found").textContent()).toBe("5 questions");
  const charts = await page.locator("#charts").innerText();
  expect(charts).toMatch(/accept\s+2\s[^]*no reply\s+1[^]*git\s+3[^]*backup\s+2[^]*1 to 3 s\s+4/);
  expect(charts).toContain("Median: 1.0 s");

  await field(page, "Search").fill("PUSH main");
  expect(await page.locator("#found").textContent()).toBe("1 of 5 questions");
  await page.locator("[role=option]").click();
  const detail = page.locator("#detail");
  expect(await detail.innerText()).toContain("“Push to main?”");
  expect(await detail.innerText()).toContain("replied accept: the person decided");
  await detail.getByText("Record 3 as it is").click();
  expect(JSON.parse((await detail.locator("pre").textContent())!)).toMatchObject({ seq: 3, event: { tool: "push" } });

  await field(page, "Search").fill("");
  await field(page, "Outcome").selectOption("none");
  expect(await page.locator("[role=option]").allInnerTexts()).toEqual([expect.stringContaining("Still open?")]);
  await field(page, "Outcome").selectOption("");
  await field(page, "Server").selectOption({ label: "backup" });
  expect(await page.locator("#found").textContent()).toBe("2 of 5 questions");
  await field(page, "Server").selectOption("");
  await field(page, "Show").selectOption("entries");
  expect(await page.locator("#found").textContent()).toBe("15 records");
  expect(await page.locator("[role=option]").first().innerText()).toContain("git connected");
});

test("the page finds a hash that was kept", async () => {
  const records = story();
  const hash = (i: number) => /"hash":"(\w+)"/.exec(records.at(i)!)![1]!;
  const page = await rig.open(await rig.page(await rig.file("kept.jsonl", records)));
  const look = async (text: string) => {
    await page.getByLabel("A head that you kept").fill(text);
    await page.getByRole("button", { name: "Look for it" }).click();
    return page.locator("form.kept p").textContent();
  };
  expect(await look(hash(-1))).toBe("It is the hash of the last record of the page, in kept.jsonl.");
  expect(await look(hash(-3).toUpperCase())).toBe("It is the hash of a record with 2 records after it, in kept.jsonl.");
  expect(await look("0".repeat(64))).toBe("No record of this page has that hash.");
  expect(await look("abc")).toBe("A head has 64 hex digits.");
});

test.each([
  ["an edited record", (text: string) => text.replace("Force", "Farce"), "record 9 was changed after it was written"],
  ["a missing record", (text: string) => text.split("\n").filter((_, i) => i !== 4).join("\n"),
    "number 6 stands in place of record 5"],
  ["a cut record", (text: string) => text.slice(0, -100), "what stands in place of record 15 is not a whole record"],
  ["a missing line end", (text: string) => text.slice(0, -1), "record 15 is cut off"],
  ["a record of another chain", (text: string) => {
    const lines = text.split("\n");
    const other = chain(Array(6).fill(opened("c", "other")))[5]!.trimEnd();
    return [...lines.slice(0, 5), other, ...lines.slice(6)].join("\n");
  }, "record 6 does not follow the record before it"],
])("the browser itself finds %s", async (_, change, problem) => {
  const path = await rig.page(await rig.file("whole.jsonl", story()));
  const page = await rig.open(await changed(path, change));
  expect(await page.locator(".verdict.bad").textContent()).toBe("1 of 1 journal does not hold.");
  expect(await page.locator("#verification").textContent()).toContain(problem);
});

test("records cut from the end are told by the head that the command found", async () => {
  const path = await rig.page(await rig.file("long.jsonl", story()));
  const page = await rig.open(await changed(path, (text) => text.split("\n").slice(0, 10).join("\n") + "\n"));
  expect(await page.locator("#verification").textContent())
    .toContain("The head is not the one that the command found.");
});

test("a broken journal fails the command, and its page says so", async () => {
  const broken = await rig.file("broken.jsonl", story().join("").replace("Force", "Farce"));
  const { failed, stderr } = await rig.elicit("log", "--html", `${broken}.html`, "--module", "none", broken);
  expect(failed).toBe(true);
  expect(stderr).toContain("record 9 was changed");
  const page = await rig.open(`${broken}.html`);
  const text = await page.locator("#verification").textContent();
  expect(text).toContain("8 records hold. Then the journal does not: record 9 was changed after it was written.");
  expect(text).toContain("The command stopped there:");
});

test("a page with filters has nothing of other questions, and says what it cannot show", async () => {
  const path = await rig.page(await rig.file("some.jsonl", story()), "--server", "backup", "--outcome", "decline");
  const data = [...(await readFile(path, "utf8")).matchAll(/class="(?:words|records)">([^<]*)/g)]
    .map(([, text]) => gunzipSync(Buffer.from(text!, "base64")).toString());
  expect(data).toHaveLength(2);
  expect(data.join("")).not.toMatch(/push|git|Still open/);
  const page = await rig.open(path);
  expect(await page.locator("#about").textContent()).toContain("--server backup --outcome decline");
  expect(await page.locator("#verification").textContent()).toContain(
    "3 records hold; 2 of them directly after the one before. " +
      "The page has 3 of 15 records: it cannot show that the others hold.");
});

test("the engine replays a journal that it wrote, and says when another made it", async () => {
  const answers = await rig.file("answers.json", '[{"answer":{"action":"accept"}}]');
  const real = await rig.elicit("ask", "--message", "Deploy now?", "--answers", answers, "--journal", "real.jsonl");
  expect(real.failed).toBe(false);
  const journal = `${rig.folder}/real.jsonl`;
  const page = await rig.open(await rig.page(journal, "--module", wasm));
  const text = await page.locator("#verification").textContent();
  expect(text).toMatch(/The engine replayed \d+ records and made the same effects byte for byte\./);
  expect(text).toMatch(/a module with the SHA-256 [0-9a-f]{64}/);
  const forged = await rig.open(await rig.page(await rig.file("forged.jsonl", story()), "--module", wasm));
  expect(await forged.locator("#verification").textContent())
    .toMatch(/(would have written record 1 differently|The engine refuses)/);
});

test("a keyed journal holds without its key, and the page says who verified the codes", async () => {
  const answers = await rig.file("answers.json", '[{"answer":{"action":"accept"}}]');
  const key = await rig.file("key", "k".repeat(32));
  await chmod(key, 0o600);
  await rig.elicit("ask", "--message", "Deploy now?", "--answers", answers, "--journal", "keyed", "--journal-key", key);
  const journal = `${rig.folder}/keyed`;
  expect(await readFile(journal, "utf8")).toContain(',"mac":"');
  const found = async (...flags: string[]) =>
    (await rig.open(await rig.page(journal, ...flags))).locator("#verification").textContent();
  const verified = await found("--journal-key", key, "--module", wasm);
  expect(verified).toMatch(/\d+ records hold, in an unbroken chain\. *The engine replayed \d+ records/);
  expect(verified).toContain("The command verified the code of every record with the key; the page cannot.");
  expect(await found()).toContain("The command had no key, so nobody has verified the codes.");
});

/** A longer story, for pictures. */
const busy = () => chain([
  opened("git", "git"), opened("db", "postgres"), opened("k8s", "cluster"), opened("mail", "mail"),
  ...Array.from({ length: 60 }, (_, i) => {
    const [session, message, tool] = ([
      ["git", `Push ${i + 1} commits to main?`, "push"], ["db", "Drop the table sessions_old?", "query"],
      ["k8s", "Scale billing to 3 replicas?", "scale"], ["git", "Force the push?", "push"],
      ["mail", "Send the report to everybody?", "send"], ["k8s", "Restart the ingress?", "restart"],
    ] as const)[(7 * i + (i >> 2)) % 6]!;
    return question(session, String(i), message, i % 5 === 1 ? "decline" : i % 11 === 3 ? "cancel" : "accept", tool);
  }).flat(),
  { event: { event: "closed", session: "git", cause: "shutdown" } },
], (i) => [...Array(i).keys()].reduce(
  (at, k) => at + (k % 3 === 0 ? 9e3 * (k % 7) ** 3 : 900 * (k % 13)), 1_790_000_000_000));

const views = [
  { name: "log-light", colorScheme: "light", viewport: { width: 1180, height: 900 } },
  { name: "log-dark", colorScheme: "dark", viewport: { width: 1180, height: 900 } },
  { name: "log-narrow", colorScheme: "light", viewport: { width: 360, height: 780 } },
] as const;

night.each(views)("everybody can use it: $name", async ({ name, ...view }) => {
  await mkdir(folder, { recursive: true });
  const page = await rig.open(await rig.page(await rig.file("today.jsonl", busy())), view);
  expect(await rig.axe(page)).toEqual([]);
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.locator("#list").screenshot(); // the browser has drawn it
  await page.getByText("What was verified, and by what").click();
  await page.locator("#detail summary").first().click();
  expect(await rig.axe(page)).toEqual([]);
  await page.getByText("What was verified, and by what").click();
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(sideways), "nothing sticks out sideways").toBeLessThanOrEqual(0);
  await field(page, "Search").fill("no such thing");
  expect(await rig.axe(page)).toEqual([]);
});

test("several journals stand in one timeline, and one that does not hold is listed first", async () => {
  const early = chain([opened("e", "early"), ...question("e", "1", "First?", "accept")]);
  const late = chain([opened("l", "late"), ...question("l", "1", "Third?", "accept")], (i) => 1_790_000_009_000 + i);
  const between = chain([opened("m", "between"), ...question("m", "1", "Second?", "decline")],
    (i) => 1_790_000_005_000 + i);
  const folder = `${rig.folder}/home/elicit/journal`;
  await mkdir(folder, { recursive: true });
  const broken = [...early.slice(0, -1), early.at(-1)!.replace("id-", "ID-")];
  for (const [name, lines] of Object.entries({ a: between, b: broken, c: late })) {
    await rig.file(`home/elicit/journal/20260921T00000${name}Z-${name}.jsonl`, lines);
  }
  const { stdout } = await rig.elicit("log", "--utc", "--module", "none", "--html", "all.html");
  expect(stdout).toContain("wrote all.html: 11 records");
  const page = await rig.open(`${rig.folder}/all.html`);
  expect(await page.locator("[role=option] .what").allTextContents()).toEqual(["First?", "Second?", "Third?"]);
  expect(await page.locator("#verification tbody th").first().textContent()).toContain("b.jsonl");
  expect(await page.locator(".verdict.bad").textContent()).toBe("1 of 3 journals does not hold.");
});
