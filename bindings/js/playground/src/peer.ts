import type { Engine, Reply } from "../../src/index.ts";
import type { Case } from "./case.ts";

/** One question as the engine takes it, and the key under which its answer goes back. */
export interface Asked {
  key: string;
  mode: "form" | "url";
  message: string;
  schema?: object;
  url?: string;
  link?: string;
  claim?: "approval" | "malformed" | "suggestion";
}

/** What the server sent: its questions, or why it is no request. */
export interface Received {
  asked: Asked[];
  /** The JSON-RPC id the reply carries. */
  id: unknown;
  /** A result that wants input (2026-07-28) is answered by making the call again. */
  result?: object;
  problems: { code: string; pointer: string; args?: Record<string, string | number | boolean> }[];
}

type Loose = Record<string, unknown>;

/** Reads what was pasted: a whole JSON-RPC message, its params or result alone, or a bare schema. */
export function receive(engine: Engine, it: Case): Received {
  const parsed = engine.eval("parse", { document_text: it.request });
  if ("problems" in parsed) return { asked: [], id: 1, problems: parsed.problems };
  const whole = JSON.parse(it.request) as Loose;
  const id = whole["id"] ?? 1;
  const inner = (whole["params"] ?? whole["result"] ?? whole) as Loose;
  if (inner["resultType"] !== undefined || inner["inputRequests"] !== undefined) return rounds(engine, it, inner, id);
  const params = bareSchema(inner) ? { message: "What shall it be?", requestedSchema: inner } : inner;
  const out = engine.eval("decode", { version: it.date, what: "create", params }) as Loose;
  const error = (out["error"] ?? out) as Loose;
  if (!out["request"]) return { asked: [], id, problems: (error["problems"] ?? []) as Received["problems"] };
  return { asked: [{ key: "", ...(out["request"] as Omit<Asked, "key">) }], id, problems: [] };
}

function rounds(engine: Engine, it: Case, result: object, id: unknown): Received {
  const out = engine.eval("decode", { version: it.date, what: "result", method: "tools/call", result }) as Loose;
  const entries = (out["entries"] ?? []) as { key: string; request?: Omit<Asked, "key">; problems?: Received["problems"] }[];
  const asked = entries.flatMap((e) => (e.request ? [{ key: e.key, ...e.request }] : []));
  const problems = [...((out["problems"] ?? []) as Received["problems"]), ...entries.flatMap((e) => e.problems ?? [])];
  if (asked.length === 0 && problems.length === 0) problems.push({ code: "missing", pointer: "/inputRequests" });
  return { asked, id, result, problems };
}

function bareSchema(value: Loose): boolean {
  return value["type"] === "object" && typeof value["properties"] === "object" && value["message"] === undefined;
}

/** What goes back to the server, in its own spelling. Undefined while a call that wants several answers lacks one. */
export function answer(engine: Engine, it: Case, received: Received, replies: { asked: Asked; reply: Reply }[]): string | undefined {
  const last = replies.at(-1);
  if (!last) return undefined;
  if (received.result) {
    if (replies.length < received.asked.length) return undefined;
    return engine.evalText("encode", JSON.stringify({
      version: it.date, what: "round", request: call(it), id: 2, result: received.result,
      answers: replies.map(({ asked, reply }) => ({ key: asked.key, ...answered(reply) })),
    }));
  }
  if (last.reply.outcome === "error") {
    return engine.evalText("encode", JSON.stringify({ what: "error", id: received.id, code: -32602, problems: last.reply.problems ?? [] }));
  }
  return engine.evalText("encode", JSON.stringify({
    version: it.date, what: "answer", id: received.id, mode: last.asked.mode, ...answered(last.reply) }));
}

function answered(reply: Reply): Loose {
  return { action: reply.outcome === "error" ? "cancel" : reply.outcome, ...(reply.content ? { content: reply.content } : {}) };
}

/** The call that a result with `inputRequests` would have answered. */
function call(it: Case): object {
  return { jsonrpc: "2.0", id: 1, method: "tools/call",
    params: { name: it.tool || "tool", arguments: {}, _meta: { "io.modelcontextprotocol/protocolVersion": it.date } } };
}
