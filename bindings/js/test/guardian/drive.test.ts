import { expect, test } from "vitest";
import { Driver, Engine, Guest, InputError, type Consult, type GuardianGrant, type Handed, type Host, type Said, type Verdict } from "../../dist/index.js";
import { asked, opened, roomy } from "../asking.ts";
import { until } from "../until.ts";
import { assemble, manifest } from "./assemble.ts";

const say = (decision: Verdict["decision"], more: Partial<Verdict> = {}) => JSON.stringify({ v: 1, decision, ...more });
const finding = [{ code: "too_keen", message: "It asks too eagerly.", severity: "high" as const }];

/** A driver whose configuration has these guardians; what it hands its host, as lines. */
async function guarded(guardians: GuardianGrant[], guests: Guest[], host: Host = {}) {
  const lines: string[] = [];
  const handed: Handed[] = [];
  const note = (e: Handed) => {
    handed.push(e);
    lines.push([e.effect, "ref" in e ? e.ref : "", "cause" in e ? e.cause : ""].join(" ").trim());
  };
  const journal: string[] = [];
  const engine = await Engine.open({ ...roomy, guardians });
  const driver = new Driver(engine, { show: note, reply: note, problem: note, withdraw: note, ...host }, { guests, journal: { append: (line) => void journal.push(line) } });
  await driver.do(opened);
  const replayed = () => driver.engine.eval("replay", { journal_text: journal.map((line) => line + "\n").join("") });
  return { driver, lines, handed, journal, replayed };
}

const guest = (decision: Verdict["decision"], more: Partial<Verdict> = {}) => Guest.load(assemble({ says: say(decision, more) }));
const shown = (handed: Handed[]) => handed.flatMap((e) => (e.effect === "show" ? [e] : [])).at(-1)!;
const accept = (id: string) => ({ event: "answered", session: "s", id, action: "accept", content: { region: "eu" } }) as const;

test("a guest that denies keeps the question from the person", async () => {
  const denies = await guest("deny", { findings: finding });
  const { driver, lines, handed, journal, replayed } = await guarded([denies.grant({ phases: ["before_show"] })], [denies]);
  const effects = await driver.do(asked("1"));
  expect(effects.map((e) => e.effect)).toEqual(["reply"]);
  expect(lines).toEqual(["reply 1 guardian"]);
  const [reply] = handed;
  expect(reply).toMatchObject({ outcome: "decline", reasons: expect.arrayContaining([{ code: "guardian_denied", args: { guardian: "test", because: "It asks too eagerly.", fuel: 18, digest: denies.digest, of: "question" } }]) as unknown });
  expect(journal.map((line) => (JSON.parse(line) as { event: { event: string } }).event.event)).toEqual(["configured", "opened", "asked", "consulted"]);
  expect(replayed()).toMatchObject({ records: 4 });
  await driver.shutdown();
});

test("a guest that passes is not noticed, before the question and before the answer", async () => {
  const passes = await guest("pass");
  const { driver, lines, handed } = await guarded([passes.grant()], [passes]);
  await driver.do(asked("1"));
  await driver.do(accept(shown(handed).id));
  expect(lines).toEqual(["show 1", "reply 1 user"]);
  await driver.shutdown();
});

test("one that asks wants the same answer twice", async () => {
  const asks = await guest("ask", { findings: finding });
  const { driver, lines, handed } = await guarded([asks.grant({ phases: ["before_send"] })], [asks]);
  await driver.do(asked("1"));
  await driver.do(accept(shown(handed).id));
  await driver.do(accept(shown(handed).id));
  expect(lines).toEqual(["show 1", "problem", "reply 1 user"]);
  expect(handed[1]).toMatchObject({ problems: [{ code: "guardian_unconfirmed" }] });
  await driver.shutdown();
});

test("a guest is given the exact text of its question, and no more than it was granted", async () => {
  const echoes = await Guest.load(assemble());
  let consult: Consult | undefined;
  const { driver } = await guarded([{ ...echoes.grant({ reads: ["/request/message", "/answer"] }), host: true }], [echoes], {
    consult: (effect) => ((consult = effect), say("pass")),
  });
  await driver.do({ ...asked("1"), message: 'a "quoted",\\"question\\": {}' });
  await until(() => expect(consult).toBeDefined());
  expect(JSON.parse(consult!.question_text)).toEqual(consult!.question);
  expect(consult!.question_text.startsWith('{"v":1,"phase":"before_show","at":')).toBe(true);
  expect(consult!.question.request).toEqual({ message: 'a "quoted",\\"question\\": {}' });
  await driver.shutdown();
});

const fault = (name: string) => ({ reasons: expect.arrayContaining([expect.objectContaining({ code: "guardian_fault", args: expect.objectContaining({ fault: name }) as object })]) as unknown });

test.each<[string, Partial<GuardianGrant>, Host["consult"], string]>([
  ["nobody holds", {}, undefined, "missing"],
  ["is the host's, who has no way to ask", { host: true }, undefined, "unavailable"],
  ["throws", {}, () => { throw new Error("no network"); }, "unavailable"],
  ["rejects", {}, () => Promise.reject(new Error("no network")), "unavailable"],
  ["says nothing at all", {}, (() => undefined) as never, "unavailable"],
  ["says the empty string", {}, () => "", "bad_output"],
  ["says nonsense", {}, () => "Sure!", "bad_verdict"],
  ["reports a fault", {}, () => ({ fault: "refused" }), "refused"],
])("a guardian that %s counts as a denial", async (_, more, consult, name) => {
  const denies = await guest("deny");
  const { driver, lines, handed } = await guarded([{ ...denies.grant({ phases: ["before_show"] }), ...more }], [], consult && { consult });
  await driver.do(asked("1"));
  await until(() => expect(lines).toEqual(["reply 1 guardian"]));
  expect(handed[0]).toMatchObject({ outcome: "decline", ...fault(name) });
  await driver.shutdown();
});

