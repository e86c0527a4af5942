// The handler by itself, where no SDK is needed to see what it does.
import { expect, test } from "vitest";
import { Engine } from "../../dist/index.js";
import { elicitationHandler } from "../../dist/mcp/index.js";
import { until } from "../until.ts";
import { person, roomy } from "./person.ts";

const request = { params: { message: "Go on?", requestedSchema: { type: "object", properties: {} } } };
const entry = { method: "elicitation/create", params: request.params };
const taker = () => person((question) => void question.accept({}));

test("each connection of a handler begins a chain in the journal", async () => {
  const engine = await Engine.open(roomy);
  const chains: string[] = [];
  const journal = {
    begin: () => void chains.push(""),
    append: async (line: string) => void (chains[chains.length - 1] += line + "\n"),
  };
  const handler = elicitationHandler(engine, taker().ui, { journal });
  expect(chains).toEqual([]);
  for (let connection = 1; connection <= 2; connection++) {
    expect(await handler(request)).toEqual({ action: "accept", content: {} });
    expect(await handler.responses({ a: entry })).toEqual({ a: { action: "accept", content: {} } });
    await handler.close();
    expect(chains).toHaveLength(connection);
  }
  for (const chain of chains) expect(engine.eval("replay", { journal_text: chain })).toEqual({ records: 7 });
});

test("a journal that fails refuses what is asked, and every later question", async () => {
  let left = 2;
  const failed: string[] = [];
  const journal = { append: () => (left-- > 0 ? undefined : Promise.reject(new Error("disk full"))) };
  const { ui, seen } = taker();
  const handler = elicitationHandler(await Engine.open(roomy), ui, { journal, failed: (why) => failed.push(why.name) });
  for (let i = 0; i < 2; i++) {
    await expect(handler(request)).rejects.toMatchObject({
      code: -32603,
      data: { problems: [{ code: "journal_failed" }] },
    });
    await expect(handler.responses({ a: entry })).rejects.toMatchObject({ code: -32603 });
  }
  expect([seen, failed]).toEqual([[], ["JournalError"]]);
  await handler.close();
});

test("an instance that breaks ends every handler of its engine, and no other", async () => {
  const engine = await Engine.open(roomy);
  const failed: string[] = [];
  const { ui, seen } = person(() => {});
  const handler = elicitationHandler(engine, ui, { failed: (why) => failed.push(why.name) });
  const asked = [handler(request), handler.responses({ a: entry })];
  await until(() => expect(seen).toEqual(["show Go on?"]));
  engine.close(); // as a trap would
  await expect(handler(request)).rejects.toMatchObject({ name: "EngineFault" });
  for (const one of await Promise.allSettled(asked)) expect(one).toMatchObject({ reason: { name: "EngineFault" } });
  expect([seen, failed]).toEqual([["show Go on?", "withdraw shutdown"], ["EngineFault"]]);
  await handler.close();
  await expect(handler(request)).rejects.toMatchObject({ name: "EngineFault" });
  const other = elicitationHandler(await Engine.open(roomy), taker().ui);
  expect(await other(request)).toMatchObject({ action: "accept" });
  await other.close();
});

test("the version is asked for at the first question of each connection", async () => {
  let version: string | undefined;
  const handler = elicitationHandler(await Engine.open(roomy), taker().ui, { version: () => version });
  const page = { params: { mode: "url", message: "Sign in.", url: "https://bank.example.com/sign-in" } };
  await expect(handler(page)).rejects.toMatchObject({
    code: -32602,
    data: { problems: [{ code: "missing", pointer: "/elicitationId" }] },
  });
  version = "2026-07-28";
  await handler.close();
  expect(await handler(page)).toEqual({ action: "accept" });
  await handler.close();
});

test("answers need the principal that the handler was given, and the ui's have it", async () => {
  const handler = elicitationHandler(await Engine.open(roomy), taker().ui, { principal: "ada" });
  expect(await handler(request)).toMatchObject({ action: "accept" });
  await handler.close();
});

test("a request that was given up before it came is not asked, and one that is given up is taken back", async () => {
  const { ui, seen } = person(() => {});
  const handler = elicitationHandler(await Engine.open(roomy), ui);
  await expect(handler(request, { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
  const leaving = new AbortController();
  const both = [
    handler(request, { signal: leaving.signal }),
    handler.responses({ a: entry, b: entry }, { mcpReq: { signal: leaving.signal } }),
  ];
  await until(() => expect(seen).toHaveLength(1));
  leaving.abort(new Error("gone"));
  for (const one of await Promise.allSettled(both)) expect(one).toMatchObject({ reason: { message: "gone" } });
  await until(() => expect(seen.join()).toMatch(/^(show Go on\?,withdraw peer_cancelled,?)+$/));
  const before = seen.length;
  const next = handler(request);
  await until(() => expect(seen).toHaveLength(before + 1));
  await handler.close();
  await expect(next).rejects.toThrow("the connection is closed");
  expect(seen.at(-1)).toBe("withdraw session_closed");
});
