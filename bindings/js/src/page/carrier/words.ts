import type { Refusal } from "./client.ts";

/** The page's own texts in one language. In a text, {server} is the name of the server. */
export interface CarrierWords {
  loading: string;
  newTitle: string;
  newText: string;
  newOnce: string;
  next: string;
  direct: string;
  /** Replaces the form's warning about secrets, because an answer on this page does not pass a model. */
  secret: string;
  secretFinding: string;
  unsent: string;
  accept: string;
  decline: string;
  cancel: string;
  close: string;
  signIn: string;
  again: string;
  /** A title and a sentence for each refusal. */
  refusals: Readonly<Record<Refusal, readonly [title: string, text: string]>>;
}
