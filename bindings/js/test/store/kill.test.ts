// Processes of a server over HTTP that are killed between a question and its answer. Another one goes on.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Rig, isRedisMissing } from "./redis.ts";

const program = fileURLToPath(new URL("httpnode.mjs", import.meta.url));
const secret = Buffer.alloc(32, 9).toString("base64url");

/** The process that has the next request. */
let node: { port: number; kill(): Promise<void> };
let rig: Rig;

async function start(): Promise<void> {
  const child = rig.child(process.execPath, program, rig.socket, secret);
  const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
  const over = once(child, "exit");
  node = { port: Number(line), kill: async () => void (child.kill("SIGKILL") && (await over)) };
}

beforeAll(async () => {
  if (isRedisMissing) return;
  rig = await Rig.start();
  await rig.client();
  await start();
}, 60_000);
afterAll(() => rig?.close());

/** Kills the process that asked, and lets another one have the next request. */
async function another(): Promise<void> {
  await node.kill();
  await start();
}

async function connect(version: string, elicitation?: { form: {} }, answer: (message: string) => object = () => ({})) {
  const client = new Client({ name: "c", version: "1" }, {
    capabilities: elicitation ? { elicitation } : {},
    versionNegotiation: { mode: version === "2026-07-28" ? { pin: version } : "legacy" },
  });
  const asked: string[] = [];
  if (elicitation)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      await another();
      return { action: "accept", content: answer(params.message) } as never;
    });
  await client.connect(new StreamableHTTPClientTransport(new URL("http://node.example/mcp"), {
    fetch: (url, options) => fetch(`http://127.0.0.1:${node.port}${new URL(url).pathname}`, options),
  }));
  const text = async (name: string, args: object = {}) =>
    ((await client.callTool({ name, arguments: args as never })) as { content: { text: string }[] }).content[0]!.text;
  return { client, asked, text };
}

const idIn = (text: string) => /"id":"([^"]+)"/.exec(text)![1]!;

test.skipIf(isRedisMissing)("rounds: every question is asked once, each by another process", async () => {
  const { client, asked, text } = await connect("2026-07-28", { form: {} }, (message) =>
    message.startsWith("Where") ? { region: "eu" } : message.startsWith("Which") ? { choice: "l" } : {});
  expect(JSON.parse(await text("deploy"))).toEqual({ region: "eu", count: 2, sure: true });
  expect(asked).toEqual(["Where should it run?", "Run 2 in eu?"]);
  const prompt = await client.getPrompt({ name: "greet" });
  expect(prompt.messages[0]!.content).toMatchObject({ text: '"a l greeting"' });
  expect(asked).toHaveLength(3);
}, 120_000);

test.skipIf(isRedisMissing)("2025-11-25: a model passes answers on to other processes", async () => {
  const { text } = await connect("2025-11-25");
  const first = await text("deploy");
  await another();
  const given = { id: idIn(first), action: "accept", content: { region: "us", count: 3 } };
  const second = await text("elicitation_result", given);
  expect(second).toContain("Run 3 in us?");
  await another();
  const result = await text("elicitation_result", { id: idIn(second), action: "accept" });
  expect(JSON.parse(result)).toEqual({ region: "us", count: 3, sure: true });
}, 120_000);
