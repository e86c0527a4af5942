// The adapters of the pages. The rules are the machine's, and vectors show them; here each adapter hands them on.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request as open, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { fetchPages, ForbiddenError, nodePages, type Asker, type PageOptions } from "../../dist/ask/index.js";
import { connect, ends } from "./connect.ts";

const base = "http://127.0.0.1:8080/ask/";
const host = "127.0.0.1:8080";
const origin = "http://127.0.0.1:8080";

interface Sent { method?: string; headers?: [string, string][]; body?: string | Uint8Array }
interface Got { status: number; state: unknown; text: string; cookie?: string; policy: string | null }
type Send = (path: string, sent: Sent) => Promise<Got>;

function got(status: number, text: string, header: (name: string) => string | null): Got {
  const [cookie] = (header("set-cookie") ?? "").split(";");
  let state: unknown;
  try {
    ({ state } = JSON.parse(text) as { state: unknown });
  } catch {}
  return { status, text, state, ...(cookie && { cookie }), policy: header("content-security-policy") };
}

/** Every header of a login that the tests use. */
function options<R>(
  header: (request: R, name: string) => string | null | undefined, faults: unknown[],
): PageOptions<R> {
  return {
    principal: async (request) => {
      const user = header(request, "x-user") ?? undefined;
      if (user === "banned") throw new ForbiddenError();
      if (user === "broken") throw new Error("the table of users is gone");
      return user;
    },
    onError: (error) => faults.push(error),
  };
}

