import type { Policy } from "../../src/index.ts";
import type { Case } from "./case.ts";

/** One vector of the engine: an operation, its input and its output. */
export interface Vector {
  id: string;
  spec: string;
  about: string;
  op: string;
  /** Exact texts, because vectors are compared byte for byte. */
  in: string;
  want: string;
}

let fetched: Promise<Vector[]> | undefined;

/** All vectors, from a file beside the page. The page loads it at the first search. */
export function vectors(): Promise<Vector[]> {
  fetched ??= fetch(new URL("vectors.json", document.baseURI)).then((r) => {
    if (!r.ok) throw new Error(`vectors.json: ${r.status}`);
    return r.json() as Promise<Vector[]>;
  });
  return fetched;
}

/** A case with the question and the policy of a vector. It returns undefined if the vector asks no question. */
export function caseOf(vector: Vector, now: Case): Case | undefined {
  const given = JSON.parse(vector.in) as Record<string, unknown>;
  const at: Case = {
    ...now, date: "2025-11-25", server: "server", tool: "",
    policy: "", layer: "user", vector: vector.id
  };
  const request = (params: object) => pretty({ jsonrpc: "2.0", id: 1, method: "elicitation/create", params });
  const schema = given["schema"] ?? lenient(given["schema_text"]);
  switch (vector.op) {
    case "compile":
    case "check":
    case "coerce":
    case "lint":
      if (schema === undefined) return undefined;
      return { ...at, request: request({ message: vector.about, requestedSchema: schema }) };
    case "inspect":
      const message = given["message"] ?? vector.about;
      return { ...at, request: request(given["url"] !== undefined
        ? { mode: "url", message, url: given["url"], elicitationId: "e1" }
        : { message, requestedSchema: schema ?? { type: "object", properties: {} } }) };
    case "decode":
      return given["what"] !== "create" || !given["params"] ? undefined
        : { ...at, date: (given["version"] as Case["date"]) ?? at.date, request: request(given["params"] as object) };
    case "run":
      return ofRun(given, at, request);
  }
  return undefined;
}

/** The first question of a transcript, under the policy of its configuration. */
function ofRun(given: Record<string, unknown>, at: Case, request: (params: object) => string): Case | undefined {
  const events = ((given["inputs"] ?? []) as { event?: Record<string, unknown> }[]).map((i) => i.event ?? {});
  const asked = events.find((e) => e["event"] === "asked");
  const opened = events.find((e) => e["event"] === "opened");
  if (!asked) return undefined;
  const policy = ((given["config"] as Record<string, unknown> | undefined)?.["policy"] ?? {}) as Record<string, Policy>;
  const [layer, document] = Object.entries(policy)[0] ?? [];
  const { mode, message, schema, url } = asked;
  return { ...at, server: String(opened?.["server"] ?? "server"), tool: String(asked["tool"] ?? ""),
    request: request({
      mode, message, ...(schema ? { requestedSchema: schema } : {}),
      ...(url ? { url, elicitationId: "e1" } : {}) }),
    ...(layer && !layer.endsWith("_text") ? { layer: layer as Case["layer"], policy: pretty(document) } : {}) };
}

const pretty = (value: unknown) => JSON.stringify(value, undefined, 2);

