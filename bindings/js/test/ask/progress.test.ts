// A client that gave a progress token hears that a person thinks: the official SDKs 1.x and 2.x on both ends.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { connect, ends } from "./connect.ts";

type Heard = { progress: number; message?: string | undefined };
const three = [1, 2, 3].map((progress) => ({ progress, message: "Waiting for the person to answer." }));

/** Declines when the client has heard of progress three times. */
function thinker() {
  const heard: Heard[] = [];
  let enough!: () => void;
  const waits = new Promise<void>((resolve) => (enough = resolve));
  const onprogress = (said: Heard) => void (heard.push(said) === 3 && enough());
  return { heard, onprogress, answer: () => waits.then(() => ({ action: "decline" as const })) };
}

test("SDK 1.x: a client hears of progress while a person thinks, and nothing after the response", async () => {
  const { heard, onprogress, answer } = thinker();
  const { client } = await connect({ form: {} }, answer, { progress: 100 });
  const wire: { method?: string; result?: unknown }[] = [];
  const receive = client.transport!.onmessage!;
  client.transport!.onmessage = (message, ...more) => (wire.push(message as never), receive(message, ...more));
  await client.callTool({ name: "deploy", arguments: {} }, undefined, { onprogress });
  await client.ping();
  expect(heard.slice(0, 3)).toEqual(three);
  const order = wire.map(({ method, result }) => method ?? (result && "result"));
  expect(order.lastIndexOf("notifications/progress")).toBeLessThan(order.indexOf("result"));
});

test("SDK 2.x: a client hears of progress while a person thinks", async () => {
  const { heard, onprogress, answer } = thinker();
  const client = new Client({ name: "c", version: "1" }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", answer);
  const server = fileURLToPath(new URL("server2.mjs", import.meta.url));
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, "progress"] }));
  ends.push(() => client.close());
  await client.callTool({ name: "deploy", arguments: {} }, { onprogress });
  expect(heard.slice(0, 3)).toEqual(three);
});
