import { expect, test } from "vitest";

test("the entry loads", async () => {
  await expect(import("../../src/form/index.ts")).resolves.toBeDefined();
});
