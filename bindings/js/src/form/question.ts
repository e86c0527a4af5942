import type { Json, Spelled } from "./exact.ts";

/** What the engine's `show` effect says. Members the element does not draw are left out here. */
export interface Question {
  id?: string;
  session?: string;
  server?: string;
  tool?: string;
  /** "form" or "url"; with any other mode nothing can be accepted. */
  mode?: string;
  kind?: string;
  message?: string;
  form?: Form;
  url?: string;
  findings?: readonly Finding[];
  reasons?: readonly Reason[];
  /** Milliseconds since 1970. */
  deadline?: number;
  waiting?: number;
  draft?: Content;
  /** What the person typed into such fields before, as the engine lists it; drawn at each field. */
  suggestions?: readonly (Suggestion & { field: string })[];
}

/** A compiled schema, as the engine's `compile` returns it. */
export interface Form {
  title?: string;
  help?: string;
  fields: readonly Field[];
}

export interface Field {
  name: string;
  label: string;
  help?: string;
  /** text, number, integer, boolean, choice or choices. A required field of another kind cannot be answered. */
  kind: string;
  widget?: string;
  required: boolean;
  sensitive?: boolean;
  choices?: readonly Choice[];
  constraints?: Constraints;
  initial?: Json;
  provenance?: string;
  /** Values to offer, never filled in by themselves. */
  suggestions?: readonly (Json | Suggestion)[];
}

export interface Choice {
  value: string | number | boolean | null | Spelled;
  title?: string;
  description?: string;
}

/** A value given before, and when. */
export interface Suggestion {
  value: Json;
  at?: number;
}

export interface Constraints {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  patterns?: readonly string[];
  minimum?: number | Spelled;
  maximum?: number | Spelled;
  exclusiveMinimum?: number | Spelled;
  exclusiveMaximum?: number | Spelled;
  multipleOf?: number | Spelled;
  minItems?: number;
  maxItems?: number;
  format?: string;
  note?: string;
}

/** Something wrong in an answer: a stable code, and an RFC 6901 pointer to the field. */
export interface Problem {
  code: string;
  pointer: string;
  args?: Args;
}

export interface Finding {
  code: string;
  /** info, low, medium, high or critical; any other value counts as critical. */
  severity: string;
  /** Into the request: /message, /url, /requestedSchema/properties/NAME. */
  pointer: string;
  evidence?: string;
  args?: Args;
}

export interface Reason {
  code: string;
  layer?: string;
  rule?: string;
  args?: Args;
}

export type Args = { readonly [name: string]: string | number | boolean | Spelled };

/** Field names to values. */
export type Content = { readonly [name: string]: Json };

/** How a question ended that is no longer open. */
export interface Closed {
  /** The engine's cause: user, policy, timeout, peer_cancelled, … */
  cause: string;
  /** accept, decline, cancel or error, where it is known. */
  outcome?: string;
  /** A sentence of the host's, shown as it is. */
  reason?: string;
}

/** Detail of `elicit-answer`. */
export interface AnswerDetail {
  action: "accept" | "decline" | "cancel";
  /** On accept of a form. */
  content?: Content;
  /** The same as exact JSON text. */
  json?: string;
  /** Fields with a default that the person emptied on purpose. */
  cleared?: readonly string[];
}

/** Detail of `elicit-draft`: what is typed so far, without sensitive fields. It need not fit the form yet. */
export interface DraftDetail {
  content: Content;
  json: string;
}

/** Detail of `elicit-receipt`. */
export interface ReceiptDetail {
  what: "shown" | "focused" | "first_input";
}

/** The engine's check. */
export type Checker = (content: Content, json: string) => readonly Problem[] | Promise<readonly Problem[]>;

/** The first token of a pointer: the name of the field it is about. "" when it is about the whole answer. */
export function fieldOf(pointer: string): string {
  const token = pointer.split("/", 2)[1];
  return token === undefined ? "" : token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The question with the engine's list of suggestions at the fields they belong to. */
export function withSuggestions(question: Question): Question {
  const { form, suggestions: list } = question;
  if (form === undefined || list === undefined || list.length === 0) return question;
  const fields = form.fields.map((field) => {
    const own = list.filter((suggestion) => suggestion.field === field.name);
    return own.length === 0 ? field : { ...field, suggestions: [...(field.suggestions ?? []), ...own] };
  });
  return { ...question, form: { ...form, fields } };
}
