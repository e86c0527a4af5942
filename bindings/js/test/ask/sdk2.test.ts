// The official SDK 2.x on both ends: rounds of 2026-07-28, and requests of 2025-11-25.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, expect, test } from "vitest";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

type Message = { method?: string; params?: Record<string, unknown>; result?: Record<string, unknown> };
type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, string | number | boolean> };

async function connect(
  version: string,
  elicitation: { form?: {}; url?: {} } | undefined,
  answer: (question: { message: string; url?: string }) => Answer,
  ...args: string[]
) {
  const client = new Client(
    { name: "c", version: "1" },
    {
      capabilities: elicitation ? { elicitation } : {},
      versionNegotiation: { mode: version === "2026-07-28" ? { pin: version } : "legacy" },
    },
  );
  const asked: string[] = [];
  if (elicitation)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return answer(params as { message: string; url?: string });
    });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL("server2.mjs", import.meta.url)), ...args],
  });
  const wire: Message[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message, ...more) => (wire.push(message as Message), send(message, ...more));
  await client.connect(transport);
  const receive = transport.onmessage!.bind(transport);
  transport.onmessage = (message, ...more: []) => (wire.push(message as Message), receive(message, ...more));
  ends.push(() => client.close());
  const text = async (name: string, args: Record<string, unknown> = {}) =>
    ((await client.callTool({ name, arguments: args })) as { content: { text: string }[] }).content[0]!.text;
  return { client, asked, wire, text, value: async (name: string) => JSON.parse(await text(name)) as unknown };
}

const region = ({ message }: { message: string }): Answer =>
  message.startsWith("Where") ? { action: "accept", content: { region: "eu" } } : { action: "accept" };

test("2026-07-28: each question ends the call, and the client carries sealed answers", async () => {
  const { value, asked, wire } = await connect("2026-07-28", { form: {} }, region);
  expect(await value("deploy")).toEqual({ region: "eu", count: 2, sure: true });
  expect(asked).toEqual(["Where should it run?", "Run 2 in eu?"]);
  const calls = wire.filter((m) => m.method === "tools/call").map((m) => m.params!);
  expect(calls).toHaveLength(3);
  const states = calls.slice(1).map((params) => params["requestState"] as string);
  for (const state of states) expect(state).toMatch(/^e1\.[\w-]+$/);
  expect(new Set(states).size).toBe(2);
});

test("2026-07-28: a state of another call is refused", async () => {
  const { client, wire, value } = await connect("2026-07-28", { form: {} }, region);
  await value("deploy");
  const { requestState } = wire.filter((m) => m.method === "tools/call").at(-1)!.params as { requestState: string };
  const again = { name: "size", arguments: {}, requestState, inputResponses: {} };
  await expect(client.request({ method: "tools/call", params: again } as never)).rejects.toThrow("requestState");
});

test.each([[], ["store"]])("2026-07-28: a state counts once %s", async (...words) => {
  const { client, wire, value, asked } = await connect("2026-07-28", { form: {} }, region, ...words);
  await value("deploy");
  const again = wire.filter((m) => m.method === "tools/call").at(-1)!.params;
  expect(again).toHaveProperty("requestState");
  await expect(client.request({ method: "tools/call", params: again } as never)).rejects.toThrow("requestState");
  expect(asked).toHaveLength(2);
});

test("2026-07-28: a secret comes from the server's page", async () => {
  const { value, asked } = await connect("2026-07-28", { form: {}, url: {} }, () => ({ action: "accept" }));
  expect(await value("key")).toEqual({ length: 6 });
  expect(asked).toEqual(["Your key?"]);
});

test("2026-07-28: a client with nothing gets a text for the model", async () => {
  const { client, text } = await connect("2026-07-28", undefined, region, "no page");
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("elicitation_result");
  const id = (said: string) => /"id":"([^"]+)"/.exec(said)![1]!;
  const first = await text("deploy");
  const second = await text("elicitation_result", { id: id(first), action: "accept", content: { region: "us" } });
  expect(second).toContain("Run 2 in us?");
  const result = await text("elicitation_result", { id: id(second), action: "accept" });
  expect(JSON.parse(result)).toMatchObject({ region: "us", sure: true });
});

test("2025-11-25: the same tools ask by requests", async () => {
  const { value, asked, wire } = await connect("2025-11-25", { form: {}, url: {} }, region);
  expect(await value("deploy")).toEqual({ region: "eu", count: 2, sure: true });
  expect(await value("key")).toEqual({ length: 6 });
  expect(asked).toHaveLength(3);
  expect(wire.filter((m) => m.method === "tools/call")).toHaveLength(2);
});

test("2026-07-28: half of a surrogate pair in a state or a response is an invalid parameter", async () => {
  const { client, wire, value } = await connect("2026-07-28", { form: {} }, region);
  await value("deploy");
  const last = wire.filter((m) => m.method === "tools/call").at(-1)!.params!;
  const responses = { "q1.0": { action: "accept", content: { region: "\ud800" } } };
  for (const part of [{ requestState: "e1.\ud800" }, { inputResponses: responses }])
    await expect(client.request({ method: "tools/call", params: { ...last, ...part } } as never))
      .rejects.toMatchObject({ code: -32602 });
});
