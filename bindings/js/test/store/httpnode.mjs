// A node of a server on the official SDK 2.x over HTTP, whose sessions are in Redis: httpnode.mjs SOCKET SECRET. It
// prints its port. Clients of 2026-07-28 get rounds, and earlier ones a server for each request.
import { createServer } from "node:http";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { createClient } from "redis";
import { createAsker } from "../../dist/ask/index.js";
import { RedisStore } from "../../dist/store/redis.js";
import { register } from "../ask/tools.mjs";

const [path, secret] = process.argv.slice(2);
const client = await createClient({ socket: { path } }).on("error", () => {}).connect();
const ask = await createAsker({
  server: { name: "deploy-bot" }, keys: [{ id: "k", secret }], store: await RedisStore.open(client),
});
const handler = createMcpHandler(() => register(ask.wrap(new McpServer({ name: "deploy-bot", version: "1" })), ask));

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const whole = new Request(`http://127.0.0.1${request.url}`, {
    method: request.method, headers: request.headers, ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const { status, headers, body } = await handler.fetch(whole);
  response.writeHead(status, Object.fromEntries(headers));
  for await (const chunk of body ?? []) response.write(chunk);
  response.end();
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
