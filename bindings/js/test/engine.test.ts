import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { Engine, EngineFault, InputError, load, operationNames, type Effect, type Show } from "../dist/index.js";
import { asked, random, opened, roomy, schema } from "./asking.ts";
import { deep } from "./deep.ts";

const file = new URL("../dist/elicit.wasm", import.meta.url);
const shown = (effects: Effect[]) => effects.find((e): e is Show => e.effect === "show")!;

test("a question is shown, its answer checked and replied to", async () => {
  using engine = await Engine.open(roomy);
  expect(engine.step(opened)).toMatchObject([{ effect: "append" }]);
  const { id, form } = shown(engine.step(asked("1")));
  expect(form?.fields.map((f) => [f.name, f.kind, f.widget])).toEqual([["region", "choice", "radio"],
    ["keep", "integer", "number"]]);
  const wrong = engine.step({ event: "answered", session: "s", id, action: "accept", content: { region: "mars" } });
  expect(wrong[1]).toMatchObject({ effect: "problem", id, problems: [{ code: "not_a_choice", pointer: "/region" }] });
  const right = engine.step({ event: "answered", session: "s", id, action: "accept", content: { region: "eu" } });
  expect(right[1]).toMatchObject({ effect: "reply", ref: "1", outcome: "accept", cause: "user",
    content: { region: "eu" } });
});

test("a step takes an event bare or wrapped", async () => {
  const run = async (step: (engine: Engine) => Effect[]) => {
    using engine = await Engine.open({}, { at: 1000, random: random(7) });
    return step(engine);
  };
  const want = await run((engine) => engine.step(opened, { at: 2000, random: random(8) }));
  expect(want).toMatchObject([{ effect: "append" }]);
  for (const step of [
    (engine: Engine) => engine.step({ event: opened, at: 2000, random: random(8) }),
    (engine: Engine) => engine.step({ event: opened, at: 2000 }, { random: random(8) }),
    (engine: Engine) => engine.step({ event: opened }, { at: 2000, random: random(8) }),
  ]) expect(await run(step)).toEqual(want);
  const twice = run((engine) => engine.step({ event: opened, at: 2000 }, { at: 3000 }));
  await expect(twice).rejects.toMatchObject({ problems: [{ code: "json_duplicate_key" }] });
  // @ts-expect-error: an event has no other member beside it
  const unknown = run((engine) => engine.step({ event: opened, other: 1 }));
  await expect(unknown).rejects.toMatchObject({ problems: [{ code: "unknown_member", pointer: "/other" }] });
  // @ts-expect-error: an event inside an event has no name
  await expect(run((engine) => engine.step({ event: { event: opened } }))).rejects.toThrow(InputError);
});

test("a connection takes an event bare or wrapped", async () => {
  using engine = await Engine.open();
  const relay = engine.relay({ server: "s" });
  const event = { event: "received", from: "server", cut: true } as const;
  const message = '{"jsonrpc":"2.0","id":1,"method":"ping","params":';
  const want = relay.step(event, { at: 5, message });
  expect(want.map(({ effect }) => effect)).toContain("note");
  expect(relay.step({ event, at: 5, message })).toEqual(want);
  expect(relay.step({ event, message }, { at: 5 })).toEqual(want);
});

test("records are lines that replay", async () => {
  using engine = await Engine.open(roomy);
  const tricky = '"}},{"effect":"\\ é😀 \u2028';
  const all = [
    ...engine.beginning,
    ...engine.step(opened),
    ...engine.step({ ...asked("1"), message: tricky,
      schema: { type: "object", properties: { 'a"}]': { type: "string", title: tricky, default: "\\" } } } }),
    ...engine.step({ event: "ticked" }),
  ];
  const lines = all.flatMap((e) => (e.effect === "append" ? [e.record] : []));
  expect(lines).toHaveLength(4);
  expect(shown(all).message).toBe(tricky);
  expect(engine.eval("replay", { journal_text: lines.join("\n") + "\n" })).toMatchObject({ records: 4 });
});

test("a step has no record, one or several", async () => {
  using engine = await Engine.open({ limits: { burst: 0, flood_bytes: 4096 } });
  const all = [...engine.beginning, ...engine.step(opened, { at: 1000 })];
  for (let i = 0; i < 12; i++) all.push(...engine.step(asked(String(i)), { at: 1000 }));
  const counted = engine.step(asked("counted"), { at: 1000 });
  expect(counted.map((e) => e.effect)).toEqual(["reply"]);
  const last = engine.step({ event: "closed", session: "s", cause: "shutdown" }, { at: 1000 });
  expect(last.map((e) => e.effect)).toEqual(["append", "append"]);
  const lines = [...all, ...last].flatMap((e) => (e.effect === "append" ? [e.record] : []));
  expect(engine.eval("replay", { journal_text: lines.join("\n") + "\n" })).toEqual({ records: lines.length });
});

test("with time and random given two engines write the same bytes", async () => {
  const run = async () => {
    using engine = await Engine.open({}, { at: 999, random: random(9) });
    const inputs = [opened, asked("1")].map((event, i) => JSON.stringify({ event, at: 1000 + i, random: random(i) }));
    return [engine.beginning, inputs.map((input) => engine.stepText(input))];
  };
  expect(await run()).toEqual(await run());
});

test("a number keeps its spelling as text", async () => {
  using engine = await Engine.open(roomy);
  using form = engine.form('{"type":"object","properties":{"n":{"type":"number","minimum":9007199254740993}}}');
  expect(form.check('{"n":9007199254740992}')).toMatchObject([{ code: "too_low" }]);
  expect(form.check('{"n":9007199254740993}')).toEqual([]);
  expect(form.check(new TextEncoder().encode('{"n":9007199254740993}'))).toEqual([]);
  expect(engine.evalText("parse", '{"document":[1e400,3.0]}')).toBe('{"ok":true,"canonical":[1e400,3.0]}');
});

