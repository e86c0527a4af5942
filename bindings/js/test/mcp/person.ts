import type { OpenQuestion, Ui } from "../../dist/mcp/index.js";

/** A person at a ui who answers as told, and what they saw. */
export function person(answer: (question: OpenQuestion) => void, extra: Partial<Ui> = {}) {
  const seen: string[] = [];
  const questions: OpenQuestion[] = [];
  const ui: Ui = {
    show(question) {
      seen.push(`show ${question.show.message}`);
      questions.push(question);
      answer(question);
    },
    withdraw: (_, cause) => void seen.push(`withdraw ${cause}`),
    open: (url) => void seen.push(`open ${url}`),
    resolved: (_, resolution) => void seen.push(`resolved ${resolution}`),
    ...extra,
  };
  return { ui, seen, questions };
}

export const roomy = { limits: { per_minute: 60000, burst: 60000 } };
