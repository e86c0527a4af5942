import "../form/index.ts";
import type { OpenQuestion, Ui } from "../open-question.ts";
import type { Problem } from "../question.ts";

/** What is used of `<elicit-form>` here. */
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

/** How much time a person gets who asks for more. */
const more = 5 * 60_000;

/**
 * A ui that draws each question as an `<elicit-form>` in `container`. What ended without an answer stays, with its reason,
 * until the next question; a page that was agreed to stays until it is finished.
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
      for (const old of container.querySelectorAll("elicit-form")) if (![...drawn.values()].includes(old as unknown as Drawn)) old.remove();
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

/** Passes on what the person does. `done` is told when the element may go, or that nothing more will come of it. */
function listen(element: Drawn, question: OpenQuestion, done: (gone: boolean) => void): void {
  const on = <T>(type: string, heard: (detail: T, event: Event) => unknown) =>
    element.addEventListener(`elicit-${type}`, (event) => void heard((event as CustomEvent<T>).detail, event));
  const quietly = (told: Promise<unknown>) => void told.catch(() => {}); // it ended meanwhile

  on<Answer>("answer", async ({ action, json, cleared }) => {
    try {
      const problems = action === "accept" ? await question.accept(json, cleared && { cleared: [...cleared] }) : await question[action]();
      if (problems.length > 0) element.showProblems(problems);
      else if (question.show.mode !== "url" || action !== "accept") done(true);
    } catch {
      done(false);
    }
  });
  // The engine says when the page opens: after its record is kept. Whoever opens it once more has agreed already.
  on("open", (_, event) => question.over || event.preventDefault());
  on<{ what: "shown" | "focused" | "first_input" }>("receipt", ({ what }) => quietly(question.note(what)));
  on<{ json: string }>("draft", ({ json }) => quietly(question.draft(json)));
  on("extend", () => quietly(question.extend(Math.max(Date.now(), element.deadline ?? question.show.deadline ?? 0) + more)));
}
