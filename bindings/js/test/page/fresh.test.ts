import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Go programs embed what was built from here, and go build cannot know whether it is fresh. */
test("the embedded pages are what these sources make", () => {
  const script = fileURLToPath(new URL("../../scripts/page.mjs", import.meta.url));
  const told = execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(told).toMatch(/^form.js: \d+ bytes, \d+ gzipped/m);
});
