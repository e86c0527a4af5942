import type { Strings } from "../form/strings.ts";
import type { en } from "./languages/en.ts";

/** The page's own texts in one language. In a text, {name} is replaced by the argument with that name. */
export type PageWords = typeof en;

/** The texts of the page and of the form in one language. */
export interface Language<Page = PageWords> {
  page: Page;
  form: Strings;
}

export function filled(text: string, args: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole));
}

/** The languages that are files of their own, so that a person loads only theirs. */
const languages = ["de", "zh", "ar"];

/** Loads the first language that the person's browser prefers and the page speaks. English is part of the page. */
export async function preferred<Page = PageWords>(wanted: readonly string[]): Promise<Language<Page> | undefined> {
  for (const tag of wanted.map((tag) => tag.toLowerCase().split("-", 1)[0]!)) {
    if (tag === "en") return undefined;
    if (!languages.includes(tag)) continue;
    const file = new URL(`${tag}.js`, import.meta.url).href;
    return ((await import(file)) as { default: Language<Page> }).default;
  }
  return undefined;
}
