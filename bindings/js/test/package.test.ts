// Packs the package, installs it into an empty project, and runs the README's examples there as they are written.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assemble } from "./guardian/assemble.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "elicit-project-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));

const run = (command: string, args: string[], cwd = project) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const readme = readFileSync(join(home, "README.md"), "utf8");
const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((m) => m[1]!);
const example = (part: string) => examples.find((e) => e.includes(part))!;

beforeAll(() => {
  const { devDependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { devDependencies: Record<string, string> };
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", project], home)) as [{ filename: string }];
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  run("npm", ["install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", packed.filename, ...["@modelcontextprotocol/sdk", "zod"].map((name) => `${name}@${devDependencies[name]!}`)]);
});

test("the first example gives effects", () => {
  writeFileSync(join(project, "engine.js"), example("const effects") + "console.log(effects.map((e) => e.effect).join());\n");
  expect(run("node", ["engine.js"])).toBe("append,show\n");
});

test("the loop keeps before it shows", () => {
  writeFileSync(join(project, "loop.js"), example("journal: {"));
  expect(run("node", ["loop.js"]).trim().split("\n")).toEqual(["keep true", "keep true", "keep true", "show Go on?", "keep true", "reply cancel shutdown"]);
});

test("a guardian denies", () => {
  const finding = { code: "too_late", message: "Nothing is backed up at night." };
  const manifest = { name: "night", version: "1", phases: ["before_show"], reads: ["/request"] };
  writeFileSync(join(project, "guardian.wasm"), assemble({ says: JSON.stringify({ v: 1, decision: "deny", findings: [finding] }), manifest }));
  const lines = example("Guest.load");
  expect(lines.split("\n").filter((line) => line.trim() !== "")).toHaveLength(10);
  writeFileSync(join(project, "guardian.js"), lines);
  expect(run("node", ["guardian.js"])).toMatch(/^night \[ '\/request' \] [0-9a-f]{64}\ndecline guardian Nothing is backed up at night\.\n$/);
});

test("ten lines make an MCP client that answers", () => {
  const lines = example("elicitationHandler");
  expect(lines.split("\n").filter((line) => line.trim() !== "")).toHaveLength(10);
  writeFileSync(join(project, "client.js"), lines);
  writeFileSync(join(project, "ui.js"), `export const ui = { show: (question) => question.accept({ region: "eu" }), withdraw() {} };\n`);
  writeFileSync(join(project, "server.js"), `
    import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
    import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
    const server = new McpServer({ name: "backup", version: "1.0.0" });
    server.registerTool("ask", {}, async () => {
      const requestedSchema = { type: "object", properties: { region: { type: "string", enum: ["eu", "us"] }, keep: { type: "integer", default: 7 } }, required: ["region"] };
      return { content: [{ type: "text", text: JSON.stringify(await server.server.elicitInput({ message: "Where?", requestedSchema })) }] };
    });
    await server.connect(new StdioServerTransport());`);
  writeFileSync(join(project, "main.js"), `
    import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
    import { client } from "./client.js";
    await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
    console.log((await client.callTool({ name: "ask" })).content[0].text);
    await client.close();`);
  expect(JSON.parse(run("node", ["main.js"]))).toEqual({ action: "accept", content: { region: "eu", keep: 7 } });
});
