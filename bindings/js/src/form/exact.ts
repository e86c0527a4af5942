/**
 * A number that keeps its original text. If the platform has JSON.rawJSON, JSON.stringify writes that text. On other
 * platforms, JSON.stringify writes an object, which no form accepts, so no digit is ever lost silently.
 */
export interface Spelled {
  readonly rawJSON: string;
}

/** Any JSON value. A number is Spelled if a double would change its text. */
export type Json = string | number | boolean | null | Spelled | readonly Json[] | { readonly [name: string]: Json };

interface SpelledJSON {
  rawJSON?(text: string): Spelled;
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export const isNumberText = (text: string): boolean => number.test(text);

/** The number of a JSON number text: a plain number if that keeps the text. It throws a SyntaxError for other text. */
export function exact(text: string): number | Spelled {
  if (!isNumberText(text)) throw new SyntaxError(`not a JSON number: ${text}`);
  const plain = Number(text);
  if (JSON.stringify(plain) === text) return plain;
  return (JSON as SpelledJSON).rawJSON?.(text) ?? Object.freeze({ rawJSON: text });
}

export function isSpelled(value: unknown): value is Spelled {
  if (typeof value !== "object" || value === null) return false;
  return typeof (value as Spelled).rawJSON === "string" && Object.isFrozen(value);
}

/** JSON.parse that keeps the text of every number. */
export function parseExact(text: string): Json {
  const revive = (_name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined ? exact(context.source) : value;
  return JSON.parse(text, revive as (name: string, value: unknown) => unknown) as Json;
}

/** JSON.stringify that writes the original text of Spelled numbers, on every platform. */
export function stringifyExact(value: Json): string {
  if (isSpelled(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.map(stringifyExact).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value) as [string, Json][];
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringifyExact(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Whether two scalars are the same JSON value. Numbers are compared as text first, and then as doubles if exact. */
export function sameScalar(a: Json, b: Json): boolean {
  if (a === b) return true;
  const [x, y] = [numberText(a), numberText(b)];
  if (x === undefined || y === undefined) return false;
  return x === y || (exactInDoubles(x) && exactInDoubles(y) && Number(x) === Number(y));
}

/** The text of a number, or undefined for anything else. */
export function numberText(value: Json | undefined): string | undefined {
  if (typeof value === "number") return JSON.stringify(value);
  return isSpelled(value) ? value.rawJSON : undefined;
}

function exactInDoubles(text: string): boolean {
  return text.replace(/[^\d]/g, "").length <= 15;
}
