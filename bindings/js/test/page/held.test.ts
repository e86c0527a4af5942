import { expect, test } from "vitest";
import { button, rigged, settled, type Rig } from "./rig.ts";

let rig: Rig;
rigged((built) => (rig = built));

test("the model reads the note of a person who declines its call", async () => {
  const run = await rig.run(rig.demo(), "--hold-calls");
  const page = await run.open(rig);
  const said = run.call("deploy", { service: "shop" });
  await page.getByText('deploy: {"service":"shop"}').first().waitFor();
  await settled(page);
  await page.locator("summary", { hasText: "Add a note" }).click();
  await page.locator("#note").fill("Not on a Friday.");
  await button(page, "Decline").click();
  expect(await said).toBe("The user declined this tool call. The user says: Not on a Friday.");
});

test("the server gets the arguments that the person made, after policy has let them pass", async () => {
  const policy = `${rig.folder}/no-bank.json`;
  const { writeFile } = await import("node:fs/promises");
  await writeFile(policy, JSON.stringify({ version: 1, rules: [{ name: "no-bank", when: { message: "*bank*" },
    then: "decline" }] }));
  const run = await rig.run(rig.demo(), "--hold-calls", "--policy", policy);
  const page = await run.open(rig);
  const said = run.call("deploy", { service: "shop" });
  await page.getByText('deploy: {"service":"shop"}').first().waitFor();
  await settled(page);
  await page.locator("summary", { hasText: "Edit the arguments" }).click();
  await page.locator("#arguments").fill('{"service": "bank"}');
  await button(page, "Accept").click();
  await page.getByText("A policy does not allow the call with these arguments").first().waitFor();
  await page.locator("#arguments").fill('{"service": "shop", "fast": true}');
  await button(page, "Accept").click();
  await page.getByText("Deploy shop to production?").first().waitFor(); // the server's own question
  await settled(page);
  await button(page, "Decline").click();
  expect(await said).toBe("Declined: nothing was done.");
  expect(await run.kept()).toContain('"arguments":{"service":"shop","fast":true}');
});