test("a session is saved, and resumed elsewhere with its question", async () => {
  using one = await Engine.open(roomy);
  one.step(opened);
  const { id } = shown(one.step(asked("1")));
  const state = one.save("s")!;
  expect(one.save("nobody")).toBeUndefined();
  using two = await Engine.open(roomy);
  expect(shown(two.resume(state)).id).toBe(id);
  expect(two.step({ event: "answered", session: "s", id, action: "decline" })[1]).toMatchObject({ effect: "reply",
    outcome: "decline" });
});

test("what cannot be read changes nothing and says where", async () => {
  using engine = await Engine.open();
  const failing = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      if (error instanceof InputError) return error.problems.map((p) => `${p.code} ${p.pointer}`);
      throw error;
    }
    return [];
  };
  expect(failing(() => engine.step({ event: "guessed" } as never))).toEqual(["unknown_event /event/event"]);
  expect(failing(() => engine.stepText("{"))).toEqual(["json_truncated "]);
  expect(failing(() => engine.form({ type: "array" }))).toContain("root_not_object /type");
  expect(failing(() => engine.stepText(" ".repeat(9 << 20)))).toEqual(["json_size "]);
  expect(failing(() => engine.step(opened))).toEqual([]);
  await expect(Engine.open({ profile: "latest" as never })).rejects.toThrow(InputError);
});

test("forms live and die with their engine", async () => {
  const engine = await Engine.open();
  const form = engine.form(schema);
  form.close();
  form.close();
  expect(() => form.check("{}")).toThrow(InputError);
  const other = engine.form(schema);
  engine.close();
  engine.close();
  expect(() => other.check("{}")).toThrow(EngineFault);
  other.close();
  expect(engine.memory).toBe(0);
});

test("a stack that overflows inside ends the instance, and what was saved goes on", async () => {
  const engine = await Engine.open(roomy);
  engine.step(opened);
  const { id } = shown(engine.step(asked("1")));
  const state = engine.save("s")!;
  const nested = JSON.stringify({ schema: { type: "object",
    properties: { a: { type: "string", pattern: "(".repeat(90) + "a" + ")".repeat(90) } } } });
  const compile = () => engine.evalText("compile", nested);
  compile(); // what V8 compiles at the first call needs more stack than the call
  expect(() => deep(compile)).toThrow(EngineFault);
  expect(() => engine.step({ event: "ticked" })).toThrow(expect.objectContaining({ name: "EngineFault", lost: true }));
  using next = await Engine.open(engine.config, { module: engine.module });
  expect(shown(next.resume(state)).id).toBe(id);
});

test("memory that grows under a call is seen", async () => {
  using engine = await Engine.open(roomy);
  using form = engine.form({ type: "object", properties: { note: { type: "string" } } });
  const before = engine.memory;
  const long = JSON.stringify({ note: "é".repeat(7 << 19) });
  expect(form.check(long)).toMatchObject([{ code: "json_size" }]);
  expect(engine.memory).toBeGreaterThan(before);
  expect(form.check('{"note":"short"}')).toEqual([]);
});

test("disposal works where the runtime has no Symbol.dispose", async () => {
  const entry = fileURLToPath(new URL("../dist/index.js", import.meta.url));
  const bundle = await build({ entryPoints: [entry], bundle: true, write: false, format: "iife", globalName: "elicit",
    define: { "import.meta.url": '"file:///"' }, logLevel: "error" });
  const there = createContext({ TextEncoder, TextDecoder, URL, Response, crypto, performance, fetch,
    bytes: await readFile(file) });
  runInContext(bundle.outputFiles[0]!.text, there); // a new realm, where Node 20 has not put its Symbol.dispose
  const memory = runInContext(`elicit.Engine.open({}, { module: WebAssembly.compile(bytes) }).then((engine) => {
    engine[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
    return engine.memory;
  })`, there) as Promise<number>;
  expect(await memory).toBe(0);
});

const server = createServer((request, response) => {
  const type = request.url === "/typed.wasm" ? "application/wasm" : "application/octet-stream";
  if (request.url === "/missing.wasm") response.writeHead(404).end();
  else void readFile(file).then((bytes) => response.writeHead(200, { "content-type": type }).end(bytes));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close());
const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

test.each([
  ["an address", () => at("/typed.wasm")],
  ["an address without its type", () => new URL(at("/untyped.wasm"))],
  ["a file", () => file],
  ["a response to come", () => fetch(at("/typed.wasm"))],
  ["bytes", () => readFile(file)],
  ["a module", () => load()],
])("the module comes from %s", async (_, source) => {
  using engine = await Engine.open({}, { module: source() as Promise<WebAssembly.Module> });
  expect(engine.describe().abi.current).toBe(1);
});

test("a module that is not there is an error", async () => {
  await expect(load(at("/missing.wasm"))).rejects.toThrow("404");
});

test("a module compiled once runs in a worker", async () => {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)}).then(async ({ Engine }) => {
      const engine = await Engine.open({}, { module: workerData });
      parentPort.postMessage(engine.describe().ops.length);
    });`;
  const worker = new Worker(code, { eval: true, workerData: await load() });
  expect(await new Promise((resolve, reject) => worker.on("message", resolve).on("error",
    reject))).toBe(operationNames.length);
  await worker.terminate();
});
