import type { PageReply, PageRequest } from "../asker-event.ts";
import type { Asker } from "./asker.ts";

/** Who may see the pages, and what learns of faults. `R` is a request of the web server. */
export interface PageOptions<R> {
  /**
   * The person who makes a request, from the server's own login; undefined for nobody. A `ForbiddenError` refuses them.
   * Without it, a link belongs to the first browser that claims it, which suits a server on the person's own machine.
   */
  principal?(request: R): string | undefined | Promise<string | undefined>;
  /** Gets what a person reads of as a fault only. */
  onError?(error: unknown): void;
}

/** Says in `principal` that the person who is signed in may not answer here. */
export class ForbiddenError extends Error {}

type Answer = Omit<PageReply, "file" | "body"> & { body: string };
type Given = Omit<PageRequest, "body" | "principal" | "refused">;

async function answer<R>(
  asker: Asker, { principal, onError }: PageOptions<R>, from: R, given: Given, body: AsyncIterable<Uint8Array>,
): Promise<Answer> {
  const request: PageRequest = { ...given, body: await read(body, asker.mostBody + 1) }; // more is refused
  try {
    if (principal) request.principal = (await principal(from)) ?? "";
  } catch (error) {
    request.refused = error instanceof ForbiddenError ? "forbidden" : "failed";
    if (request.refused === "failed") onError?.(error);
  }
  const { response, why } = await asker.serve(request);
  if (why !== undefined) onError?.(new Error(why));
  return { ...response, body: response.file === undefined ? response.body ?? "" : await file(response.file) };
}

/** A browser that goes away in the middle ends the iteration with an error, which nobody else would catch. */
async function read(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const all = new Uint8Array(most);
  let size = 0;
  try {
    for await (const part of body) {
      all.set(part.subarray(0, most - size), size);
      if ((size += part.length) >= most) break;
    }
    return new TextDecoder("utf-8", { fatal: size < most, ignoreBOM: true }).decode(all.subarray(0, size));
  } catch {
    return ""; // the machine refuses it as it refuses other bodies that are no JSON
  }
}

/** The files of the pages are a module, because edge workers have no file system. The build writes it. */
async function file(name: string): Promise<string> {
  return (await import("./files.js")).files[name]!;
}

/** Serves the pages with `fetch`, as in Hono: `app.all("/ask/*", (c) => pages(c.req.raw))`. */
export function fetchPages(asker: Asker, options: PageOptions<Request> = {}): (request: Request) => Promise<Response> {
  return async (request) => {
    const { host, pathname: path } = new URL(request.url);
    const given = { method: request.method, host: request.headers.get("host") ?? host, path };
    const body = (request.body ?? []) as unknown as AsyncIterable<Uint8Array>;
    const reply = await answer(asker, options, request, { ...given, headers: [...request.headers] }, body);
    return new Response(reply.body, { status: reply.status, headers: reply.headers });
  };
}

/** What a page needs of `http.IncomingMessage` and `http.ServerResponse`. */
interface NodeRequest {
  method?: string | undefined;
  url?: string | undefined;
  originalUrl?: string; // of Express, which cuts the path of a mount off url
  headers: { host?: string | undefined };
  rawHeaders: string[];
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}
interface NodeResponse { writeHead(status: number, headers: string[]): { end(body: string): unknown } }

/** Serves the pages with `node:http`, as in `createServer(nodePages(asker))`. */
export function nodePages<R extends NodeRequest>(
  asker: Asker, options: PageOptions<R> = {},
): (request: R, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const { method = "", url = "", originalUrl: whole = url, headers: { host = "" }, rawHeaders: raw } = request;
    const headers = raw.flatMap((name, i) => (i % 2 ? [] : [[name, raw[i + 1]!] as [string, string]]));
    const body = request.iterator({ destroyOnReturn: false });
    const reply = await answer(asker, options, request, { method, host, path: whole.split("?")[0]!, headers }, body);
    response.writeHead(reply.status, reply.headers.flat()).end(reply.body);
  };
}
