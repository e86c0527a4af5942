import { expect, test } from "vitest";
import {
  connect,
  Engine,
  Guest,
  InputError,
  type Consult,
  type GuardianPermit,
  type Host,
  type RelayEffect,
  type GuardianAnswer,
  type Verdict,
} from "../../dist/index.js";
import { roomy } from "../asking.ts";
import { backup, notes, question, requestedSchema } from "../talk.ts";
import { until } from "../until.ts";
import { assemble, manifest } from "./assemble.ts";

const say = (decision: Verdict["decision"], more: Partial<Verdict> = {}) => JSON.stringify({ v: 1, decision, ...more });
const finding = [{ code: "too_keen", message: "It asks too eagerly.", severity: "high" as const }];

/** A connection whose configuration has these guardians, and what it hands its host. */
async function guarded(guardians: GuardianPermit[], guests: Guest[], host: Partial<Host> = {}) {
  const settled: Extract<RelayEffect, { effect: "settled" }>["reply"][] = [];
  const told = notes({ settled: ({ reply }) => void settled.push(reply), ...host });
  const journal: string[] = [];
  const engine = await Engine.open({ ...roomy, guardians });
  const connection = connect(engine, backup, told.host, {
    guests,
    journal: { append: (line) => void journal.push(line) },
  });
  const replayed = () => engine.eval("replay", { journal_text: journal.map((line) => line + "\n").join("") });
  const ask = (id: number, params?: object) => connection.receive("server", question(id, params));
  return { connection, ask, settled, journal, replayed, ...told };
}

const guest = (decision: Verdict["decision"], more: Partial<Verdict> = {}) =>
  Guest.load(assemble({ says: say(decision, more) }));

test("a guest that denies keeps the question from the person", async () => {
  const denies = await guest("deny", { findings: finding });
  const { connection, ask, lines, settled, journal, replayed } = await guarded(
    [denies.permit({ phases: ["before_show"] })],
    [denies],
  );
  const effects = await ask(1);
  expect(effects.map((e) => e.effect)).toEqual(["append", "question", "wake", "append", "settled", "send", "wake"]);
  expect(lines).toEqual(["server 1 decline"]);
  const [reply] = settled;
  expect(reply).toMatchObject({
    outcome: "decline",
    reasons: expect.arrayContaining([
      {
        code: "guardian_denied",
        args: {
          guardian: "test", because: "It asks too eagerly.", fuel: 18 + denies.description.instance_fuel,
          digest: denies.digest, of: "question"
        },
      },
    ]) as unknown,
  });
  expect(journal.map((line) => (JSON.parse(line) as { event: { event: string } }).event.event)).toEqual([
    "configured",
    "opened",
    "asked",
    "consulted",
  ]);
  expect(replayed()).toMatchObject({ records: 4 });
  await connection.shutdown();
});

test("a guest that passes is not noticed, before the question and before the answer", async () => {
  const passes = await guest("pass");
  const { connection, ask, answer, lines } = await guarded([passes.permit()], [passes]);
  await ask(1);
  await connection.do(answer());
  expect(lines).toEqual(["show 1", "server 1 accept"]);
  await connection.shutdown();
});

test("one that asks wants the same answer twice", async () => {
  const asks = await guest("ask", { findings: finding });
  const { connection, ask, answer, lines } = await guarded([asks.permit({ phases: ["before_send"] })], [asks]);
  await ask(1);
  await connection.do(answer());
  await connection.do(answer());
  expect(lines).toEqual(["show 1", "problem guardian_unconfirmed", "server 1 accept"]);
  await connection.shutdown();
});

test("a guest is given the exact text of its question, and no more than it was permitted", async () => {
  const echoes = await Guest.load(assemble());
  let consult: Consult | undefined;
  const { connection, ask } = await guarded(
    [{ ...echoes.permit({ reads: ["/request/message", "/answer"] }), host: true }],
    [echoes],
    {
      consult: (effect) => ((consult = effect), say("pass")),
    },
  );
  await ask(1, { message: 'a "quoted",\\"question\\": {}', requestedSchema });
  await until(() => expect(consult).toBeDefined());
  expect(JSON.parse(consult!.question_text)).toEqual(consult!.question);
  expect(consult!.question_text.startsWith('{"v":1,"phase":"before_show","at":')).toBe(true);
  expect(consult!.question.request).toEqual({ message: 'a "quoted",\\"question\\": {}' });
  await connection.shutdown();
});

const fault = (name: string) => ({
  reasons: expect.arrayContaining([
    expect.objectContaining({ code: "guardian_fault", args: expect.objectContaining({ fault: name }) as object }),
  ]) as unknown,
});

