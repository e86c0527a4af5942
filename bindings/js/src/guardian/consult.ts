import type { ConsultPhase, Fault } from "../codes.ts";
import type { Impact } from "../operation.ts";
import type { Finding, Form, Kind, Mode, Severity } from "../question.ts";

/** When a guest is asked: before a person sees the question, or before their answer leaves. */
export type Phase = Exclude<ConsultPhase, "second_person">;

/**
 * Asks a guardian. A host that can run it answers with one `consulted` event of the same round. Without one by the
 * deadline, the guardian counts as failed.
 */
export interface Consult {
  effect: "consult";
  session: string;
  id: string;
  /** Names this asking among those of the request. */
  round: number;
  guardian: string;
  /** SHA-256 of the module, absent when the host knows what is meant. */
  digest?: string;
  phase: ConsultPhase;
  /** 2 and up when a reviewer is asked again because its answer could not be read. */
  attempt?: number;
  reviewer?: true;
  /** The host's to run, whoever else could. */
  host?: true;
  fuel?: number;
  wasi?: true;
  /** SHA-256 of the guardian's data document. */
  data_digest?: string;
  /** Milliseconds since 1970-01-01 UTC. */
  deadline: number;
  question: Question;
  /** Its exact text, which is what a guest is given. */
  question_text: string;
}

/** The answer of a guardian: what it wrote, unread, or why there is nothing. Exactly one of `output` and `fault`. */
export interface Consulted {
  event: "consulted";
  session: string;
  id: string;
  round: number;
  output?: string;
  fault?: Fault;
  /** Used by a guest. */
  fuel?: number;
  /** In phase `second_person`: who approves. */
  principal?: string;
}

/** The data that one guardian gets: no more than it declared and was permitted. Secrets are `{"$redacted": TYPE}`. */
export interface Question {
  v: 1;
  phase: Consult["phase"];
  /** Milliseconds since 1970-01-01 UTC. */
  at: number;
  request: {
    server?: string;
    tool?: string;
    mode?: Mode;
    kind?: Kind;
    message?: string;
    url?: string;
    claim?: string;
    annotations?: Record<string, boolean>;
    form?: Partial<Form>;
    findings?: Finding[];
    /** Whether the built-in inspection read the request. */
    inspected?: boolean;
    /** What an approval would do. */
    impacts?: (Partial<Impact> | null)[];
    /** What the session did before: `read_secret`, `changed_settings`, `fetched:HOST`, `*`. */
    labels?: string[];
    /** What the server says of the tool whose call waits. */
    held_call?: { description?: string; definition?: string };
  };
  /** Before the answer is sent. */
  answer?: Record<string, unknown>;
  settings: Record<string, unknown>;
  /** 32 hex digits, another for each asking. */
  seed: string;
  /** A reviewer's: what to put before a language model. */
  prompt?: unknown;
}

/** The answer of a guardian. Anything else in it, and it counts as a fault. */
export interface Verdict {
  v: 1;
  decision: "pass" | "allow" | "ask" | "deny";
  findings?: { code: string; pointer?: string; message: string; severity?: Severity }[];
  /** Before the answer is sent. */
  obligations?: ({ do: "redact"; pointer: string } | { do: "second_person" })[];
}
