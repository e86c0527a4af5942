// Tools that ask, for servers of both SDKs.
import { z } from "zod";

const text = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

export function register(server, ask) {
  const tool = (name, run) =>
    server.registerTool(name, { inputSchema: z.object({ env: z.string().optional() }) }, async (_, ctx) => {
      try {
        return text(await run(ctx));
      } catch (error) {
        if (error.name === "Interrupt") throw error;
        return text({ error: error.name, code: error.code });
      }
    });
  const Where = z.object({ region: z.enum(["eu", "us"]), count: z.int().min(1).max(20).default(2) });
  tool("deploy", async (ctx) => {
    const { region, count } = await ask.form(ctx, "Where should it run?", Where);
    const sure = await ask.confirm(ctx, `Run ${count} in ${region}?`);
    return { region, count, sure };
  });
  const Even = z.object({ n: z.int().refine((n) => n % 2 === 0, "must be even") });
  tool("even", (ctx) => ask.form(ctx, "Which number?", Even));
  tool("size", (ctx) => ask.choose(ctx, "Which size?", { s: "Small", l: "Large" }));
  tool("visit", async (ctx) => ((await ask.url(ctx, "Sign in", "https://id.example/start")), "visited"));
  tool("connect", async (ctx) => {
    const wait = (id) => setImmediate(() => ask.completed(id)); // the page's own answer to the server
    return (await ask.url(ctx, "Connect", "https://id.example/oauth", { wait }), "connected");
  });
  tool("key", async (ctx) => ({ length: (await ask.secret(ctx, "Your key?")).length }));
  const Login = z.object({ user: z.string(), pin: z.string().refine((pin) => pin !== "1234", "not 1234") });
  tool("login", (ctx) => ask.secret(ctx, "Who are you?", Login));
  tool("token", (ctx) => ask.secret(ctx, "Token?", { type: "object", properties: { token: { type: "string" } } }));
  tool("never", async (ctx) => {
    await ask.confirm(ctx, "Go on?").catch(() => {});
    return "a handler that hides the interrupt";
  });
  server.registerPrompt("greet", {}, async (ctx) => {
    const size = await ask.choose(ctx, "Which size?", ["s", "l"]);
    return { messages: [{ role: "user", content: text(`a ${size} greeting`).content[0] }] };
  });
  server.registerResource("map", "map:///size", {}, async (uri, ctx) => {
    const size = await ask.choose(ctx, "Which size?", ["s", "l"]);
    return { contents: [{ uri: uri.href, text: size }] };
  });
  return server;
}