test.each<[string, Partial<GuardianPermit>, Host["consult"], string]>([
  ["nobody holds", {}, undefined, "not_loaded"],
  ["is the host's, who has no way to ask", { host: true }, undefined, "unavailable"],
  [
    "throws",
    {},
    () => {
      throw new Error("no network");
    },
    "unavailable",
  ],
  ["rejects", {}, () => Promise.reject(new Error("no network")), "unavailable"],
  ["says nothing at all", {}, (() => undefined) as never, "unavailable"],
  ["says the empty string", {}, () => "", "bad_output"],
  ["says nonsense", {}, () => "Sure!", "bad_verdict"],
  ["reports a fault", {}, () => ({ fault: "refused" }), "refused"],
])("a guardian that %s counts as a denial", async (_, more, consult, name) => {
  const denies = await guest("deny");
  const { connection, ask, lines, settled } = await guarded(
    [{ ...denies.permit({ phases: ["before_show"] }), ...more }],
    [],
    consult && { consult },
  );
  await ask(1);
  await until(() => expect(lines).toEqual(["server 1 decline"]));
  expect(settled).toMatchObject([{ outcome: "decline", cause: "guardian", ...fault(name) }]);
  await connection.shutdown();
});

test("guardians of the host take their time, and others' questions do not wait for them", async () => {
  const waiting: ((said: GuardianAnswer) => void)[] = [];
  const { connection, ask, lines } = await guarded(
    [{ name: "model", phases: ["before_show"], reads: ["/request"] }],
    [],
    { consult: () => new Promise((resolve) => waiting.push(resolve)) },
  );
  await ask(1);
  await ask(2);
  expect(lines).toEqual([]);
  waiting[1]!(say("pass"));
  await until(() => expect(lines).toEqual(["show 2"]));
  waiting[0]!({ output: say("deny") });
  await until(() => expect(lines).toEqual(["show 2", "server 1 decline"]));
  await connection.shutdown();
});

test("a second person approves under a name of their own", async () => {
  const two = await Guest.load(
    assemble({
      says: say("pass", { obligations: [{ do: "second_person" }] }),
      manifest: { ...manifest, phases: ["before_send"] },
    }),
  );
  const consults: Consult[] = [];
  const { connection, ask, answer, lines } = await guarded([two.permit()], [two], {
    consult: (effect) => (consults.push(effect), { output: say("allow"), principal: "anna" }),
  });
  await ask(1);
  await connection.do(answer());
  await until(() => expect(lines).toEqual(["show 1", "server 1 accept"]));
  expect(consults.map((c) => c.phase)).toEqual(["second_person"]);
  await connection.shutdown();
});

test.each<[string, (permit: GuardianPermit) => GuardianPermit, string | undefined, { code: string; pointer: string }]>([
  [
    "declares what the module does not",
    (g) => ({ ...g, declared: { phases: ["before_show"], reads: ["/request"] } }),
    undefined,
    { code: "guardian_declared_wrong", pointer: "/guardians/0/declared" },
  ],
  [
    "has settings that do not fit",
    (g) => g,
    '{"v":1,"problems":[{"pointer":"/hosts/0","message":"This is not a host."}]}',
    { code: "guardian_settings", pointer: "/guardians/0/settings/hosts/0" },
  ],
  [
    "has settings nobody can judge",
    (g) => g,
    '{"v":1,"problems":[{"pointer":"/hosts/0"}]}',
    { code: "guardian_settings_unread", pointer: "/guardians/0/settings" },
  ],
  [
    "has settings judged twice",
    (g) => g,
    '{"v":1,"problems":[],"problems":[]}',
    { code: "guardian_settings_unread", pointer: "/guardians/0/settings" },
  ],
  [
    "is too poor to have its settings judged",
    (g) => ({ ...g, fuel: 3 }),
    undefined,
    { code: "guardian_settings_unread", pointer: "/guardians/0/settings" },
  ],
])("a permit that %s is refused", async (_, change, settings, problem) => {
  const module = await Guest.load(assemble(settings === undefined ? {} : { settings }));
  const config = { guardians: [change(module.permit())] };
  const engine = await Engine.open(config);
  let refused: unknown;
  try {
    connect(engine, backup, notes().host, { guests: [module] });
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(InputError);
  expect((refused as InputError).problems).toMatchObject([{ ...problem, args: { guardian: "test" } }]);
  const sentence = engine.eval("explain", { problems: (refused as InputError).problems }).problems![0]!;
  expect(sentence).toContain("test");
  expect(sentence).not.toMatch(/[{}]/);
  const connection = connect(await Engine.open(), backup, notes().host, { guests: [module] });
  await expect(connection.do({ event: "configured", config })).rejects.toThrow(problem.code);
  await connection.shutdown();
});
