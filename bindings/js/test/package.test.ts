// Packs the package, installs it into an empty project, and runs the README's examples there as they are written.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assemble } from "./guardian/assemble.ts";
import { packed } from "./once/packed.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "elicit-project-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));

const run = (command: string, args: string[], cwd = project) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const readme = readFileSync(join(home, "README.md"), "utf8");
const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((m) => m[1]!);
const example = (part: string) => examples.find((e) => e.includes(part))!;

beforeAll(async () => {
  const { devDependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  run("npm", [
    "install",
    "--silent",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    await packed(),
    ...["@modelcontextprotocol/sdk", "zod"].map((name) => `${name}@${devDependencies[name]!}`),
  ]);
});

test("the schemas of guardians can be read from the package", () => {
  for (const [name, title] of Object.entries({ question: "Question", verdict: "Verdict", manifest: "Guardian manifest",
    permits: "Guardian permits" })) {
    const program = `import { readFileSync } from "node:fs";
      const file = new URL(import.meta.resolve("elicit-engine/schema/${name}.schema.json"));
      console.log(JSON.parse(readFileSync(file, "utf8")).title);`;
    expect(run("node", ["--input-type=module", "-e", program]).trim()).toBe(title);
  }
});

const ui = `export const ui = { show: (question) => question.accept({ region: "eu" }), withdraw() {} };\n`;
const server = `
    import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
    import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
    const server = new McpServer({ name: "backup", version: "1.0.0" });
    server.registerTool("ask", {}, async () => {
      const properties = { region: { type: "string", enum: ["eu", "us"] }, keep: { type: "integer", default: 7 } };
      const requestedSchema = { type: "object", properties, required: ["region"] };
      const answer = await server.server.elicitInput({ message: "Where?", requestedSchema });
      return { content: [{ type: "text", text: JSON.stringify(answer) }] };
    });
    await server.connect(new StdioServerTransport());`;

/** Calls the tool of the server through the program `args` as `client`, an expression in the imports of `more`. */
const call = (name: string, more: string, client: string, args: string) => {
  writeFileSync(join(project, "ui.js"), ui);
  writeFileSync(join(project, "server.js"), server);
  writeFileSync(
    join(project, name),
    `
    import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
    ${more}
    const client = ${client};
    await client.connect(new StdioClientTransport({ command: "node", args: [${JSON.stringify(args)}] }));
    console.log((await client.callTool({ name: "ask" })).content[0].text);
    await client.close();`,
  );
  return JSON.parse(run("node", [name])) as unknown;
};

test("the program of the front page runs as it stands", () => {
  const front = readFileSync(join(home, "../../README.md"), "utf8");
  const [program, ...others] = [...front.matchAll(/^```js\n(.*?)^```$/gms)].map((m) => m[1]!);
  expect(others).toEqual([]);
  writeFileSync(join(project, "front.js"), program!);
  expect(run("node", ["front.js"])).toBe("[ 'append', 'show' ]\n");
});

test("the first example gives effects", () => {
  writeFileSync(
    join(project, "engine.js"),
    example("const effects") + "console.log(effects.map((e) => e.effect).join());\n",
  );
  expect(run("node", ["engine.js"])).toBe("append,show\n");
});

test("the interrupts of a framework are answered in its spelling", () => {
  writeFileSync(join(project, "calls.js"), example("decideCalls"));
  const request = { type: "mcp_approval_request", server_label: "dice", arguments: "{}" };
  const output = JSON.stringify([{ ...request, id: "a", name: "roll" }, { ...request, id: "b", name: "cheat" }]);
  const program = `import { decideCalls } from "./calls.js";
    console.log(JSON.stringify(decideCalls({ output: ${output} })));
    try { decideCalls({ output: [{ type: "mcp_approval_request" }] }); } catch (error) { console.log(error.message); }`;
  const [answer, refused] = run("node", ["--input-type=module", "-e", program]).trim().split("\n");
  expect(JSON.parse(answer!)).toEqual([
    { type: "mcp_approval_response", approval_request_id: "a", approve: true },
    { type: "mcp_approval_response", approval_request_id: "b", approve: false, reason: "cheat is not allowed here" },
  ]);
  expect(refused).toContain("/output/0/id");
});

test("between two ports, a record is kept before the question is shown", () => {
  writeFileSync(join(project, "between.js"), example("postMessage"));
  const message = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "elicitation/create",
    params: { message: "Go on?", requestedSchema: { type: "object", properties: {} } },
  });
  const begin = [
    ["client", { method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} } }],
    ["server", { result: { protocolVersion: "2025-11-25", capabilities: {} } }],
  ];
  writeFileSync(
    join(project, "ports.js"),
    `
    import { between } from "./between.js";
    let answer;
    const answered = new Promise((resolve) => (answer = resolve));
    const post = (name, message) => {
      console.log("to", name, message.includes("result") ? message : "");
      if (message.includes('"id":1')) answer();
    };
    const port = (name) => ({ postMessage: (message) => post(name, message), close: () => console.log("close", name) });
    const client = port("client"), server = port("server");
    const connection = await between(client, server, async ({ message }) => {
      console.log("show", message);
      return { action: "accept", content_text: "{}" };
    });
    for (const [end, rest] of ${JSON.stringify(begin)})
      ({ client, server })[end].onmessage({ data: JSON.stringify({ jsonrpc: "2.0", id: 0, ...rest }) });
    server.onmessage({ data: ${JSON.stringify(message)} });
    await answered;
    await connection.shutdown();`,
  );
  const said = run("node", ["ports.js"]).trim().split("\n");
  expect(said.map((line) => line.trim())).toEqual([
    "keep true",
    "to server",
    'to client {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}',
    "keep true",
    "keep true",
    "show Go on?",
    "keep true",
    'to server {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}',
    "keep true",
    "close server",
  ]);
});

