// One conversation, the same in Node and in a browser: what a host is handed while two ends talk, as lines.
import { connect, type Engine, type Host, type RelayConfiguration, type RelayEffect } from "../dist/index.js";
import { random } from "./asking.ts";

export const session = { version: "2025-11-25", declared: ["form", "url"] } as const;

/** A connection between agreed ends, as most tests want it. */
export const backup: RelayConfiguration = { server: "backup", modes: ["form", "url"], session };

export const requestedSchema = {
  type: "object",
  properties: { region: { type: "string", enum: ["eu", "us"] } },
  required: ["region"],
};

/** A question of the server, as it comes over the wire. */
export const question = (id: number | string, params: object = { message: "Which region?", requestedSchema }): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "elicitation/create", params });

export const notice = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1e400}}';

/** A host that writes down what it is handed. */
export function notes(more: Partial<Host> = {}) {
  const lines: string[] = [];
  const handed: RelayEffect[] = [];
  const written: { to: string; message: string | Uint8Array }[] = [];
  const note = (line: (e: never) => string) => (e: RelayEffect) => {
    handed.push(e);
    lines.push(line(e as never));
  };
  const host: Host = {
    write(to, message) {
      written.push({ to, message });
      lines.push(`${to} ${short(message)}`);
    },
    close: note((e: { end: string }) => `close ${e.end}`),
    show: note((e: { ref: string }) => `show ${e.ref}`),
    withdraw: note((e: { cause: string }) => `withdraw ${e.cause}`),
    open_url: note((e: { url: string }) => `open ${e.url}`),
    problem: note((e: { problems: { code: string }[] }) => `problem ${e.problems[0]!.code}`),
    failed: (why) => void lines.push(`failed ${why.name}`),
    ...more,
  };
  /** The answer to the question that was shown last, or to that one. */
  const answer = (ref?: string | number) => {
    const shown = handed
      .flatMap((e) => (e.effect === "show" && (ref === undefined || e.ref === String(ref)) ? [e] : []))
      .at(-1)!;
    return {
      event: "answered",
      session: shown.session,
      id: shown.id,
      action: "accept",
      content: { region: "eu" },
    } as const;
  };
  return { host, lines, handed, written, answer };
}

/** The id of a message and what it says. */
function short(message: string | Uint8Array): string {
  const m = JSON.parse(typeof message === "string" ? message : new TextDecoder().decode(message)) as {
    id?: unknown;
    method?: string;
    result?: { action?: string };
    error?: { data: { problems: { code: string }[] } };
  };
  return [
    m.id,
    m.method,
    m.result && (m.result.action ?? "result"),
    m.error && `error ${m.error.data.problems[0]!.code}`,
  ]
    .filter((part) => part !== undefined)
    .join(" ");
}

/** Two ends begin, the server asks, and the person answers. */
export async function talk(engine: Engine): Promise<string[]> {
  const { host, lines, answer } = notes();
  let n = 0;
  const options = {
    now: () => 1000 + n,
    random: () => random(++n),
    journal: { begin: () => void lines.push("begin"), append: (line: string) => void lines.push(`keep ${line}`) },
  };
  const connection = connect(engine, { server: "backup", modes: ["form"] }, host, options);
  const ends = { jsonrpc: "2.0", id: 0 };
  const bytes = (text: string) => new TextEncoder().encode(text);
  await connection.receive(
    "client",
    JSON.stringify({
      ...ends,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} },
    }),
  );
  await connection.receive(
    "server",
    JSON.stringify({ ...ends, result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} } }),
  );
  await connection.receive(
    "client",
    bytes('{"jsonrpc":"2.0","id":"1e400","method":"tools/call","params":{"name":"ask"}}'),
  );
  await connection.receive("server", bytes(question(7)));
  await connection.do(answer());
  await connection.receive("server", '{"jsonrpc":"2.0","id":"1e400","result":{"content":[]}}');
  await connection.do({ event: "ended", end: "client" });
  await connection.do({ event: "ended", end: "server" });
  await connection.shutdown();
  return lines;
}
