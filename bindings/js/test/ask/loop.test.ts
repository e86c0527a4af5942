// The vectors of the asker through the loop of this package: a machine that knows its part by heart, and surroundings
// that answer as the vector says. What the loop reports and performs is what stands in the vector.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Loop } from "../../dist/ask/loop.js";
import type { AskerEffect, AskerEvent, AskerReply, ToldEvent } from "../../dist/index.js";
import type { Store } from "../../dist/store/index.js";
import { allVectors } from "../vector-files.ts";

type Loose = Record<string, any>;
interface Input { event: AskerEvent; on?: number }

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
/** A member that is false stands for none. */
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, one) => (one || one === 0 ? one : undefined))) as Loose;
const sorted = (effects: unknown[]) => effects.map((effect) => plain(effect)).sort((a, b) =>
  JSON.stringify(Object.entries(a).sort()) < JSON.stringify(Object.entries(b).sort()) ? -1 : 1);

/** One process of a vector. */
class Node {
  /** The events that the machine heard of the loop, and what the loop has performed since the last look. */
  readonly heard: Loose[] = [];
  performed: unknown[] = [];
  readonly loop: Loop;
  private readonly pending = new Map<string, { resolve(value: unknown): void; reject(why: unknown): void }>();
  private readonly signals = new Map<string, AbortController>();
  private readonly wakers = new Map<string, (version?: number) => void>();
  private wake = 0;
  private last: AskerEffect[] = [];

  /** `part` has the events that the machine hears, each with the effects that it answers. */
  constructor(part: { event: AskerEvent; effects: AskerEffect[] }[]) {
    const work = this.work.bind(this);
    const known = (event: string, call: string) => part.slice(this.heard.length).map((one) => one.event as Loose)
      .find((one) => one["event"] === event && one["call"] === call) ?? {};
    const store: Partial<Store> = {
      load: (session) => work({ effect: "load", session }, session),
      commit: ({ state, records = [], entries = [], keepRecords, ...change }) => work({
        effect: "commit", ...change, ...(state && { state: text(state) }), keep_records: keepRecords,
        ...(records.length && { records: records.map(text) }),
        ...(entries.length && { history: entries.map((entry) => ({ ...entry, body: text(entry.body!) })) }),
      }, change.session),
      redeem: (id, now, until) => {
        const { call } = this.last.find((effect) => effect.effect === "redeem")!;
        return work({ effect: "redeem", call, id, now, until }, "redeem");
      },
      due: (now, skip, limit) => work({ effect: "due", now, ...(skip && { skip }), limit }, "due"),
      watch: (session, wake) => {
        this.wakers.set(session, wake);
        return work({ effect: "watch", session }, `watch ${session}`);
      },
    };
    const sealings: Loose[] = []; // in the order in which the loop does them
    const sealing = (operation: string) => {
      const effect = sealings.shift()!;
      this.performed.push(effect);
      expect(effect["effect"]).toBe(operation);
      return known(`${operation}ed`, effect["call"])["said"];
    };
    const journal = {
      append: (record: string) => {
        const batch = this.last.find((effect) => effect.effect === "append")!;
        return record === batch.records.at(-1) ? work(batch, "append") : undefined;
      },
    };
    const step = (event: AskerEvent) => {
      this.heard.push(plain(event));
      const effects = structuredClone(part[this.heard.length - 1]?.effects ?? []);
      this.last = effects;
      for (const effect of effects) if (effect.effect === "wake") this.wake = effect.in ?? 0;
      sealings.push(...effects.filter(({ effect }) => ["seal", "unseal"].includes(effect)));
      return effects;
    };
    this.loop = new Loop({
      machine: { beginning: [], step }, store: store as Store, sealing, journal,
      opened: (page) => void this.performed.push(page),
      consult: ({ round }) => work(this.last.find((one) => one.effect === "consult" && one.ask.round === round)!,
        `consult ${round}`),
    });
  }

  /** Waits for an event that ends it. */
  private work(effect: Loose, by: string): Promise<any> {
    this.performed.push(effect);
    return new Promise((resolve, reject) => this.pending.set(by, { resolve, reject }));
  }

