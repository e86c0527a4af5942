import type { AskerEffect, AskerEvent } from "./contract.ts";

export type {
  AskerClient, AskerEffect, AskerEvent, AskerFailure, AskerKind, AskerPageReply as PageReply,
  AskerPageRequest as PageRequest, AskerQuestion as ListedQuestion, AskerReply, AskerSend,
} from "./contract.ts";

type Untold = "given_up" | "responded";

/** Somebody waits for the reply to these events, under their `ref` or else their `call`. */
export type ToldEvent =
  | Exclude<Extract<AskerEvent, { ref: string }>, { event: Untold }>
  | Extract<AskerEvent, { event: "called" | "returned" }>;

/** Work whose result comes back as an event. */
export type AskerWork = Extract<AskerEffect, {
  effect: "load" | "commit" | "redeem" | "due" | "progress" | "unseal" | "seal" | "append" | "consult";
}>;
