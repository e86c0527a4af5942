// Values that a handler computes once, calls that ask nothing, second approvers, claims of pages, unreadable calls.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { createAsker, type Asker, type AskerOptions, type Context } from "../../dist/ask/index.js";
import { MemoryStore, type Change, type Store } from "../../dist/store/index.js";
import { ends } from "./connect.ts";

type Tool = (context: Context, asker: Asker) => Promise<unknown>;
const keys = [{ id: "k", secret: Buffer.alloc(32, 7).toString("base64url") }];
const idIn = (text: string) => /"id":"([^"]+)"/.exec(text)![1]!;

/** A server with tools, and its client, which agrees to everything it is asked. */
async function serve(
  tools: Record<string, Tool>,
  options: Partial<AskerOptions> = {},
  elicitation: { form?: {}; url?: {} } | false = { form: {} },
) {
  const asker = await createAsker({ server: { name: "planner" }, keys, ...options });
  const server = asker.wrap(new McpServer({ name: "planner", version: "1" }));
  for (const [name, tool] of Object.entries(tools))
    server.registerTool(name, {}, (async (context: Context) => ({
      content: [{ type: "text", text: JSON.stringify(await tool(context, asker)) }],
    })) as never);
  const client = new Client({ name: "c", version: "1" }, { capabilities: elicitation ? { elicitation } : {} });
  const asked: string[] = [];
  if (elicitation)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: {} };
    });
  return { asker, asked, call: await linked(asker, server, client) };
}

test("keys that seal nothing are refused before the first question", async () => {
  const bytes = [{ id: "k", secret: Buffer.alloc(32) }] as never;
  for (const wrong of [[], [{ id: "k", secret: "c2hvcnQ" }], [{ ...keys[0]!, id: "" }], bytes])
    await expect(createAsker({ server: { name: "planner" }, keys: wrong })).rejects.toThrow("the keys: ");
});

/** Links a client to its server, and returns a function that calls a tool and reads its text. */
async function linked(asker: Asker, server: McpServer, client: Client) {
  const [a, b] = InMemoryTransport.createLinkedPair();
  a.sessionId = "s";
  await Promise.all([server.connect(a), client.connect(b)]);
  ends.push(async () => {
    await client.close();
    await asker.close();
  });
  return async (name: string, given: Record<string, unknown> = {}) =>
    ((await client.callTool({ name, arguments: given })) as { content: { text: string }[] }).content[0]!.text;
}

/** A tool that shows a plan and carries it out. Every computed plan is another one. */
function planner(): Tool {
  let computed = 0;
  return async (context, ask) => {
    const plan = await ask.once(context, async () => ({ rows: ++computed }), "plan");
    if (!(await ask.confirm(context, `Run this? ${plan.rows}`))) return "no";
    const token = await ask.once(context, () => ++computed);
    await ask.confirm(context, `Really? ${token}`);
    return [plan.rows, token, computed];
  };
}

test("a value is computed once in a call", async () => {
  const { call, asked } = await serve({ clean: planner() });
  expect(await call("clean")).toBe("[1,2,2]");
  expect(await call("clean")).toBe("[3,4,4]");
  expect(asked.slice(0, 2)).toEqual(["Run this? 1", "Really? 2"]);
});

test("a value goes through a model and to another process", async () => {
  const store = new MemoryStore();
  const a = await serve({ clean: planner() }, { store }, false);
  const b = await serve({ clean: planner() }, { store: store.handle() }, false);
  const first = await a.call("clean");
  const second = await b.call("elicitation_result", { id: idIn(first), action: "accept" });
  expect(second).toContain("Really? 1"); // this process has computed the token, and not the plan
  expect(await a.call("elicitation_result", { id: idIn(second), action: "accept" })).toBe("[1,1,1]");
});

test("values are JSON in the first run too, may fail, and are bounded", async () => {
  const failures: unknown[] = [];
  const fails = (doing: Promise<unknown>) => doing.catch((error: { code?: string; message: string }) => {
    failures.push(error.code ?? error.message);
  });
  const { call } = await serve({
    values: async (context, ask) => {
      const value = await ask.once(context, () => ({ at: new Date(0), none: undefined }));
      await fails(ask.once(context, () => Promise.reject(new Error("no plan"))));
      await fails(ask.once(context, () => undefined));
      await ask.once(context, () => "x".repeat(32_000));
      await fails(ask.once(context, () => "x".repeat(1000)));
      for (let i = 5; i < 256; i++) await ask.once(context, () => 1);
      await fails(ask.once(context, () => 1));
      return value;
    },
  });
  expect(await call("values")).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  expect(failures).toEqual(["no plan", "a value that is kept must be JSON", "values_too_large", "rate_limited"]);
});

