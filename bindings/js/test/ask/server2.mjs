// A server on the official SDK 2.x whose tools ask, over stdio.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createAsker } from "../../dist/ask/index.js";
import { MemoryStore } from "../../dist/store/index.js";
import { register } from "./tools.mjs";

const page = { base: "https://bot.example/ask/", opened: ({ link }) => void answer(link) };
const has = (word) => process.argv.includes(word);
const ask = await createAsker({
  server: { name: "deploy-bot" },
  ...(!has("no page") && { page }),
  ...(has("progress") && { progress: 100 }),
  ...(has("store") && { store: new MemoryStore() }),
});

// The person behind this server types at once.
async function answer(link) {
  await ask.submit(link, { action: "accept", content: { secret: "abcdef" } });
}

serveStdio(() => register(ask.wrap(new McpServer({ name: "deploy-bot", version: "1" })), ask));
