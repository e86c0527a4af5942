import type { Framework, InterruptOption } from "../codes.ts";
import type { InterruptAnswer, InterruptQuestion, Interrupts, Problems } from "../contract.ts";
import type { Engine } from "../engine.ts";

/**
 * Reads a document of a framework. A string is its exact JSON text, which `answerInterruptsText` keeps byte for byte.
 * A shape that is not known has problems.
 */
export function decodeInterrupts(
  engine: Engine,
  framework: Framework,
  document: object | string,
): Interrupts | Problems {
  return JSON.parse(engine.evalText("decode_interrupts", input(framework, document))) as Interrupts | Problems;
}

/**
 * Writes the answers for the document that asked, in the framework's spelling. docs/reference/protocols.md says where
 * the framework takes them.
 */
export function answerInterrupts<Answer = unknown>(
  engine: Engine,
  framework: Framework,
  document: object | string,
  answers: InterruptAnswer[],
): { answer: Answer } | Problems {
  const given = input(framework, document, { answers });
  return JSON.parse(engine.evalText("answer_interrupts", given)) as { answer: Answer } | Problems;
}

/** `answerInterrupts` with the exact JSON text of the answer. */
export function answerInterruptsText(
  engine: Engine,
  framework: Framework,
  document: object | string,
  answers: InterruptAnswer[],
): { text: string } | Problems {
  const given = input(framework, document, { answers, text: true });
  return JSON.parse(engine.evalText("answer_interrupts", given)) as { text: string } | Problems;
}

const input = (framework: Framework, document: object | string, more: object = {}) =>
  JSON.stringify({ framework, [typeof document === "string" ? "document_text" : "document"]: document, ...more });

export type { Framework, InterruptAnswer, InterruptOption, InterruptQuestion, Interrupts, Problems };
