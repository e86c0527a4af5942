// A server on the official TypeScript SDK 2.x, over stdio. Its tools are written in rounds: a 2026-07-28 client gets
// input_required results, for older clients the SDK asks by elicitation/create.
import { acceptedContent, inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const told = (out) => ({ content: [{ type: "text", text: JSON.stringify(out) }] });
const where = z.object({ city: z.enum(["Rome", "Oslo"]) });
const nights = z.object({ nights: z.int().min(1).max(14).default(2) });

serveStdio(() => {
  const server = new McpServer({ name: "travel", version: "1" });
  server.registerTool("book", { inputSchema: z.object({}) }, async (_, ctx) => {
    const first = inputResponse(ctx.mcpReq.inputResponses, "where");
    const state = ctx.mcpReq.requestState();
    if (first.kind === "elicit" && first.action !== "accept") return told({ where: first.action });
    const city = state ? JSON.parse(state).city : acceptedContent(ctx.mcpReq.inputResponses, "where", where)?.city;
    if (city === undefined) return inputRequired({ inputRequests: { where: inputRequired.elicit({ message: "Where?",
      requestedSchema: where }) } });
    const second = inputResponse(ctx.mcpReq.inputResponses, "nights");
    if (second.kind === "missing") {
      const ask = inputRequired.elicit({ message: `How long in ${city}?`, requestedSchema: nights });
      return inputRequired({ inputRequests: { nights: ask },
        requestState: JSON.stringify({ city, odd: "é \u0000 \\ \" 1.0" }) });
    }
    return told({ city, state, ...acceptedContent(ctx.mcpReq.inputResponses, "nights", nights) });
  });
  server.registerTool("visit", { inputSchema: z.object({}) }, async (_, ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, "page");
    if (answer.kind === "missing") {
      const page = inputRequired.elicitUrl({ message: "Sign in.", url: "https://bank.example.com/sign-in" });
      return inputRequired({ inputRequests: { page } });
    }
    return told({ action: answer.action });
  });
  return server;
});
