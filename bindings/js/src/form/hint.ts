import type { FormContext } from "./context.ts";
import { numberText, type Spelled } from "./exact.ts";
import { isLocalTime } from "./held.ts";
import type { Constraints, Field } from "./question.ts";
import { offsetAt } from "./typed.ts";

/** Formats that the control itself shows, so that their names would tell a person nothing new. */
const plainFormats = ["date", "date-time", "email"];

/** A short text about the values that the field accepts, so that the person knows the limits before typing. */
export function hintOf(context: FormContext, field: Field): string {
  const limit = field.constraints ?? {};
  const parts: string[] = [];
  if (field.kind === "integer") parts.push(context.say("integer"));
  parts.push(...numbers(context, limit), ...lengths(context, field, limit), ...items(context, limit));
  const format = limit.format ?? limit.note;
  if (field.widget === "url") parts.push(context.say("webAddress"));
  else if (format !== undefined && !plainFormats.includes(format)) parts.push(context.say("format", { format }));
  const offset = "UTC" + offsetAt(new Date()).replace("Z", "");
  if (isLocalTime(field)) parts.push(context.say("localTime", { offset }));
  return parts.join(" · ");
}

function numbers(context: FormContext, limit: Constraints): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limit;
  const text = (n: number | Spelled): string => numberText(n) ?? "";
  const parts: string[] = [];
  if (minimum !== undefined && maximum !== undefined)
    parts.push(context.say("range", { min: text(minimum), max: text(maximum) }));
  else if (minimum !== undefined) parts.push(context.say("min", { min: text(minimum) }));
  else if (maximum !== undefined) parts.push(context.say("max", { max: text(maximum) }));
  if (exclusiveMinimum !== undefined) parts.push(context.say("above", { min: text(exclusiveMinimum) }));
  if (exclusiveMaximum !== undefined) parts.push(context.say("below", { max: text(exclusiveMaximum) }));
  if (multipleOf !== undefined) parts.push(context.say("multiple", { of: text(multipleOf) }));
  return parts;
}

function lengths(context: FormContext, field: Field, { minLength: min, maxLength: max }: Constraints): string[] {
  if (min === 1 && max === undefined && field.required) return [];
  if (min !== undefined && max !== undefined) return [context.say("lengthRange", { min, max })];
  if (min !== undefined) return [context.say("lengthMin", { min })];
  return max === undefined ? [] : [context.say("lengthMax", { max })];
}

function items(context: FormContext, { minItems: min, maxItems: max }: Constraints): string[] {
  if (min !== undefined && min === max) return [context.say("itemsExact", { min })];
  if (min !== undefined && max !== undefined) return [context.say("itemsRange", { min, max })];
  if (min !== undefined) return [context.say("itemsMin", { min })];
  return max === undefined ? [] : [context.say("itemsMax", { max })];
}
