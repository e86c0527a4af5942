import type { FormContext } from "./context.ts";
import { numberText } from "./exact.ts";
import { isLocalTime } from "./held.ts";
import type { Constraints, Field } from "./question.ts";
import type { Words } from "./strings.ts";
import { offsetAt } from "./typed.ts";

/** Formats that the control itself shows, so that their names would tell a person nothing new. */
const plainFormats = ["date", "date-time", "email"];

/** A short text about the values that the field accepts, so that the person knows the limits before typing. */
export function hintOf(context: FormContext, field: Field): string {
  const limit = field.constraints ?? {};
  const { minLength, maxLength, minItems, maxItems } = limit;
  const parts: string[] = [];
  if (field.kind === "integer") parts.push(context.say("integer"));
  parts.push(...numbers(context, limit));
  if (minLength !== 1 || maxLength !== undefined || !field.required)
    parts.push(...between(context, minLength, maxLength, ["lengthRange", "lengthMin", "lengthMax"]));
  const items = minItems === maxItems ? "itemsExact" : "itemsRange";
  parts.push(...between(context, minItems, maxItems, [items, "itemsMin", "itemsMax"]));
  const format = limit.format ?? limit.note;
  if (field.widget === "url") parts.push(context.say("webAddress"));
  else if (format !== undefined && !plainFormats.includes(format)) parts.push(context.say("format", { format }));
  const offset = "UTC" + offsetAt(new Date()).replace("Z", "");
  if (isLocalTime(field)) parts.push(context.say("localTime", { offset }));
  return parts.join(" · ");
}

function numbers(context: FormContext, limit: Constraints): string[] {
  const [min, max, above, below, of] =
    [limit.minimum, limit.maximum, limit.exclusiveMinimum, limit.exclusiveMaximum, limit.multipleOf].map(numberText);
  const parts = between(context, min, max, ["range", "min", "max"]);
  if (above !== undefined) parts.push(context.say("above", { min: above }));
  if (below !== undefined) parts.push(context.say("below", { max: below }));
  if (of !== undefined) parts.push(context.say("multiple", { of }));
  return parts;
}

/** The words for a least and a most value, or for one of them. */
function between<T extends string | number>(
  context: FormContext, min: T | undefined, max: T | undefined, [both, least, most]: readonly (keyof Words)[],
): string[] {
  if (min !== undefined && max !== undefined) return [context.say(both!, { min, max })];
  if (min !== undefined) return [context.say(least!, { min })];
  return max === undefined ? [] : [context.say(most!, { max })];
}
