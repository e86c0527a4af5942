import type { Decided, Configuration, Policy } from "./configuration.ts";
import type { Effect } from "./effect.ts";
import type { Asked } from "./event.ts";
import type { Finding, Form, Problem, Reason } from "./question.ts";
import type { Action, Framework, Layer, OperationName, Scope } from "./codes.ts";
import type { InterruptAnswer, Interrupts } from "./interrupts/index.ts";
import type { Phase } from "./guardian/consult.ts";

/** The output of an operation that could not use its input. */
export interface Problems {
  problems: Problem[];
}

/** The schema and options that a form is compiled from. `schema_text` is the exact text of a schema. */
export interface SchemaInput {
  schema?: object;
  schema_text?: string;
  profile?: NonNullable<Configuration["profile"]>;
  limits?: { bytes?: number; depth?: number; fields?: number; choices?: number; text?: number };
}

/** The document of an agent framework. `document_text` is its exact text. */
interface InterruptInput {
  framework: Framework;
  document?: unknown;
  document_text?: string;
}

/** One thing that a command or another deed does, in the words of `engine/impact`. */
export interface Impact {
  impact: string;
  target?: string;
  how?: string;
  program?: string;
  open?: boolean;
  at: number;
  end: number;
}

type Layers = { [K in Layer]?: Policy | object } & { [K in `${Layer}_text`]?: string };
type Loose = Record<string, unknown>;

/** The result of one guardian: its verdict as text, or a fault. */
interface GuardianResult {
  guardian: string;
  output?: string;
  fault?: string;
  audit?: boolean;
  fuel?: number;
  digest?: string;
}

/** The combined verdict of several guardians. */
export interface Combined {
  decision: "pass" | "allow" | "ask" | "deny";
  /** The guardians whose verdicts gave the decision. */
  determining: string[];
  reasons: Reason[];
  findings: Finding[];
  /** Pointers to the members of the answer that must be left out. */
  redact?: string[];
  /** The guardians that want another person's approval. */
  second_person?: string[];
}

/** A reviewer's answer as the engine reads it. `within` says whether an `allow` in it counts. */
export interface Review {
  outcome: "allow" | "ask" | "deny";
  risk: string;
  authorization: string;
  rationale: string;
  within: boolean;
}

/** A key of `seal` and `unseal`: at least 32 random bytes in base64url without padding. The first of a list seals. */
export interface SealKey {
  id: string;
  secret: string;
}

/** The facts to which a token is bound. A member that is left out is expected as left out. */
interface SealBinding {
  principal?: string;
  method?: string;
  target?: string;
  audience?: string;
  /** The arguments of the request, their exact text, or their digest. */
  arguments?: unknown;
  arguments_text?: string;
  arguments_digest?: string;
}

/** The content of a token. Times are milliseconds since 1970. */
export interface SealClaims extends SealBinding {
  /** 32 hexadecimal digits, from `random` unless given. */
  id?: string;
  questions?: string[];
  issued_at: number;
  expires_at: number;
  body?: unknown;
  body_text?: string;
  body_base64?: string;
}

/** The facts of the request that brings a token. */
export interface SealExpected extends SealBinding {
  now: number;
  skew?: number;
}

/** The claims of a token that was accepted. `body_base64` stands for a body that is not UTF-8. */
export interface OpenedClaims extends Omit<SealClaims, "arguments" | "arguments_text" | "body"> {
  id: string;
  arguments_digest: string;
}

/** A request of the Codex app-server, and the params of the `item/started` that came before it. */
type CodexRequest = { method: string; params?: object; params_text?: string; items?: object[] };

/** An answer to a question of Codex. `option` is the exact decision or the permissions that the client chose. */
export interface CodexAnswer {
  action: Action;
  content?: Loose;
  scope?: Scope;
  option?: unknown;
  strict?: boolean;
  note?: string;
}

