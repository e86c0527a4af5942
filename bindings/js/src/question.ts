/**
 * The types of a question, and of problems, reasons and findings about it. They describe the JSON that the engine
 * writes.
 */
import type { FindingCode, Layer, ProblemCode, ReasonCode } from "./codes.ts";

/** How the person answers: in a form, or by visiting a page. */
export type Mode = "form" | "url";

/**
 * The parts of an answer that reach whoever asked, beside the action and the content: other arguments for the held
 * call, and a note with a decline or an accept.
 */
export type Takes = "edit" | "decline_note" | "accept_note";

/** The kind of a question. A `confirm` has no fields; an `approval` is a `confirm` of a tool call. */
export type Kind = "form" | "confirm" | "url" | "approval" | "suggestion";

/** The deed that an approval would let an agent do. */
export type Deed = "command" | "patch" | "permissions" | "tool";

/** A part of a message. It covers the next lines; a blank line between parts belongs to the part before it. */
export interface MessagePart {
  is: "text" | "command" | "directory" | "diff" | "access";
  lines: number;
}

/** A compiled schema: the ordered fields that every user interface draws. */
export interface Form {
  title?: string;
  help?: string;
  fields: Field[];
  /** The parts of the schema that were left out, for its author. The operation `explain` gives the sentences. */
  notes?: Problem[];
}

/** One field to fill in. Its texts come from the peer and are untrusted: draw them as text. */
export interface Field {
  /** The name of the member in the answer. */
  name: string;
  /** The label to draw: the title, or the name made readable. */
  label: string;
  help?: string;
  kind: FieldKind;
  /** A suggestion. A host may draw another widget. */
  widget: Widget;
  required: boolean;
  /** The texts of the field mention a secret. */
  sensitive?: true;
  /** Present for `choice` and `choices`. */
  choices?: Choice[];
  constraints?: Constraints;
  /** The initial value. It may be falsy. */
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

/** `value` goes into the answer unchanged, as a string or number. A person reads `title`. */
export interface Choice {
  value: string | number;
  title: string;
  description?: string;
}

/** The constraints of a field. A check enforces all of them except `note`. Lengths are in code points. */
export interface Constraints {
  minLength?: number;
  maxLength?: number;
  /** A regular expression of ECMA-262, as it was written. */
  pattern?: string;
  /** Used in place of `pattern` if several patterns must match. */
  patterns?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  format?: Format;
  /** A format that the person sees and the check does not enforce. */
  note?: string;
}

export type Format = "email" | "uri" | "date" | "date-time" | "time" | "uuid" | "ipv4" | "ipv6" | "hostname";

/** The values that the sentence of a code needs. */
export type Args = Record<string, string | number | boolean>;

/** Something is wrong with an input. Problems of peers and people are collected as values and never thrown. */
export interface Problem {
  code: ProblemCode;
  /** RFC 6901 pointer into the document with the problem; "" is the whole document. */
  pointer: string;
  /** The part of an answer with the problem, if it is not the content. */
  in?: "note" | "arguments";
  /** Span in bytes of UTF-8; absent if the problem has none. */
  start?: number;
  end?: number;
  args?: Args;
}

/** The reason for a decision. */
export interface Reason {
  code: ReasonCode;
  layer?: Layer | "builtin";
  rule?: string;
  args?: Args;
}

export type Severity = "info" | "low" | "medium" | "high" | "critical";

/** A warning or note about a question, for the person to read before answering. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  /** RFC 6901 pointer into the request: `/message`, `/url`, `/requestedSchema/…`. */
  pointer: string;
  /** Span in bytes of the string that `pointer` names. */
  start?: number;
  end?: number;
  /** The text that the finding is about, with invisible characters spelled out. */
  evidence?: string;
  args?: Args;
}
