import { expect, test, vi } from "vitest";
import {
  connect, Engine, InputError, JournalError, lines as linesOf, Relay, type Journal, type RelayEffect,
} from "../dist/index.js";
import { roomy } from "./asking.ts";
import { backup, notes, notice, question, talk } from "./talk.ts";
import { until } from "./until.ts";
import { nightly } from "./vector-files.ts";

const open = () => Engine.open(roomy);

test("a record is durable before the answer that follows it, however slow the store", async () => {
  const { host, lines, answer } = notes();
  const kept: string[] = [];
  const journal: Journal = {
    begin: () => void lines.push("begin"),
    async append(line) {
      // Each record takes another number of turns of the event loop, so that a later record could overtake it.
      for (let turns = (kept.length * 3) % 5; turns > 0; turns--) await new Promise(setImmediate);
      kept.push(line);
      lines.push("kept " + (JSON.parse(line) as { event: { event: string } }).event.event);
    },
  };
  const engine = await open();
  const connection = connect(engine, backup, host, { journal });
  await Promise.all([
    connection.receive("server", question(1)),
    connection.receive("server", question(2)),
    connection.receive("server", notice),
  ]);
  await connection.do(answer(2));
  expect(lines).toEqual([
    "begin",
    "kept configured",
    "kept opened",
    "kept asked",
    "show 1",
    "kept asked",
    "show 2",
    "client notifications/message",
    "kept answered",
    "server 2 accept",
  ]);
  expect(engine.eval("replay", { journal_text: kept.join("\n") + "\n" })).toMatchObject({ records: 5 });
  await connection.shutdown();
  await connection.shutdown();
  expect(lines.slice(-4)).toEqual(["kept closed", "server 1 cancel", "withdraw shutdown", "close server"]);
  await expect(connection.receive("server", question(3))).rejects.toThrow("shut down");
});

test("what is no question passes as it came, in bytes or as text", async () => {
  const { host, written } = notes();
  const connection = connect(await open(), backup, host);
  const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","method":"n","params":{"deep":[3.0,1e400,"\\ud800"]}}');
  await connection.receive("server", bytes);
  await connection.receive("client", notice);
  expect(written).toEqual([
    { to: "client", message: bytes },
    { to: "server", message: notice },
  ]);
  expect(written[0]!.message).toBe(bytes);
  await connection.receive("server", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  expect(written).toHaveLength(2);
  await connection.shutdown();
});

test("effects and members of a later version change nothing", async () => {
  const named = { effect: "sing", to: "client", id: 7, problems: {} };
  for (const seed of Array(20).keys()) {
    const { host, lines, answer } = notes();
    let chance = seed + 1;
    const next = (below: number) => (chance = (chance * 48_271) % 2_147_483_647) % below;
    const mixed = (effects: RelayEffect[]): RelayEffect[] => {
      const later = ["sing", "", "Show", "show ", "__proto__", "toString"].map((effect) => ({ ...named, effect }));
      return effects.flatMap((effect) => [
        ...(next(2) === 0 ? [later[next(later.length)] as unknown as RelayEffect] : []),
        { ...effect, ["later" + next(9)]: [{ a: null }] },
      ]);
    };
    const { receive, step } = Relay.prototype;
    vi.spyOn(Relay.prototype, "receive").mockImplementation(function (this: Relay, ...given) {
      return mixed(receive.apply(this, given));
    });
    vi.spyOn(Relay.prototype, "step").mockImplementation(function (this: Relay, ...given) {
      return mixed(step.apply(this, given));
    });
    const connection = connect(await open(), backup, host);
    await connection.receive("server", question(1));
    await connection.do(answer(1));
    expect(lines).toEqual(["show 1", "server 1 accept"]);
    await connection.shutdown();
    vi.restoreAllMocks();
  }
});

test("a conversation gives the same bytes each time", async () => {
  const once = await talk(await open());
  expect(once.filter((line) => !line.startsWith("keep"))).toEqual([
    "begin",
    "server 0 initialize",
    "client 0 result",
    "server 1e400 tools/call",
    "show 7",
    "server 7 accept",
    "client 1e400 result",
    "close server",
    "close client",
  ]);
  expect(await talk(await open())).toEqual(once);
});

test("the host may be the server, and the client is asked in its own protocol", async () => {
  const { host, lines, written } = notes();
  const { modes: _, ...config } = backup;
  const connection = connect(await open(), { ...config, role: "server" }, host);
  await connection.receive("server", question("mine"));
  const asked = JSON.parse(written[0]!.message as string) as {
    id: string;
    method: string;
    params: { message: string };
  };
  expect([written[0]!.to, asked.method, asked.params.message]).toEqual([
    "client",
    "elicitation/create",
    "Which region?",
  ]);
  await connection.receive(
    "client",
    JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: { action: "accept", content: { region: "us" } } }),
  );
  expect(lines.at(-1)).toBe("server mine accept");
  await connection.shutdown();
});

