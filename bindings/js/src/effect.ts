import type { Consult, Effect } from "./contract.ts";

/** Reads the output of a step. A consult gets its question, which the engine wrote as text, as a document too. */
export function readEffects<E extends { effect: string } = Effect>(text: string): E[] {
  const { effects } = JSON.parse(text) as { effects: (E & { ask?: Consult })[] };
  for (const effect of effects) {
    if (effect.effect !== "consult") continue;
    const consult = (effect.ask ?? effect) as { question?: object; question_text?: string };
    if (consult.question_text) consult.question = JSON.parse(consult.question_text) as object;
  }
  return effects;
}
