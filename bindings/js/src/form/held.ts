import { isSpelled, numberText, sameScalar, stringifyExact, type Json } from "./exact.ts";
import type { Content, Field, Form, Problem } from "./question.ts";
import { fromLocal, readNumber, toLocal, unfinished } from "./typed.ts";

/**
 * What one field holds: text as typed, positions of choices, or yes and no. `undefined` choices and booleans are
 * unanswered. A value that came from outside and was not touched goes out as it came, to the letter.
 */
export interface Held {
  text: string;
  chosen: readonly number[];
  yes: boolean | undefined;
  /** The value this state was made from, until the person changes it. */
  origin: Json | undefined;
  from: "nowhere" | "default" | "suggestion" | "draft" | "typed";
}

const kinds = ["text", "number", "integer", "boolean", "choice", "choices"];

export const isKnown = (field: Field): boolean => kinds.includes(field.kind);
const isNumber = (field: Field): boolean => field.kind === "number" || field.kind === "integer";

/** The state that shows value; undefined is an untouched field without a default. */
export function holding(field: Field, value: Json | undefined, from: Held["from"]): Held {
  const held: Held = { text: "", chosen: [], yes: undefined, origin: value, from: value === undefined ? "nowhere" : from };
  if (value === undefined || value === null) return held;
  switch (field.kind) {
    case "boolean":
      held.yes = typeof value === "boolean" ? value : undefined;
      break;
    case "choice":
      held.chosen = positions(field, [value]);
      break;
    case "choices":
      held.chosen = positions(field, Array.isArray(value) ? value : []);
      break;
    default:
      held.text = shownText(field, value);
  }
  return held;
}

function shownText(field: Field, value: Json): string {
  const text = typeof value === "string" ? value : (numberText(value) ?? "");
  return isLocalTime(field) ? (toLocal(text) ?? text) : text;
}

export const isLocalTime = (field: Field): boolean => field.kind === "text" && field.widget === "date-time";

function positions(field: Field, values: readonly Json[]): number[] {
  const choices = field.choices ?? [];
  if (values.length === 0) return [];
  const byText = new Map(choices.map((choice, i) => [stringifyExact(choice.value), i]));
  const found = values.map((value) => byText.get(stringifyExact(value)) ?? choices.findIndex((c) => sameScalar(c.value, value)));
  return [...new Set(found.filter((i) => i >= 0))].sort((a, b) => a - b);
}

/** All that is held at one moment, read: the answer it amounts to. */
export interface Reading {
  content: Content;
  /** Fields with a default that hold nothing. */
  cleared: string[];
  /** Texts that mean nothing, such as a number that is none. Whether a value fits is the checker's business. */
  problems: Problem[];
}

/** Reads what is held, in form order. With draft, secrets stay out and unreadable text goes in as it is. */
export function read(form: Form, held: ReadonlyMap<string, Held>, draft = false): Reading {
  const members: [string, Json][] = [];
  const reading: Reading = { content: {}, cleared: [], problems: [] };
  for (const field of form.fields) {
    const state = held.get(field.name);
    if (state === undefined || !isKnown(field) || (draft && field.sensitive === true)) continue;
    const value = valueOf(field, state);
    if (value !== undefined && "code" in value) {
      reading.problems.push({ pointer: pointerTo(field.name), ...value });
      if (draft) members.push([field.name, state.text]);
    } else if (value !== undefined) {
      members.push([field.name, value.value]);
    } else if (field.initial !== undefined) {
      reading.cleared.push(field.name);
    }
  }
  reading.content = asObject(members);
  return reading;
}

function valueOf(field: Field, state: Held): { value: Json } | { code: string; args?: { [name: string]: string } } | undefined {
  if (isVerbatim(field, state)) return { value: state.origin! };
  const choices = field.choices ?? [];
  switch (field.kind) {
    case "boolean":
      return state.yes === undefined ? undefined : { value: state.yes };
    case "choice": {
      const choice = choices[state.chosen[0] ?? -1];
      return choice && { value: choice.value };
    }
    case "choices":
      return noneMeansNothing(field, state) ? undefined : { value: state.chosen.map((i) => choices[i]!.value) };
  }
  if (state.text === unfinished && (field.widget === "date" || isLocalTime(field))) return { code: "incomplete" };
  if (isNumber(field)) return state.text.trim() === "" ? undefined : readNumber(state.text);
  return textOf(field, state.text);
}

/** Whether the value goes out as it came. A draft may hold what does not fit: it is read again unless it is text. */
function isVerbatim(field: Field, state: Held): boolean {
  if (state.origin === undefined || state.from === "typed") return false;
  return state.from !== "draft" || (field.kind === "text" && typeof state.origin === "string");
}

/** An empty selection is an answer where one is required, or where it undoes a default that it may undo. */
function noneMeansNothing(field: Field, state: Held): boolean {
  if (state.chosen.length > 0 || field.required) return false;
  return field.initial === undefined || (field.constraints?.minItems ?? 0) > 0;
}

function textOf(field: Field, text: string): { value: Json } | undefined {
  if (isLocalTime(field)) text = fromLocal(text) ?? text;
  if (field.constraints?.format !== undefined) text = text.trim();
  return text === "" ? undefined : { value: text };
}

/** Members as an object in which a field named __proto__ is a field like any other. */
function asObject(members: readonly [string, Json][]): Content {
  return Object.fromEntries(members);
}

function pointerTo(name: string): string {
  return "/" + name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The first state of every field: a draft where there is one, else the default. */
export function firstStates(form: Form, draft: Content | undefined): Map<string, Held> {
  const states = new Map<string, Held>();
  for (const field of form.fields) {
    const kept = draft !== undefined && Object.hasOwn(draft, field.name) ? draft[field.name] : undefined;
    const drafted = kept === undefined || isObject(kept) ? undefined : holding(field, kept, "draft");
    const isDefault = kept !== undefined && field.initial !== undefined && stringifyExact(kept) === stringifyExact(field.initial);
    states.set(field.name, drafted !== undefined && !isDefault ? drafted : holding(field, field.initial, "default"));
  }
  return states;
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isSpelled(value);
}
