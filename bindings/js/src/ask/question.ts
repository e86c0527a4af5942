import type { AskingSettled as Settled, Content, Mode, Posing } from "../contract.ts";
import type { Context } from "./sdk.ts";

/** The question of a handler. */
export interface Question {
  mode: Mode;
  message: string;
  /** Form mode. */
  schema?: object;
  /** URL mode, and whether the question waits until the page was finished. Otherwise it waits for consent. */
  url?: string;
  wait?: boolean;
  /** Form mode: the answer must pass neither the client nor a model. */
  secret?: boolean;
  /** Form mode: who answers, such as a second approver, on the server's own page; left out, the caller. */
  principal?: string;
  /** Milliseconds that the question may stay open; left out, those of the asker. */
  ttl?: number;
}

/** An accepted answer. */
export interface Answer {
  id: string;
  /** Left out for a URL. */
  content?: Content;
  /** The person gave it on the server's own page. */
  page: boolean;
  /** A model passed it on. */
  model: boolean;
}

/** Puts a question and resolves with its answer. */
export type Next = (question: Question) => Promise<Answer>;

/**
 * Wraps the asking of every question. It may change the question, refuse it with an error of its own, and change the
 * answer, which is then checked again. It gets copies, and the context of the handler.
 */
export type Hook = (question: Question, next: Next, context: Context) => Promise<Answer> | Answer;

/** Puts a question through hooks, of which the first is the outermost. */
export function hooked(hooks: readonly Hook[], put: Next, context: Context): Next {
  return hooks.reduceRight<Next>(
    (next, hook) => async (question) => {
      const inner: Next = async (given) => structuredClone(await next(structuredClone(given)));
      return structuredClone(await hook(structuredClone(question), inner, context));
    },
    put,
  );
}

export const posing = ({ ttl, principal, ...question }: Question): Posing => ({
  ...question,
  ...(principal !== undefined && { for: principal }),
  ...(ttl !== undefined && { ttl_ms: Math.max(1, Math.floor(ttl)) }),
});

export const answerOf = ({ id = "", content, page = false, reasons = [] }: Settled): Answer => ({
  id, page, model: reasons.some(({ code }) => code === "model_answer"), ...(content && { content }),
});
