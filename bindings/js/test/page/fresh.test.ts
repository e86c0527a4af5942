import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The command embeds what was built from here; go build cannot know whether it still is. */
test("the embedded page is what these sources make", () => {
  const script = fileURLToPath(new URL("../../scripts/page.mjs", import.meta.url));
  expect(execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" })).toMatch(/^page.js: \d+ bytes, \d+ gzipped/);
});
