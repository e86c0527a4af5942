import type { AskerConfiguration } from "../asker.ts";
import type { OpenPage } from "../contract.ts";
import type { Configuration } from "../configuration.ts";
import type { Host, Journal } from "../host.ts";
import type { Store } from "../store/store.ts";
import type { Hook } from "./question.ts";
import type { Context } from "./sdk.ts";
import type { Key } from "./seal.ts";

/** The options of an asker. Only the name of the server is required. */
export interface AskerOptions extends Pick<Host, "consult"> {
  server: { name: string; /** Policy, limits and guardians. */ config?: Configuration };
  /** The server's own pages. For `fetchPages` and `nodePages`, `base` is an address and `#/`. */
  page?: { base: string; opened?(page: OpenPage): void; only?: readonly string[]; signIn?: string };
  /** The tool with which a model passes on an answer; left out, `elicitation_result`; false for none. */
  fallback?: string | false;
  /** Keys for the state that a client carries, the first of which seals. Servers of several processes share them. */
  keys?: readonly Key[];
  /** The principal behind a request, as the server knows it. */
  principal?(context: Context): string | undefined;
  order?: AskerConfiguration["order"];
  /** Milliseconds that a question may stay open; left out, five minutes. */
  ttl?: number;
  attempts?: number;
  /** See every question on its way out and every answer on its way back. The first is the outermost. */
  hooks?: readonly Hook[];
  /** Keeps the sessions for all processes of the server, in clear. Without it, this process keeps the sessions. */
  store?: Store;
  /** Milliseconds that the store keeps the history; left out, 90 days. */
  keep?: number;
  /** Milliseconds that the store keeps the journal; left out, as long as the history. 0: it gets no records. */
  keepJournal?: number;
  /** Milliseconds that the result of a call is kept for a client that makes it again; left out, 15 minutes. 0: none. */
  results?: number;
  /** Milliseconds between two notifications of progress while a person thinks; left out, ten seconds. 0 sends none. */
  progress?: number;
  journal?: Journal;
}

/** The members of a form beside its message and schema. */
export interface QuestionOptions {
  /** Milliseconds that this question may stay open. */
  ttl?: number;
  /** A form: who answers, such as a second approver, on the server's own page. The caller passes its link on. */
  principal?: string;
}