test("what is computed cannot ask, at once or later, and other code of its call can", async () => {
  const { call, asked } = await serve({
    values: async (context, ask) => {
      const codes: unknown[] = [];
      const refused = (doing: Promise<unknown>) => doing.then(String, (error) => codes.push(error.code));
      await ask.once(context, async () => {
        await refused(ask.confirm(context, "At once?"));
        await new Promise((resolve) => setTimeout(resolve));
        await refused(ask.confirm(context, "Later?"));
        await refused(ask.once(context, () => 1));
        await refused(ask.key(context));
        return 1;
      });
      await Promise.all([ask.once(context, () => 1), ask.confirm(context, "Beside?")]);
      await ask.confirm(context, "After?");
      await ask.once(context, () => ask.confirm(context, "Alone?")).catch((error) => codes.push(error.code));
      return codes;
    },
  });
  expect(await call("values")).toBe(JSON.stringify(Array(5).fill("no_call")));
  expect(asked).toEqual(["Beside?", "After?"]);
});

test("a call costs a commit for its first question, its answers and its end, and none without one", async () => {
  let commits = 0;
  const inner = new MemoryStore();
  const store = new Proxy<Store>(inner, {
    get: (_, name) =>
      name === "commit"
        ? (change: Change) => (commits++, inner.commit(change))
        : (inner[name as keyof Store] as (...all: never[]) => unknown).bind(inner),
  });
  const { call } = await serve({
    quiet: async () => "done",
    value: (context, ask) => ask.once(context, () => 7),
    one: async (context, ask) => (await ask.once(context, () => 7), ask.confirm(context, "Go on?")),
    clean: planner(),
  }, { store });
  const costs: Record<string, number[]> = {};
  for (const name of ["quiet", "value", "one", "clean"])
    for (let i = 0; i < 2; i++) { // in a session that is open, too
      const before = commits;
      await call(name);
      (costs[name] ??= []).push(commits - before);
    }
  expect(costs).toEqual({ quiet: [0, 0], value: [0, 0], one: [3, 3], clean: [5, 5] });
});

test("a call that asks nothing leaves no record", async () => {
  const records: string[] = [];
  const journal = { append: (record: string) => void records.push(record) };
  const { call } = await serve({ quiet: async () => "done" }, { journal });
  await call("quiet");
  for (const end of ends.splice(0)) await end();
  expect(records).toEqual([]);
});

/** The way of a second approver: `visit` runs while the call waits for the page. */
async function approved(visit: (asker: Asker, link: string) => Promise<unknown>, principal?: string) {
  const { call, asked, asker } = await serve({
    drop: (context, ask) => ask.form(context, "Drop it?", { type: "object", properties: {} }, {
      ...(principal !== undefined && { principal }),
    }),
  }, {
    principal: () => "ann",
    page: { base: "https://bot.example/ask/", only: ["confirm"], opened: ({ link }) => void seen(link) },
  }, { form: {}, url: {} });
  let seen!: (link: string) => void;
  const link = new Promise<string>((resolve) => (seen = resolve));
  const done = call("drop");
  await visit(asker, await link);
  return { done: await done, asked };
}

test("a second approver answers, and nobody else", async () => {
  const { done, asked } = await approved(async (asker, link) => {
    expect(await asker.page(link)).toMatchObject({ for: "bob" });
    for (const principal of ["ann", "eve", ""]) {
      await expect(asker.claim(link, "x", principal)).rejects.toMatchObject({ code: "wrong_principal" });
      expect(await asker.submit(link, { action: "accept", content: {}, principal })).not.toEqual([]);
    }
    expect(await asker.submit(link, { action: "accept", content: {}, principal: "bob" })).toEqual([]);
  }, "bob");
  expect(done).toBe("{}");
  expect(asked).toEqual(["Send this page to bob, who is to answer: Drop it?"]);
});

test("the first browser has the page", async () => {
  const { done } = await approved(async (asker, link) => {
    expect(await asker.claim(link, "x", "ann")).toBe(true);
    expect(await asker.claim(link, "x", "ann")).toBe(true);
    await expect(asker.claim(link, "y", "ann")).rejects.toMatchObject({ name: "ClaimError", code: "link_used" });
    for (const wrong of [`${link}0`, "nothing"]) expect(await asker.claim(wrong, "x", "ann")).toBe(false);
    expect(await asker.submit(link, { action: "accept", content: {}, principal: "ann" })).toEqual([]);
  });
  expect(done).toBe("{}");
});

