// Serves stores to testdata/storecheck, which holds them to the rules that the stores in Go keep.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { createClient } from "redis";
import { MemoryStore } from "../../dist/store/index.js";
import { Engine } from "../../dist/index.js";
import { EncryptedStore } from "../../dist/store/encrypted.js";
import { PostgresStore } from "../../dist/store/postgres.js";
import { RedisStore } from "../../dist/store/redis.js";
import { SqliteStore } from "../../dist/store/sqlite.js";

const [kind, path] = process.argv.slice(2);
const client = kind === "redis" && (await createClient({ socket: { path } }).connect());
const pool = kind === "postgres" && new pg.Pool({ connectionString: path, max: 60 });
const folder = kind === "sqlite" && mkdtempSync(join(tmpdir(), "s-"));
const secret = new Uint8Array(32).fill(7);
const engine = kind === "encrypted" && (await Engine.open());
const shared = new Map();
const handles = new Map();
const watches = new Map();

async function open(data) {
  if (client) return RedisStore.open(client, { prefix: data });
  if (pool) return PostgresStore.open(pool, { schema: data });
  if (folder) return SqliteStore.open(resolve(folder, data), { poll: 1 });
  if (!shared.has(data)) shared.set(data, new MemoryStore());
  const store = shared.get(data).handle();
  if (kind !== "encrypted") return store;
  return EncryptedStore.open(store, { names: secret, keys: [{ id: "k", secret }] }, engine);
}

/** Names in Go begin with a capital, and bytes are in base64. */
const small = (value) => {
  if (Array.isArray(value)) return value.map(small);
  if (value === null || typeof value !== "object") return value;
  const names = Object.entries(value).filter(([name, member]) => name === "Body" || member !== null);
  return Object.fromEntries(names.map(([name, member]) => {
    const spelled = name === "ID" ? "id" : name[0].toLowerCase() + name.slice(1);
    if (["state", "body"].includes(spelled)) return [spelled, Buffer.from(member ?? "", "base64")];
    return [spelled, spelled === "records" ? member.map((one) => Buffer.from(one, "base64")) : small(member)];
  }));
};
const plain = (value) => JSON.stringify(value, (_, member) => {
  if (member instanceof Uint8Array) return Buffer.from(member).toString("base64");
  return member;
});

async function all(list) {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
}

async function perform({ id, handle, data, method, args }) {
  if (method === "open") return void handles.set(handle, await open(data));
  if (method === "unwatch") return void watches.get(args[0])?.();
  const store = handles.get(handle);
  const given = small(args);
  if (method === "watch") {
    watches.set(id, await store.watch(given[0], (version) => console.log(plain({ wake: id, version }))));
    return;
  }
  const result = store[method](...given);
  return method === "journal" || method === "history" ? all(result) : result;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  perform(request).then(
    (value) => console.log(plain({ id: request.id, value: value ?? null })),
    (error) => console.log(plain({ id: request.id, error: error.code ?? String(error.stack) })),
  );
}
process.exit(0);
