// An MCP client in a page, as a web application has it: the official SDK over HTTP, our handler, and <elicit-form>.
import { jitless } from "./jitless.ts";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ElicitationCompleteNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Engine } from "../../dist/index.js";
import { elementUI } from "../../dist/mcp/element.js";
import { elicitationHandler } from "../../dist/mcp/index.js";

const handler = elicitationHandler(
  await Engine.open({ limits: { answer_ttl_ms: 600_000 } }),
  elementUI(document.body), { server: "bank" }
);
const client = new Client({ name: "page", version: "1" }, { capabilities: { elicitation: handler.capability } });
client.setRequestHandler(ElicitRequestSchema, handler);
client.setNotificationHandler(ElicitationCompleteNotificationSchema, handler.completed);
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));

Object.assign(window, { jitless, call: async (name: string) => (await client.callTool({ name })).content });
