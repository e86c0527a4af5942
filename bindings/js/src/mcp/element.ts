import type { ElicitForm, Question } from "../form/index.ts";
import "../form/index.ts";
import type { OpenQuestion, Ui } from "../open-question.ts";

/** The milliseconds that a person gets by asking for more time. */
const more = 5 * 60_000;

/**
 * A ui that draws each question as an `<elicit-form>` in `container`. A question that ended without an answer stays,
 * with its reason, until the next question. The form of an agreed page stays until the page is completed.
 */
export function elementUI(container: Element): Ui {
  const drawn = new Map<string, ElicitForm>();
  const take = (id: string) => {
    const element = drawn.get(id);
    drawn.delete(id);
    return element;
  };
  const end = (id: string, cause: string) => {
    const element = take(id);
    if (element) element.closed = { cause };
  };
  return {
    show(question) {
      const open = new Set<unknown>(drawn.values());
      for (const old of container.querySelectorAll("elicit-form")) if (!open.has(old)) old.remove();
      const element = document.createElement("elicit-form");
      element.question = question.show as unknown as Question;
      element.checker = (_, json) => question.check(json);
      element.extendable = question.show.deadline !== undefined;
      drawn.set(question.id, element);
      listen(element, question, (gone) => (gone ? take(question.id)?.remove() : end(question.id, "shutdown")));
      container.append(element);
    },
    withdraw: end,
    open: (url) => void window.open(url, "_blank", "noopener,noreferrer"),
    resolved: (id, resolution) => (resolution === "completed" ? take(id)?.remove() : end(id, "timeout")),
    extended(id, deadline) {
      const element = drawn.get(id);
      if (element) element.deadline = deadline;
    },
  };
}

/**
 * Passes on what the person does. It calls `done(true)` when the element may be removed, and `done(false)` when the
 * question ended in another way.
 */
function listen(element: ElicitForm, question: OpenQuestion, done: (gone: boolean) => void): void {
  const quietly = (sent: Promise<unknown>) => void sent.catch(() => {}); // the question ended meanwhile

  element.addEventListener("elicit-answer", async ({ detail: { action, json, cleared } }) => {
    try {
      const problems = await (action === "accept"
        ? question.accept(json, cleared && { cleared: [...cleared] })
        : question[action]());
      if (problems.length > 0) element.showProblems(problems);
      else if (question.show.mode !== "url" || action !== "accept") done(true);
    } catch {
      done(false);
    }
  });
  // The page opens at the engine's effect, after the record is kept. A person who opens it again has agreed already.
  element.addEventListener("elicit-open", (event) => question.over || event.preventDefault());
  element.addEventListener("elicit-receipt", ({ detail }) => quietly(question.note(detail.what)));
  element.addEventListener("elicit-draft", ({ detail }) => quietly(question.draft(detail.json)));
  element.addEventListener("elicit-extend", () => {
    const deadline = element.deadline ?? question.show.deadline ?? 0;
    quietly(question.extend(Math.max(Date.now(), deadline) + more));
  });
}
