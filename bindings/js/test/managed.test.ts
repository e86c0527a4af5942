import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { Engine } from "../dist/index.js";
import { readManaged } from "../dist/managed.js";

const root = process.getuid?.() === 0;
const declines = '{"version":1,"rules":[{"name":"closed","when":{},"then":"decline"}]}';

function place(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "managed-"));
  fs.chmodSync(dir, 0o755);
  return path.join(dir, "managed.json");
}

function read(file: string, platform = "linux"): ReturnType<typeof readManaged> {
  return readManaged(fs as unknown as Parameters<typeof readManaged>[0], platform, file);
}

describe("the managed policy of a machine", () => {
  it("is no layer when there is no file", () => {
    expect(read(place())).toEqual({});
    expect(read("/missing/directory/managed.json")).toEqual({});
  });

  it.skipIf(!root)("is a layer when root wrote it", async () => {
    const file = place();
    fs.writeFileSync(file, declines, { mode: 0o644 });
    const policy = read(file);
    expect(policy).toEqual({ managed_text: declines, managed_path: file });
    await decidesAgainstTheUser(policy, "closed");
  });

  const faults: Record<string, (file: string) => void> = {
    "others may write it": (file) => fs.chmodSync(file, 0o666),
    "another user owns it": (file) => fs.chownSync(file, 65534, 65534),
    "another user owns its directory": (file) => fs.chownSync(path.dirname(file), 65534, 65534),
    "others may write its directory": (file) => fs.chmodSync(path.dirname(file), 0o777),
    "it is a link": (file) => {
      fs.renameSync(file, `${file}.other`);
      fs.symlinkSync(`${file}.other`, file);
    },
    "it has two names": (file) => fs.linkSync(file, `${file}.other`),
    "it is a directory": (file) => {
      fs.rmSync(file);
      fs.mkdirSync(file);
    },
    "it is not UTF-8": (file) => fs.writeFileSync(file, new Uint8Array([0xff, 0xfe])),
  };
  for (const [name, change] of Object.entries(faults)) {
    it.skipIf(!root)(`declines everything when ${name}`, async () => {
      const file = place();
      fs.writeFileSync(file, declines.replace("decline", "accept"), { mode: 0o644 });
      change(file);
      await decidesAgainstTheUser(read(file), "managed-policy-unusable");
    });
  }

  it.skipIf(!root)("opens no engine when it is cut", async () => {
    const file = place();
    fs.writeFileSync(file, '{"version":1', { mode: 0o644 });
    await expect(Engine.open({ policy: read(file) })).rejects.toThrow("json_truncated at /policy/managed");
  });

  it.skipIf(!root)("declines everything on Windows, where Node reads no owners", async () => {
    const file = place();
    fs.writeFileSync(file, "{}", { mode: 0o644 });
    await decidesAgainstTheUser(read(file, "win32"), "managed-policy-unusable");
  });
});

async function decidesAgainstTheUser(policy: ReturnType<typeof readManaged>, why: string): Promise<void> {
  const user = { version: 1 as const, rules: [{ when: {}, then: "accept" as const }] };
  using engine = await Engine.open({ policy: { ...policy, user } });
  engine.step({
    event: "opened", session: "s", server: "x", side: "answering", declared: ["form"], shown: ["form"],
  });
  const effects = engine.step({
    event: "asked", session: "s", ref: "1", mode: "form", message: "Go on?",
    schema: { type: "object", properties: {} },
  });
  const reply = effects.find((effect) => effect.effect === "reply");
  expect(reply?.outcome).toBe("decline");
  expect(JSON.stringify(reply)).toContain(why);
}
