// A server whose tools ask, and its client: the official SDK 1.x on both ends, in one process.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach } from "vitest";
import { createAsker, type Asker, type AskerOptions } from "../../dist/ask/index.js";
import { register } from "./tools.mjs";

export const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

export type Question = { mode?: string; message: string; url?: string; requestedSchema?: object };
export type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, string | number | boolean> };

export async function connect(
  elicitation: { form?: {}; url?: {} } | undefined,
  answer: (question: Question, asker: Asker, signal: AbortSignal) => Answer | Promise<Answer>,
  { session, ...options }: Partial<AskerOptions> & { session?: string } = {},
) {
  const asker = await createAsker({ server: { name: "deploy-bot" }, ...options });
  const server = register(asker.wrap(new McpServer({ name: "deploy-bot", version: "1" })), asker);
  const client = new Client({ name: "c", version: "1" }, { capabilities: elicitation ? { elicitation } : {} });
  const asked: Question[] = [];
  if (elicitation)
    client.setRequestHandler(ElicitRequestSchema, (request, { signal }) => {
      asked.push(request.params as Question);
      return answer(request.params as Question, asker, signal);
    });
  const [a, b] = InMemoryTransport.createLinkedPair();
  if (session) a.sessionId = session; // as of HTTP, where another process may have the next request
  await Promise.all([server.connect(a), client.connect(b)]);
  ends.push(async () => {
    await client.close();
    await asker.close();
  });
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as { content: { text: string }[]; isError?: boolean };
  const value = async (name: string, args?: Record<string, unknown>) =>
    JSON.parse((await call(name, args)).content[0]!.text) as unknown;
  return { asker, server, client, asked, call, value };
}
