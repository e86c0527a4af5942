import { afterAll, beforeAll, expect, test } from "vitest";
import { Engine, type Effect, type RelayEffect, type Show } from "../../dist/index.js";
import { mount, openRig, type Rig } from "./rig.ts";
import { smallDiff } from "./part-samples.ts";

let rig: Rig;
beforeAll(async () => void (rig = await openRig()));
afterAll(() => rig.close());

const form = () => rig.page.locator("elicit-form");
const shown = (effects: readonly (Effect | RelayEffect)[]) => effects.find((e): e is Show => e.effect === "show")!;

test("what the engine says of the parts and of the changes is drawn", async () => {
  using engine = await Engine.open({ show_changes: true });
  const session = "s";
  engine.step({ event: "opened", session, server: "codex", side: "answering", declared: ["form"], shown: ["form"] });
  const ask = (ref: string, place: string) => shown(engine.step({
    event: "asked", session, ref, mode: "form", claim: "approval", tool: "exec", does: "command",
    command: `deploy --to ${place}`, cwd: "/srv/shop",
    message: `Roll out the release.\n\ndeploy --to ${place}\n\nIn /srv/shop\n\n${smallDiff.trimEnd()}`,
    parts: [{ is: "text", lines: 2 }, { is: "command", lines: 2 }, { is: "directory", lines: 2 },
      { is: "diff", lines: smallDiff.trimEnd().split("\n").length }],
    schema: { type: "object", properties: {} },
  }));
  const { id } = ask("1", "staging");
  engine.step({ event: "answered", session, id, action: "accept", content: {} });
  const show = ask("2", "production");
  expect(show.does).toBe("command");
  await mount(rig, { question: show });
  expect(await form().locator(".directory").textContent()).toBe("Directory: /srv/shop");
  expect(await form().locator(".run.added").count()).toBe(1);
  expect(await form().getByRole("group", { name: "Command" }).locator("ins, del").allTextContents())
    .toEqual(["staging", "production"]);
});

test("a permission of an ACP agent is drawn with the files that it changes", async () => {
  using engine = await Engine.open();
  const relay = engine.relay({ server: "agent", protocol: "acp", modes: ["form"],
    session: { version: "1", declared: ["form"] } });
  const content = [{ type: "diff", path: "/w/a", oldText: "one\ntwo\n", newText: "one\n2\n" },
    { type: "diff", path: "/w/b", newText: "b" }];
  const params = { sessionId: "s1", toolCall: { toolCallId: "t1", title: "Fix it", kind: "edit", content },
    options: [{ optionId: "allow", name: "Allow", kind: "allow_once" }] };
  const request = { jsonrpc: "2.0", id: 9, method: "session/request_permission", params };
  const show = shown(relay.receive("server", JSON.stringify(request)));
  await mount(rig, { question: show });
  expect(await form().locator(".fold summary code").allTextContents()).toEqual(["/w/a:2", "/w/b:1"]);
  expect(await form().locator(".run.added").allTextContents()).toEqual(["+ 2", "+ b"]);
});
