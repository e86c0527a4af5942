import { expect, test, vi } from "vitest";
import { Driver, Engine, EngineFault, JournalError, type Event, type Given, type Handed, type Host, type Journal } from "../dist/index.js";
import { asked, dice, opened, roomy, schema } from "./asking.ts";
import { deep } from "./deep.ts";
import { until } from "./until.ts";

const names = ["show", "withdraw", "reply", "open_url", "resolve", "remember", "extend", "pause", "problem"] as const;

/** A host that notes what it is handed, as one line each, with the journal's lines between them. */
function notes() {
  const lines: string[] = [];
  const handed: Handed[] = [];
  const host: Host = Object.fromEntries(names.map((name) => [name, (e: Handed) => {
    handed.push(e);
    lines.push([name, "ref" in e ? e.ref : "", "cause" in e ? e.cause : ""].join(" ").trim());
  }]));
  return { lines, handed, host };
}

const settle = (id: string): Event => ({ event: "answered", session: "s", id, action: "accept", content: { region: "eu" } });
const idOf = (handed: Handed[]) => handed.flatMap((e) => (e.effect === "show" ? [e.id] : [])).at(-1)!;

test("a record is durable before the reply that follows it, however slow the store", async () => {
  const { lines, handed, host } = notes();
  const kept: string[] = [];
  const journal: Journal = {
    async append(line) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      kept.push(line);
      lines.push("kept " + (JSON.parse(line) as { event: { event: string } }).event.event);
    },
  };
  const driver = new Driver(await Engine.open(roomy), host, { journal });
  await Promise.all([driver.do(opened), driver.do(asked("1")), driver.do(asked("2"))]);
  await driver.do(settle(idOf(handed)));
  expect(lines).toEqual(["kept configured", "kept opened", "kept asked", "show 1", "kept asked", "show 2", "kept answered", "reply 2 user"]);
  expect(driver.engine.eval("replay", { journal_text: kept.join("\n") + "\n" })).toMatchObject({ records: 5 });
  await driver.shutdown();
  expect(lines.slice(-3)).toEqual(["kept closed", "reply 1 shutdown", "withdraw  shutdown"]);
  await expect(driver.do(asked("3"))).rejects.toThrow("shut down");
});

test("effects that no host performs come in order, and the next event waits for their reader", async () => {
  const driver = new Driver(await Engine.open(roomy), {}, { most: 3 });
  const effects = driver.effects();
  for (const event of [opened, asked("1"), asked("2"), asked("3")]) await driver.do(event);
  let taken = false;
  const later = driver.do(asked("4")).then(() => (taken = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(taken).toBe(false);
  const seen: string[] = [];
  for await (const effect of effects) {
    seen.push(`${effect.effect} ${"ref" in effect ? effect.ref : ""}`);
    if (seen.length === 4) break;
  }
  expect(seen).toEqual(["show 1", "show 2", "show 3", "show 4"]);
  await later;
  await driver.shutdown();
  expect(await effects.next()).toEqual({ value: undefined, done: true });
});

test("too many questions at once are refused at once", async () => {
  const { lines, host } = notes();
  const driver = new Driver(await Engine.open(roomy), host, { most: 2 });
  const doing = [opened, asked("1"), asked("2")].map((event) => driver.do(event));
  expect(lines).toEqual(["reply 2 rate_limited"]);
  expect(await Promise.allSettled(doing)).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }, { status: "rejected" }]);
  await driver.do(asked("3"));
  expect(lines).toEqual(["reply 2 rate_limited", "show 1", "show 3"]);
  await driver.shutdown();
});

test("the timer settles what nobody answered", async () => {
  const { lines, host } = notes();
  const driver = new Driver(await Engine.open({ limits: { ...roomy.limits, answer_ttl_ms: 30 } }), host);
  await driver.do(opened);
  await driver.do(asked("1"));
  await until(() => expect(lines).toEqual(["show 1", "reply 1 timeout", "withdraw  timeout"]));
  await driver.shutdown();
});

test("a clock that goes back does not bring the timer early", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  try {
    const { lines, host } = notes();
    const driver = new Driver(await Engine.open({ limits: { ...roomy.limits, answer_ttl_ms: 1000 } }), host);
    await driver.do(opened);
    await driver.do(asked("1"));
    vi.setSystemTime(999_000);
    await vi.advanceTimersByTimeAsync(1500);
    expect(lines).toEqual(["show 1"]);
    await vi.advanceTimersByTimeAsync(600);
    expect(lines[1]).toBe("reply 1 timeout");
  } finally {
    vi.useRealTimers();
  }
});

test("a queue that is full does not lose the timer, and a reader that is gone does not hold up the end", async () => {
  const { lines, host } = notes();
  const slow: Journal = { append: () => new Promise((resolve) => setTimeout(resolve, 20)) };
  const driver = new Driver(await Engine.open({ limits: { ...roomy.limits, answer_ttl_ms: 30 } }), host, { most: 1, journal: slow });
  await driver.do(opened);
  await driver.do(asked("1"));
  const busy = setInterval(() => void driver.do({ event: "ticked" }).catch(() => {}), 1);
  await until(() => expect(lines).toContain("reply 1 timeout"));
  clearInterval(busy);
  await driver.shutdown();

  const unread = new Driver(await Engine.open(roomy), {}, { most: 1 });
  unread.effects();
  await unread.do(opened);
  await unread.do(asked("1"));
  await unread.shutdown();
});

