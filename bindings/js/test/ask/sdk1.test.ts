// The official SDK 1.x on both ends, in one process.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema, ElicitRequestSchema, ElicitationCompleteNotificationSchema, ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { createAsker } from "../../dist/ask/index.js";
import { connect, ends } from "./connect.ts";
import { register } from "./tools.mjs";

test("forms: a client that shows them is asked by requests, and answers have types and defaults", async () => {
  const { value, asked } = await connect({}, ({ message }) =>
    message.startsWith("Where") ? { action: "accept", content: { region: "eu" } } : { action: "accept" });
  expect(await value("deploy")).toEqual({ region: "eu", count: 2, sure: true });
  expect(asked.map((q) => q.message)).toEqual(["Where should it run?", "Run 2 in eu?"]);
});

test("forms: no is false for a confirmation and an error for a form", async () => {
  const { value } = await connect({ form: {} }, ({ message }) =>
    message.startsWith("Where") ? { action: "accept", content: { region: "us", count: 3 } } : { action: "decline" });
  expect(await value("deploy")).toEqual({ region: "us", count: 3, sure: false });
  expect(await value("size")).toEqual({ error: "DeclinedError", code: "declined" });
});

test("forms: an answer that only the schema library refuses is asked again", async () => {
  let n = 2;
  const { value, asked } = await connect({ form: {} }, () => ({ action: "accept", content: { n: ++n } }));
  expect(await value("even")).toEqual({ n: 4 });
  expect(asked[1]!.message).toBe("Which number?\n\nn: must be even");
});

test("forms: choices have titles", async () => {
  const { value, asked } = await connect({ form: {} }, () => ({ action: "accept", content: { choice: "l" } }));
  expect(await value("size")).toBe("l");
  expect(JSON.stringify(asked[0]!.requestedSchema)).toContain('"Large"');
});

test("the person gets a URL when its id is kept, and the handler gets the error that keeps it not", async () => {
  const rows: string[] = [];
  let lost = false;
  const { asker, server, call, asked } = await connect({ url: {} }, async (_, asker) => {
    await asker.completed(rows.at(-1)!);
    return { action: "accept" };
  });
  const keep = async (id: string) => {
    await new Promise(setImmediate); // as a database does
    if (lost) throw new Error("the table is away");
    rows.push(id);
  };
  server.registerTool("flow", {}, async (context) => {
    await asker.url(context as never, "Connect", "https://id.example/start", { wait: keep });
    return { content: [{ type: "text", text: "connected" }] };
  });
  expect((await call("flow")).content[0]!.text).toBe("connected");
  lost = true;
  expect((await call("flow")).content[0]!.text).toBe("the table is away");
  expect(asked).toHaveLength(1);
  expect((await asker.openQuestions()).questions).toEqual([]);
});

/** A server with two pages of tools, the second of which has one with an output schema. */
async function paged() {
  const asker = await createAsker({ server: { name: "bot" } });
  const server = asker.wrap(new Server({ name: "bot", version: "1" }, { capabilities: { tools: {} } }));
  const inputSchema = { type: "object" as const };
  const outputSchema = { ...inputSchema, properties: { choice: { type: "string" } } };
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor ? { tools: [{ name: "pick", inputSchema, outputSchema }] } :
    { tools: [{ name: "other", inputSchema }], nextCursor: "2" });
  server.setRequestHandler(CallToolRequestSchema, async (_, context) => {
    const choice = await asker.choose(context as never, "Which?", ["a", "b"]);
    return { content: [{ type: "text", text: choice }], structuredContent: { choice } };
  });
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  ends.push(() => client.close());
  return client;
}

test("a promise of structured content is kept, and the tool of models listed once, on a list of pages", async () => {
  const client = await paged();
  const first = await client.listTools();
  const second = await client.listTools({ cursor: first.nextCursor! });
  const names = [...first.tools, ...second.tools].map(({ name }) => name);
  expect(names).toEqual(["other", "pick", "elicitation_result"]);
  expect(await client.callTool({ name: "pick" })).toMatchObject({ isError: true });
  expect(await client.callTool({ name: "other" })).not.toMatchObject({ isError: true });
});

test("a client's error is an error with a code", async () => {
  const { value } = await connect({ form: {} }, () => Promise.reject(new Error("broken")));
  expect(await value("size")).toEqual({ error: "CancelledError", code: "peer_error" });
});

