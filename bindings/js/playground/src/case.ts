import type { Layer, Protocol } from "../../src/index.ts";
import type { Held, Linked } from "./guardian.ts";

/** The contents of the left column. A share link contains this and the guardians that fit. */
export interface Case {
  /** The protocol date of the server. */
  date: Date;
  /** The name that the host gave the server. */
  server: string;
  tool: string;
  /** The server's message, exactly as pasted. */
  request: string;
  /** A policy document of `layer`, exactly as written; empty for none. */
  policy: string;
  layer: Layer;
  /** The id of the vector that the case was made from. */
  vector?: string;
}

export type Date = "2025-06-18" | "2025-11-25" | "2026-07-28";

type Dated<P> = P extends `mcp ${infer D}` ? D : never;

/** Every protocol date that the engine supports. An unsupported date does not compile. */
export const dates: readonly (Date & Dated<Protocol>)[] = ["2025-06-18", "2025-11-25", "2026-07-28"];

export const layers: readonly Layer[] = ["managed", "user", "project", "session"];

/** The contents of a link. */
export interface Shared {
  it: Case;
  guardians: Linked[];
  /** The files of the guardians that were too large. */
  left: string[];
}

/** Packs a case into the fragment of a link. Browsers do not send the fragment to a server. */
export async function pack(it: Case, guardians: readonly Held[], left: readonly string[]): Promise<string> {
  const modules = guardians.map(({ file, permit, bytes }): Linked => ({ file, permit, module: base64(bytes) }));
  const text = JSON.stringify({ ...it, guardians: modules, left });
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  return "1" + base64(packed).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The most unpacked bytes of a link. A link is untrusted text, so reading stops there. */
const mostUnpacked = 1 << 20;

/** Reads the fragment of a link. It returns undefined if the fragment is not a case. */
export async function unpack(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith("1")) return undefined;
  try {
    const bytes = Uint8Array.from(atob(fragment.slice(1).replaceAll("-", "+").replaceAll("_", "/")),
      (c) => c.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true })
      .decode(await through(new DecompressionStream("deflate-raw"), bytes));
    return checked(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function checked(it: unknown): Shared | undefined {
  if (typeof it !== "object" || it === null) return undefined;
  const { date, server, tool, request, policy, layer, guardians = [], left = [] } = it as Record<string, unknown>;
  const known = dates.find((d) => d === date);
  const at = layers.find((l) => l === layer);
  if (!known || !at || [server, tool, request, policy].some((text) => typeof text !== "string")) return undefined;
  if (!Array.isArray(guardians) || !Array.isArray(left)) return undefined;
  return {
    it: {
      date: known, layer: at, server: server as string, tool: tool as string,
      request: request as string, policy: policy as string
    },
    guardians: guardians.map(linked), left: left.map(text).slice(0, 20),
  };
}

/** Reads a guardian of a link. It throws if a member is missing or the module is not base64. */
function linked(it: unknown): Linked {
  // Links of an earlier version have the member grant.
  const { file, grant, permit = grant, module } = it as Record<keyof Linked | "grant", unknown>;
  atob(text(module));
  return { file: text(file), permit: text(permit), module: text(module) };
}

function text(it: unknown): string {
  if (typeof it !== "string") throw new TypeError("the link holds something else than a text");
  return it;
}

async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => undefined); // the reader reports errors in the bytes
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.readable.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > mostUnpacked) {
      await reader.cancel();
      throw new RangeError("the link holds too much");
    }
    parts.push(value);
  }
  await written;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
