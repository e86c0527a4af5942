// The stores keep the rules that the stores in Go keep: testdata/storecheck has them.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryStore, StoreError } from "../../dist/store/index.js";
import { RedisStore } from "../../dist/store/redis.js";
import { Rig, isRedisMissing } from "./redis.ts";

const bridge = fileURLToPath(new URL("bridge.mjs", import.meta.url));
let rig: Rig;
let check: string;
beforeAll(async () => {
  if (isRedisMissing) return;
  rig = await Rig.start();
  check = rig.program("storecheck");
  await rig.client(); // the server is there
});
afterAll(() => rig?.close());

const kinds = [["memory"], ["encrypted"], ["redis"]];
test.skipIf(isRedisMissing).each(kinds)("the store %s keeps every rule", async (kind) => {
  const program = promisify(execFile)(check, [process.execPath, bridge, kind, rig.socket]);
  const { stdout } = await program.catch((error: { stdout: string }) => error);
  const lines = stdout.trim().split("\n");
  expect(lines.filter((line) => !line.startsWith("holds "))).toEqual([]);
  expect(lines.length).toBeGreaterThan(25);
});

test.skipIf(isRedisMissing)("a server that may evict sessions, and one of a newer program, are refused", async () => {
  const client = await rig.client();
  await client.set("later:format", "2");
  await expect(RedisStore.open(client, { prefix: "later" })).rejects.toMatchObject({ code: "newer" });
  await expect(RedisStore.open(client, { prefix: "a{b}" })).rejects.toMatchObject({ code: "invalid" });
  await client.configSet({ maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" });
  await expect(RedisStore.open(client)).rejects.toThrow("noeviction");
  await client.configSet({ maxmemory: "0", "maxmemory-policy": "noeviction" });
});

test("a closed store is an error with a code", async () => {
  const store = new MemoryStore();
  await store.close();
  await expect(store.load("a")).rejects.toThrow(StoreError);
  await expect(store.load("a")).rejects.toMatchObject({ code: "closed" });
});