test("a guardian denies", () => {
  const finding = { code: "too_late", message: "Nothing is backed up at night." };
  const manifest = { name: "night", version: "1", phases: ["before_show"], reads: ["/request"] };
  writeFileSync(
    join(project, "guardian.wasm"),
    assemble({ says: JSON.stringify({ v: 1, decision: "deny", findings: [finding] }), manifest }),
  );
  const lines = example("Guest.load");
  writeFileSync(join(project, "guardian.js"), lines);
  expect(run("node", ["guardian.js"])).toMatch(
    /^night \[ '\/request' \] [0-9a-f]{64}\ndecline guardian Nothing is backed up at night\.\nserver .*"decline".*\n$/,
  );
});

test("ten lines make an MCP client that answers", () => {
  const lines = example("elicitationHandler");
  expect(lines.split("\n").filter((line) => line.trim() !== "")).toHaveLength(10);
  writeFileSync(join(project, "client.js"), lines);
  expect(call("main.js", `import * as made from "./client.js";`, "made.client", "server.js")).toEqual({
    action: "accept",
    content: { region: "eu", keep: 7 },
  });
});

test("between stdio and a child, a client that cannot ask has its questions answered", () => {
  writeFileSync(join(project, "proxy.js"), example("lines(stream)"));
  const made = `new Client({ name: "plain", version: "1.0.0" })`;
  expect(
    call("plain.js", `import { Client } from "@modelcontextprotocol/sdk/client/index.js";`, made, "proxy.js"),
  ).toEqual({ action: "accept", content: { region: "eu", keep: 7 } });
});

test("a server asks a client that shows forms, and one that has a model only", () => {
  writeFileSync(join(project, "asks.js"), example("createAsker"));
  writeFileSync(
    join(project, "asked.js"),
    `
    import { Client } from "@modelcontextprotocol/sdk/client/index.js";
    import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
    import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
    for (const elicitation of [{ form: {} }, undefined]) {
      const client = new Client({ name: "c", version: "1" }, { capabilities: elicitation ? { elicitation } : {} });
      if (elicitation) client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
        ({ action: "accept", content: params.message.startsWith("Where") ? { region: "eu" } : {} }));
      await client.connect(new StdioClientTransport({ command: "node", args: ["asks.js"] }));
      const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
      let text = await call("deploy", {});
      for (const content of [{ region: "us", count: 3 }, undefined]) {
        const id = /"id":"([^"]+)"/.exec(text)?.[1];
        if (id) text = await call("elicitation_result", { id, action: "accept", content });
      }
      console.log(text);
      await client.close();
    }`,
  );
  expect(run("node", ["asked.js"])).toBe("2 run in eu\n3 run in us\n");
});
