// Compiles a program against the packed declarations, and lets the checkers of packages look at them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { night } from "../once/once.ts";
import { nightly } from "../vector-files.ts";
import { binary, Project } from "./project.ts";
import { typescript5 } from "./typescript5.ts";

const project = await Project.open();
afterAll(() => project.remove());

const uses = `
const form = document.createElement("elicit-form");
form.addEventListener("elicit-answer", ({ detail }) => {
  const action: "accept" | "decline" | "cancel" = detail.action;
  const json: string | undefined = detail.json;
  console.log(action, json, detail.cleared?.length);
});
form.addEventListener("elicit-open", function (event) {
  const url: string = event.detail.url;
  this.closed = { cause: url };
});
form.addEventListener("elicit-draft", ({ detail }) => detail.json.length);
form.addEventListener("elicit-receipt", ({ detail }) => detail.what === "shown", { once: true });
form.addEventListener("elicit-extend", () => undefined);
form.addEventListener("click", (event) => event.clientX);
form.addEventListener("of-the-page", { handleEvent: () => undefined });
// @ts-expect-error The detail has no such member.
form.addEventListener("elicit-answer", ({ detail }) => detail.nothing);
new ElicitForm().strings = de;
const address: string = wasm;
export const opened = (async () => {
  const engine = await Engine.open({}, { module: address });
  return elicitationHandler(engine, elementUI(document.body), { server: "backup" }).capability;
})();
`;
const imports = `
import wasm from "elicit-engine/elicit.wasm";
import { Engine } from "elicit-engine";
import { de } from "elicit-engine/form/strings/de";
import { ElicitForm } from "elicit-engine/form";
import { elicitationHandler } from "elicit-engine/mcp";
import { elementUI } from "elicit-engine/mcp/element";
`;
project.write("program.mts", imports + uses);
project.write("program.cts", imports.replace(/import wasm from (".*");/, "import wasm = require($1);") + uses);
project.write("old.ts", imports.replace(/import wasm from (".*");/, "import wasm = require($1);") + uses);

const compilers = {
  "TypeScript 7": (...args: string[]) => project.run(binary("tsc"), ...args),
  "TypeScript 5.9": (...args: string[]) => typescript5(project.at, args),
};
type Compiler = (...args: string[]) => string;
const libs = nightly ? ["es2020", "es2022", "es2024", "esnext"] : ["es2020"];
const ways = [
  ["program.mts", "nodenext", "nodenext"],
  ["program.cts", "nodenext", "nodenext"],
  ["program.mts", "esnext", "bundler"],
] as const;
// All declarations are checked, except those of TypeScript itself.
const strict = "--noEmit --strict --skipLibCheck false --skipDefaultLibCheck --exactOptionalPropertyTypes " +
  "--noUncheckedIndexedAccess";
const compile = (compiler: Compiler, file: string, lib: string, module: string, resolution: string) =>
  compiler(
    ...strict.split(" "),
    ...["--target", "es2020", "--lib", `${lib},dom,dom.iterable`, "--module", module, "--moduleResolution", resolution],
    file,
  );

for (const [name, compiler] of Object.entries(compilers))
  for (const [file, module, resolution] of ways)
    test.each(libs)(`${name} compiles ${file} for ${resolution} with %s`, (lib) => {
      expect(compile(compiler, file, lib, module, resolution)).toBe("");
    });

// A server of Node has the types of Node, and no library "dom".
const served = `
import { Engine, Guest, GuardianData, load } from "elicit-engine";
import { createAsker } from "elicit-engine/ask";
import { RedisStore } from "elicit-engine/store/redis";
import { readFileSync } from "node:fs";
const file = readFileSync("guardian.wasm");
export const opened = Promise.all([
  load().then((module) => Engine.open({}, { module })),
  Guest.load(file), GuardianData.load(file), createAsker({ server: { name: "s" } }), RedisStore,
]);
// @ts-expect-error A number is no source.
load(7);
`;
const roots = fileURLToPath(new URL("../../node_modules/@types", import.meta.url));
const node = ["--typeRoots", roots, "--types", "node", "--lib", "es2023", "--target", "es2023", "--module", "nodenext"];
test.each(Object.entries(compilers))("%s compiles a server without the library of pages", (_, compiler) => {
  project.write("server.mts", served);
  expect(compiler(...strict.split(" "), ...node, "server.mts")).toBe("");
});

test("TypeScript 5.9 finds what is wrong", () => {
  project.write("wrong.mts", 'import { Engine } from "elicit-engine";\nexport const engine: string = Engine.open();\n');
  expect(compile(compilers["TypeScript 5.9"], "wrong.mts", "es2020", "nodenext", "nodenext")).toMatch(
    /^wrong\.mts\(2,14\): error TS2322: Type 'Promise<Engine>' is not assignable to type 'string'\.\n$/,
  );
});

night("TypeScript 5.9 compiles it for node16 and for node10", () => {
  const compiler = compilers["TypeScript 5.9"];
  expect(compile(compiler, "program.mts", "es2020", "node16", "node16")).toBe("");
  expect(compile(compiler, "program.cts", "es2020", "node16", "node16")).toBe("");
  expect(compile(compiler, "old.ts", "es2020", "commonjs", "node10")).toBe("");
});

night("are the types wrong? finds nothing", () => {
  const said = project.run(binary("attw"), project.tarball, "--format", "ascii", "--no-emoji");
  expect(said).toContain("No problems found");
});

test("publint finds nothing", () => {
  expect(project.run(binary("publint"), "run", project.tarball, "--strict")).toContain("All good!");
});

test("the package names its sources, its licence and those of others", () => {
  const home = join(project.at, "node_modules/elicit-engine");
  const described = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Record<string, unknown>;
  expect(described).toMatchObject({ license: "Apache-2.0", repository: { directory: "bindings/js" } });
  expect([described["homepage"], described["bugs"]]).toEqual(Array(2).fill(expect.stringMatching(/^https:/)));
  expect((described["keywords"] as string[]).length).toBeGreaterThan(3);
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  for (const name of ["LICENSE", "NOTICE"])
    expect(readFileSync(join(home, name), "utf8")).toBe(readFileSync(join(root, name), "utf8"));
  const readme = readFileSync(join(home, "README.md"), "utf8");
  expect([...readme.matchAll(/\]\((?!https:|#)[^)]*\)/g)].map(String), "links that are dead on npm").toEqual([]);
});
