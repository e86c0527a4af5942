import { parseExact, type Problem, type Question } from "../../form/index.ts";
import type { en } from "./languages/en.ts";

/** Why the server shows no question. no_link and unreachable come from the page itself. */
export type Refusal = keyof typeof en.refusals;

/** The question of a link. */
export interface Asked extends Question {
  /** Every field is a secret. */
  secret?: boolean;
}

/** The response of the server to any request. */
export interface Reply {
  /** new: the person has to press Continue first. done: this answer settled the question. */
  state: "new" | "open" | "done" | Refusal;
  question?: Asked;
  problems?: readonly Problem[];
  sign_in?: string;
}

/** Keeps the token while the person signs in elsewhere, because a redirect may lose the part of a link behind #. */
const kept = "elicit-link";

/** Talks to the server about the question of one link. */
export class CarrierClient {
  constructor(readonly token: string) {}

  /** Reads the token from the address, or the one that was kept before the person went to sign in. */
  static fromAddress(): CarrierClient {
    let token = location.hash.slice(1);
    const before = sessionStorage.getItem(kept);
    sessionStorage.removeItem(kept);
    if (token === "" && before !== null) {
      token = before;
      history.replaceState(null, "", `${location.pathname}#${token}`);
    }
    token = token.replace(/^\//, "");
    try {
      return new CarrierClient(decodeURIComponent(token));
    } catch {
      return new CarrierClient(token);
    }
  }

  keep(): void {
    sessionStorage.setItem(kept, location.hash.slice(1));
  }

  open(): Promise<Reply> {
    return this.post("open", JSON.stringify({ token: this.token }));
  }

  claim(): Promise<Reply> {
    return this.post("claim", JSON.stringify({ token: this.token }));
  }

  /** Sends an answer. `content` is exact JSON text and is sent unchanged. */
  answer(action: string, content: string | undefined, cleared: readonly string[] = []): Promise<Reply> {
    const text = JSON.stringify({ token: this.token, action, ...(cleared.length > 0 && { cleared }) });
    return this.post("answer", content === undefined ? text : `${text.slice(0, -1)},"content":${content}}`);
  }

  /** Fails if the response is not one of our server's, such as the error page of a proxy. */
  private async post(act: string, body: string): Promise<Reply> {
    const response = await fetch(act, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      credentials: "same-origin",
      redirect: "error",
    });
    if (response.headers.get("content-type") !== "application/json") throw new Error(`${act}: ${response.status}`);
    return parseExact(await response.text()) as unknown as Reply;
  }
}