test("the key of a call is the same in every run and process, and the result of the call is kept", async () => {
  const store = new MemoryStore();
  const paid: string[] = [];
  const pay: Tool = async (context, ask) => {
    const key = await ask.key(context);
    paid.push(key);
    return (await ask.confirm(context, "Pay?")) && key;
  };
  const a = await serve({ pay }, { store }, false);
  const b = await serve({ pay }, { store: store.handle() }, false);
  const answer = { id: idIn(await a.call("pay")), action: "accept" };
  const result = await b.call("elicitation_result", answer);
  expect(paid).toEqual([JSON.parse(result), JSON.parse(result)]);
  for (const node of [a, b]) expect(await node.call("elicitation_result", answer)).toBe(result);
  expect(paid).toHaveLength(2);
});

test("a result that no machine keeps is sent nevertheless", async () => {
  const large = "x".repeat(18 << 20);
  const tool: Tool = async (context, ask) => (await ask.confirm(context, "Go on?")) && large;
  const { call } = await serve({ large: tool }, {}, false);
  const result = await call("elicitation_result", { id: idIn(await call("large")), action: "accept" });
  expect(result).toHaveLength(large.length + 2);
});

// A value that no machine can read spoils neither the result of its call nor another call.
type Taker = (context: Context, asker: Asker) => Promise<Record<string, unknown>>;
type Person = (message: string) => Promise<object>;

const text = (text: string) => ({ content: [{ type: "text", text }] });
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

/** A server with tools, and a client with or without a person who sees forms. */
async function serveTakers(tools: Record<string, Taker>, person?: Person) {
  const asker = await createAsker({ server: { name: "unread" } });
  const server = asker.wrap(new McpServer({ name: "unread", version: "1" }));
  for (const [name, tool] of Object.entries(tools))
    server.registerTool(name, { inputSchema: { given: z.any().optional() } }, ((_: unknown, context: Context) =>
      tool(context, asker)) as never);
  const client = new Client({ name: "c", version: "1" }, { capabilities: person ? { elicitation: { form: {} } } : {} });
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message) as never);
  return linked(asker, server, client);
}

test("a question that JSON cannot spell ends no other question", async () => {
  let agree = (_: object) => {};
  const shown = new Promise<void>((resolve) => {
    person = () => new Promise((answer) => {
      agree = answer;
      resolve();
    });
  });
  const schema = { type: "object", properties: { count: { type: "integer", minimum: 1n } } };
  const call = await serveTakers({
    wait: async (context, ask) => text(String(await ask.confirm(context, "Wait?"))),
    bad: async (context, ask) => text(JSON.stringify(await ask.form(context, "How many?", schema))),
  }, (message) => person(message));
  const waiting = call("wait");
  await shown;
  expect(await call("bad")).toContain("BigInt");
  agree({ action: "accept", content: { answer: "yes" } });
  expect(await waiting).toBe("true");
});
let person: Person;

test("a tool that asks nothing takes arguments that no machine reads", async () => {
  const call = await serveTakers({
    plain: async () => text("done"),
    asks: async (context, ask) => text(String(await ask.confirm(context, "Go?"))),
  });
  for (const given of [nested(200), "\ud800"]) {
    expect(await call("plain", { given })).toBe("done");
    expect(await call("asks", { given })).toBe("this must be of type object");
  }
});

test("a result that no machine reads reaches its client, and the call made again says that it was", async () => {
  const results = [{ deep: nested(200) }, { half: "\ud800" }];
  const call = await serveTakers({
    pay: async (context, ask) => {
      await ask.confirm(context, "Pay?");
      return { ...text("paid"), _meta: results.shift()! };
    },
  });
  for (let left = results.length; left > 0; left--) {
    const id = /"id":"([^"]+)"/.exec(await call("pay"))![1]!;
    const answer = { id, action: "accept", content: {} };
    expect(await call("elicitation_result", answer)).toBe("paid");
    expect(await call("elicitation_result", answer)).toContain("The answer was taken; the result is unknown. What");
  }
});

test("an error of a client that is no text ends its question", async () => {
  const call = await serveTakers({ ask: async (context, ask) => text(String(await ask.confirm(context, "Go?"))) },
    () => Promise.reject(new McpError(ErrorCode.InternalError, "\ud800")));
  expect(await call("ask")).toContain("the client answered with the error -32603");
});
