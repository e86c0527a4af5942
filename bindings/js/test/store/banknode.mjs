// A process of the server that internal/tests/faults kills. It says what it needs in the environment, and prints its
// address. A request is a call of the tool "pay", or what a model passes on; the response is what the client reads.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import pg from "pg";
import { createClient } from "redis";
import { createAsker } from "../../dist/ask/index.js";
import { PostgresStore } from "../../dist/store/postgres.js";
import { RedisStore } from "../../dist/store/redis.js";
import { SqliteStore } from "../../dist/store/sqlite.js";

const { kind, path, keys, skew, ledger } = JSON.parse(process.env.ELICIT_FAULT_PROCESS);
const clock = Date.now;
Date.now = () => clock() + skew;
const pause = (ms) => new Promise((done) => setTimeout(done, Math.random() * ms));

async function open() {
  if (kind === "sqlite") return SqliteStore.open(path);
  if (kind === "postgres") return PostgresStore.open(new pg.Pool({ connectionString: path }));
  const client = createClient({ socket: { path, reconnectStrategy: 20 } }).on("error", () => {});
  return RedisStore.open(await client.connect());
}

/** The store, when it is there. */
async function opened() {
  for (;;) {
    try {
      return await open();
    } catch {
      await pause(40);
    }
  }
}

const ask = await createAsker({
  server: { name: "bank", config: { limits: { per_minute: 60000, burst: 6000 } } },
  store: await opened(), ttl: 1_200_000,
  keys: keys.map((id) => ({ id, secret: Buffer.alloc(32, id).toString("base64url") })),
  principal: ({ http }) => http.principal,
});
/** The members of a server that the asker uses. */
const server = {
  handlers: {},
  assertCanSetRequestHandler() {},
  setRequestHandler(method, handler) {
    this.handlers[method] = handler;
  },
  getClientCapabilities() {},
  notification: async () => {},
};
ask.wrap(server);

const schema = { type: "object", properties: { answer: { type: "integer" } }, required: ["answer"] };
server.setRequestHandler("tools/call", async ({ params: { arguments: { call, keyed, sure } } }, context) => {
  const key = keyed ? await ask.key(context) : "-";
  const { answer } = await ask.form(context, `Pay for ${call}?`, schema);
  const second = sure ? (await ask.form(context, `Sure of ${call}?`, schema)).answer : answer;
  await pause(40); // the work of the handler
  appendFileSync(ledger, `${call} ${answer} ${key} ${second}\n`);
  await pause(40);
  return { content: [{ type: "text", text: `paid ${answer}` }] };
});

async function run({ call, principal, keyed, sure, rounds, state, responses, said }) {
  const capabilities = rounds ? { elicitation: { form: {} } } : {};
  const context = { http: { principal }, mcpReq: {
    signal: new AbortController().signal, requestState: () => state, inputResponses: responses,
    envelope: {
      "io.modelcontextprotocol/protocolVersion": rounds ? "2026-07-28" : "2025-06-18",
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  } };
  const pays = { name: "pay", arguments: { call, keyed, sure } };
  const params = said ? { name: "elicitation_result", arguments: said } : pays;
  try {
    return { result: await server.handlers["tools/call"]({ method: "tools/call", params }, context) };
  } catch (error) {
    return { error: String(error.message ?? error) };
  }
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  response.end(JSON.stringify(await run(JSON.parse(Buffer.concat(chunks)))));
}).listen(0, "127.0.0.1", function () {
  console.log(`http://127.0.0.1:${this.address().port}`);
});
