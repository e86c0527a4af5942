/** A schema that checks a value and describes itself as a JSON Schema, as zod and others do. */
export interface Standard<T = unknown> {
  readonly "~standard": {
    validate(value: unknown): Checked<T> | Promise<Checked<T>>;
    jsonSchema?: { input(options: { target: "draft-2020-12" }): Record<string, unknown> };
    types?: { output: T } | undefined;
  };
}

type Checked<T> = { value: T; issues?: undefined } | { issues: readonly Issue[] };

interface Issue {
  message: string;
  path?: readonly unknown[] | undefined;
}

/** A form: a schema library's object, or a JSON Schema. */
export type FormSchema<T> = Standard<T> | object;

export const isStandard = (schema: object): schema is Standard => "~standard" in schema;

/** The JSON Schema of a form, without what elicitation has no words for and an answer cannot violate. */
export function jsonSchema(schema: object): object {
  if (!isStandard(schema)) return schema;
  const described = schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
  if (!described) throw new TypeError("this schema cannot describe itself as a JSON Schema; give a JSON Schema");
  const { $schema: _, additionalProperties: __, ...form } = described;
  const properties = Object.entries((form["properties"] ?? {}) as Record<string, Record<string, unknown>>);
  return { ...form, properties: Object.fromEntries(properties.map(([name, property]) => [name, plain(property)])) };
}

/** zod bounds every integer by the safe ones, and spells a format as a pattern too. */
function plain(property: Record<string, unknown>): Record<string, unknown> {
  const { minimum, maximum, pattern, ...rest } = property;
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(pattern !== undefined && rest["format"] === undefined && { pattern }),
  };
}

/** Checks an answer with the schema library too, which may have rules that JSON Schema has no words for. */
export async function check<T>(
  schema: FormSchema<T>, content: unknown, secret?: boolean,
): Promise<{ value: T } | { wrong: string }> {
  if (!isStandard(schema)) return { value: content as T };
  const checked = (await schema["~standard"].validate(content)) as Checked<T>;
  if (!checked.issues) return { value: checked.value };
  // The client sees this text, so it must not tell what a library says about a secret.
  const lines = checked.issues.map(({ message, path }) =>
    [path?.join("."), !secret && message].filter(Boolean).join(": "));
  return { wrong: lines.join("\n") };
}
