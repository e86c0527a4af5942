import type { AnswerDetail, Checker, DraftDetail, ReceiptDetail } from "../form/index.ts";
import type { ElicitPage } from "./page.ts";
import type { AnswerResult, EndedQuestion } from "./proxy-client.ts";

/** Carries what the person does with the question of a page to the proxy, and the results back. */
export class Answers {
  /** The question that was answered here last. */
  given = "";
  /** The addresses that the person agreed to here, by question id. */
  private readonly visited = new Map<string, string>();
  private checked: { id: string; checker: Checker } | undefined;

  constructor(private readonly page: ElicitPage) {}

  private get id(): string {
    return this.page.card?.id ?? "";
  }

  checker(id: string): Checker {
    if (this.checked?.id !== id) this.checked = { id, checker: (_, json) => this.page.proxy.check(id, json) };
    return this.checked.checker;
  }

  readonly answer = async (event: CustomEvent<AnswerDetail>): Promise<void> => {
    const { page, id } = this;
    if (page.card === null) return;
    const { question } = page.card.asked;
    const { action, json, note, arguments: edited } = event.detail;
    const scope = page.querySelector<HTMLSelectElement>("#scope")?.value ?? "";
    const mute = page.querySelector<HTMLInputElement>("#mute")?.checked === true;
    this.given = id;
    page.act();
    let result: AnswerResult;
    try {
      const wishes = action === "accept" ? scope !== "" && { scope } : mute && { mute };
      result = await page.proxy.answer(id, action, json, { ...wishes, ...(note !== undefined && { note }) }, edited);
    } catch {
      this.given = "";
      page.form?.showProblems([{ code: "unsent", pointer: "" }]);
      return;
    }
    const isOurs = result.outcome === action && result.problems.length === 0;
    if (isOurs && action === "accept" && question.url !== undefined) this.visit(id, question.url);
    if (isOurs || this.id !== id) return;
    this.given = "";
    if (result.outcome !== undefined) page.close({ cause: result.cause ?? "", outcome: result.outcome });
    else page.form?.showProblems(result.problems);
  };

  /** Keeps the form from opening the page. The page opens after the engine has recorded and accepted the consent. */
  readonly open = (event: CustomEvent<{ url: string }>): void => {
    event.preventDefault();
    if (this.visited.has(this.id)) this.visit(this.id, event.detail.url);
  };

  /** Opens an agreed page again, because the browser may have blocked it. */
  again({ id = "" }: EndedQuestion): (() => void) | undefined {
    const url = this.visited.get(id);
    return url === undefined ? undefined : () => this.visit(id, url);
  }

  private visit(id: string, url: string): void {
    this.visited.set(id, url);
    this.page.requestUpdate(); // the end of the question may have been drawn before this answer came
    window.open(url, "_blank", "noopener,noreferrer");
  }

  readonly draft = (event: CustomEvent<DraftDetail>): void => {
    void this.page.proxy.draft(this.idOf(event), event.detail.json).catch(() => undefined);
  };

  readonly receipt = (event: CustomEvent<ReceiptDetail>): void => {
    void this.page.proxy.receipt(this.idOf(event), event.detail.what);
  };

  readonly extend = (): void => void this.page.proxy.extend(this.id);

  /** The question of the form that sent an event. It may have left the page, because a last draft comes then. */
  private idOf(event: Event): string {
    return (event.currentTarget as { shown?: { id?: string } } | null)?.shown?.id ?? this.id;
  }
}
