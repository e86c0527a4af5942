// Several processes of one server: they share sessions in a store, with each other and with a node in Go.
import { createInterface, type Interface } from "node:readline";
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAsker, type AskerOptions } from "../../dist/ask/index.js";
import { MemoryStore, StoreError, type Store } from "../../dist/store/index.js";
import { RedisStore } from "../../dist/store/redis.js";
import { connect } from "../ask/connect.ts";
import { Rig, isRedisMissing } from "./redis.ts";

const secret = Buffer.alloc(32, 7).toString("base64url");
const keys = [{ id: "k", secret }];
const idIn = (text: string) => /"id":"([^"]+)"/.exec(text)![1]!;
const session = "s";
const none = () => ({ action: "cancel" as const });
function later() {
  let resolve!: (link: string) => void;
  const promise = new Promise<string>((done) => (resolve = done));
  return { promise, resolve };
}
const page = (opened: (link: string) => void): NonNullable<AskerOptions["page"]> => ({
  base: "https://bot.example/ask/",
  opened: ({ link }) => opened(link),
});

test("a model's answer may come to another process, question after question", async () => {
  const store = new MemoryStore();
  const a = await connect(undefined, none, { store, session });
  const b = await connect(undefined, none, { store: store.handle(), session });
  const first = (await a.call("deploy")).content[0]!.text;
  const content = { region: "us", count: 3 };
  const second = (await b.call("elicitation_result", { id: idIn(first), action: "accept", content })).content[0]!.text;
  expect(second).toContain("Run 3 in us?");
  const submit = (node: typeof a, action = "accept") => node.call("elicitation_result", { id: idIn(second), action });
  expect(JSON.parse((await submit(a)).content[0]!.text)).toEqual({ ...content, sure: true });
  expect(await submit(b)).toEqual(await submit(a)); // the response may have been lost
  expect((await submit(b, "decline")).isError).toBe(true); // once
});

test("a page may be answered on another process, and the call that waits goes on", async () => {
  const store = new MemoryStore();
  const opened = later();
  const a = await connect({ form: {}, url: {} }, () => ({ action: "accept" }), { store, page: page(opened.resolve) });
  const b = await connect({ form: {} }, none, { store: store.handle(), page: page(() => {}) });
  const waiting = a.value("key");
  const link = await opened.promise;
  expect(await b.asker.page(link)).toMatchObject({ secret: true, link });
  expect(await b.asker.submit(link, { action: "accept", content: {} })).toMatchObject([{ code: "missing" }]);
  expect(await b.asker.submit(link, { action: "accept", content: { secret: "abcdef" } })).toEqual([]);
  expect(await waiting).toEqual({ length: 6 });
  expect(await b.asker.page(link)).toBeUndefined();
});

test("a process that ends leaves its sessions to the others", async () => {
  const store = new MemoryStore();
  const a = await connect(undefined, none, { store, session });
  const text = (await a.call("size")).content[0]!.text;
  await a.asker.close();
  const b = await connect(undefined, none, { store: store.handle(), session });
  const result = await b.call("elicitation_result", { id: idIn(text), action: "accept", content: { choice: "l" } });
  expect(result.content[0]!.text).toBe('"l"');
});

/** A store that cannot be reached while it is away. */
class Away {
  away = false;
  readonly store: Store;

  constructor(inner: Store) {
    this.store = new Proxy(inner, {
      get: (target, name: keyof Store) => (...args: unknown[]) => {
        if (this.away) throw new StoreError("unavailable", "away");
        return (target[name] as (...all: unknown[]) => unknown)(...args);
      },
    });
  }
}

test("losing the store is an error, and never a silent fallback to memory", async () => {
  const away = new Away(new MemoryStore());
  const { value, asked } = await connect({ form: {} }, () => {
    away.away = false;
    return { action: "accept", content: { choice: "s" } };
  }, { store: away.store });
  away.away = true;
  expect(await value("size")).toEqual({ error: "StoreFailure", code: "store_failed" });
  expect(asked).toEqual([]);
  away.away = false;
  expect(await value("size")).toBe("s");
});

test("an answer that comes while the store is away waits for it", async () => {
  const away = new Away(new MemoryStore());
  const { value } = await connect({ form: {} }, () => {
    away.away = true;
    setTimeout(() => (away.away = false), 50); // the loop tries again until then
    return { action: "accept", content: { choice: "s" } };
  }, { store: away.store });
  expect(await value("size")).toBe("s");
});

