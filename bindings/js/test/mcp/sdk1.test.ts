// The official TypeScript SDK 1.x on both ends, protocol 2025-11-25, with our handler in its client.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  ElicitRequestSchema, ElicitationCompleteNotificationSchema, type ElicitRequestFormParams, type ElicitRequestURLParams,
} from "@modelcontextprotocol/sdk/types.js";
import { afterEach, expect, test } from "vitest";
import { Engine } from "../../dist/index.js";
import { elicitationHandler } from "../../dist/mcp/index.js";
import type { Configuration } from "../../dist/index.js";
import { person, roomy } from "./person.ts";
import { until } from "../until.ts";

const form: ElicitRequestFormParams = {
  message: "Where shall it go?",
  requestedSchema: {
    type: "object",
    properties: { region: { type: "string", enum: ["eu", "us"] }, keep: { type: "integer", minimum: 1, default: 7 } },
    required: ["region"]
  },
};
const page: ElicitRequestURLParams = {
  mode: "url", message: "Sign in at the bank.",
  url: "https://bank.example.com/sign-in", elicitationId: "link-1"
};

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function connect(who: ReturnType<typeof person>, config: Configuration = roomy) {
  const handler = elicitationHandler(await Engine.open(config), who.ui, { server: "bank" });
  const client = new Client({ name: "ours", version: "1" }, { capabilities: { elicitation: handler.capability } });
  client.setRequestHandler(ElicitRequestSchema, handler);
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, handler.completed);
  client.onclose = handler.close;
  const server = new McpServer({ name: "theirs", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  ends.push(() => client.close(), () => server.close());
  return { server: server.server, client, handler };
}

test("a form: what does not fit comes back to the person, the rest goes to the server", async () => {
  const problems: unknown[] = [];
  const who = person(async (question) => {
    problems.push(question.check({ region: "mars" }), question.check({ region: "eu" }));
    await question.note("shown");
    problems.push(await question.accept({ region: "mars" }));
    problems.push(await question.accept({ region: "eu" }));
  });
  const { server } = await connect(who);
  expect(await server.elicitInput(form)).toEqual({ action: "accept", content: { region: "eu", keep: 7 } });
  await until(() => expect(problems).toHaveLength(4));
  expect(problems).toMatchObject([[{ code: "not_a_choice" }], [], [{ code: "not_a_choice", pointer: "/region" }], []]);
  expect(who.questions[0]).toMatchObject({ over: true, show: { server: "bank", kind: "form" } });
  expect(who.seen).toEqual(["show Where shall it go?"]);
});

test("a decline and a cancel carry nothing", async () => {
  const answers = ["decline", "cancel"] as const;
  let n = 0;
  const { server } = await connect(person((question) => void question[answers[n++]!]()));
  expect(await server.elicitInput(form)).toEqual({ action: "decline" });
  expect(await server.elicitInput(form)).toEqual({ action: "cancel" });
});

test("a page: consent is answered at once, then the page opens, then it is finished", async () => {
  const who = person((question) => void question.accept());
  const { server } = await connect(who);
  expect(await server.elicitInput(page)).toEqual({ action: "accept" });
  await until(() => expect(who.seen).toEqual(["show Sign in at the bank.", "open https://bank.example.com/sign-in"]));
  await server.createElicitationCompletionNotifier("link-1")();
  await until(() => expect(who.seen.at(-1)).toBe("resolved completed"));
});

test("a request that is taken back leaves the screen and gets no answer", async () => {
  const who = person(() => {});
  const { server } = await connect(who);
  await server.ping(); // SDK 1.32 does not hear of a request with the id 0 being taken back
  const leaving = new AbortController();
  const asked = server.elicitInput(form, { signal: leaving.signal });
  await until(() => expect(who.seen).toHaveLength(1));
  leaving.abort("the tool was stopped");
  await expect(asked).rejects.toThrow("the tool was stopped");
  await until(() => expect(who.seen).toEqual(["show Where shall it go?", "withdraw peer_cancelled"]));
  expect(await who.questions[0]!.accept({ region: "eu" })).toMatchObject([{ code: "already_settled" }]);
});

test("policy answers without a person, and a deceptive page reaches nobody", async () => {
  const who = person(() => {});
  const { server } = await connect(who, {
    ...roomy,
    policy: { user: { version: 1, rules: [{ when: { message: "*shall it go*" }, then: "decline" }] } }
  });
  expect(await server.elicitInput(form)).toEqual({ action: "decline" });
  const deceptive = { ...page, url: "https://bank.example.com@evil.example/" };
  expect(await server.elicitInput(deceptive)).toEqual({ action: "decline" });
  expect(who.seen).toEqual([]);
});

test("what the engine refuses is an error that says why", async () => {
  const { server } = await connect(person((question) => void question.cancel()),
    { limits: { per_minute: 2, burst: 2 } });
  const ask = (params: ElicitRequestFormParams) => server.elicitInput(params).catch((e: unknown) => e);
  await ask(form);
  const none = { type: "object" as const, properties: { a: { type: "string" as const, enum: [] } } };
  expect(await ask({ ...form, requestedSchema: none })).toMatchObject({
    code: -32602, data: { problems: [{ code: "no_choices", pointer: "/requestedSchema/properties/a/enum" }] },
  });
  await ask(form);
  const error = await ask(form);
  expect(error).toMatchObject({ code: -32600, data: { problems: [{ code: "rate_limited" }] } });
  expect((error as Error).message).toContain("2 more a minute");
});

test("a mode the ui cannot show is not declared", async () => {
  const { server, handler } = await connect(person(() => {}, { modes: ["form"] }));
  expect(handler.capability).toEqual({ form: {} });
  await expect(server.elicitInput(page)).rejects.toThrow(/url/i);
});

test("questions wait for each other, and for nobody when the connection is gone", async () => {
  const who = person(() => {});
  const { server, client } = await connect(who);
  const asked = Promise.allSettled([
    server.elicitInput(form),
    server.elicitInput({ ...form, message: "And the next?" })
  ]);
  await until(() => expect(who.seen).toEqual(["show Where shall it go?"]));
  await who.questions[0]!.accept({ region: "us" });
  await until(() => expect(who.seen.at(-1)).toBe("show And the next?"));
  await client.close();
  await until(() => expect(who.seen.at(-1)).toBe("withdraw peer_cancelled"));
  expect(await asked).toMatchObject([{ value: { action: "accept" } }, { status: "rejected" }]);
});

test("a ui that throws is nobody there", async () => {
  const errors: unknown[] = [];
  const show = () => { throw new Error("no canvas"); };
  const { server } = await connect(person(() => {}, { show, failed: (error) => void errors.push(error) }));
  expect(await server.elicitInput(form)).toEqual({ action: "cancel" });
  expect(errors).toMatchObject([{ message: "no canvas" }]);
});

test("two servers share one engine and see nothing of each other", async () => {
  const engine = await Engine.open({ limits: { ...roomy.limits, shown: 2 } });
  const servers = await Promise.all(["one", "two"].map(async (name) => {
    const who = person((question) => void question.accept({ region: name === "one" ? "eu" : "us" }));
    const handler = elicitationHandler(engine, who.ui, { server: name });
    const client = new Client({ name: "ours", version: "1" }, { capabilities: { elicitation: handler.capability } });
    client.setRequestHandler(ElicitRequestSchema, handler);
    const server = new McpServer({ name: "theirs", version: "1" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    ends.push(() => client.close());
    return { server: server.server, who };
  }));
  const answers = await Promise.all(servers.map(({ server }) => server.elicitInput(form)));
  expect(answers.map((a) => a.content?.["region"])).toEqual(["eu", "us"]);
  expect(servers.map(({ who }) => who.questions.map((q) => q.show.server))).toEqual([["one"], ["two"]]);
});
