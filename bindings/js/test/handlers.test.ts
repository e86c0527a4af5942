// Handlers of a host that is the client: one for each method, none that blocks, and an answer to every request.
import { expect, test } from "vitest";
import { Engine, Handlers, connect, type RelayConfiguration } from "../dist/index.js";

const codex: RelayConfiguration = { server: "codex", protocol: "codex", role: "client", ask: "client" };
const command = { threadId: "t", turnId: "u", itemId: "i", startedAtMs: 1, command: "ls", cwd: "/w" };
const approval = "item/commandExecution/requestApproval";

interface Answer {
  id: number;
  result?: unknown;
  error?: { code: number; message: string };
}

async function client(failed?: (why: unknown, method: string) => void) {
  const waiting = new Map<number, (answer: Answer) => void>();
  const connection = connect(await Engine.open(), codex, {
    write(to, message) {
      if (to === "client") handlers.take(message);
      else {
        const answer = JSON.parse(String(message)) as Answer;
        waiting.get(answer.id)?.(answer);
      }
    },
  });
  const handlers = new Handlers((from, message) => connection.receive(from, message), failed);
  const asked = (id: number, method: string, params: unknown) =>
    new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      void connection.receive("server", JSON.stringify({ id, method, params }));
    });
  return { handlers, asked };
}

test("a handler answers its method, and a later one replaces it", async () => {
  const { handlers, asked } = await client();
  handlers.on(approval, () => ({ decision: "cancel" }));
  handlers.on(approval, async () => ({ decision: "accept" }));
  expect((await asked(1, approval, command)).result).toEqual({ decision: "accept" });
});

test("no handler keeps another request waiting", async () => {
  const { handlers, asked } = await client();
  let finish: (result: unknown) => void = () => {};
  handlers.on("item/tool/call", () => new Promise((resolve) => (finish = resolve)));
  handlers.on("currentTime/read", () => ({ currentTimeAt: 7 }));
  const first = asked(1, "item/tool/call", { tool: "x" });
  expect((await asked(2, "currentTime/read", {})).result).toEqual({ currentTimeAt: 7 });
  finish({ success: true });
  expect((await first).result).toEqual({ success: true });
});

test("a method without a handler is declined, and an unknown one refused", async () => {
  const { asked } = await client();
  expect((await asked(1, approval, command)).result).toEqual({ decision: "decline" });
  expect((await asked(2, "item/new/ask", {})).error?.code).toBe(-32601);
});

test("what a handler throws stays here", async () => {
  const told: unknown[] = [];
  const { handlers, asked } = await client((why) => told.push(why));
  const why = new Error("the key is hunter2");
  handlers.on("currentTime/read", () => {
    throw why;
  });
  const { error } = await asked(1, "currentTime/read", {});
  expect(error).toEqual({ code: -32000, message: "the handler failed" });
  expect(told).toEqual([why]);
});

test("a withdrawn request aborts its signal, and its late result answers no other with that id", async () => {
  const answers: string[] = [];
  const told: unknown[] = [];
  const handlers = new Handlers((_from, message) => answers.push(message), (why) => told.push(why));
  const calls: { signal: AbortSignal; finish: (result: unknown) => void; fail: (why: unknown) => void }[] = [];
  handlers.on("x", (_params, signal) => new Promise((finish, fail) => calls.push({ signal, finish, fail })));
  const ask = async () => {
    expect(handlers.take('{"jsonrpc":"2.0","id":1,"method":"x"}')).toBe(true);
    await settled();
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  for (const method of ["notifications/cancelled", "$/cancel_request", "serverRequest/resolved"]) {
    await ask();
    expect(handlers.take(JSON.stringify({ method, params: { requestId: 1 } }))).toBe(false);
  }
  await ask();
  await ask(); // takes the place of the one before
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, true, true, false]);
  calls[0]?.finish({ old: true });
  calls[1]?.fail(new Error("aborted"));
  calls[3]?.finish({ old: true });
  await settled();
  expect(answers).toEqual([]);
  calls[4]?.finish({});
  await settled();
  expect(answers).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
  expect(told).toEqual([]);
});

test("the types of methods are checked", async () => {
  interface Codex {
    [approval]: { params: { command?: string }; result: { decision: "accept" | "decline" | "cancel" } };
    "currentTime/read": { params: { threadId: string }; result: { currentTimeAt: number } };
  }
  const answers: string[] = [];
  const handlers = new Handlers<Codex>((_from, message) => answers.push(message));
  handlers.on(approval, ({ command }) => ({ decision: command === "ls" ? "accept" : "cancel" }));
  // @ts-expect-error: the app-server has no such decision
  handlers.on(approval, () => ({ decision: "yes" }));
  // @ts-expect-error: no such method
  handlers.on("currentTime/write", () => ({}));
  handlers.on(approval, async ({ command }) => ({ decision: command === "ls" ? "accept" : "cancel" }));
  handlers.take(JSON.stringify({ id: 1, method: approval, params: command }));
  await new Promise((resolve) => setTimeout(resolve));
  expect(answers).toEqual(['{"id":1,"result":{"decision":"accept"}}']);
});

test("a handler reads and answers a question of Codex by the engine's own types", async () => {
  const engine = await Engine.open();
  const { handlers, asked } = await client();
  handlers.on(approval, (params) => {
    const read = engine.eval("decode_codex", { method: approval, params });
    if (!("request" in read)) throw new Error("the question cannot be read");
    const action = read.tool === "shell" && read.request.command === "ls" ? "accept" : "decline";
    return engine.eval("encode_codex", { method: approval, params, answer: { action, scope: "session" } });
  });
  expect((await asked(1, approval, command)).result).toEqual({ decision: "acceptForSession" });
  expect((await asked(2, approval, { ...command, command: "rm x" })).result).toEqual({ decision: "decline" });
});