test("a cancelled call takes its question back from the client", async () => {
  const abort = new AbortController();
  let taken!: () => void;
  const gone = new Promise<void>((resolve) => (taken = resolve));
  const { client } = await connect({ form: {} }, ({ message }, _, signal) => {
    // The SDK's client ignores a cancellation of the request 0, so it is the second one that stays open.
    if (message.startsWith("Where")) return { action: "accept", content: { region: "eu" } };
    signal.addEventListener("abort", taken);
    abort.abort();
    return new Promise(() => {});
  });
  await expect(client.callTool({ name: "deploy" }, undefined, { signal: abort.signal })).rejects.toThrow();
  await gone;
});

test("URLs: consent is enough, and a secret comes from the server's own page", async () => {
  const opened: string[] = [];
  const page = { base: "https://bot.example/ask/", opened: ({ link }: { link: string }) => void opened.push(link) };
  const { value, asked, client } = await connect(
    { form: {}, url: {} },
    async ({ url }, asker) => {
      if (url === "https://id.example/start") return { action: "accept" };
      const link = opened.at(-1)!;
      expect(url).toBe(`https://bot.example/ask/${link}`);
      expect(await asker.page(link)).toMatchObject({ secret: true });
      setImmediate(async () => {
        expect(await asker.submit(link, { action: "accept", content: {} })).toMatchObject([{ code: "missing" }]);
        expect(await asker.submit(link, { action: "accept", content: { secret: "abcdef" } })).toEqual([]);
        expect(await asker.submit(link, { action: "accept", content: { secret: "other" } })).not.toEqual([]);
      });
      return { action: "accept" };
    },
    { page },
  );
  expect(await value("visit")).toBe("visited");
  expect(await value("key")).toEqual({ length: 6 });
  expect(asked.map((q) => q.mode)).toEqual(["url", "url"]);
  expect((await client.listTools()).tools.map((tool) => tool.name)).not.toContain("elicitation_result");
});

test("URLs: a visit that waits ends when its page is finished, and the client is told", async () => {
  const told: string[] = [];
  const { value, client, asker } = await connect({ url: {} }, () => ({ action: "accept" }));
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    told.push(params.elicitationId);
  });
  expect(await value("connect")).toBe("connected");
  expect(told).toHaveLength(1);
  await expect(asker.completed("0".repeat(32))).rejects.toMatchObject({ name: "UnknownError", code: "nobody_waits" });
});

test("answers of another principal do not count", async () => {
  let who = "ann";
  const { call } = await connect(undefined, () => ({ action: "cancel" }), { principal: () => who });
  const id = idIn((await call("size")).content[0]!.text);
  const submit = () => call("elicitation_result", { id, action: "accept", content: { choice: "s" } });
  who = "bob";
  expect((await submit()).isError).toBe(true);
  who = "ann";
  expect((await submit()).content[0]!.text).toBe('"s"');
});

test("a secret has any shape, and its client reads nothing that a library says about it", async () => {
  const pins = ["1234", "9876"];
  const page = { base: "https://bot.example/ask/", opened: ({ link }: { link: string }) => void links.push(link) };
  const links: string[] = [];
  const { value, asked } = await connect({ form: {}, url: {} }, (_, asker) => {
    const content = { user: "ann", ...(pins.length > 0 ? { pin: pins.shift()! } : { token: "t" }) };
    setImmediate(() => void asker.submit(links.at(-1)!, { action: "accept", content }).then((problems) =>
      problems.length > 0 ? asker.submit(links.at(-1)!, { action: "accept", content: { token: "t" } }) : problems));
    return { action: "accept" };
  }, { page });
  expect(await value("login")).toEqual({ user: "ann", pin: "9876" });
  expect(await value("token")).toEqual({ token: "t" });
  expect(asked.map(({ mode, message }) => [mode, message])).toEqual([
    ["url", "Who are you?"], ["url", "Who are you?\n\npin"], ["url", "Token?"]]);
});

test("a secret without a page reaches nobody", async () => {
  const { value, asked } = await connect({ form: {}, url: {} }, () => ({ action: "accept" }));
  expect(await value("key")).toEqual({ error: "UnsupportedError", code: "unsupported" });
  expect(asked).toEqual([]);
});

