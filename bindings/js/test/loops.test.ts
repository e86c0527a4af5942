// The vectors of connections through the loop, byte for byte: as they are, with a journal that fails, and with a wall
// clock that is set while timers end. internal/loops describes the scripts.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { connect, Engine, JournalError, type Connection, type End, type Host, type RelayEvent } from "../dist/index.js";
import { parts } from "./vectors.ts";

interface Step {
  kind: "open" | "pass" | "event" | End;
  at: number;
  elapsed: number;
  input?: string;
  hex?: string;
  want: string[];
}

interface Script {
  name: string;
  relay: string;
  keeps: number;
  steps: Step[];
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

function scripts(): Script[] {
  const path = join(mkdtempSync(join(tmpdir(), "loops")), "loops.jsonl");
  execFileSync("go", ["run", "./internal/loops/write", path], { cwd: root });
  return readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Script);
}

/** The configuration of a script. That of the engine stays text, because records have its exact bytes. */
function configuration(relay: string) {
  const config = new Map(parts(relay)).get("config");
  return { ...(JSON.parse(relay) as { server: string }), ...(config !== undefined && { config }) };
}

/** Runs one script and tells of the first step that is performed otherwise. */
async function run(engine: Engine, script: Script): Promise<string | undefined> {
  let [step] = script.steps as [Step];
  let items: unknown[] = [];
  let { keeps } = script;
  let begun = false;
  const record = (item: string) => {
    if (keeps === 0) throw new Error("disk full");
    keeps--;
    items.push(item);
  };
  const write = (to: End, message: string | Uint8Array) =>
    void items.push(`${to} ${typeof message === "string" ? message : new TextDecoder().decode(message)}`);
  const effect = (one: unknown) => void items.push(one);
  const consult = (one: unknown) => (items.push(one), new Promise<never>(() => {}));
  const own: Record<string | symbol, unknown> = { write, consult, ui: undefined, failed: undefined };
  const host = new Proxy({}, { get: (_, name) => (name in own ? own[name] : effect) }) as Host;
  const journal = {
    append: (line: string) => record("append " + line),
    begin: () => (begun ? record("new_journal") : void (begun = true)),
  };
  const clock = script.steps.every(({ elapsed }) => elapsed >= 0) ? { elapsed: () => step.elapsed } : {};
  const options = { journal, now: () => step.at, random: () => "00".repeat(32), ...clock };
  let connection: Connection | undefined;
  for (const [at, one] of script.steps.entries()) {
    [step, items] = [one, []];
    try {
      if (!connection) {
        connection = connect(engine, configuration(script.relay), host, options);
        await new Promise(setImmediate);
      } else if (one.kind === "pass") await connection.do({ event: "ticked" });
      else if (one.kind !== "event") await connection.receive(one.kind as End, one.input ?? "");
      else {
        const { event } = JSON.parse(one.input!) as { event: RelayEvent };
        const config = new Map(parts(new Map(parts(one.input!)).get("event")!)).get("config");
        if (event.event !== "configured" || config === undefined) await connection.do(event);
        else {
          const { refused } = event;
          await connection.do({ event: "configured", config_text: config, ...(refused !== undefined && { refused }) });
        }
      }
    } catch (error) {
      if (!(error instanceof JournalError)) return `${script.name}, step ${at}: ${String(error)}`;
    }
    // The loop adds the exact text of a guardian's question.
    const spelled = (item: unknown) => JSON.stringify(item, (name, value: unknown) =>
      name === "question_text" ? undefined : value);
    const got = items.map((item) => (typeof item === "string" ? item : spelled(item)));
    if (JSON.stringify(got) !== JSON.stringify(one.want))
      return `${script.name}, step ${at}\n got ${got.join("\n     ")}\nwant ${one.want.join("\n     ")}`;
  }
  return undefined;
}

test("the vectors of connections run through the loop", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // the script says when a timer ends
  try {
    using engine = await Engine.open();
    // A host gives this loop no message that it has cut, bytes only without random bytes of its own, and one clock.
    const given = ({ hex, input, kind }: Step) => hex === undefined && !(kind === "event" && input!.includes('"cut":'));
    const all = scripts().filter(({ steps }) => steps.every(given)
      && new Set(steps.map(({ elapsed }) => elapsed >= 0)).size === 1);
    const wrong: string[] = [];
    for (const script of all) {
      const said = await run(engine, script);
      if (said !== undefined) wrong.push(said);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    console.log(`vectors through the loop of node: ${all.length}`);
    expect(all.length).toBeGreaterThan(3000);
  } finally {
    vi.useRealTimers();
  }
});
