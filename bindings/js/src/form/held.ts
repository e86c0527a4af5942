import { isSpelled, numberText, sameScalar, stringifyExact, type Json } from "./exact.ts";
import { faultOf, placeArgs } from "./place.ts";
import type { Content, Field, Form, Problem } from "./question.ts";
import { fromLocal, readNumber, toLocal, unfinished, type Read } from "./typed.ts";

/**
 * The state of one field: typed text, positions of choices, or yes and no. An unanswered choice or boolean is
 * `undefined`. A default, suggestion or draft that the person did not touch is sent unchanged, character for character.
 */
export interface Held {
  text: string;
  chosen: readonly number[];
  yes: boolean | undefined;
  /** The value that this state was made from, until the person changes it. */
  origin: Json | undefined;
  from: "nowhere" | "default" | "suggestion" | "draft" | "typed";
}

const kinds = ["text", "number", "integer", "boolean", "choice", "choices"];

export const isKnown = (field: Field): boolean => kinds.includes(field.kind);
const isNumber = (field: Field): boolean => field.kind === "number" || field.kind === "integer";

/** The state that shows `value`. `undefined` means an untouched field without a default. */
export function holding(field: Field, value: Json | undefined, from: Held["from"]): Held {
  if (value === undefined) from = "nowhere";
  const held: Held = { text: "", chosen: [], yes: undefined, origin: value, from };
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
  const find = (value: Json): number =>
    byText.get(stringifyExact(value)) ?? choices.findIndex((choice) => sameScalar(choice.value, value));
  const found = values.map(find);
  return [...new Set(found.filter((i) => i >= 0))].sort((a, b) => a - b);
}

/** The answer that the states of all fields give. */
export interface Reading {
  content: Content;
  /** The names of empty fields that have a default. */
  cleared: string[];
  /** Problems of texts without a value, such as a bad number. Only the checker decides whether a value fits. */
  problems: Problem[];
}

/** Reads the states in form order. For a draft, it leaves secrets out, and puts text without a value in unchanged. */
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

function valueOf(field: Field, state: Held): Read<Json> | undefined {
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
  if (isNumber(field)) return state.text.trim() === "" ? undefined : readNumber(state.text, field.kind === "integer");
  return field.widget === "json" ? readDocument(state.text) : textOf(field, state.text);
}

/** A text that has to be JSON. It is sent as it was typed. */
function readDocument(text: string): Read<Json> | undefined {
  if (text.trim() === "") return undefined;
  const fault = faultOf(text);
  return fault === undefined ? { value: text } : { code: "not_json", args: placeArgs(fault) };
}

/** Whether the value is sent unchanged. A draft may hold a value that does not fit, so it is read again if not text. */
function isVerbatim(field: Field, state: Held): boolean {
  if (state.origin === undefined || state.from === "typed") return false;
  if (state.from !== "draft") return true;
  return field.kind === "text" && field.widget !== "json" && typeof state.origin === "string";
}

/** An empty selection is an answer if the field is required, or if it replaces a default and may be empty. */
function noneMeansNothing(field: Field, state: Held): boolean {
  if (state.chosen.length > 0 || field.required) return false;
  return field.initial === undefined || (field.constraints?.minItems ?? 0) > 0;
}

function textOf(field: Field, text: string): { value: Json } | undefined {
  if (isLocalTime(field)) text = fromLocal(text) ?? text;
  if (field.constraints?.format !== undefined) text = text.trim();
  return text === "" ? undefined : { value: text };
}

/** The members as an object. Object.fromEntries makes `__proto__` an ordinary member. */
function asObject(members: readonly [string, Json][]): Content {
  return Object.fromEntries(members);
}

function pointerTo(name: string): string {
  return "/" + name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The first state of every field: its draft if there is one, else its default. */
export function firstStates(form: Form, draft: Content | undefined): Map<string, Held> {
  const states = new Map<string, Held>();
  for (const field of form.fields) {
    const kept = draft !== undefined && Object.hasOwn(draft, field.name) ? draft[field.name] : undefined;
    const drafted = kept === undefined || isObject(kept) ? undefined : holding(field, kept, "draft");
    const isDefault =
      kept !== undefined && field.initial !== undefined && stringifyExact(kept) === stringifyExact(field.initial);
    states.set(field.name, drafted !== undefined && !isDefault ? drafted : holding(field, field.initial, "default"));
  }
  return states;
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isSpelled(value);
}
