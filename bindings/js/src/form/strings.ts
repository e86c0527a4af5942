import { numberText } from "./exact.ts";
import { spelled } from "./plain.ts";
import type { Args } from "./question.ts";

/** Every word the element shows of its own. {name} is replaced by the argument of that name. */
export interface Strings {
  /** BCP 47, and the direction it is written in. */
  lang: string;
  dir: "ltr" | "rtl";
  words: Words;
  /** Sentences by code; an unknown code is shown as it is. */
  problems: Table;
  findings: Table;
  causes: Table;
  severities: Table;
}

export type Table = Readonly<Record<string, string>>;

export interface Words {
  asks: string;
  asksNobody: string;
  during: string;
  waiting: string;
  timeLeft: string;
  timeIsUp: string;
  extend: string;
  trust: string;
  submit: string;
  accept: string;
  decline: string;
  cancel: string;
  cancelAgain: string;
  open: string;
  openNothing: string;
  openAgain: string;
  opened: string;
  sent: string;
  checking: string;
  required: string;
  fromDefault: string;
  fromSuggestion: string;
  fromDraft: string;
  restore: string;
  suggestion: string;
  use: string;
  choose: string;
  noAnswer: string;
  yes: string;
  no: string;
  filter: string;
  chosen: string;
  matches: string;
  noMatches: string;
  remove: string;
  moreChosen: string;
  reveal: string;
  hide: string;
  secret: string;
  unknownField: string;
  unknownMode: string;
  badUrl: string;
  opens: string;
  hostAscii: string;
  hostUnicode: string;
  message: string;
  warning: string;
  summary: string;
  closed: string;
  kept: string;
  hidden: string;
  localTime: string;
  lengthRange: string;
  lengthMin: string;
  lengthMax: string;
  range: string;
  min: string;
  max: string;
  above: string;
  below: string;
  multiple: string;
  integer: string;
  itemsRange: string;
  itemsExact: string;
  itemsMin: string;
  itemsMax: string;
  format: string;
  webAddress: string;
}

/** Replaceable strings: whatever is left out stays as it was. */
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

/** The sentence of a code with its arguments filled in. A code without a sentence is its own sentence. */
export function sentence(table: Table, code: string, args: Args = {}): string {
  return fill(Object.hasOwn(table, code) ? table[code]! : code.replaceAll("_", " "), args);
}

/** Arguments are peers' words too: they are isolated, so that none turns the direction of the sentence around it. */
export function fill(template: string, args: Args): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined) return whole;
    return typeof value === "string" ? `\u2068${spelled(value)}\u2069` : (numberText(value) ?? String(value));
  });
}