test("the timer settles what nobody answered", async () => {
  const { host, lines } = notes();
  const connection = connect(await Engine.open({ limits: { ...roomy.limits, answer_ttl_ms: 30 } }), backup, host);
  await connection.receive("server", question(1));
  await until(() => expect(lines).toEqual(["show 1", "server 1 cancel", "withdraw timeout"]));
  await connection.shutdown();
});

test("a clock of the host's own that goes back does not bring the timer early, nor lose it", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  try {
    const { host, lines } = notes();
    const engine = await Engine.open({ limits: { ...roomy.limits, answer_ttl_ms: 1000 } });
    const connection = connect(engine, backup, host, { now: Date.now });
    await connection.receive("server", question(1));
    vi.setSystemTime(999_000);
    await vi.advanceTimersByTimeAsync(1500);
    expect(lines).toEqual(["show 1"]);
    await vi.advanceTimersByTimeAsync(600);
    expect(lines[1]).toBe("server 1 cancel");
  } finally {
    vi.useRealTimers();
  }
});

for (const [name, set] of [["back", -3_600_000], ["forward", 3_600_000]] as const)
  test(`deadlines do not follow a clock that is set ${name} by an hour`, async () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    try {
      const { host, lines } = notes();
      const engine = await Engine.open({ limits: { ...roomy.limits, answer_ttl_ms: 45_000 } });
      const connection = connect(engine, backup, host);
      await connection.receive("server", question(1));
      await vi.advanceTimersByTimeAsync(1000);
      vi.setSystemTime(Date.now() + set);
      await connection.receive("server", question(2));
      await connection.do({ event: "ticked" });
      await vi.advanceTimersByTimeAsync(43_900);
      expect(lines.filter((line) => !line.startsWith("show"))).toEqual([]);
      await vi.advanceTimersByTimeAsync(200);
      expect(lines).toContain("server 1 cancel");
      expect(lines).not.toContain("server 2 cancel");
      await vi.advanceTimersByTimeAsync(1000);
      expect(lines).toContain("server 2 cancel");
    } finally {
      vi.useRealTimers();
    }
  });

test("an abort settles everything with the cause shutdown", async () => {
  const { host, lines } = notes();
  const leaving = new AbortController();
  const connection = connect(await open(), backup, host, { signal: leaving.signal });
  await connection.receive("server", question(1));
  leaving.abort();
  await connection.shutdown();
  expect(lines).toEqual(["show 1", "server 1 cancel", "withdraw shutdown", "close server"]);
});

test("a journal that fails closes everything, and what is no question still passes", async () => {
  const { host, lines, answer } = notes();
  let left = 4;
  const connection = connect(await open(), backup, host, {
    journal: { append: () => (left-- > 0 ? undefined : Promise.reject(new Error("disk full"))) },
  });
  await connection.receive("server", question(1));
  await connection.receive("server", question(2));
  const failing = connection.do(answer(2));
  const behind = connection.receive("server", question(3));
  await expect(failing).rejects.toThrow(JournalError);
  await behind;
  await connection.receive("server", notice);
  expect(lines).toEqual([
    "show 1",
    "show 2",
    "failed JournalError",
    "server 2 error journal_failed",
    "withdraw shutdown",
    "server 1 error journal_failed",
    "server 3 error journal_failed",
    "client notifications/message",
  ]);
  await connection.shutdown();
});

test.each<[string, Journal]>([
  [
    "cannot begin",
    {
      begin: () => {
        throw new Error("read only");
      },
      append: () => {},
    },
  ],
  ["takes not even the first record", { append: () => Promise.reject(new Error("disk full")) }],
])("a journal that %s lets nothing be decided", async (_, journal) => {
  const { host, lines } = notes();
  const connection = connect(await open(), backup, host, { journal });
  await connection.receive("server", question(1));
  expect(lines).toEqual(["failed JournalError", "server 1 error journal_failed"]);
  await connection.shutdown();
});

test("an instance that breaks ends the connection, closes both ends and clears the screen", async () => {
  const seen: string[] = [];
  const { host, lines } = notes({
    ui: { show: (shown) => seen.push(shown.show.message), withdraw: (_, cause) => seen.push(cause) },
  });
  const engine = await open();
  const connection = connect(engine, backup, host);
  const other = connect(engine, backup, notes().host);
  await connection.receive("server", question(1));
  engine.close(); // as a trap would
  const failing = connection.receive("server", question(2));
  const behind = connection.do({ event: "ticked" });
  await expect(failing).rejects.toMatchObject({ name: "EngineFault", lost: true });
  await expect(behind).rejects.toThrow("the engine is closed");
  expect(lines).toEqual(["show 1", "close server", "close client", "failed EngineFault"]);
  expect(seen).toEqual(["Which region?", "shutdown"]);
  await expect(other.receive("client", notice)).rejects.toMatchObject({ name: "EngineFault" });
  await connection.shutdown();
  expect(lines).toHaveLength(4);
});

test("a timer that finds the instance broken tells the host", async () => {
  const { host, lines } = notes();
  const engine = await Engine.open({ limits: { ...roomy.limits, answer_ttl_ms: 20 } });
  const connection = connect(engine, backup, host);
  await connection.receive("server", question(1));
  engine.close();
  await until(() => expect(lines.at(-1)).toBe("failed EngineFault"));
  await connection.shutdown();
});