  /** Lets an event happen in the surroundings. */
  cause(event: Loose): void {
    const { session, call, ref } = event;
    const of = session ?? (call === undefined ? "due" : "redeem");
    const done = (by: string, value?: unknown) => this.pending.get(by)?.resolve(value);
    switch (event["event"]) {
      case "given_up": return this.signals.get(ref)!.abort();
      case "responded": {
        const sent = this.pending.get(ref);
        if (!sent) return this.loop.step(event as AskerEvent); // an answer that nobody waits for
        return event["error"] ? sent.reject(event["error"]) : sent.resolve(event["result"]);
      }
      case "loaded": return done(of, { version: event["version"], state: new TextEncoder().encode(event["state"]) });
      case "missing": return done(of);
      case "committed": return done(of, event["version"]);
      case "conflicted": return this.pending.get(of)!.reject({ code: "conflict", message: "another was first" });
      case "store_failed":
        return this.pending.get(of)!.reject({ code: event["away"] ? "unavailable" : "full", message: event["why"] });
      case "redeemed": return done(of, !event["again"]);
      case "consulted": return done(`consult ${event["said"].round}`, { ...event["said"] });
      case "found": return done(of, event["sessions"]);
      case "appended":
        return event["why"] ? this.pending.get("append")!.reject({ message: event["why"] }) : done("append");
      case "progressed": return done(`progress ${call}`);
      case "watched": return done(`watch ${session}`, () => void this.performed.push({ effect: "unwatch", session }));
      case "unwatched": return this.pending.get(`watch ${session}`)!.reject(new Error("the store is away"));
      case "hinted": return this.wakers.get(session)!(event["version"]);
      case "ticked": return void vi.advanceTimersByTime(this.wake + 1);
      case "unsealed": case "sealed": return; // the loop reports them by itself
    }
    const abort = new AbortController();
    this.signals.set(ref ?? call, abort);
    if (event["event"] === "called")
      this.loop.notifies.set(call, (params) => this.work({ effect: "progress", call, ...params }, `progress ${call}`));
    void this.loop.tell(event as ToldEvent, {
      signal: abort.signal,
      send: (request, signal) => {
        this.performed.push(request);
        signal.addEventListener("abort", () => void this.performed.push({ effect: "cancel_sent", ref: request.ref }));
        return new Promise((resolve, reject) => this.pending.set(request.ref, { resolve, reject }));
      },
    }).then((reply: AskerReply) => void this.performed.push(reply));
  }
}

/** Events that no vector's surroundings could bring: of what is over, or never was. A machine must bear them. */
const strays = new Set<string>();
const vectors = allVectors().filter(({ tcId, want }) => tcId.startsWith("asker/") && read(want));

/** Whether all inputs of a vector can be read. The loop gives the machine no others. */
function read(want: string): boolean {
  const { effects = [[{}]] } = JSON.parse(want) as { effects?: Partial<AskerEffect>[][] };
  return effects.flat().every(({ effect }) => effect !== undefined);
}

test.each(vectors.map((vector) => [vector.tcId, vector] as const))("%s", async (name, vector) => {
  const inputs = (JSON.parse(vector.in) as { inputs: (Input | AskerEvent)[] }).inputs.map((input) =>
    (typeof input.event === "string" ? { event: input } : input) as Input);
  const { effects } = JSON.parse(vector.want) as { effects: AskerEffect[][] };
  const nodes = new Map<number, Node>();
  const wanted: AskerEffect[] = [];
  for (const [i, { event, on = 0 }] of inputs.entries()) {
    const part = inputs.flatMap((one, n) =>
      (one.on ?? 0) === on ? [{ event: one.event, effects: effects[n]! }] : []);
    const node = nodes.get(on) ?? nodes.set(on, new Node(part)).get(on)!;
    const at = inputs.slice(0, i + 1).filter((one) => (one.on ?? 0) === on).length;
    node.cause(event);
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
    if (node.heard.length < at) {
      strays.add(`${name} ${event.event}`);
      node.loop.step(event);
      for (let turn = 0; turn < 30; turn++) await Promise.resolve();
    }
    expect(node.heard[at - 1], `input ${i}`).toEqual(plain(event));
    wanted.push(...effects[i]!.filter(({ effect }) => effect !== "wake"));
    if (["sealed", "unsealed"].includes(inputs[i + 1]?.event.event ?? "")) continue; // the loop did that at once
    expect(sorted(node.performed), `effects of input ${i}`).toEqual(sorted(wanted.splice(0)));
    node.performed = [];
  }
});

test("nearly all events of the vectors are those of the loop", () => {
  expect([...strays].length).toBeLessThan(vectors.length / 3);
});

test("a store that does not begin to watch holds nobody up", async () => {
  const heard: string[] = [];
  const begun: ((stop: () => void) => void)[] = [];
  const step = ({ event }: AskerEvent) => {
    heard.push(event);
    return event === "ticked" ? [{ effect: "watch", session: "s" } as AskerEffect] : [];
  };
  const store = { watch: () => new Promise((resolve) => begun.push(resolve)) } as Partial<Store> as Store;
  const loop = new Loop({ machine: { beginning: [], step }, store, sealing: () => ({}) });
  loop.step({ event: "ticked" });
  await vi.advanceTimersByTimeAsync(11_000);
  expect(heard).toEqual(["ticked", "unwatched"]);
  const stop = vi.fn();
  begun[0]!(stop); // too late
  await vi.advanceTimersByTimeAsync(0);
  expect([heard.length, stop.mock.calls.length]).toEqual([2, 1]);
});
