import type { Json, Spelled } from "./exact.ts";

/** The engine's `show` effect, without the members that the element does not draw. */
export interface Question {
  id?: string;
  session?: string;
  server?: string;
  tool?: string;
  /** "form" or "url". A question with any other mode cannot be accepted. */
  mode?: string;
  kind?: string;
  message?: string;
  /** The parts of the message. It is all text if they are missing, or if they do not cover its lines exactly. */
  parts?: readonly MessagePart[];
  /** The words that differ from the message of the same server and tool that the person accepted last. */
  changed?: readonly Change[];
  form?: Form;
  url?: string;
  findings?: readonly Finding[];
  reasons?: readonly Reason[];
  /** Milliseconds since 1970-01-01 UTC. */
  deadline?: number;
  waiting?: number;
  draft?: Content;
  /** The server's description of the tool whose call waits for the answer. */
  description?: string;
  annotations?: Readonly<Record<string, boolean>>;
  /** The arguments of the tool call that waits for the answer. */
  arguments?: Json;
  /** The parts of an answer that reach whoever asked: edit, decline_note, accept_note. Other words are ignored. */
  takes?: readonly string[];
  /** Values that the person typed into such fields before, as the engine lists them. Each is drawn at its field. */
  suggestions?: readonly (Suggestion & { field: string })[];
}

/** A part of a message. It covers the next lines; a blank line between parts belongs to the part before it. */
export interface MessagePart {
  /** text, command, directory, diff or access. Any other kind is drawn as text. */
  is: string;
  lines: number;
}

/** A piece of a message that was compared word by word. The pieces that are the same or new make up the message. */
export interface Change {
  /** same, new or gone. */
  is: string;
  text: string;
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
  /** Values to offer. They are never filled in without the person. */
  suggestions?: readonly (Json | Suggestion)[];
}

export interface Choice {
  value: string | number | boolean | null | Spelled;
  title?: string;
  description?: string;
}

/** A value that was given before, and its time in milliseconds since 1970-01-01 UTC. */
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

/** A problem of an answer: a stable code, and an RFC 6901 pointer to the field. */
export interface Problem {
  code: string;
  pointer: string;
  /** The part of the answer with the problem, unless it is the content. */
  in?: Part;
  args?: Args;
}

export interface Finding {
  code: string;
  /** info, low, medium, high or critical; any other value counts as critical. */
  severity: string;
  /** RFC 6901 pointer into the request: `/message`, `/url`, `/requestedSchema/properties/NAME`. */
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

/** The content of an answer: values by field name. */
export type Content = { readonly [name: string]: Json };

/** The end of a question. */
export interface Closed {
  /** The engine's cause: user, policy, timeout, peer_cancelled, … */
  cause: string;
  /** accept, decline, cancel or error, if it is known. */
  outcome?: string;
  /** A sentence from the host, shown unchanged. */
  reason?: string;
}

/** A part of an answer beside its content. */
export type Part = "note" | "arguments";

export type Action = "accept" | "decline" | "cancel";

/** Detail of `elicit-answer`. */
export interface AnswerDetail {
  action: Action;
  /** A note to whoever asked. */
  note?: string;
  /** The arguments that the held call goes on with, as JSON text of one object; left out, they stay. */
  arguments?: string;
  /** The content, on accept of a form. */
  content?: Content;
  /** The content as exact JSON text. */
  json?: string;
  /** Fields with a default that the person emptied on purpose. */
  cleared?: readonly string[];
}

/** Detail of `elicit-draft`: the values typed so far, without sensitive fields. They need not fit the form yet. */
export interface DraftDetail {
  content: Content;
  json: string;
}

/** Detail of `elicit-receipt`. */
export interface ReceiptDetail {
  what: "shown" | "focused" | "first_input";
}

/** Checks an answer's content, as the engine does, and returns its problems. */
export type Checker = (content: Content, json: string) => readonly Problem[] | Promise<readonly Problem[]>;

/** The first token of a pointer, which is the name of a field. "" means the whole answer. */
export function fieldOf(pointer: string): string {
  const token = pointer.split("/", 2)[1];
  return token === undefined ? "" : token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * The question as it is drawn. A text field `json` that stands alone takes a JSON document: the interrupts of agent
 * frameworks have one if no form can draw what they ask for.
 */
export function drawn(question: Question): Question {
  const whole = withSuggestions(question);
  const { form } = whole;
  const [field, other] = form?.fields ?? [];
  const isDocument = field?.name === "json" && field.kind === "text" && field.sensitive !== true && other === undefined;
  return isDocument ? { ...whole, form: { ...form, fields: [{ ...field, widget: "json" }] } } : whole;
}

/** The question, with each suggestion of the engine's list added to its field. */
function withSuggestions(question: Question): Question {
  const { form, suggestions: list } = question;
  if (form === undefined || list === undefined || list.length === 0) return question;
  const fields = form.fields.map((field) => {
    const own = list.filter((suggestion) => suggestion.field === field.name);
    return own.length === 0 ? field : { ...field, suggestions: [...(field.suggestions ?? []), ...own] };
  });
  return { ...question, form: { ...form, fields } };
}
