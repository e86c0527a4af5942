import type { ElicitForm } from "./element.ts";
import { fieldOf, type Content, type Problem } from "./question.ts";

/** Calls the form's checker. Only the result of the latest call counts. */
export class Checks {
  private round = 0;

  constructor(private readonly form: ElicitForm) {}

  /** Ignores the results of running calls. */
  forget(): void {
    this.round++;
  }

  /**
   * Checks content and passes the problems to `then`. If the checker fails, there is a problem too, so the answer is
   * not sent. With `isBusy`, the form cannot be changed until a slow checker returns.
   */
  ask(
    content: Content,
    json: string,
    cleared: readonly string[],
    then: (problems: readonly Problem[]) => void,
    isBusy = false,
  ): void {
    const { form } = this;
    const round = ++this.round;
    const done = (problems: readonly Problem[]): void => {
      if (round !== this.round) return;
      if (isBusy) form.phase = "open";
      form.requestUpdate();
      then(problems.filter((problem) => !(problem.code === "missing" && this.hasDefault(problem, cleared))));
    };
    const failed = (): void => done([{ code: "check_failed", pointer: "" }]);
    try {
      const verdict = form.checker!(content, json);
      if (!(verdict instanceof Promise)) return done(verdict);
      if (isBusy) form.phase = "checking";
      form.requestUpdate();
      verdict.then(done, failed);
    } catch {
      failed();
    }
  }

  /** Whether a missing field has a default. A checker that ignores defaults reports such a field as missing. */
  private hasDefault(problem: Problem, cleared: readonly string[]): boolean {
    const name = fieldOf(problem.pointer);
    if (cleared.includes(name)) return false;
    return this.form.fields.some(({ field }) => field.name === name && field.initial !== undefined);
  }
}
