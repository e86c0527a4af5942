import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Engine, Guest, InputError } from "../../dist/index.js";
import { deep } from "../deep.ts";
import { assemble, code, manifest } from "./assemble.ts";

const { i32, call, echo, forever, trap, packed } = code;

test("a guest says what it is and what it weighs", async () => {
  const module = assemble();
  const guest = await Guest.load(module);
  expect(guest.digest).toBe(createHash("sha256").update(module).digest("hex"));
  expect(guest.manifest).toEqual(manifest);
  expect(guest.description).toMatchObject({
    abi: 65536, wasi: false, fuel_version: 3,
    sizes: { module: module.length, functions: 3, pages_least: 2 }
  });
  expect(guest.evaluate("{}")).toEqual({
    output: '{"v":1,"decision":"pass"}', fuel: 18 + guest.description.instance_fuel, pages: 2, log: []
  });
  expect(guest.checkSettings({})).toMatchObject({ output: '{"v":1,"problems":[]}' });
  expect(guest.permit({ reads: ["/request/message"] })).toEqual({
    name: "test", digest: guest.digest, declared: { phases: manifest.phases,
      reads: manifest.reads }, reads: ["/request/message"] });
});

test.each([
  ["no module", new Uint8Array([1, 2, 3]), "malformed_module"],
  ["no manifest", assemble({ manifest: undefined }), "manifest_missing"],
  ["a manifest that wants more than there is",
    assemble({ manifest: { ...manifest, powers: "all" } }), "unknown_member"],
  ["an import", assemble({ imports: [["env", "fetch", "i", "i"]] }), "import_refused"],
])("%s is refused with its reason", async (_, module, why) => {
  const refused = await Guest.load(module).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InputError);
  expect((refused as InputError).problems.map((p) => p.code)).toEqual([why]);
  using engine = await Engine.open();
  expect(engine.eval("explain", { problems: (refused as InputError).problems }).problems![0]!.length)
    .toBeGreaterThan(20);
});

test("a module that this machine's engine refuses is an InputError as well", async () => {
  const compile = vi.spyOn(WebAssembly, "compile").mockImplementation(async (bytes) => {
    if (new Uint8Array(bytes as ArrayBuffer).length < 1 << 16) throw new WebAssembly.CompileError("too much");
    return new WebAssembly.Module(bytes);
  });
  try {
    const refused = await Guest.load(assemble()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InputError);
    expect((refused as InputError).problems)
      .toEqual([{ code: "engine_refused", pointer: "", args: { detail: "too much" } }]);
  } finally {
    compile.mockRestore();
  }
});

test("the words of a refusal are those of every other host", { timeout: 120_000 }, async () => {
  const bundle = await mkdtemp(join(tmpdir(), "elicit-tck-"));
  execFileSync("go", ["run", "./plugins/tck/bundle", bundle], { cwd: new URL("../../../../", import.meta.url) });
  using engine = await Engine.open();
  let refused = 0;
  for (const kit of ["hostile", "made"]) {
    type Listed = { module: string; refused?: string; says?: string };
    const text = await readFile(join(bundle, "cases", `${kit}.json`), "utf8");
    const { modules } = JSON.parse(text) as { modules: Listed[] };
    for (const { module, says } of modules.filter((m) => m.refused !== undefined)) {
      const error = await Guest.load(await readFile(join(bundle, "modules", `${module}.wasm`)))
        .catch((error: unknown) => error);
      expect(error, module).toBeInstanceOf(InputError);
      expect(engine.eval("explain", { problems: (error as InputError).problems }).problems![0]).toBe(says);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(80);
  await rm(bundle, { recursive: true });
});

test.each([
  ["echoes", echo, { output: "a question" }],
  ["refuses", [0x42, 0], { fault: "refused" }],
  ["spins", forever, { fault: "fuel" }],
  ["recurses", [0x20, 0, 0x20, 1, ...call(1)], { fault: "depth" }],
  ["traps", trap, { fault: "trap" }],
  ["points behind its memory", packed(2 ** 17 - 1, "ab"), { fault: "bad_output" }],
  ["says too much", packed(0, "x".repeat(16_385)), { fault: "output_too_large" }],
])("one that %s", async (_, evaluate, want) => {
  const guest = await Guest.load(assemble({ evaluate }));
  const said = guest.evaluate("a question", { fuel: 100_000 });
  expect(said).toMatchObject(want);
  expect(said.fuel).toBeLessThanOrEqual(100_000);
  expect(guest.evaluate("a question", { fuel: 100_000 })).toEqual(said);
});

test("a question too large is not put to it", async () => {
  const guest = await Guest.load(assemble({ evaluate: forever }));
  expect(guest.evaluate("x".repeat((128 << 10) + 1))).toMatchObject({ fault: "question_too_large", fuel: 0 });
});

test("its log is bounded, and its lines are text", async () => {
  const log: [string, string, string, string] = ["elicit_guardian_v1", "log", "iii", ""];
  const line = (level: number, from: number, size: number) => [...i32(level), ...i32(from), ...i32(size), ...call(0)];
  const evaluate = [
    ...line(0, 16, 5), ...line(9, 16, 3), ...line(1, 2 ** 17 - 1, 2),
    ...Array.from({ length: 40 }, () => line(2, 0, 2000)).flat(), ...echo
  ];
  const { log: lines, output } = (await Guest.load(assemble({ imports: [log], evaluate, says: "ab\xff\xfe." })))
    .evaluate("q");
  expect(output).toBe("q");
  expect(lines).toHaveLength(32);
  expect(lines[0]).toEqual({ level: "debug", text: "ab\xff\ufffd" });
  expect(lines[1]).toEqual({ level: "error", text: "ab\ufffd" });
  expect(lines[2]!.text).toHaveLength(1024 - 2); // two of the letters take two bytes
});

test("a caller deep in its own stack gets a fault, never a verdict", async () => {
  const guest = await Guest.load(assemble({ evaluate: [0x20, 0, 0x20, 1, ...call(1)] }));
  const said = deep(() => guest.evaluate("q"));
  expect(said.fault === "depth" || said.fault === "internal").toBe(true);
  expect(guest.evaluate("q").fault).toBe("depth");
});

test("1,000 evaluations leave nothing behind", async () => {
  const guest = await Guest.load(assemble({ evaluate: echo }));
  for (let i = 0; i < 1000; i++) expect(guest.evaluate(`question ${i}`).output).toBe(`question ${i}`);
});
