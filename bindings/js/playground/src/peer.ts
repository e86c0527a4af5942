import type { Engine, Reply } from "../../src/index.ts";
import type { Case } from "./case.ts";
import type { Found } from "./place.ts";

/** One question as the engine's event, and the key of its answer in the reply. */
export interface Asked {
  key: string;
  /** The pointer of the request in the pasted text. */
  at: string;
  /** Whether only its schema was pasted. */
  bare: boolean;
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
  /** Their pointers lead through the pasted text. */
  problems: Found[];
}

type Loose = Record<string, unknown>;

/** Reads pasted text: a whole JSON-RPC message, only its params or result, or only a schema. */
export function receive(engine: Engine, it: Case): Received {
  const parsed = engine.eval("parse", { document_text: it.request });
  if ("problems" in parsed) return { asked: [], id: 1, problems: parsed.problems };
  const whole = JSON.parse(it.request) as Loose;
  const id = whole["id"] ?? 1;
  const member = ["params", "result"].find((name) => whole[name] !== undefined);
  const inner = (member ? whole[member] : whole) as Loose;
  const base = member ? `/${member}` : "";
  if (inner["resultType"] !== undefined || inner["inputRequests"] !== undefined) {
    return rounds(engine, it, inner, id, base);
  }
  const bare = bareSchema(inner);
  const params = bare ? { message: "What shall it be?", requestedSchema: inner } : inner;
  const out = engine.eval("decode", { version: it.date, what: "create", params }) as Loose;
  const error = (out["error"] ?? out) as Loose;
  if (!out["request"]) {
    const found = (error["problems"] ?? []) as Found[];
    return { asked: [], id, problems: found.map((p) => within({ at: base, bare }, p)) };
  }
  return { asked: [{ key: "", at: base, bare, ...(out["request"] as Decoded) }], id, problems: [] };
}

type Decoded = Omit<Asked, "key" | "at" | "bare">;

/** A problem of a request, seen from the whole pasted text. Its offsets counted in a copy, so they are left out. */
export function within({ at, bare }: Pick<Asked, "at" | "bare">, { start: _, end: __, ...problem }: Found): Found {
  return { ...problem, pointer: at + (bare ? problem.pointer.replace(/^\/requestedSchema/, "") : problem.pointer) };
}

function rounds(engine: Engine, it: Case, result: object, id: unknown, base: string): Received {
  const out = engine.eval("decode", { version: it.date, what: "result", method: "tools/call", result }) as Loose;
  type Entry = { key: string; request?: Decoded; problems?: Found[] };
  const entries = (out["entries"] ?? []) as Entry[];
  const place = (key: string) => `${base}/inputRequests/${key.replaceAll("~", "~0").replaceAll("/", "~1")}/params`;
  const asked = entries.flatMap(({ key, request }) =>
    (request ? [{ key, at: place(key), bare: false, ...request }] : []));
  const problems = [...((out["problems"] ?? []) as Found[]), ...entries.flatMap((e) => e.problems ?? [])]
    .map((p) => within({ at: base, bare: false }, p));
  if (asked.length === 0 && problems.length === 0) problems.push({ code: "missing", pointer: `${base}/inputRequests` });
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
