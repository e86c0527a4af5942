/**
 * What a person is asked, and the three kinds of news about it. These are the shapes of the JSON the engine writes.
 */
import type { FindingCode, Layer, ProblemCode, ReasonCode } from "./codes.ts";

/** How the person answers: in a form, or by visiting a page. */
export type Mode = "form" | "url";

/** What a question amounts to. A `confirm` has nothing to type; an `approval` is one for a tool call. */
export type Kind = "form" | "confirm" | "url" | "approval" | "suggestion";

/** A compiled schema: the ordered fields that every user interface draws. */
export interface Form {
  title?: string;
  help?: string;
  fields: Field[];
  /** What of the schema was left out, for its author; `explain` has the sentences. */
  notes?: Problem[];
}

/** One thing to fill in. Its texts are the peer's: untrusted, to be drawn as text. */
export interface Field {
  /** The member of the answer. */
  name: string;
  /** What to call it: the title, or the name made readable. */
  label: string;
  help?: string;
  kind: FieldKind;
  /** Advice; a host may draw something else. */
  widget: Widget;
  required: boolean;
  /** The texts of the field speak of a secret. */
  sensitive?: true;
  /** Present for `choice` and `choices`. */
  choices?: Choice[];
  constraints?: Constraints;
  /** The value to start from, falsy ones included. */
  initial?: FieldValue;
  provenance?: "default";
}

/** `text` yields a string, `choice` one of the values of its choices, `choices` a list of strings. */
export type FieldKind = "text" | "number" | "integer" | "boolean" | "choice" | "choices";

export type FieldValue = string | number | boolean | string[];

/** The content of an answer. */
export type Content = Record<string, FieldValue>;

export type Widget =
  | "text"
  | "multiline"
  | "email"
  | "url"
  | "date"
  | "date-time"
  | "number"
  | "checkbox"
  | "yes-no"
  | "radio"
  | "select"
  | "search";

/** `value` goes into the answer as it is, string or number; `title` is what a person reads. */
export interface Choice {
  value: string | number;
  title: string;
  description?: string;
}

/** What a check enforces, except `note`. Lengths are code points. */
export interface Constraints {
  minLength?: number;
  maxLength?: number;
  /** ECMA-262, as spelled. */
  pattern?: string;
  /** In place of `pattern` where several have to match. */
  patterns?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  format?: Format;
  /** A format that is shown to the person and not enforced. */
  note?: string;
}

export type Format = "email" | "uri" | "date" | "date-time" | "time" | "uuid" | "ipv4" | "ipv6" | "hostname";

/** The figures a sentence about a code needs. */
export type Args = Record<string, string | number | boolean>;

/** An input is wrong: a value, collected, never thrown for what peers and people do. */
export interface Problem {
  code: ProblemCode;
  /** RFC 6901 pointer into the offending document; "" is the whole document. */
  pointer: string;
  /** Span in bytes of UTF-8, absent when there is none. */
  start?: number;
  end?: number;
  args?: Args;
}

/** Why a decision fell as it did. */
export interface Reason {
  code: ReasonCode;
  layer?: Layer | "builtin";
  rule?: string;
  args?: Args;
}

export type Severity = "info" | "low" | "medium" | "high" | "critical";

/** Something to know about a question before it is answered. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  /** RFC 6901 pointer into the request: /message, /url, /requestedSchema/… */
  pointer: string;
  /** Span in bytes of the string that `pointer` names. */
  start?: number;
  end?: number;
  /** The offending text with invisible characters spelled out. */
  evidence?: string;
  args?: Args;
}
