// The clock of this page stands still, so that a busy machine changes nothing.
import { afterAll, beforeAll, expect, test } from "vitest";
import { mount, openRig, told, type Rig } from "./rig.ts";
import { confirmation } from "./samples.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
  await rig.page.clock.install({ time: 0 });
  await rig.reload();
  await rig.page.clock.pauseAt(3_600_000);
});
afterAll(() => rig.close());

const answers = () => told(rig, "elicit-answer");
const accept = () => rig.page.getByRole("button", { name: "Accept" }).click();
const ready = () => rig.page.locator("elicit-form").evaluate((form) => form.hasAttribute("ready"));

test.each(["Enter", "Escape", " ", "Control+Enter"])(
  "%s in the first moments was meant for something else",
  async (key) => {
    await mount(rig, { question: { ...confirmation, id: "k" + key } }, { settled: false });
    await rig.page.evaluate(() => document.querySelector("elicit-form")!.focus());
    for (const passed of [0, 599]) {
      await rig.page.clock.runFor(passed);
      await rig.page.keyboard.press(key);
      await accept();
      expect([await answers(), await ready()]).toEqual([[], false]);
    }
    await rig.page.clock.runFor(1);
    expect(await ready()).toBe(true);
    await accept();
    expect(await answers()).toMatchObject([{ action: "accept" }]);
  },
);

test("another question settles anew, and the same one does not", async () => {
  const show = (id: string) =>
    rig.page.evaluate(
      async (question) => {
        await Object.assign(document.querySelector("elicit-form")!, { question }).updateComplete;
      },
      { ...confirmation, id } as object,
    );
  await mount(rig, { question: { ...confirmation, id: "first" } }, { settled: false });
  await rig.page.clock.runFor(400);
  await show("second");
  await rig.page.clock.runFor(599);
  expect(await ready()).toBe(false);
  await rig.page.clock.runFor(1);
  expect(await ready()).toBe(true);
  await show("second");
  expect(await ready()).toBe(true);
  await show("third");
  await accept();
  expect([await answers(), await ready()]).toEqual([[], false]);
});
