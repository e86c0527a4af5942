/**
 * A number that keeps the text it was written in. Where the platform has JSON.rawJSON, JSON.stringify writes it as it
 * was spelled; elsewhere it becomes an object, which no form accepts: a digit is never lost silently.
 */
export interface Spelled {
  readonly rawJSON: string;
}

/** Any JSON value; numbers that a double would spell differently are Spelled. */
export type Json = string | number | boolean | null | Spelled | readonly Json[] | { readonly [name: string]: Json };

interface SpelledJSON {
  rawJSON?(text: string): Spelled;
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export const isNumberText = (text: string): boolean => number.test(text);

/** The number a JSON number text stands for: a plain number where that keeps the spelling. Throws on other text. */
export function exact(text: string): number | Spelled {
  if (!isNumberText(text)) throw new SyntaxError(`not a JSON number: ${text}`);
  const plain = Number(text);
  if (JSON.stringify(plain) === text) return plain;
  return (JSON as SpelledJSON).rawJSON?.(text) ?? Object.freeze({ rawJSON: text });
}

export function isSpelled(value: unknown): value is Spelled {
  return typeof value === "object" && value !== null && typeof (value as Spelled).rawJSON === "string" && Object.isFrozen(value);
}

/** JSON.parse that keeps the spelling of every number. */
export function parseExact(text: string): Json {
  const revive = (_name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined ? exact(context.source) : value;
  return JSON.parse(text, revive as (name: string, value: unknown) => unknown) as Json;
}

/** JSON.stringify that writes Spelled numbers as they were spelled, on every platform. */
export function stringifyExact(value: Json): string {
  if (isSpelled(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.map(stringifyExact).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${stringifyExact(member as Json)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Whether two scalars are the same JSON value; numbers are compared as text first, then as doubles. */
export function sameScalar(a: Json, b: Json): boolean {
  if (a === b) return true;
  const [x, y] = [numberText(a), numberText(b)];
  return x !== undefined && y !== undefined && (x === y || (exactInDoubles(x) && exactInDoubles(y) && Number(x) === Number(y)));
}

/** The text of a number, or undefined for anything else. */
export function numberText(value: Json | undefined): string | undefined {
  if (typeof value === "number") return JSON.stringify(value);
  return isSpelled(value) ? value.rawJSON : undefined;
}

function exactInDoubles(text: string): boolean {
  return text.replace(/[^\d]/g, "").length <= 15;
}