function lenient(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

const formOf = (message: string, requestedSchema: object) =>
  ({ method: "elicitation/create", params: { mode: "form", message, requestedSchema } });
const ask = (params: object, id: unknown = 7) => pretty({ jsonrpc: "2.0", id, method: "elicitation/create", params });
const noPolicy = { policy: "", layer: "user" } as const;

/** The examples for a first visit. */
export const starters: readonly { name: string; about: string; it: Case }[] = [
  {
    name: "Deploy",
    about: "an ordinary form",
    it: {
      ...noPolicy, date: "2025-11-25", server: "deploy-bot", tool: "deploy",
      request: ask({
        message: "Version 2.4.1 is built. Where shall it go?",
        requestedSchema: {
          type: "object",
          properties: {
            environment: { type: "string", title: "Environment", oneOf: [
              { const: "staging", title: "Staging" },
              { const: "eu-1", title: "Production, Europe" },
              { const: "us-1", title: "Production, US" }] },
            share: { type: "integer", title: "Share of traffic",
              description: "in percent", minimum: 1, maximum: 100, default: 5 },
            when: { type: "string", title: "Not before", format: "date-time" },
            notify: {
              type: "array", title: "Tell", items: { type: "string", enum: ["on-call", "release channel", "support"] },
              maxItems: 2
            },
            wait: { type: "boolean", title: "Wait until it is healthy", default: true },
          },
          required: ["environment", "share"],
        },
      }),
    },
  },
  {
    name: "A secret",
    about: "a password asked in a form, and a policy that has none of it",
    it: {
      date: "2025-11-25", server: "db-tools", tool: "migrate", layer: "user",
      policy: pretty({ version: 1, approval_policy: "on-request", rules: [
        { name: "no-secrets", when: { sensitive: true }, then: "decline", why: "secrets never belong in a form" }] }),
      request: ask({
        message: "I need to connect to the production database.",
        requestedSchema: {
          type: "object",
          properties: {
            host: { type: "string", format: "hostname" }, password: { type: "string", title: "Database password" },
          },
          required: ["host", "password"],
        },
      }),
    },
  },
  {
    name: "Drop a table",
    about: "destructive words under pressure",
    it: {
      ...noPolicy, date: "2025-06-18", server: "db-tools", tool: "sql",
      request: ask({
        message: "URGENT: act now or lose access!! Confirm DROP TABLE customers CASCADE.",
        requestedSchema: {
          type: "object", properties: { sure: { type: "boolean", title: "Yes, drop it" } }, required: ["sure"],
        },
      }),
    },
  },
  {
    name: "A deceptive link",
    about: "what stands before the @ is decoration",
    it: {
      ...noPolicy, date: "2025-11-25", server: "github", tool: "",
      request: ask({ mode: "url", elicitationId: "550e8400", message: "Sign in to GitHub to go on.",
        url: "https://github.com@xn--gthub-n4a.example/login?next=/oauth" }),
    },
  },
  {
    name: "Sign in",
    about: "a link that a rule trusts",
    it: {
      date: "2025-11-25", server: "calendar", tool: "connect", layer: "user",
      policy: pretty({ version: 1, approval_policy: "on-request", rules: [
        { name: "our-links", when: { mode: "url", host: "*.example.com" }, then: "ask", why: "pages of our own" },
        { name: "no-others", when: { mode: "url" }, then: "decline", why: "only pages of our own are opened" }] }),
      request: ask({
        mode: "url", elicitationId: "c-19", message: "Allow the calendar to read your free hours.",
        url: "https://id.example.com/consent?app=calendar",
      }),
    },
  },
  {
    name: "Routine",
    about: "answered by policy; nobody is disturbed",
    it: {
      date: "2025-11-25", server: "backup", tool: "snapshot", layer: "user",
      policy: pretty({ version: 1, approval_policy: "on-request", rules: [
        {
          name: "routine", when: { server: "backup", kind: "confirm" }, then: "accept",
          why: "nightly, and undone with one command",
        }] }),
      request: ask({ message: "Take the nightly snapshot now?", requestedSchema: { type: "object", properties: {} } }),
    },
  },
  {
    name: "Two at once",
    about: "2026-07-28: a result that wants input, answered by making the call again",
    it: {
      ...noPolicy, date: "2026-07-28", server: "travel", tool: "book",
      request: pretty({
        jsonrpc: "2.0",
        id: 1,
        result: {
          resultType: "input_required",
          requestState: "eyJzdGVwIjoyfQ.sealed",
          inputRequests: {
            seat: formOf("Which seat?", {
              type: "object",
              properties: { seat: { type: "string", enum: ["aisle", "middle", "window"], default: "aisle" } },
              required: ["seat"],
            }),
            meal: formOf("And to eat?", {
              type: "object",
              properties: {
                meal: { type: "string", enum: ["none", "vegetarian", "fish"] },
                allergies: { type: "string", maxLength: 200 },
              },
            }),
          },
        },
      }),
    },
  },
  {
    name: "Not this way",
    about: "a nested object: refused in the server's own spelling",
    it: {
      ...noPolicy, date: "2025-06-18", server: "crm", tool: "",
      request: ask({ message: "Who is it?", requestedSchema: { type: "object", properties: {
        address: { type: "object", properties: { street: { type: "string" } } } } } }),
    },
  },
];
