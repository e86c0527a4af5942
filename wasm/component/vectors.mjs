// vectors.mjs COMPONENT BUNDLE runs the bundled vectors, one question and one connection through the component in Node.
import { readFile } from "node:fs/promises";
import assert from "node:assert/strict";
import { openComponent } from "./open.mjs";

const [component, bundle] = process.argv.slice(2);
const { api } = await openComponent(await readFile(component));
const { ops } = JSON.parse(api.describe());

const data = await readFile(bundle);
let at = 0, ran = 0, failed = 0;
const text = (size) => data.toString("utf8", at, (at += size));
while (at < data.length) {
  const [op, ...sizes] = [0, 4, 8, 12].map((n) => data.readUInt32LE(at + n));
  at += 16;
  const [name, given, want] = sizes.map(text);
  const got = api.eval(ops[op - 16], given);
  ran++;
  if (got !== want) {
    failed++;
    console.log(`${name}\n got ${got}\nwant ${want}`);
  }
}

const fault = (status) => ({ payload }) =>
  payload.status === status && JSON.parse(payload.problems).problems.length > 0;
const { engine, effects } = api.Engine.open("{}", 1000n);
assert.equal(JSON.parse(effects).effects[0].effect, "append");
const step = (event) => JSON.parse(engine.step(JSON.stringify({ event }), 2000n)).effects;
step({ event: "opened", session: "s", server: "build", side: "answering", declared: ["form"], shown: ["form"] });
const schema = { type: "object", properties: {} };
const asked = { event: "asked", session: "s", ref: "1", mode: "form", message: "Go on?", schema };
const { id } = step(asked).find((e) => e.effect === "show");
const { state } = JSON.parse(engine.save("s"));
const declined = step({ event: "answered", session: "s", id, action: "decline" });
assert.equal(declined.find((e) => e.effect === "reply").outcome, "decline");
assert.throws(() => engine.save('"'), fault("invalid"));
assert.throws(() => engine.step(" ".repeat(8 * 2 ** 20 + 1), 0n), fault("too-large"));
assert.throws(() => engine.step("{", 2n ** 64n - 1n), fault("invalid"));
assert.throws(() => api.Engine.open("[]", 0n), fault("invalid"));
engine[Symbol.dispose]();
const second = api.Engine.open("{}", 0n).engine;
second.step(JSON.stringify({ event: { event: "resumed", state } }), 3000n);
second[Symbol.dispose]();
const { form, description } = api.Form.compile('{"schema":{"type":"object","properties":{"n":{"type":"integer"}}}}');
assert.equal(JSON.parse(description).form.fields[0].name, "n");
assert.equal(form.check('{"n":1}'), '{"problems":[]}');
assert.equal(JSON.parse(form.check('{"n":"x"}')).problems[0].code, "wrong_type");
form[Symbol.dispose]();
assert.throws(() => api.Form.compile("{}"), fault("invalid"));
assert.equal(JSON.parse(api.eval("nothing", "{}")).problems[0].code, "unknown_op");

const session = { version: "2025-11-25", declared: ["form"] };
const config = JSON.stringify({ server: "build", role: "client", modes: ["form"], session });
const { connection, effects: begun } = api.Connection.open(config, 1000n);
assert.equal(JSON.parse(begun).effects[0].effect, "append");
const message = (value) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const receive = (from, value) => JSON.parse(connection.receive(from, message(value), 2000n)).effects;
const large = { jsonrpc: "2.0", method: "x", params: { data: "a".repeat(2 ** 24) } };
assert.deepEqual(receive("client", large), [{ effect: "forward", to: "server" }]);
const params = { message: "Go on?", requestedSchema: schema };
const create = { jsonrpc: "2.0", id: 7, method: "elicitation/create", params };
assert.equal(receive("server", create).filter((e) => e.effect === "show").length, 1);
assert.deepEqual(receive("server", "\n"), []);
const ended = JSON.parse(connection.step('{"event":{"event":"ended","end":"host"}}', 3000n)).effects;
assert.equal(JSON.parse(ended.find((e) => e.effect === "send").message).result.action, "cancel");
assert.throws(() => connection.step('{"save":"form"}', 0n), fault("invalid"));
assert.throws(() => connection.receive("host", message("{}"), 0n));
assert.throws(() => api.Connection.open('{"server":7}', 0n), fault("invalid"));
assert.throws(() => api.Connection.open('{"server":"s"},"x":{', 0n), fault("invalid"));
connection[Symbol.dispose]();

// With many engines and questions, the memory for arguments and results must not grow.
for (let i = 0; i < 300; i++) {
  const many = api.Engine.open("{}", 0n).engine;
  for (let j = 0; j < 10; j++) many.step('{"event":{"event":"ticked"}}', BigInt(j));
  many[Symbol.dispose]();
}
console.log(`component in Node: ${ran} vectors, ${failed} failed`);