test("guardians of the host take their time, and others' questions do not wait for them", async () => {
  const waiting: ((said: Said) => void)[] = [];
  const { driver, lines } = await guarded([{ name: "model", phases: ["before_show"], reads: ["/request"] }], [], { consult: () => new Promise((resolve) => waiting.push(resolve)) });
  await driver.do(asked("1"));
  await driver.do(asked("2"));
  expect(lines).toEqual([]);
  waiting[1]!(say("pass"));
  await until(() => expect(lines).toEqual(["show 2"]));
  waiting[0]!({ output: say("deny") });
  await until(() => expect(lines).toEqual(["show 2", "reply 1 guardian"]));
  await driver.shutdown();
});

test("a second person approves under a name of their own", async () => {
  const two = await Guest.load(assemble({ says: say("pass", { obligations: [{ do: "second_person" }] }), manifest: { ...manifest, phases: ["before_send"] } }));
  const consults: Consult[] = [];
  const { driver, lines, handed } = await guarded([two.grant()], [two], {
    consult: (effect) => (consults.push(effect), { output: say("allow"), principal: "anna" }),
  });
  await driver.do(asked("1"));
  await driver.do(accept(shown(handed).id));
  await until(() => expect(lines).toEqual(["show 1", "reply 1 user"]));
  expect(consults.map((c) => c.phase)).toEqual(["second_person"]);
  await driver.shutdown();
});

test("a session's own host leaves guardians to the driver's", async () => {
  const { driver, lines } = await guarded([{ name: "model", phases: ["before_show"], reads: [] }], [], { consult: () => say("deny") });
  const replies: string[] = [];
  driver.join("s", { reply: (reply) => void replies.push(reply.cause) });
  await driver.do(asked("1"));
  await until(() => expect(replies).toEqual(["guardian"]));
  expect(lines).toEqual([]);
  await driver.shutdown();
});

test("consults nobody performs are effects like others", async () => {
  const driver = new Driver(await Engine.open({ ...roomy, guardians: [{ name: "model", phases: ["before_show"], reads: [] }] }));
  const effects = driver.effects();
  await driver.do(opened);
  await driver.do(asked("1"));
  const { value } = (await effects.next()) as { value: Consult };
  expect(value).toMatchObject({ effect: "consult", guardian: "model", phase: "before_show" });
  const { session, id, round } = value;
  expect(await driver.do({ event: "consulted", session, id, round, output: say("pass") })).toMatchObject([{ effect: "show" }]);
  await driver.shutdown();
});

test("an engine that breaks while a guardian thinks asks it again, and takes no answer that another asked for", async () => {
  const waiting: ((said: Said) => void)[] = [];
  const engine = await Engine.open({ ...roomy, guardians: [{ name: "model", phases: ["before_show"], reads: [] }] });
  const lines: string[] = [];
  const driver = new Driver(engine, { show: () => lines.push("show"), reply: () => lines.push("reply"), consult: () => new Promise((resolve) => waiting.push(resolve)) });
  await driver.do(opened);
  await driver.do(asked("1"));
  engine.close(); // as a trap would
  await driver.do({ event: "ticked" });
  await until(() => expect(waiting).toHaveLength(2));
  waiting[0]!(say("deny"));
  waiting[1]!(say("pass"));
  await until(() => expect(lines).toEqual(["show"]));
  await driver.shutdown();
});

test.each<[string, (grant: GuardianGrant) => GuardianGrant, string | undefined, { code: string; pointer: string }]>([
  ["declares what the module does not", (g) => ({ ...g, declared: { phases: ["before_show"], reads: ["/request"] } }), undefined, { code: "guardian_declared_wrong", pointer: "/guardians/0/declared" }],
  ["has settings that do not fit", (g) => g, '{"v":1,"problems":[{"pointer":"/hosts/0","message":"This is not a host."}]}', { code: "guardian_settings", pointer: "/guardians/0/settings/hosts/0" }],
  ["has settings nobody can judge", (g) => g, '{"v":1,"problems":[{"pointer":"/hosts/0"}]}', { code: "guardian_settings_unread", pointer: "/guardians/0/settings" }],
  ["has settings judged twice", (g) => g, '{"v":1,"problems":[],"problems":[]}', { code: "guardian_settings_unread", pointer: "/guardians/0/settings" }],
  ["is too poor to have its settings judged", (g) => ({ ...g, fuel: 3 }), undefined, { code: "guardian_settings_unread", pointer: "/guardians/0/settings" }],
])("a grant that %s is refused", async (_, change, settings, problem) => {
  const module = await Guest.load(assemble(settings === undefined ? {} : { settings }));
  const config = { guardians: [change(module.grant())] };
  const engine = await Engine.open(config);
  let refused: unknown;
  try {
    new Driver(engine, {}, { guests: [module] });
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(InputError);
  expect((refused as InputError).problems).toMatchObject([{ ...problem, args: { guardian: "test" } }]);
  const sentence = engine.eval("explain", { problems: (refused as InputError).problems }).problems![0]!;
  expect(sentence).toContain("test");
  expect(sentence).not.toMatch(/[{}]/);
  const driver = new Driver(await Engine.open(), {}, { guests: [module] });
  await expect(driver.do({ event: "configured", config })).rejects.toThrow(problem.code);
  await driver.shutdown();
});
