import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changed, command, interrupt, longPatch, patch, permissions } from "./part-samples.ts";
import { mount, openRig, type Mounting, type Rig } from "./rig.ts";
import { arabic, everyday, everything, link, secret } from "./samples.ts";

/** Pictures are kept where PICTURES says (docs/ when they are to be renewed), else among what is built. */
const folder = process.env["PICTURES"] ?? fileURLToPath(new URL("../../dist/pictures", import.meta.url));
const inFiveMinutes = () => Date.now() + 297_000;

const shots: [name: string, view: { width: number; scheme?: "dark" }, properties: Record<string, unknown>,
  options?: Mounting][] = [
  ["form-light", { width: 760 }, { question: everyday, extendable: true }],
  ["form-dark", { width: 760, scheme: "dark" }, { question: everyday, extendable: true }],
  ["form-narrow", { width: 360 }, { question: everyday, extendable: true }],
  ["form-arabic", { width: 760 }, { question: arabic }, { lang: "ar" }],
  ["form-link", { width: 760 }, { question: link }],
];
if (process.env["PICTURES"] === undefined) {
  shots.push(["form-patch", { width: 760 }, { question: patch }],
    ["form-patch-folded", { width: 760 }, { question: longPatch }],
    ["form-patch-dark", { width: 760, scheme: "dark" }, { question: patch }],
    ["form-patch-narrow", { width: 360 }, { question: patch }],
    ["form-patch-arabic", { width: 760 }, { question: longPatch }, { lang: "ar" }],
    ["form-json", { width: 760 }, { question: interrupt, draft: { json: '{\n  "rooms": ["A-17"],\n}' } }],
    ["form-command", { width: 760 }, { question: command }],
    ["form-command-narrow-dark", { width: 360, scheme: "dark" }, { question: command }],
    ["form-permissions", { width: 760 }, { question: permissions }],
    ["form-permissions-narrow", { width: 360 }, { question: permissions }, { lang: "de" }],
    ["form-changed", { width: 760 }, { question: changed }],
    ["form-changed-dark", { width: 760, scheme: "dark" }, { question: changed }, { lang: "zh" }]);
  shots.push(["form-everything", { width: 760 }, { question: everything }],
    ["form-secret", { width: 760, scheme: "dark" }, { question: secret }, { lang: "de" }]);
}

let rig: Rig;
beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  rig = await openRig();
});
afterAll(() => rig.close());

test.each(shots)("picture %s", async (name, view, properties, options) => {
  await rig.page.setViewportSize({ width: view.width, height: 900 });
  await rig.page.emulateMedia({ colorScheme: view.scheme ?? "light" });
  await rig.reload();
  await mount(rig, { ...properties, deadline: inFiveMinutes() }, options);
  if (name === "form-json") await rig.page.getByRole("button", { name: "Submit" }).click();
  const picture = await rig.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  expect(picture.length).toBeGreaterThan(5_000);
  const { scroll, client } = await rig.page.evaluate(() => ({ scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth }));
  expect(scroll, "nothing sticks out sideways").toBeLessThanOrEqual(client);
  expect(rig.complaints.splice(0)).toEqual([]);
});
