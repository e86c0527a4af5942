import type { Desk } from "./desk.ts";
import { numberText, type Spelled } from "./exact.ts";
import { isLocalTime } from "./held.ts";
import type { Constraints, Field } from "./question.ts";
import { offsetAt } from "./typed.ts";

/** Formats whose name alone tells a person nothing they do not see from the control. */
const plainFormats = ["date", "date-time", "email"];

/** What the field expects, in a few words, so that nobody has to be told afterwards. */
export function hintOf(desk: Desk, field: Field): string {
  const limit = field.constraints ?? {};
  const parts: string[] = [];
  if (field.kind === "integer") parts.push(desk.say("integer"));
  parts.push(...numbers(desk, limit), ...lengths(desk, field, limit), ...items(desk, limit));
  const format = limit.format ?? limit.note;
  if (field.widget === "url") parts.push(desk.say("webAddress"));
  else if (format !== undefined && !plainFormats.includes(format)) parts.push(desk.say("format", { format }));
  if (isLocalTime(field)) parts.push(desk.say("localTime", { offset: "UTC" + offsetAt(new Date()).replace("Z", "") }));
  return parts.join(" · ");
}

function numbers(desk: Desk, { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Constraints): string[] {
  const text = (n: number | Spelled): string => numberText(n) ?? "";
  const parts: string[] = [];
  if (minimum !== undefined && maximum !== undefined) parts.push(desk.say("range", { min: text(minimum), max: text(maximum) }));
  else if (minimum !== undefined) parts.push(desk.say("min", { min: text(minimum) }));
  else if (maximum !== undefined) parts.push(desk.say("max", { max: text(maximum) }));
  if (exclusiveMinimum !== undefined) parts.push(desk.say("above", { min: text(exclusiveMinimum) }));
  if (exclusiveMaximum !== undefined) parts.push(desk.say("below", { max: text(exclusiveMaximum) }));
  if (multipleOf !== undefined) parts.push(desk.say("multiple", { of: text(multipleOf) }));
  return parts;
}

function lengths(desk: Desk, field: Field, { minLength: min, maxLength: max }: Constraints): string[] {
  if (min === 1 && max === undefined && field.required) return [];
  if (min !== undefined && max !== undefined) return [desk.say("lengthRange", { min, max })];
  if (min !== undefined) return [desk.say("lengthMin", { min })];
  return max === undefined ? [] : [desk.say("lengthMax", { max })];
}

function items(desk: Desk, { minItems: min, maxItems: max }: Constraints): string[] {
  if (min !== undefined && min === max) return [desk.say("itemsExact", { min })];
  if (min !== undefined && max !== undefined) return [desk.say("itemsRange", { min, max })];
  if (min !== undefined) return [desk.say("itemsMin", { min })];
  return max === undefined ? [] : [desk.say("itemsMax", { max })];
}