test("an answer counts once, also when both processes take it at the same time", async () => {
  const store = new MemoryStore();
  const a = await connect(undefined, none, { store, session });
  const b = await connect(undefined, none, { store: store.handle(), session });
  for (let round = 0; round < 5; round++) {
    const id = idIn((await a.call("size")).content[0]!.text);
    const results = await Promise.all([a, b, a, b].map((node, i) =>
      node.call("elicitation_result", { id, action: "accept", content: { choice: i < 2 ? "l" : "s" } })));
    const texts = results.map((result) => result.content[0]!.text).filter((text) => text.startsWith('"'));
    expect(new Set(texts).size).toBe(1); // who gave the answer that counts gets the result
  }
});

/** A node of the same server in Go. */
class GoNode {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly lines: AsyncIterator<string>;

  constructor(rig: Rig, program: string, prefix: string, page: string) {
    this.child = rig.child(program, rig.socket, prefix, secret, page) as typeof this.child;
    const lines: Interface = createInterface({ input: this.child.stdout });
    this.lines = lines[Symbol.asyncIterator]();
  }

  async do(doing: object): Promise<Record<string, any>> {
    this.child.stdin.write(`${JSON.stringify(doing)}\n`);
    return JSON.parse((await this.lines.next()).value as string) as Record<string, any>;
  }
}

let rig: Rig;
let program: string;
beforeAll(async () => {
  if (isRedisMissing) return;
  rig = await Rig.start();
  program = rig.program("asknode");
});
afterAll(() => rig?.close());

/** A node here and one in Go, with one Redis. */
async function both(prefix: string, ...[elicitation, answer, options]: Parameters<typeof connect>) {
  const store = await RedisStore.open(await rig.client(), { prefix });
  const here = await connect(elicitation, answer, { ...options, store, keys, session });
  return { ...here, store, go: new GoNode(rig, program, prefix, options?.page?.base ?? "") };
}

test.skipIf(isRedisMissing)("asked here, answered on a node in Go", async () => {
  const { call, go } = await both("here", undefined, none);
  const text = (await call("size")).content[0]!.text;
  const content = { choice: "xl" };
  const answer = { op: "submit", version: "2025-11-25", session, id: idIn(text), action: "accept", content };
  expect((await go.do(answer))["refused"]).toContain("choice");
  expect(await go.do({ ...answer, content: { choice: "l" } })).toEqual({ choice: "l" });
  const { entries } = await go.do({ op: "history" });
  expect(entries).toMatchObject([{ tool: "size", text: "Which size?", outcome: "accept", body: { effect: "settle" } }]);
  expect(JSON.stringify(entries)).not.toContain('"choice"');
});

test.skipIf(isRedisMissing)("asked on a node in Go, answered here", async () => {
  const { call, go, store } = await both("go", undefined, none);
  const { result } = await go.do({ op: "call", version: "2025-11-25", session });
  const id = idIn(result.content[0].text);
  const done = await call("elicitation_result", { id, action: "accept", content: { choice: "s" } });
  expect(done.content[0]!.text).toBe('"s"');
  const entries = [];
  for await (const entry of store.history()) entries.push(entry);
  expect(entries).toMatchObject([{ tool: "size", text: "Which size?", outcome: "accept" }]);
});

test.skipIf(isRedisMissing)("a call that waits here goes on when a node in Go takes the page", async () => {
  const opened = later();
  const { value, go } = await both("page", { form: {}, url: {} }, () => ({ action: "accept" }), {
    page: page(opened.resolve),
  });
  const waiting = value("key");
  const link = await opened.promise;
  expect(await go.do({ op: "answer", link, action: "accept", content: {} })).toEqual({ problems: 1 });
  expect(await go.do({ op: "answer", link, action: "accept", content: { secret: "abcdef" } })).toEqual({ problems: 0 });
  expect(await waiting).toEqual({ length: 6 });
});

test("another process takes a question back, and the history says who did it", async () => {
  const store = new MemoryStore();
  let asked!: () => void;
  const open = new Promise<void>((resolve) => (asked = resolve));
  const { call } = await connect({ form: {} }, (_, __, signal) => {
    asked();
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("over"))));
  }, { store, session: "s", principal: () => "ann" });
  const there = await createAsker({ server: { name: "deploy-bot" }, store: store.handle() });
  const result = call("deploy");
  await open;
  expect((await there.openQuestions("eve")).questions).toEqual([]);
  const { questions: [question] } = await there.openQuestions("ann");
  expect(question).toMatchObject({ message: "Where should it run?", caller: "ann", target: "deploy" });
  expect(await there.cancel(question!.id, "ops")).toBe(true);
  expect((await result).content[0]!.text).toContain("CancelledError");
  expect(await there.cancel(question!.id, "ops")).toBe(false);
  const bodies: string[] = [];
  for await (const { body } of store.history()) bodies.push(new TextDecoder().decode(body));
  expect(bodies).toEqual([expect.stringContaining('"by":"ops"')]);
  await there.close();
});
