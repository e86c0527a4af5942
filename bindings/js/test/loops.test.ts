// The vectors of connections through the loop. internal/hostkit plays the peers, the clock and the disk.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test("the vectors of connections run through the loop", () => {
  const args = ["run", "./internal/hostkit", "-host", "JavaScript", process.execPath, "bindings/js/test/hostkit.mjs"];
  const { status, stdout, stderr } = spawnSync("go", args, { cwd: root, encoding: "utf8" });
  expect(status, stdout.slice(-4000) + stderr).toBe(0);
  const [, ran] = /(\d+) of \d+ scripts passed/.exec(stdout)!;
  console.log(`vectors through the loop of node: ${ran}`);
  expect(Number(ran)).toBeGreaterThan(3000);
});
