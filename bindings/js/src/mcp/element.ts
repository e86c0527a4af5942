import "../form/index.ts";
import type { OpenQuestion, Ui } from "../open-question.ts";
import type { Problem } from "../contract.ts";

/** The members of `<elicit-form>` that this file uses. */
interface Drawn extends HTMLElement {
  question: unknown;
  checker: (content: object, json: string) => readonly Problem[];
  closed: { cause: string; outcome?: string } | undefined;
  deadline: number | undefined;
  extendable: boolean;
  showProblems(problems: readonly Problem[]): void;
}

interface Answer {
  action: "accept" | "decline" | "cancel";
  json?: string;
  cleared?: readonly string[];
}

/** The milliseconds that a person gets by asking for more time. */
const more = 5 * 60_000;

/**
 * A ui that draws each question as an `<elicit-form>` in `container`. A question that ended without an answer stays,
 * with its reason, until the next question. The form of an agreed page stays until the page is completed.
 */
export function elementUI(container: Element): Ui {
  const drawn = new Map<string, Drawn>();
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
      const element = document.createElement("elicit-form") as unknown as Drawn;
      element.question = question.show;
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
function listen(element: Drawn, question: OpenQuestion, done: (gone: boolean) => void): void {
  const on = <T>(type: string, listener: (detail: T, event: Event) => unknown) =>
    element.addEventListener(`elicit-${type}`, (event) => void listener((event as CustomEvent<T>).detail, event));
  const quietly = (sent: Promise<unknown>) => void sent.catch(() => {}); // the question ended meanwhile

  on<Answer>("answer", async ({ action, json, cleared }) => {
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
  on("open", (_, event) => question.over || event.preventDefault());
  on<{ what: "shown" | "focused" | "first_input" }>("receipt", ({ what }) => quietly(question.note(what)));
  on<{ json: string }>("draft", ({ json }) => quietly(question.draft(json)));
  on("extend", () => {
    const deadline = element.deadline ?? question.show.deadline ?? 0;
    quietly(question.extend(Math.max(Date.now(), deadline) + more));
  });
}