test("an abort settles everything with the cause shutdown", async () => {
  const { lines, host } = notes();
  const leaving = new AbortController();
  const driver = new Driver(await Engine.open(roomy), host, { signal: leaving.signal });
  await driver.do(opened);
  await driver.do(asked("1"));
  leaving.abort();
  await driver.shutdown();
  expect(lines).toEqual(["show 1", "reply 1 shutdown", "withdraw  shutdown"]);
});

test("a journal that fails closes everything", async () => {
  const { lines, handed, host } = notes();
  let left = 4;
  const driver = new Driver(await Engine.open(roomy), host, {
    journal: { append: () => (left-- > 0 ? undefined : Promise.reject(new Error("disk full"))) },
  });
  await driver.do(opened);
  await driver.do(asked("1"));
  await driver.do(asked("2"));
  await expect(driver.do(settle(idOf(handed)))).rejects.toThrow(JournalError);
  expect(lines).toEqual(["show 1", "show 2", "reply 2 shutdown", "reply 1 shutdown", "withdraw  shutdown"]);
  expect(handed.filter((e) => e.effect === "reply").map((e) => [e.outcome, e.problems?.[0]?.code])).toEqual([["error", "journal_failed"], ["error", "journal_failed"]]);
  await expect(driver.do(asked("3"))).rejects.toThrow(JournalError);
  expect(lines.at(-1)).toBe("reply 3 shutdown");
  await driver.shutdown();
});

test("an engine that breaks is replaced, and every question but the one that broke it goes on", async () => {
  const { lines, handed, host } = notes();
  const engine = await Engine.open(roomy);
  const step = engine.step.bind(engine);
  engine.step = (event: Event, given?: Given) => {
    if (!("ref" in event) || event.ref !== "bomb") return step(event, given);
    const tick = () => step({ event: "ticked" }, given);
    for (let i = 0; i < 3; i++) tick();
    return deep(tick);
  };
  const chains: string[] = [];
  const faults: EngineFault[] = [];
  const driver = new Driver(engine, host, {
    journal: { begin: () => chains.push(""), append: (line) => void (chains[chains.length - 1] += line + "\n") },
    replaced: (fault) => faults.push(fault),
  });
  await driver.do(opened);
  await driver.do({ event: "configured", config: { ...roomy, limits: { ...roomy.limits, shown: 2 } } });
  await driver.do(asked("1"));
  const id = idOf(handed);
  const lost = await driver.do(asked("bomb"));
  expect(lost).toMatchObject([{ effect: "reply", ref: "bomb", outcome: "error", problems: [{ code: "internal" }] }]);
  expect(faults).toMatchObject([{ lost: true }]);
  expect(driver.engine).not.toBe(engine);
  expect(Driver.of(driver.engine)).toBe(driver);
  await Promise.all([driver.do(asked("2")), driver.do(asked("3"))]);
  await driver.do(settle(id));
  expect(lines).toEqual(["show 1", "show 1", "reply bomb shutdown", "show 2", "reply 1 user", "show 3"]);
  expect(chains).toHaveLength(2);
  for (const chain of chains) expect(driver.engine.eval("replay", { journal_text: chain })).not.toHaveProperty("problem");
  await driver.shutdown();
});

test("what is wrong with an event is the caller's, and changes nothing", async () => {
  const driver = new Driver(await Engine.open(roomy));
  await expect(driver.do({ event: "opened" } as never)).rejects.toThrow("wrong_type at /event/session");
  await driver.do(opened);
  expect(await driver.do({ ...opened })).toMatchObject([{ effect: "problem", problems: [{ code: "session_open" }] }]);
  await driver.shutdown();
});

test("time and dice may be given", async () => {
  const run = async () => {
    let n = 0;
    const lines: string[] = [];
    const driver = new Driver(await Engine.open(roomy, { at: 1, dice: dice(1) }), {}, { now: () => 1000 + n, dice: () => dice(++n), journal: { append: (line) => void lines.push(line) } });
    await driver.do(opened);
    await driver.do(asked("1"));
    await driver.shutdown();
    return lines;
  };
  expect(await run()).toEqual(await run());
});

test("100,000 steps in one instance leave memory flat", async () => {
  const engine = await Engine.open(roomy);
  using form = engine.form(schema);
  const run = (from: number, to: number) => {
    for (let i = from; i < to; i += 4) {
      const at = { at: i * 10 };
      engine.step({ ...opened, session: `s${i}` }, at);
      const { id } = engine.step({ ...asked(`${i}`), session: `s${i}` }, at).find((e) => e.effect === "show")!;
      const reply = engine.step({ ...settle(id), session: `s${i}` } as Event, at)[1];
      if (reply?.effect !== "reply" || reply.outcome !== "accept" || form.check({ region: "eu" }).length > 0) throw new Error(JSON.stringify(reply));
      engine.step({ event: "closed", session: `s${i}`, cause: "session_closed" }, at);
    }
    return engine.memory;
  };
  const early = run(0, 40_000);
  const late = run(40_000, 100_000);
  console.log(`memory after 40,000 steps ${early >> 10} KiB, after 100,000 ${late >> 10} KiB`);
  expect(late - early, "under 35 bytes a step").toBeLessThanOrEqual(2 << 20);
  engine.close();
});
