import { parseExact, type Content, type Json, type Problem, type Question } from "../form/index.ts";

/** What became of an answer: how its question ended, or what to mend. */
export interface Verdict {
  outcome?: string;
  cause?: string;
  by?: string;
  problems: readonly Problem[];
  /** Guardians still look at it. */
  waiting?: boolean;
}

/** A question before the person, with what they had typed. */
export interface Asked {
  question: Question;
  draft?: Content;
}

/** A question that waits its turn. */
export interface Waiter {
  server: string;
  tool?: string;
  message: string;
  since: number;
}

/** How a question ended. */
export interface Past {
  number: number;
  id?: string;
  asked: number;
  ended: number;
  server: string;
  tool?: string;
  mode: string;
  message: string;
  url?: string;
  /** accept, decline, cancel, error; withdrawn when there was no reply. */
  outcome: string;
  cause: string;
  /** The cause in words. */
  by: string;
  why?: readonly string[];
  noticed?: readonly string[];
  receipts?: readonly string[];
  answer?: readonly { label: string; value: string }[];
  /** Of an agreed page: awaited, completed or lapsed. */
  page?: string;
}

/** What the proxy tells, one member an event. */
export interface News {
  question(asked: Asked | null): void;
  deadline(at: number): void;
  waiting(list: readonly Waiter[]): void;
  past(entry: Past): void;
  /** How many browsers can answer, once there is more than one. */
  browsers(count: number): void;
  bye(): void;
}

/** coming: not let in yet. lost: the proxy does not answer. shut: this page may not come in. over: the run has ended. */
export type State = "coming" | "listening" | "lost" | "shut" | "over";

/** The way to the proxy. Paths are relative: the page lives below the key. */
export class Door {
  private source: EventSource | undefined;

  /** Uses the link's invitation, if there is one, and takes it out of the address at once. */
  async enter(): Promise<void> {
    const token = location.hash.slice(1);
    if (token === "") return;
    history.replaceState(null, "", location.pathname);
    await this.post("enter", JSON.stringify({ token }));
  }

  /** Listens until the run is over. The browser comes back by itself after a break. */
  listen(news: News, tell: (state: State) => void): void {
    const source = new EventSource("events");
    this.source = source;
    const on = (name: keyof News, take: (value: Json) => void): void => {
      source.addEventListener(name, (event: MessageEvent<string>) => take(parseExact(event.data)));
    };
    on("question", (value) => news.question(value as unknown as Asked | null));
    on("deadline", (value) => news.deadline(value as number));
    on("waiting", (value) => news.waiting(value as unknown as Waiter[]));
    on("past", (value) => news.past(value as unknown as Past));
    on("browsers", (value) => news.browsers(value as number));
    on("bye", () => {
      source.close();
      tell("over");
      news.bye();
    });
    source.onopen = () => tell("listening");
    source.onerror = () => tell(source.readyState === EventSource.CLOSED ? "shut" : "lost");
  }

  leave(): void {
    this.source?.close();
  }

  /** content is exact JSON text, which goes through as it is. */
  async answer(id: string, action: string, content?: string, more: { mute?: boolean; scope?: string } = {}): Promise<Verdict> {
    let response = await this.post("answer", withContent({ id, action, ...more }, content));
    for (;;) {
      if (response.status === 410) return { problems: [{ code: "already_settled", pointer: "" }] };
      const verdict = (await response.json()) as Verdict;
      if (verdict.waiting !== true) return verdict;
      response = await this.post("await", JSON.stringify({ id }));
    }
  }

  async check(id: string, content: string): Promise<readonly Problem[]> {
    const response = await this.post("check", withContent({ id }, content));
    if (response.status === 410) return [];
    return ((await response.json()) as Verdict).problems;
  }

  /** keepalive lets the last words of a page that is being left arrive. */
  async draft(id: string, content: string): Promise<void> {
    await this.post("draft", withContent({ id }, content), content.length < 32768);
  }

  async receipt(id: string, what: string): Promise<void> {
    await this.post("receipt", JSON.stringify({ id, what }));
  }

  async extend(id: string): Promise<void> {
    await this.post("extend", JSON.stringify({ id }));
  }

  private async post(act: string, body: string, keepalive = false): Promise<Response> {
    const response = await fetch(act, { method: "POST", headers: { "content-type": "application/json" }, body, keepalive, credentials: "same-origin", redirect: "error" });
    if (!response.ok && response.status !== 410) throw new Error(`${act}: ${response.status}`);
    return response;
  }
}

/** The members and the content, whose numbers keep their spelling. */
function withContent(members: object, content: string | undefined): string {
  const text = JSON.stringify(members);
  return content === undefined ? text : `${text.slice(0, -1)},"content":${content}}`;
}