/** A question of Codex as the engine reads it. `answer` is what a given `result` means. */
export interface CodexQuestion {
  thread?: string;
  turn?: string;
  item?: string;
  server?: string;
  tool?: string;
  annotations?: Asked["annotations"];
  request: Pick<Asked, "mode" | "message" | "parts" | "schema" | "url" | "claim" | "strict_review" | "persistable" |
    "does" | "command" | "cwd" | "paths" | "hosts" | "reach_cut" | "outside" | "arguments">;
  /** The decisions on offer. `unknown` counts those that are not known; they approve nothing. */
  options: unknown[];
  unknown?: number;
  /** No policy may accept it alone. */
  choice?: true;
  /** Only the client can make the answer, such as a proof of the device. */
  client_only?: true;
  answer?: CodexAnswer;
}

/** The inputs and outputs of the stateless operations. testdata/vectors/README.md describes them in full. */
export interface Operations {
  answer_interrupts: {
    in: InterruptInput & { answers: InterruptAnswer[]; text?: boolean };
    out: { answer: unknown } | { text: string } | Problems;
  };
  check: {
    in: SchemaInput & { content?: unknown; content_text?: string; fill?: boolean };
    out: { content: Loose } | Problems;
  };
  coerce: {
    in: SchemaInput & { text: Record<string, string | string[] | boolean> };
    out: { content: Loose; problems?: Problem[] } | Problems;
  };
  compile: { in: SchemaInput; out: { form: Form } | Problems };
  consult: {
    in:
      | { phase?: Phase; on_failure?: "ask"; results: GuardianResult[] }
      | { review: string };
    out: Combined | Review | Problems;
  };
  decide: {
    in: { policy?: Layers; facts: Loose; findings?: Pick<Finding, "code" | "severity">[] };
    out: { outcome: Decided; by: string; reasons: Reason[]; problems?: Problem[] } | Problems;
  };
  decode: { in: Loose; out: Loose };
  decode_codex: {
    in: CodexRequest & { result?: unknown };
    out: CodexQuestion | { error: { code: number; problems: Problem[] } } | Problems;
  };
  decode_hook: { in: Loose; out: Loose };
  decode_interrupts: { in: InterruptInput; out: Interrupts | Problems };
  encode: { in: Loose; out: Loose };
  encode_codex: { in: CodexRequest & { answer: CodexAnswer }; out: Loose | Problems };
  encode_hook: { in: Loose; out: Loose };
  explain: {
    in: {
      problems?: Problem[];
      reasons?: Reason[];
      whys?: Reason[];
      findings?: Finding[];
      causes?: string[];
      faults?: string[];
      statuses?: string[];
    };
    out: {
      problems?: string[];
      reasons?: string[];
      whys?: string[];
      findings?: string[];
      causes?: string[];
      faults?: string[];
      statuses?: string[];
    };
  };
  impacts: { in: Loose; out: { impacts: Impact[] } | Problems };
  inspect: { in: Loose; out: { findings: Finding[] } | Problems };
  lint: {
    in: { schema?: object; schema_text?: string; request?: object; request_text?: string; for?: string };
    out: { findings: Loose[] } | Problems;
  };
  parse: {
    in: { document?: unknown; document_text?: string; document_base64?: string; limits?: Loose };
    out: { ok: true; canonical: unknown } | Problems;
  };
  relay: { in: { relay: object; inputs: Loose[]; records?: boolean }; out: { effects: Loose[][] } | Problems };
  asking: { in: { asking: object; inputs: Loose[]; records?: boolean }; out: { effects: Loose[][] } | Problems };
  replay: { in: { journal_text: string }; out: { records: number } & Loose };
  run: {
    in: { config?: object; inputs: Loose[]; records?: boolean };
    out: { effects: (Effect | Loose)[][] } | Problems;
  };
  seal: {
    in: { keys: SealKey[]; random: string; purpose: string; claims: SealClaims };
    out: { token: string; id: string } | Problems;
  };
  simulate: { in: { journal_text: string; policy: Layers }; out: Loose };
  unseal: {
    in: { keys: SealKey[]; token: string; purpose: string; expected: SealExpected };
    out: { claims: OpenedClaims } | Problems;
  };
}

/** The operations that stand both in the table above and in the module's list. */
export type Operation = keyof Operations & OperationName;