test("what is wrong with an event is the caller's, and changes nothing", async () => {
  const { host, lines, answer } = notes();
  const connection = connect(await open(), backup, host);
  await expect(connection.do({ event: "answered" } as never)).rejects.toThrow("wrong_type at /event/session");
  await connection.receive("server", question(1));
  expect(await connection.do({ ...answer(), id: "another" })).toMatchObject([
    { effect: "append" },
    { effect: "problem", problems: [{ code: "unknown_request" }] },
  ]);
  expect(await connection.do({ ...answer(), content: { region: "mars" } })).toMatchObject([
    { effect: "append" },
    { effect: "problem", problems: [{ code: "not_a_choice" }] },
  ]);
  await connection.do(answer());
  expect(lines.at(-1)).toBe("server 1 accept");
  await connection.shutdown();
});

test("a configuration that cannot be used opens nothing, and says where", async () => {
  const engine = await open();
  const failing = (config: object) => {
    try {
      connect(engine, config as never, notes().host);
    } catch (error) {
      return (error as InputError).problems.map((p) => `${p.code} ${p.pointer}`);
    }
    return [];
  };
  expect(failing({})).toEqual(["missing /relay/server"]);
  expect(failing({ ...backup, ask: "everybody" })).toEqual(["unknown_asker /relay/ask"]);
  expect(failing({ ...backup, config: { polcy: {} } })).toEqual(["unknown_member /relay/config/polcy"]);
  expect(failing({ ...backup, config: '{"limits":{"queue":-1}}' })).toEqual([
    "limit_out_of_range /relay/config/limits/queue",
  ]);
});

test("large messages pass, and one that is too large is answered", async () => {
  const { host, lines, written } = notes();
  const connection = connect(await open(), backup, host);
  const large = (bytes: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${"x".repeat(bytes)}"}}`;
  await connection.receive("client", large(20 << 20));
  expect(lines).toEqual(["server 1 tools/call"]);
  expect(written[0]!.message).toHaveLength((20 << 20) + large(0).length);
  await connection.receive("client", new TextEncoder().encode(large(64 << 20).replace('"id":1', '"id":2')));
  expect(lines.at(-1)).toBe("client 2 error message_too_long");
  await connection.shutdown();
});

test("grants that were given are listed", async () => {
  const engine = await Engine.open({ ...roomy, policy: { user: { version: 1, grants: "session" } } });
  using relay = engine.relay(backup);
  const shown = relay
    .receive("server", question(1, { message: "Go on?", requestedSchema: { type: "object", properties: {} } }))
    .find((e) => e.effect === "show")!;
  expect(relay.grants()).toEqual([]);
  relay.step({
    event: "answered",
    session: shown.session,
    id: shown.id,
    action: "accept",
    remember: { scope: "session" },
  });
  expect(relay.grants()).toMatchObject([{ server: "backup", message: "Go on?", scope: "session" }]);
});

// A hundred thousand take a minute of a processor.
const most = nightly ? 100_000 : 20_000;

test(`${most.toLocaleString("en")} messages through one machine leave memory flat`, async () => {
  const engine = await open();
  const relay = engine.relay(backup);
  const run = (from: number, to: number) => {
    for (let i = from; i < to; i += 4) {
      const at = { at: i * 10 };
      relay.receive("client", `{"jsonrpc":"2.0","id":${i},"method":"tools/call","params":{"name":"t"}}`, at);
      const shown = relay.receive("server", question(i), at).find((e) => e.effect === "show")!;
      relay.step(
        { event: "answered", session: shown.session, id: shown.id, action: "accept", content: { region: "eu" } },
        at,
      );
      const [forward] = relay.receive("server", `{"jsonrpc":"2.0","id":${i},"result":{}}`, at);
      if (forward?.effect !== "forward") throw new Error(JSON.stringify(forward));
    }
    return engine.memory;
  };
  const early = run(0, most / 2);
  const late = run(most / 2, most);
  console.log(`memory after half of the messages ${early >> 10} KiB, after all ${late >> 10} KiB`);
  expect(late - early, "bytes that stay").toBeLessThanOrEqual(most * 20);
  engine.close();
});

test("lines come whole, however the stream is cut", async () => {
  const text = '{"a":"é\u2028"}\n\r\n{"b":2}\r\n{"c":3}';
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const cut = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const got: string[] = [];
    for await (const line of linesOf(cut())) got.push(new TextDecoder().decode(line));
    expect(got).toEqual(['{"a":"é\u2028"}', "", '{"b":2}', '{"c":3}']);
  }
});

test("a line without an end is not kept without an end", async () => {
  const chunk = new Uint8Array(16 << 20).fill(0x20);
  const endless = async function* () {
    for (let i = 0; i < 10; i++) yield chunk;
    yield new Uint8Array([0x0a, 0x31]);
  };
  const got: number[] = [];
  for await (const line of linesOf(endless())) got.push(line.length);
  expect(got).toEqual([80 << 20, 1]);
});
