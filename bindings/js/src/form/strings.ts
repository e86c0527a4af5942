import { numberText } from "./exact.ts";
import { spelled } from "./plain.ts";
import type { Args } from "./question.ts";
import type { Words } from "./strings/en.ts";

export type { Words };

/** The element's own texts. In a text, {name} is replaced by the argument with that name. */
export interface Strings {
  /** The language as a BCP 47 tag, and its direction. */
  lang: string;
  dir: "ltr" | "rtl";
  words: Words;
  /** Sentences by code. A code without a sentence is shown with spaces for underscores. */
  problems: Table;
  findings: Table;
  causes: Table;
  severities: Table;
}

export type Table = Readonly<Record<string, string>>;

/** Strings that replace some of the default ones. */
export type PartialStrings = { [K in keyof Strings]?: Strings[K] extends string ? Strings[K] : Partial<Strings[K]> };

export function withStrings(base: Strings, over: PartialStrings | undefined): Strings {
  if (over === undefined) return base;
  return {
    lang: over.lang ?? base.lang,
    dir: over.dir ?? base.dir,
    words: { ...base.words, ...over.words },
    problems: { ...base.problems, ...over.problems } as Table,
    findings: { ...base.findings, ...over.findings } as Table,
    causes: { ...base.causes, ...over.causes } as Table,
    severities: { ...base.severities, ...over.severities } as Table,
  };
}

/** The sentence of a code with its arguments filled in. Without a sentence, it is the code with spaces. */
export function sentence(table: Table, code: string, args: Args = {}): string {
  return fill(Object.hasOwn(table, code) ? table[code]! : code.replaceAll("_", " "), args);
}

/** Fills arguments in. They may be a peer's words, so each is isolated and cannot change the sentence's direction. */
export function fill(template: string, args: Args): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined) return whole;
    return typeof value === "string" ? `\u2068${spelled(value)}\u2069` : (numberText(value) ?? String(value));
  });
}