const adapters: Record<string, (asker: Asker, login: boolean, faults: unknown[]) => Promise<Send>> = {
  fetch: async (asker, login, faults) => {
    const pages = fetchPages(asker, login ? options((request, name) => request.headers.get(name), faults) : {});
    return async (path, { method = "POST", headers = [], body }) => {
      const request = new Request(new URL(path, base), {
        method, headers: [["host", host], ...headers], ...(method === "POST" && { body: body ?? "" }),
      } as RequestInit);
      const response = await pages(request);
      return got(response.status, await response.text(), (name) => response.headers.get(name));
    };
  },
  "node:http": async (asker, login, faults) => {
    const header = (request: IncomingMessage, name: string) => request.headers[name] as string | undefined;
    const pages = nodePages(asker, login ? options(header, faults) : {});
    const server = createServer((request, response) => void pages(request, response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    return async (path, { method = "POST", headers = [], body }) => {
      const all = [["host", host], ...headers].flat();
      const request = open({ port, path: new URL(path, base).pathname, method, headers: all, agent: false });
      request.on("error", () => {}); // the server may answer before it has the whole body
      request.end(body);
      const [response] = (await once(request, "response")) as [IncomingMessage];
      const text = (await Readable.from(response).toArray()).join("");
      return got(response.statusCode!, text, (name) => String(response.headers[name] ?? "") || null);
    };
  },
};

// In Hono, a page is a route like others.
adapters["hono"] = async (asker, login, faults) => {
  const pages = fetchPages(asker, login ? options((request, name) => request.headers.get(name), faults) : {});
  const app = new Hono().all("/ask/*", (c) => pages(c.req.raw));
  return async (path, { method = "POST", headers = [], body }) => {
    const sent = { method, headers: [["host", host], ...headers], ...(method === "POST" && { body: body ?? "" }) };
    const response = await app.request(new URL(path, base).href, sent as RequestInit);
    return got(response.status, await response.text(), (name) => response.headers.get(name));
  };
};

const own: [string, string][] = [["origin", origin], ["content-type", "application/json"]];

for (const [name, make] of Object.entries(adapters)) {
  const begin = async (login = false) => {
    let opened: (link: string) => void = () => {};
    const link = new Promise<string>((resolve) => (opened = resolve));
    const faults: unknown[] = [];
    const { asker, call } = await connect({ url: {} }, ({ url }) => {
      opened(url!);
      return { action: "accept" };
    }, { page: { base: `${base}#/`, signIn: "/login" } });
    const send = await make(asker, login, faults);
    const result = call("key");
    result.catch(() => {}); // most tests end before the person has answered
    const token = (await link).slice(`${base}#/`.length);
    const act = (path: string, more: object = {}, headers: [string, string][] = []) =>
      send(path, { headers: [...own, ...headers], body: JSON.stringify({ token, ...more }) });
    return { act, send, token, result, faults };
  };
  const right = { action: "accept", content: { secret: "k-123" } };

  test(`${name}: one browser opens, claims and answers`, async () => {
    const { act, result } = await begin();
    const { cookie, ...first } = await act("open");
    expect(first).toMatchObject({ status: 200, state: "new" });
    expect(first.policy).toContain("default-src 'none'");
    const browser: [string, string][] = [["cookie", `other=1; ${cookie}`]];
    expect(await act("claim", {}, browser)).toMatchObject({ status: 200, state: "open" });
    expect(await act("claim", {}, browser), "its response was lost").toMatchObject({ state: "open" });
    const second = (await act("open")).cookie!;
    expect(await act("claim", {}, [["cookie", second]])).toMatchObject({ status: 409, state: "used" });
    expect(await act("answer", right, [["cookie", second]])).toMatchObject({ status: 409, state: "used" });
    expect(await act("answer", right, [["cookie", cookie!.replace(/=.*/, "=guessed")]])).toMatchObject({ status: 409 });
    expect(await act("answer", right, browser)).toMatchObject({ status: 200, state: "done" });
    expect(await act("answer", right, browser), "replayed").toMatchObject({ status: 410, state: "answered" });
    expect((await result).content[0]!.text).toContain("5");
  });

  test(`${name}: what the page's own script did not send is refused`, async () => {
    const { send, token } = await begin();
    const body = JSON.stringify({ token });
    const foreign: [string, string][] = [["origin", "https://evil.example"], own[1]!];
    expect(await send("open", { headers: foreign, body })).toMatchObject({ status: 403 });
    expect(await send("open", { headers: [own[1]!], body })).toMatchObject({ status: 403 });
    const form: [string, string][] = [own[0]!, ["content-type", "text/plain"]];
    expect(await send("open", { headers: form, body })).toMatchObject({ status: 415 });
    expect(await send("unknown", { headers: own, body })).toMatchObject({ status: 404 });
    const bytes = new Uint8Array([0x22, 0xff, 0x22]);
    expect(await send("open", { headers: own, body: bytes })).toMatchObject({ status: 400 });
    expect(await send("open", { headers: own, body: "é".repeat(300_000) })).toMatchObject({ status: 413 });
  });

  test(`${name}: the document and its files`, async () => {
    const { send } = await begin();
    expect((await send("", { method: "GET" })).text).toContain("<elicit-carrier");
    expect((await send("page.js", { method: "GET" })).text).toContain("elicit-carrier");
    expect((await send("form.js", { method: "GET" })).text.length).toBeGreaterThan(50_000);
    const cross: [string, string][] = [["sec-fetch-site", "cross-site"]];
    expect(await send("page.js", { method: "GET", headers: cross })).toMatchObject({ status: 403 });
    expect(await send("", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });

  test(`${name}: the server's own login`, async () => {
    const { act, faults } = await begin(true);
    expect(await act("open")).toMatchObject({ status: 401, state: "sign_in" });
    expect(await act("open", {}, [["x-user", "banned"]])).toMatchObject({ status: 403, state: "forbidden" });
    expect(await act("open", {}, [["x-user", "ada"]])).toMatchObject({ status: 200, state: "new" });
    expect(faults).toEqual([]);
    expect(await act("open", {}, [["x-user", "broken"]])).toMatchObject({ status: 500, text: '{"state":"failed"}' });
    expect(faults).toHaveLength(1);
  });
}

test("node:http: a browser goes away in the middle of a body, and a mount of Express", async () => {
  const { asker } = await connect({}, () => ({ action: "accept" }), { page: { base: `${base}#/` } });
  const got: number[] = [];
  const response = { writeHead: (status: number) => (got.push(status), { end: () => undefined }) };
  const pages = nodePages(asker);
  const post = (iterator: () => AsyncIterable<Uint8Array>) => pages({ method: "POST", url: "/open",
    originalUrl: "/ask/open?a", headers: { host }, rawHeaders: own.flat(), iterator }, response);
  await post(async function* () {
    yield new TextEncoder().encode('{"token":"a"}');
  });
  await post(async function* () {
    yield new Uint8Array([0x7b]);
    throw new Error("aborted");
  });
  expect(got).toEqual([200, 400]);
});

test("the pages need no file system, as on edge workers", async () => {
  const own = fileURLToPath(new URL("../../dist/ask/page.js", import.meta.url));
  const { outputFiles: [bundle] } = await build({
    entryPoints: [own], bundle: true, format: "esm", platform: "neutral", write: false, logLevel: "silent",
  });
  expect(bundle!.text.includes("elicit-carrier")).toBe(true);
  expect(readFileSync(own, "utf8")).not.toContain("node:fs");
});
