// What a store tells of its calls.
import { expect, test } from "vitest";
import { log, MemoryStore, observe, ping, StoreCounters, StoreError, type StoreCall } from "../../dist/store/index.js";

const change = { session: "s", from: 0, version: 1, now: 1, state: new Uint8Array(1), records: [new Uint8Array(1)] };

test("each call is counted by its result", async () => {
  const counters = new StoreCounters();
  const calls: StoreCall[] = [];
  const store = observe(new MemoryStore(), counters.count, (call) => calls.push(call));
  await ping(store);
  await store.commit(change);
  await expect(store.commit(change)).rejects.toMatchObject({ code: "conflict" });
  expect(await store.redeem("id", 1, 2)).toBe(true);
  expect(await store.redeem("id", 1, 2)).toBe(false);
  await store.due(1, 0, 1);
  (await store.watch("s", () => {}))();
  for await (const line of store.journal("s")) expect(line.version).toBe(1);
  for await (const _ of store.history({ limit: 1 }));
  await store.close();
  await expect(ping(store)).rejects.toBeInstanceOf(StoreError);
  expect(counters.all).toEqual({
    "load ok": 1, "commit ok": 1, "commit conflict": 1, "redeem ok": 1, "redeem redeemed": 1, "due ok": 1,
    "watch ok": 1, "journal ok": 1, "history ok": 1, "load closed": 1,
  });
  expect(calls[0]).toMatchObject({ method: "load", session: "ping/", result: "ok" });
  expect(calls.every(({ took }) => took >= 0)).toBe(true);
});

test("a reader that stops early is told of, and an error with its reason", async () => {
  const lines: [string, string][] = [];
  const to = { debug: (_: string, call: StoreCall) => lines.push(["debug", call.result]),
    warn: (_: string, call: StoreCall) => lines.push(["warn", call.result]) };
  const inner = new MemoryStore();
  const store = observe(inner, log(to as Pick<Console, "debug" | "warn">));
  await store.commit({ ...change, records: [new Uint8Array(1), new Uint8Array(1)] });
  for await (const _ of store.journal("s")) break;
  inner.load = () => Promise.reject(new StoreError("unavailable", "away"));
  await expect(store.load("s")).rejects.toThrow("away");
  inner.load = () => Promise.reject(new Error("anything"));
  await expect(store.load("s")).rejects.toThrow("anything");
  expect(lines).toEqual([["debug", "ok"], ["debug", "ok"], ["warn", "unavailable"], ["warn", "failed"]]);
});
