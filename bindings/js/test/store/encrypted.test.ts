// An encrypted store: the bytes that it keeps at rest, and the bytes that it refuses. Package store/encrypted of Go
// writes the same.
import { expect, test } from "vitest";
import { Engine } from "../../dist/index.js";
import { EncryptedStore, type Secrets } from "../../dist/store/encrypted.js";
import { MemoryStore, StoreError, type Entry, type Query, type Store } from "../../dist/store/index.js";

type Key = Secrets["keys"][number];
const engine = await Engine.open();
const filled = (letter: string) => new Uint8Array(32).fill(letter.charCodeAt(0));
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (given: Uint8Array | undefined) => new TextDecoder().decode(given);
const names = filled("n");
const old: Key = { id: "2026", secret: filled("k") };
const later: Key = { id: "2027", secret: filled("l") };

// Go wrote these for the session "Ännchen", with the secrets `names` and `old`.
const name = "dAfT0Xcbwcl3e8E-XruHr6XV9q4HQu3B";
const state = Buffer.from(
  "AGVTMQQyMDI2eya4+2E+jWdbcoZqp2LLLaarCsvrh2Qv9LZCcnDtCO8blZWjo1M/Mlz5tiTg5Z00qe9cJXWGI6Uf", "base64");
const version = 1000 * 1024;
const entry = {
  id: "FPVJh1cQN33E3IK8fEZUTxhrCb5-nLiz", at: 7, server: "kL9cjKaFe0CTvebniaMHooi8kg75gvkC",
  outcome: "E1m56uqd7dcaPKX8-JVnQerhPqqowjm5", body: Buffer.from(
    "AGVTMQQyMDI2P3EDv4BkXh2vcJI2HMBr0sfHtDyJtTL8pFN7KnbhWyoL2hnRiNhzo6JNchDswW9ln049ruB9E4GcIi9jORwP7BOoR7EcTbQfPc" +
    "IVlMRJmWvye9lt18I+w5Kv8hwRyXw6P0y5na4ttEYHzib6FG3BVhDa6digxe3QHmIoBP59GRfmUyWDVAhF3mERPnXe1zkiSsSdDVO1/MrfwXDm" +
    "ILnik8A=", "base64"),
};

const wrapped = (inner: Store, ...keys: Key[]) =>
  EncryptedStore.open(inner, { names, keys: keys.length ? keys : [old] }, engine);
const load = async (inner: Store, ...keys: Key[]) => (await wrapped(inner, ...keys)).load("Ännchen");

/** A store in memory as Go left it. */
async function written(kept: Uint8Array = state): Promise<MemoryStore> {
  const inner = new MemoryStore();
  await inner.commit({ session: name, from: 0, version: 1000 * 1024, now: 1000, state: kept, entries: [entry] });
  return inner;
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}

const codeOf = (doing: Promise<unknown>) =>
  doing.then(() => "none", (error: unknown) => error instanceof StoreError ? error.code : String(error));

test("what Go wrote is opened", async () => {
  const store = await wrapped(await written());
  expect(text((await store.load("Ännchen"))?.state)).toBe("the state");
  const found = await all(store.history({ server: "bot", outcome: "accept", text: "go on" }));
  expect(found).toEqual([{
    session: "Ännchen", id: "q1", at: 7, server: "bot", tool: "", outcome: "accept", text: "Go on?",
    body: bytes("{}"),
  } satisfies Entry]);
});

test("what was changed, moved or is not ours is refused", async () => {
  for (const at of [5, 20, state.length - 1]) {
    const changed = Uint8Array.from(state, (byte, i) => (i === at ? byte ^ 1 : byte));
    expect(await codeOf(load(await written(changed)))).toBe(at === 5 ? "key" : "tampered");
  }
  for (let at = 4; at < 42; at++) // cut in its header
    expect(await codeOf(load(await written(state.subarray(0, at))))).toBe("tampered");
  expect(await codeOf(load(await written(bytes("{}"))))).toBe("plain");
  expect(await codeOf(load(await written(), later))).toBe("key");

  const inner = await written();
  const store = await wrapped(inner);
  await store.commit({ session: "other", from: 0, version: 1000 * 1024, now: 1000, state: bytes("of the other") });
  const kept = inner.load.bind(inner);
  inner.load = async (at) => ({ ...(await kept(at))!, state });
  expect(await codeOf(store.load("other"))).toBe("tampered");
});

test("records that are moved, repeated or left out are refused", async () => {
  const inner = new MemoryStore();
  const store = await wrapped(inner);
  const records = ["one", "two", "three"].map(bytes);
  await store.commit({ session: "s", from: 0, version: 1000 * 1024, now: 1000, state: bytes("x"), records });
  expect((await all(store.journal("s"))).map(({ line }) => text(line))).toEqual(["one", "two", "three"]);
  const journal = inner.journal.bind(inner);
  for (const order of [[0, 2], [1, 0, 2], [0, 1, 1, 2]]) {
    inner.journal = async function* (session, after) {
      const lines = await all(journal(session, after));
      for (const i of order) yield lines[i]!;
    };
    expect(await codeOf(all(store.journal("s")))).toBe("tampered");
  }
});

test("keys rotate", async () => {
  const inner = await written();
  const store = await wrapped(inner, later, old);
  expect(text((await store.load("Ännchen"))?.state)).toBe("the state");
  const next = { session: "Ännchen", from: version, version: version + 1, now: 2000 };
  await store.commit({ ...next, state: bytes("a later state") });
  expect(text((await load(inner, later))?.state)).toBe("a later state");
  expect(await codeOf(load(inner))).toBe("key");
});

test.each([
  [new Uint8Array(31), [old]], [names, []], [names, [old, old]], [names, [{ id: "", secret: filled("k") }]],
  [names, [{ id: "k".repeat(256), secret: filled("k") }]], [names, [{ id: "k", secret: new Uint8Array(31) }]],
])("weak secrets are refused: %#", async (weak, keys) => {
  expect(await codeOf(EncryptedStore.open(new MemoryStore(), { names: weak, keys }, engine))).toBe("invalid");
});

test("a name that is no Unicode has no code, because it could be the code of another", async () => {
  const store = await wrapped(new MemoryStore());
  expect(await codeOf(store.load("\ud800"))).toBe("invalid");
  expect(await codeOf(all(store.history({ tool: "a\udfff" } satisfies Query)))).toBe("invalid");
});

test("nothing is kept in clear", async () => {
  const inner = new MemoryStore();
  const commit = inner.commit.bind(inner);
  let kept = "";
  inner.commit = (change) => {
    kept += JSON.stringify(change, (_, value: unknown) => value instanceof Uint8Array ? text(value) : value);
    return commit(change);
  };
  const secret = (what: string) => bytes(`SECRET-${what}`);
  await (await wrapped(inner)).commit({
    session: "SECRET-session", from: 0, version: 1000 * 1024, now: 1000, state: secret("state"),
    records: [secret("record")],
    entries: [{
      id: "SECRET-id", at: 1, server: "SECRET-server", tool: "SECRET-tool", outcome: "SECRET-outcome",
      text: "SECRET-text", body: secret("answer"),
    }],
  });
  expect(kept).toContain("records");
  expect(kept).not.toContain("SECRET");
});
