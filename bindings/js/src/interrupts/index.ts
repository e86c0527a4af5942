import type { Action, Framework, InterruptOption } from "../codes.ts";
import type { Engine } from "../engine.ts";
import type { Problems } from "../operation.ts";

/** A question of an agent framework: a call that waits for a yes, or a question for content. */
export interface InterruptQuestion {
  /** Names the question in an answer. */
  key: string;
  kind: "approval" | "question";
  /** Untrusted text of the framework. */
  message: string;
  /** A schema that a form can draw. That of an approval has no fields. */
  schema: object;
  /** The answers that this question takes. */
  options: InterruptOption[];
  tool?: string;
  server?: string;
  /** The arguments of the call, if the document tells them. */
  arguments?: unknown;
  /** The schema that the framework gave for the answer, unchanged. */
  response_schema?: object;
  /** When an answer comes too late, as the framework spelled it. */
  expires?: string;
}

/** The question of a framework. All questions are answered together. */
export interface Interrupts {
  questions: InterruptQuestion[];
  /** The ids of waiting calls that a program answers, not a person. */
  others?: string[];
}

/** The decision of a person. `arguments` replace those of the call, and the agent reads the `note`. */
export interface InterruptAnswer {
  key: string;
  action: Action;
  content?: object;
  /** The exact JSON text of the content, for numbers that no float can hold. */
  content_text?: string;
  arguments?: object;
  arguments_text?: string;
  note?: string;
}

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

export type { Framework, InterruptOption, Problems };
