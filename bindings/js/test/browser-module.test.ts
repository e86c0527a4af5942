// Runs the vectors on the module for pages, and calls what it leaves out.
import { expect, test } from "vitest";
import { Engine, InputError, operationNames } from "../dist/index.js";
import { allVectors } from "./vector-files.ts";
import { runVectors, type Vector } from "./vectors.ts";

const module = new URL("../dist/elicit-browser.wasm", import.meta.url);
const all = allVectors();

const unspoken = ["acp", "codex"];

/** The protocol of a connection, in the input of a vector. */
function protocolOf({ op, in: input }: Vector): string {
  return op === "relay" ? ((JSON.parse(input) as { relay?: { protocol?: string } }).relay?.protocol ?? "") : "";
}

test("the module for pages does no lint, compare, simulate, seals, asking, interrupts, hooks, keys", async () => {
  using engine = await Engine.open({}, { module });
  const { ops, op_numbers } = engine.describe();
  const absent = operationNames.filter((name) => !ops.includes(name));
  expect(absent).toEqual(["lint", "simulate", "seal", "unseal", "asking", "decode_interrupts", "answer_interrupts",
    "decode_hook", "encode_hook", "decode_codex", "encode_codex", "impacts", "compare",
    "encrypt", "decrypt"]);
  expect(op_numbers).toEqual(ops.map((name) => 16 + operationNames.indexOf(name as never)));
  for (const name of absent) {
    expect(() => engine.evalText(name, "{}")).toThrow(InputError);
    expect(() => engine.evalText(name, "{}")).toThrow(`${name}: unknown_op`);
  }
  expect(engine.describe().relay.config.find(({ name }) => name === "protocol")!.values).toEqual(["mcp"]);
  for (const protocol of unspoken) {
    const answer = engine.evalText("relay", `{"relay":{"server":"s","protocol":"${protocol}"},"inputs":[]}`);
    const problem = { code: "unknown_protocol", pointer: "/relay/protocol", args: { protocol } };
    expect(JSON.parse(answer)).toEqual({ problems: [problem] });
  }
  const its = all.filter((vector) => ops.includes(vector.op) && !unspoken.includes(protocolOf(vector)));
  // The module reads no commands: it takes each for any command.
  const there = its.filter((vector) => !vector.in.includes('"command'));
  expect(runVectors(engine, there)).toEqual([]);
  console.log(`vectors of the module for pages: ${there.length}, skipped: ${all.length - there.length}`);
  expect(there.length).toBeGreaterThan(4_000);
});
