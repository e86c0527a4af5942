// The official TypeScript SDK 2.x on both ends: rounds of 2026-07-28, and 2025-11-25, with our handler in its client.
import { fileURLToPath } from "node:url";
import { Client, type CallToolResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, test } from "vitest";
import { Engine } from "../../dist/index.js";
import { elicitationHandler, type InputRequests } from "../../dist/mcp/index.js";
import { person, roomy } from "./person.ts";
import { until } from "../until.ts";

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: Record<string, unknown> };

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function connect(who: ReturnType<typeof person>, version: string, autoFulfill = true) {
  const handler = elicitationHandler(await Engine.open(roomy), who.ui, {
    server: "travel", version: () => client.getNegotiatedProtocolVersion()
  });
  const client: Client = new Client(
    { name: "ours", version: "1" },
    {
      capabilities: { elicitation: handler.capability },
      versionNegotiation: { mode: version === "2026-07-28" ? { pin: version } : "legacy" },
      inputRequired: { autoFulfill },
    },
  );
  client.setRequestHandler("elicitation/create", handler);
  client.setNotificationHandler("notifications/elicitation/complete", handler.completed);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL("server2.mjs", import.meta.url))]
  });
  const wire: { sent: Message[]; got: Message[] } = { sent: [], got: [] };
  const send = transport.send.bind(transport);
  transport.send = (message, ...more) => (wire.sent.push(message as Message), send(message, ...more));
  await client.connect(transport);
  const receive = transport.onmessage!.bind(transport);
  transport.onmessage = (message, ...more: []) => (wire.got.push(message as Message), receive(message, ...more));
  client.onclose = handler.close;
  ends.push(() => client.close());
  return { client, handler, wire };
}

const text = (result: unknown) =>
  JSON.parse((result as { content: { text: string }[] }).content[0]!.text) as Record<string, unknown>;

test("rounds: each call again has a new id, the state as it came, and only what was asked last", async () => {
  const who = person((question) =>
    void question.accept(question.show.message === "Where?" ? { city: "Oslo" } : { nights: 3 }));
  const { client, wire } = await connect(who, "2026-07-28");
  const result = text(await client.callTool({ name: "book" }));
  expect(result).toMatchObject({ city: "Oslo", nights: 3 });
  expect(who.seen).toEqual(["show Where?", "show How long in Oslo?"]);
  const calls = wire.sent.filter((m) => m.method === "tools/call");
  expect(new Set(calls.map((m) => m.id)).size).toBe(3);
  const state = wire.got.map((m) => m.result?.["requestState"]).find((s) => s !== undefined);
  expect(calls.map((m) => m.params!["requestState"])).toEqual([undefined, undefined, state]);
  expect(result["state"]).toBe(state);
  expect(calls.map((m) => m.params!["inputResponses"])).toEqual([
    undefined,
    { where: { action: "accept", content: { city: "Oslo" } } },
    { nights: { action: "accept", content: { nights: 3 } } },
  ]);
});

test("rounds: a refusal, and a page without an id", async () => {
  const who = person((question) => void (question.show.mode === "url" ? question.accept() : question.decline()));
  const { client } = await connect(who, "2026-07-28");
  expect(text(await client.callTool({ name: "book" }))).toEqual({ where: "decline" });
  expect(text(await client.callTool({ name: "visit" }))).toEqual({ action: "accept" });
  expect(who.seen.at(-1)).toBe("open https://bank.example.com/sign-in");
});

test("rounds: a call that is given up takes its question away", async () => {
  const who = person(() => {});
  const { client } = await connect(who, "2026-07-28");
  const leaving = new AbortController();
  const call = client.callTool({ name: "book" }, { signal: leaving.signal });
  await until(() => expect(who.seen).toEqual(["show Where?"]));
  leaving.abort();
  await expect(call).rejects.toThrow();
  await until(() => expect(who.seen.at(-1)).toBe("withdraw peer_cancelled"));
});

test("rounds that a client makes by itself are answered by the same handler", async () => {
  const who = person((question) =>
    void question.accept(question.show.message === "Where?" ? { city: "Rome" } : { nights: 1 }));
  const { client, handler } = await connect(who, "2026-07-28", false);
  let params: Record<string, unknown> & { name: string } = { name: "book" };
  for (let round = 0; round < 3; round++) {
    type Result = { resultType?: string; inputRequests?: InputRequests; requestState?: string };
    const result = (await client.callTool(params, { allowInputRequired: true })) as Result;
    if (result.resultType !== "input_required") {
      expect(text(result)).toMatchObject({ city: "Rome", nights: 1 });
      return;
    }
    const { requestState } = result;
    const inputResponses = await handler.responses(result.inputRequests ?? {});
    params = { name: "book", inputResponses, ...(requestState !== undefined && { requestState }) };
  }
  throw new Error("it never ended");
});

test("a server that asks for something else gets no answers at all", async () => {
  const who = person(() => {});
  const { handler } = await connect(who, "2026-07-28", false);
  const empty = { type: "object", properties: {} };
  const asks = {
    a: { method: "elicitation/create", params: { message: "Hm?", requestedSchema: empty } },
    b: { method: "sampling/createMessage" },
  };
  await expect(handler.responses(asks)).rejects.toThrow("b asks for sampling/createMessage");
  const count = (word: string) => who.seen.filter((s) => s.startsWith(word)).length;
  await until(() => expect(count("show")).toBe(count("withdraw")));
});

test("2025-11-25: the same tools ask by request", async () => {
  const who = person((question) => void question.accept(question.show.message === "Where?" ? { city: "Oslo" } : {}));
  const { client, wire } = await connect(who, "2025-11-25");
  const result: CallToolResult = await client.callTool({ name: "book" });
  expect(text(result)).toMatchObject({ city: "Oslo", nights: 2 });
  expect(wire.got.filter((m) => m.method === "elicitation/create")).toHaveLength(2);
});
