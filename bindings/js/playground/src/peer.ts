import type { Engine, Reply } from "../../src/index.ts";
import type { Case } from "./case.ts";

/** One question as the engine's event, and the key of its answer in the reply. */
export interface Asked {
  key: string;
  mode: "form" | "url";
  message: string;
  schema?: object;
  url?: string;
  link?: string;
  claim?: "approval" | "malformed" | "suggestion";
}

/** The server's message, read: its questions, or the problems if it is not a request. */
export interface Received {
  asked: Asked[];
  /** The JSON-RPC id of the reply. */
  id: unknown;
  /** A client answers an input-required result (2026-07-28) by sending the call again. */
  result?: object;
  problems: { code: string; pointer: string; args?: Record<string, string | number | boolean> }[];
}

type Loose = Record<string, unknown>;

/** Reads pasted text: a whole JSON-RPC message, only its params or result, or only a schema. */
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
  type Entry = { key: string; request?: Omit<Asked, "key">; problems?: Received["problems"] };
  const entries = (out["entries"] ?? []) as Entry[];
  const asked = entries.flatMap((e) => (e.request ? [{ key: e.key, ...e.request }] : []));
  const problems = [...((out["problems"] ?? []) as Received["problems"]), ...entries.flatMap((e) => e.problems ?? [])];
  if (asked.length === 0 && problems.length === 0) problems.push({ code: "missing", pointer: "/inputRequests" });
  return { asked, id, result, problems };
}

function bareSchema(value: Loose): boolean {
  return value["type"] === "object" && typeof value["properties"] === "object" && value["message"] === undefined;
}

/** The reply to the server, in its protocol. It is undefined while a call that needs several answers lacks one. */
export function answer(
  engine: Engine, it: Case, received: Received, replies: { asked: Asked; reply: Reply }[],
): string | undefined {
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
    return engine.evalText("encode",
      JSON.stringify({ what: "error", id: received.id, code: -32602, problems: last.reply.problems ?? [] }));
  }
  return engine.evalText("encode", JSON.stringify({
    version: it.date, what: "answer", id: received.id, mode: last.asked.mode, ...answered(last.reply) }));
}

function answered(reply: Reply): Loose {
  return {
    action: reply.outcome === "error" ? "cancel" : reply.outcome,
    ...(reply.content ? { content: reply.content } : {}),
  };
}

/** The call that a result with `inputRequests` would have answered. */
function call(it: Case): object {
  return { jsonrpc: "2.0", id: 1, method: "tools/call",
    params: { name: it.tool || "tool", arguments: {}, _meta: { "io.modelcontextprotocol/protocolVersion": it.date } } };
}
