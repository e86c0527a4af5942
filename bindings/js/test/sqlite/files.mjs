// Opens SQLite files that are no store or that others use: files.mjs FOLDER. It needs a Node that has SQLite.
import assert from "node:assert/strict";
import { chmodSync, copyFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { SqliteStore } from "../../dist/store/sqlite.js";

const folder = process.argv[2];
const at = (name) => join(folder, name);
const all = async (list) => {
  const found = [];
  for await (const one of list) found.push(one);
  return found;
};

// Files that are no store are refused, each with its code.
const refused = { later: "newer", theirs: "invalid", open: "invalid", text: "unavailable" };
for (const [name, change] of [["later", "user_version = 3"], ["theirs", "application_id = 1"]]) {
  await (await SqliteStore.open(at(name))).close();
  const db = new DatabaseSync(at(name));
  db.exec(`PRAGMA ${change}`);
  db.close();
}
writeFileSync(at("open"), "", { mode: 0o644 });
chmodSync(at("open"), 0o644);
writeFileSync(at("text"), "this is not a database, and it is long enough", { mode: 0o600 });
for (const [name, code] of Object.entries(refused)) await assert.rejects(SqliteStore.open(at(name)), { code }, name);
assert.equal(statSync(at("later")).mode & 0o777, 0o600);

// A file of the first schema, which Go wrote, goes on.
copyFileSync(fileURLToPath(new URL("../../../../testdata/kept/sessions.sqlite", import.meta.url)), at("first"));
chmodSync(at("first"), 0o600);
const first = await SqliteStore.open(at("first"));
const time = 1_790_000_060_000;
const due = await first.due(time, 0, 100);
assert.ok(due.length > 4);
for (const session of due) {
  const { version, state, next } = await first.load(session);
  assert.equal(next, time);
  assert.equal(Buffer.from((await all(first.journal(session)))[2].line).toString(), '{"third":3}');
  await first.commit({ session, from: version, version: version + 1, now: time, state });
}
assert.equal((await all(first.history({ text: "go ON" }))).length, due.length);
assert.equal(await first.redeem("spent", 1, time * 2), false);
await first.close();

// A file that another program has locked is unavailable for a while, a newer schema is met at the next commit, and the
// library may be another one.
const store = await SqliteStore.open(at("s"), { busy: 1, open: (path) => new DatabaseSync(path) });
const commit = (from, version) =>
  store.commit({ session: "a", from, version, now: 1, state: new Uint8Array([1]) });
await commit(0, 5);
const db = new DatabaseSync(at("s"));
db.exec("BEGIN IMMEDIATE");
await assert.rejects(commit(5, 6), { code: "unavailable" });
assert.equal((await store.load("a")).version, 5);
db.exec("ROLLBACK");
await commit(5, 6);
db.exec("UPDATE clock SET schema = 3");
await assert.rejects(commit(6, 7), { code: "newer" });
assert.equal((await store.load("a")).version, 6);
db.close();
await store.close();

// A file that is deleted or replaced is of no use to those who have it open: later processes have another one.
const replaced = {
  gone: rmSync, other: (path) => renameSync(at("new"), path),
  link: (path) => (rmSync(path), symlinkSync(at("s"), path)),
};
symlinkSync(at("target"), at("link"));
await (await SqliteStore.open(at("new"))).close();
for (const [name, replace] of Object.entries(replaced)) {
  const store = await SqliteStore.open(at(name), { poll: 1 });
  const put = (from, version) => store.commit({ session: "a", from, version, now: 1, state: new Uint8Array([1]) });
  await put(0, 1);
  let wake;
  const woken = new Promise((done) => (wake = done));
  await store.watch("b", () => wake());
  replace(at(name));
  await assert.rejects(put(1, 2), { code: "unavailable" }, name);
  await assert.rejects(store.load("a"), { code: "unavailable" }, name);
  await woken;
  await store.close();
}

// The folder of a process may change.
process.chdir(folder);
const relative = await SqliteStore.open("relative");
process.chdir("/");
assert.equal(await relative.load("a"), undefined);
await relative.close();