const idIn = (text: string) => /"id":"([^"]+)"/.exec(text)![1]!;

test("no elicitation: the model passes answers on, one question after the other", async () => {
  const { call, client } = await connect(undefined, () => ({ action: "cancel" }));
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("elicitation_result");
  const first = (await call("deploy", { env: "prod" })).content[0]!.text;
  expect(first).toContain("Where should it run?");
  const submit = async (id: string, more: object) =>
    (await call("elicitation_result", { id, action: "accept", ...more })).content[0]!.text;
  expect(await submit(idIn(first), { content: { region: "mars" } })).not.toContain("Run 2");
  const second = await submit(idIn(first), { content: { region: "eu" } });
  expect(second).toContain("Run 2 in eu?");
  expect(JSON.parse(await submit(idIn(second), {}))).toEqual({ region: "eu", count: 2, sure: true });
  expect(JSON.parse(await submit(idIn(second), {}))).toMatchObject({ sure: true }); // the response may have been lost
  expect(await submit(idIn(second), { action: "decline" })).not.toContain("sure"); // once
  expect((await call("elicitation_result", { id: "none", action: "accept" })).isError).toBe(true);
});

test("no elicitation: a handler that hides the interrupt cannot answer in its place", async () => {
  const { call } = await connect(undefined, () => ({ action: "cancel" }));
  expect((await call("never")).content[0]!.text).toContain("Go on?");
});

test("a server must be wrapped before its tools are registered", async () => {
  const asker = await createAsker({ server: { name: "deploy-bot" } });
  ends.push(() => asker.close());
  const server = register(new McpServer({ name: "deploy-bot", version: "1" }), asker);
  expect(() => asker.wrap(server)).toThrow("already exists");
});

test("HTTP without sessions: every request has a server of its own, and answers find their call", async () => {
  const asker = await createAsker({ server: { name: "deploy-bot" } });
  const http = createServer(async (request, response) => {
    const server = register(asker.wrap(new McpServer({ name: "deploy-bot", version: "1" })), asker);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const client = new Client({ name: "c", version: "1" }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "cancel" })); // no request can reach it
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  await client.connect(new StreamableHTTPClientTransport(new URL(address)) as Parameters<typeof client.connect>[0]);
  ends.push(async () => {
    await client.close();
    await asker.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const call = async (name: string, args: Record<string, unknown>) =>
    ((await client.callTool({ name, arguments: args })) as { content: { text: string }[] }).content[0]!.text;
  const first = await call("deploy", {});
  const second = await call("elicitation_result", {
    id: idIn(first),
    action: "accept",
    content: { region: "us", count: 3 },
  });
  const result = await call("elicitation_result", { id: idIn(second), action: "decline" });
  expect(JSON.parse(result)).toEqual({ region: "us", count: 3, sure: false });
});

test("prompts and resources ask, and a no has a code", async () => {
  const answers = ["accept", "accept", "decline", "cancel"] as const;
  let n = 0;
  const { client } = await connect({ form: {} }, () => ({ action: answers[n++]!, content: { choice: "l" } }));
  expect((await client.getPrompt({ name: "greet" })).messages[0]!.content).toMatchObject({ text: '"a l greeting"' });
  expect((await client.readResource({ uri: "map:///size" })).contents[0]).toMatchObject({ text: "l" });
  await expect(client.getPrompt({ name: "greet" })).rejects.toMatchObject({ code: 4001 });
  await expect(client.readResource({ uri: "map:///size" })).rejects.toMatchObject({ code: 4002 });
});

test("a prompt that can reach nobody has a code", async () => {
  const { client } = await connect(undefined, () => ({ action: "cancel" }));
  await expect(client.getPrompt({ name: "greet" })).rejects.toMatchObject({ code: 4003 });
});

test.each([0.5, -1, 0])("%s milliseconds are left for a question, which is not the default", async (ttl) => {
  const { asker, server, call } = await connect({ form: {} }, (_, __, signal) =>
    new Promise((done) => signal.addEventListener("abort", () => done({ action: "cancel" }))), { ttl: 1e8 + 0.5 });
  server.registerTool("late", {}, async (context) => {
    await asker.confirm(context as never, "Go on?", { ttl });
    return { content: [] };
  });
  expect((await call("late")).content[0]!.text).toBe("not answered: nobody answered in time");
});
