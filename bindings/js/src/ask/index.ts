import type { Configuration } from "../configuration.ts";
import { Engine } from "../engine.ts";
import type { Source } from "../module.ts";
import { Asker } from "./asker.ts";
import type { AskerOptions } from "./options.ts";

export type { ListedQuestion } from "../asker-event.ts";
export { Asker } from "./asker.ts";
export * from "./errors.ts";
export type { AskerOptions, QuestionOptions } from "./options.ts";
export { ForbiddenError, fetchPages, nodePages, type PageOptions } from "./page.ts";
export type { Answer, Hook, Next, Question } from "./question.ts";
export type { FormSchema, Standard } from "./schema.ts";
export type { Caller, Context } from "./sdk.ts";
export type { Key } from "./seal.ts";

/**
 * Makes an asker: it lets the tools of MCP servers ask the person behind their client, whatever that client can show.
 *
 * Some clients end the call while the person thinks. The handler then runs again from its beginning, and questions
 * that were answered return at once. So a handler poses the same questions in the same order, and does nothing that
 * cannot be done twice before its last question.
 */
export async function createAsker(
  options: AskerOptions & { module?: Source | PromiseLike<Source> },
): Promise<Asker> {
  const { module, ...rest } = options;
  const none: Configuration = {};
  return new Asker(await Engine.open(none, module === undefined ? {} : { module }), rest);
}
