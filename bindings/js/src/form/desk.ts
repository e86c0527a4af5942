import { alike, exactly } from "./alike.ts";
import type { Held } from "./held.ts";
import type { Choice, Field, Problem } from "./question.ts";
import { spelled } from "./plain.ts";
import { fill, type Strings, type Words } from "./strings.ts";
import type { Args } from "./question.ts";

/** What a drawn field may ask of the form around it. */
export interface Desk {
  readonly strings: Strings;
  /** Nothing can be changed: read-only, sent, or closed. */
  readonly locked: boolean;
  /** Findings spoke of invisible characters, so all of them are spelled. */
  readonly revealing: boolean;
  readonly server: string;
  held(field: Field): Held;
  problem(field: Field): Problem | undefined;
  /** The person changed a field. */
  change(field: Field, patch: Partial<Held>): void;
  /** The person left a field. */
  leave(field: Field): void;
  /** Puts a value in as it stands: a default or a suggestion. */
  put(field: Field, value: Field["initial"], from: "default" | "suggestion"): void;
  isRevealed(field: Field): boolean;
  toggleReveal(field: Field): void;
  say(word: keyof Words, args?: Args): string;
  redraw(): void;
}

/** A field with its place in the form, from which the ids of its parts are made. */
export interface Placed {
  field: Field;
  id: string;
}

export function say(strings: Strings, word: keyof Words, args: Args = {}): string {
  return fill(strings.words[word], args);
}

/** What a person reads for a choice. */
export function titleOf(choice: Choice, revealing = false): string {
  if (choice.title !== undefined && choice.title !== "") return spelled(choice.title, revealing);
  const value = choice.value;
  if (typeof value === "string") return value === "" ? "“”" : spelled(value, revealing);
  return typeof value === "object" && value !== null ? value.rawJSON : String(value);
}

const drawn = new WeakMap<readonly Choice[], { plain?: readonly string[]; all?: readonly string[] }>();

/** What a person reads for the choice at a position of a field. Choices that look alike show their values. */
export function labelOf({ choices = [] }: Field, i: number, revealing = false): string {
  const kept = drawn.get(choices) ?? {};
  drawn.set(choices, kept);
  const list = (kept[revealing ? "all" : "plain"] ??= labels(choices, revealing));
  return list[i]!;
}

function labels(choices: readonly Choice[], revealing: boolean): string[] {
  const titles = choices.map((choice) => titleOf(choice, revealing));
  const same = alike(titles.map((title, i) => `${title} – ${spelled(choices[i]!.description ?? "", revealing)}`));
  const told = titles.map((title, i) => (same.has(i) ? `${title} (${valueOf(choices[i]!)})` : title));
  return alike(told).size === 0 || same.size === 0 ? told : titles.map((title, i) => `${title} (${valueOf(choices[i]!)})`);
}

function valueOf({ value }: Choice): string {
  return typeof value === "object" && value !== null ? value.rawJSON : exactly(value);
}

/** The ids that describe a control, for aria-describedby. */
export function described(desk: Desk, { field, id }: Placed): string {
  const parts = [`${id}-help`, `${id}-hint`];
  if (field.sensitive === true) parts.push(`${id}-secret`);
  if (desk.problem(field) !== undefined) parts.push(`${id}-problem`);
  return parts.join(" ");
}
