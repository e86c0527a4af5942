import { parseExact, type Content, type Problem, type Question } from "../form/index.ts";

/** The result of an answer: how its question ended, or the problems to correct. */
export interface AnswerResult {
  outcome?: string;
  cause?: string;
  by?: string;
  problems: readonly Problem[];
  /** Guardians are still reviewing the answer. */
  waiting?: boolean;
}

/** The question that the person sees, with the values that they had typed. */
export interface Asked {
  question: Question;
  draft?: Content;
}

/** An open question that the page does not draw. Times are in milliseconds since 1970-01-01 UTC. */
export interface WaitingQuestion {
  number: number;
  server: string;
  tool?: string;
  message: string;
  since: number;
  /** The deadline, if the question was shown before. */
  deadline?: number;
}

/** A question that ended. Times are in milliseconds since 1970-01-01 UTC. */
export interface EndedQuestion {
  number: number;
  id?: string;
  asked: number;
  ended: number;
  server: string;
  tool?: string;
  mode: string;
  message: string;
  url?: string;
  /** accept, decline, cancel or error; withdrawn if there was no reply. */
  outcome: string;
  cause: string;
  /** The cause in words. */
  by: string;
  why?: readonly string[];
  noticed?: readonly string[];
  receipts?: readonly string[];
  /** When it was first drawn, if it was. */
  shown?: number;
  answer?: readonly { label: string; value: string }[];
  /** For an agreed page: awaited, completed or lapsed. */
  page?: string;
}

/** The events that the proxy sends, one member for each. */
export interface ProxyEvents {
  question(asked: Asked | null): void;
  deadline(at: number): void;
  waiting(list: readonly WaitingQuestion[]): void;
  past(entry: EndedQuestion): void;
  /** The number of browsers that can answer, sent when there is more than one. */
  browsers(count: number): void;
  bye(): void;
}

/**
 * coming: connecting. listening: connected. lost: the proxy does not answer. shut: the proxy refuses this page. over:
 * the run has ended.
 */
export type State = "coming" | "listening" | "lost" | "shut" | "over";

/** Talks to the proxy. Paths are relative, because the path of the page contains a secret key. */
export class ProxyClient {
  private source: EventSource | undefined;
  private receipts: Promise<unknown> = Promise.resolve();

  /** Uses the one-time token of the link, if there is one, and removes it from the address at once. */
  async enter(): Promise<void> {
    const token = location.hash.slice(1);
    if (token === "") return;
    history.replaceState(null, "", location.pathname);
    await this.post("enter", JSON.stringify({ token }));
  }

  /** Listens until the run is over. After an interruption, the browser reconnects by itself. */
  listen(news: ProxyEvents, onState: (state: State) => void): void {
    const source = new EventSource("events");
    this.source = source;
    for (const name of ["question", "deadline", "waiting", "past", "browsers"] as const)
      source.addEventListener(name, (event: MessageEvent<string>) => news[name](parseExact(event.data) as never));
    source.addEventListener("bye", () => {
      source.close();
      onState("over");
      news.bye();
    });
    source.onopen = () => onState("listening");
    source.onerror = () => onState(source.readyState === EventSource.CLOSED ? "shut" : "lost");
  }

  leave(): void {
    this.source?.close();
  }

  /** Sends an answer and waits for its result. `content` and `edited` are exact JSON texts and are sent unchanged. */
  async answer(
    id: string,
    action: string,
    content?: string,
    more: { mute?: boolean; scope?: string; note?: string } = {},
    edited?: string,
  ): Promise<AnswerResult> {
    await this.receipts; // a receipt after the end of its question would be lost
    let response = await this.post("answer", withContent({ id, action, ...more }, content, edited));
    for (;;) {
      if (response.status === 410) return { problems: [{ code: "already_settled", pointer: "" }] };
      const result = (await response.json()) as AnswerResult;
      if (result.waiting !== true) return result;
      response = await this.post("await", JSON.stringify({ id }));
    }
  }

  async check(id: string, content: string): Promise<readonly Problem[]> {
    const response = await this.post("check", withContent({ id }, content));
    if (response.status === 410) return [];
    return ((await response.json()) as AnswerResult).problems;
  }

  /** Sends a draft. `keepalive` lets it arrive while the person leaves the page. Browsers cap such bodies at 64 KiB. */
  async draft(id: string, content: string): Promise<void> {
    await this.post("draft", withContent({ id }, content), content.length < 32768);
  }

  /** Sends a receipt after the receipts before it. Requests that run at once may arrive in any order. */
  receipt(id: string, what: string): Promise<unknown> {
    this.receipts = this.receipts.then(() => this.post("receipt", JSON.stringify({ id, what }))).catch(() => undefined);
    return this.receipts;
  }

  /** Asks the proxy to draw one of the waiting questions, on every page. */
  async choose(number: number): Promise<void> {
    await this.post("choose", JSON.stringify({ number }));
  }

  async extend(id: string): Promise<void> {
    await this.post("extend", JSON.stringify({ id }));
  }

  private async post(act: string, body: string, keepalive = false): Promise<Response> {
    const response = await fetch(act, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      keepalive,
      credentials: "same-origin",
      redirect: "error",
    });
    if (!response.ok && response.status !== 410) throw new Error(`${act}: ${response.status}`);
    return response;
  }
}

/** The members with the content and edited arguments as more. Their texts are kept, and so is the text of numbers. */
function withContent(members: object, content: string | undefined, edited?: string): string {
  let text = JSON.stringify(members).slice(0, -1);
  if (content !== undefined) text += `,"content":${content}`;
  if (edited !== undefined) text += `,"arguments":${edited}`;
  return `${text}}`;
}
