// A host of the npm package: a connection, an engine that moves, a decision and a form.
import { pathToFileURL } from "node:url";

const { Engine, InputError } = await import(pathToFileURL(process.argv[2]).href);
const hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",' +
  '"capabilities":{},"clientInfo":{"name":"kept","version":"1"}}}';
const welcome = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},' +
  '"serverInfo":{"name":"backup","version":"1"}}}';
const schema = { type: "object", properties: { days: { type: "integer", maximum: 30 } }, required: ["days"] };
const question = JSON.stringify({ jsonrpc: "2.0", id: "q", method: "elicitation/create",
  params: { message: "Keep for how long?", requestedSchema: schema } });
const policy = { version: 1, rules: [{ name: "no-url", when: { mode: "url" }, then: "decline" }] };
const told = (what, effects) => console.log(`${what}: ` +
  effects.map((e) => e.effect).filter((name) => name !== "append" && name !== "wake").join(" "));

const first = await Engine.open({ policy: { user: policy } });
const connection = first.relay({ server: "backup", role: "client", modes: ["form"],
  config: { policy: { user: policy } } });
told("client", connection.receive("client", hello));
told("server", connection.receive("server", welcome));
let effects = connection.receive("server", question);
told("question", effects);
let show = effects.find((e) => e.effect === "show");
const answer = { event: "answered", session: show.session, id: show.id, action: "accept" };
told("wrong", connection.step({ ...answer, content: { days: 99 } }));
effects = connection.step({ ...answer, content: { days: 7 } });
told("answered", effects);
console.log(`sent: ${effects.find((e) => e.effect === "send").message}`);
connection.close();

const second = await Engine.open();
first.step({ event: "opened", session: "s", server: "backup", side: "answering", declared: ["form", "url"],
  shown: ["form", "url"] }, { at: 1000 });
const asked = { event: "asked", session: "s", ref: "1", mode: "form", message: "Keep?", schema };
told("asked", first.step({ event: asked, at: 1000, random: "cd".repeat(32) }));
effects = first.step({ event: "asked", session: "s", mode: "url", message: "Pay", url: "https://shop.example/",
  link: "p", ref: "2" });
told("url", effects);
const { reasons } = effects.find((e) => e.effect === "reply");
console.log(`why: ${Math.min(first.eval("explain", { reasons }).reasons.length, 1)} sentences or more`);
show = second.resume(first.save("s"), { at: 2000 }).find((e) => e.effect === "show");
const reply = second.step({ event: "answered", session: "s", id: show.id, action: "accept", content: { days: 7 } })
  .find((e) => e.effect === "reply");
console.log(`reply: ${reply.outcome} ${reply.content.days}`);
console.log(`decide: ${first.eval("decide", { policy: { user: policy }, facts: { mode: "url" } }).outcome}`);
const form = first.form(schema);
console.log(`form: ${form.form.fields[0].kind} ${form.check({ days: 99 })[0].code}`);
try {
  await Engine.open({ limits: { shown: -1 } });
} catch (error) {
  if (error instanceof InputError) console.log(`refused: ${error.problems[0].pointer}`);
}
first.close();
second.close();
