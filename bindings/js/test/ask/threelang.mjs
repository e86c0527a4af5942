// The server of internal/tests/threelang in TypeScript. It has the same tools, prompt and resource as those in Go and
// Python, over stdio.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { createAsker } from "../../dist/ask/index.js";

const ask = await createAsker({ server: { name: "deploy-bot" }, principal: () => "ann" });
const text = (text) => ({ content: [{ type: "text", text }] });
let deployments = 0;
let flow = ""; // the id of the page that waits

function register(server) {
  const tool = (name, run) =>
    server.registerTool(name, { inputSchema: z.object({}) }, async (_, context) => text(await run(context)));
  tool("deploy", async (context) => {
    const where = await ask.choose(context, "Where should it run?", { staging: "Staging", production: "Production" });
    const sure = await ask.confirm(context, `Deploy to ${where}?`);
    return sure ? `deployment ${++deployments} runs in ${where}` : "nothing was deployed";
  });
  tool("connect", async (context) => {
    await ask.url(context, "Connect your account", "https://id.example/start", { wait: (id) => void (flow = id) });
    return "connected";
  });
  tool("finish", async () => {
    await ask.completed(flow);
    return "finished";
  });
  tool("pay", async (context) => {
    const key = await ask.key(context);
    const plan = await ask.once(context, () => 42);
    const sure = await ask.confirm(context, `Pay ${plan} euros?`);
    return `${sure ? "paid" : "did not pay"} ${plan} with the key ${key}`;
  });
  server.registerPrompt("review", {}, async (context) => {
    const how = await ask.choose(context, "How?", ["fast", "slow"]);
    return { messages: [{ role: "user", content: text(`Review it ${how}`).content[0] }] };
  });
  server.registerResource("report", "report://now", { mimeType: "text/plain" }, async (uri, context) => {
    const which = await ask.choose(context, "Which?", ["short", "long"]);
    return { contents: [{ uri: uri.href, mimeType: "text/plain", text: `The ${which} report` }] };
  });
  return server;
}

serveStdio(() => register(ask.wrap(new McpServer({ name: "deploy-bot", version: "1" }))));
