import { alike, exactly } from "./alike.ts";
import type { Held } from "./held.ts";
import type { Choice, Field, Problem } from "./question.ts";
import { spelled } from "./plain.ts";
import { fill, type Strings, type Words } from "./strings.ts";
import type { Args } from "./question.ts";

/** The form around a drawn field, as the field uses it. */
export interface FormContext {
  readonly strings: Strings;
  /** No field can be changed, because the form is read-only, sent or closed. */
  readonly locked: boolean;
  /** All invisible characters are spelled, because a finding reported some. */
  readonly revealing: boolean;
  readonly server: string;
  held(field: Field): Held;
  problem(field: Field): Problem | undefined;
  problemsOf(field: Field): readonly Problem[];
  /** A field calls it when the person changes it. */
  change(field: Field, patch: Partial<Held>): void;
  /** A field calls it when the person leaves it. */
  leave(field: Field): void;
  /** Puts a default or a suggestion into a field, unchanged. */
  put(field: Field, value: Field["initial"], from: "default" | "suggestion"): void;
  isRevealed(field: Field): boolean;
  toggleReveal(field: Field): void;
  say(word: keyof Words, args?: Args): string;
  redraw(): void;
}

/** A field with its id in the form. The ids of its parts begin with it. */
export interface Placed {
  field: Field;
  id: string;
}

export function say(strings: Strings, word: keyof Words, args: Args = {}): string {
  return fill(strings.words[word], args);
}

/** The text of a choice. */
export function titleOf(choice: Choice, revealing = false): string {
  if (choice.title !== undefined && choice.title !== "") return spelled(choice.title, revealing);
  const value = choice.value;
  if (typeof value === "string") return value === "" ? "“”" : spelled(value, revealing);
  return typeof value === "object" && value !== null ? value.rawJSON : String(value);
}

const drawn = new WeakMap<readonly Choice[], { plain?: readonly string[]; all?: readonly string[] }>();

/** The text of the choice at a position of a field. If choices look alike, the text contains their values too. */
export function labelOf({ choices = [] }: Field, i: number, revealing = false): string {
  const kept = drawn.get(choices) ?? {};
  drawn.set(choices, kept);
  const list = (kept[revealing ? "all" : "plain"] ??= labels(choices, revealing));
  return list[i]!;
}

function labels(choices: readonly Choice[], revealing: boolean): string[] {
  const titles = choices.map((choice) => titleOf(choice, revealing));
  const same = alike(titles.map((title, i) => `${title} – ${spelled(choices[i]!.description ?? "", revealing)}`));
  const withValue = (title: string, i: number): string => `${title} (${valueOf(choices[i]!)})`;
  const some = titles.map((title, i) => (same.has(i) ? withValue(title, i) : title));
  // A title may look like another title with its value. Then every choice shows its value.
  return alike(some).size === 0 || same.size === 0 ? some : titles.map(withValue);
}

function valueOf({ value }: Choice): string {
  return typeof value === "object" && value !== null ? value.rawJSON : exactly(value);
}

/** The ids of the elements that describe a control, for aria-describedby. */
export function described(context: FormContext, { field, id }: Placed): string {
  const parts = [`${id}-help`, `${id}-hint`];
  if (field.sensitive === true) parts.push(`${id}-secret`);
  if (context.problem(field) !== undefined) parts.push(`${id}-problem`);
  return parts.join(" ");
}
