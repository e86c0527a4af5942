import { spellURL } from "../base64.ts";
import type { Engine } from "../engine.ts";

/** A key of at least 32 random bytes in base64url without padding. */
export interface Key {
  id: string;
  secret: string;
}

/** The request and the person that a state belongs to. */
export interface Binding {
  principal: string;
  target: string;
  arguments: unknown;
}

/** The state that a client carries from one round of a call to the next, as every language writes it. */
export interface State {
  /** The session that must go on, left out if any process can. */
  session?: string;
  machine?: unknown;
}

/** A state that came back. It counts once. */
export interface Opened {
  id: string;
  expires: number;
  state: State;
}

/** How far the clocks of two processes of a server may differ, in milliseconds. */
export const clockSkew = 5 * 60 * 1000;

/** A state was changed, is of another call or person, or has expired. Clients see no more than this. */
export class StateError extends Error {
  readonly code = -32602;
  readonly data = { reason: "invalid_request_state" };
  constructor(readonly why: string) {
    super("Invalid or expired requestState");
  }
}

/** Seals the state of calls. Keys never enter a machine. */
export class Sealer {
  readonly #engine: Engine;
  readonly #audience: string;
  readonly #keys: readonly Key[];

  constructor(engine: Engine, audience: string, keys?: readonly Key[]) {
    this.#engine = engine;
    this.#audience = audience;
    this.#keys = keys ?? [{ id: "process", secret: spellURL(crypto.getRandomValues(new Uint8Array(32))) }];
  }

  /** 32 random bytes as hexadecimal digits. */
  random(): string {
    return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  seal(binding: Binding, state: State, expires_at: number): string {
    const claims = { ...this.#bound(binding), issued_at: Date.now(), expires_at, body_text: JSON.stringify(state) };
    const keys = [...this.#keys];
    const sealed = this.#engine.eval("seal", { keys, random: this.random(), purpose: "state", claims });
    if ("problems" in sealed) throw new Error(`the state of a call could not be sealed: ${sealed.problems[0]?.code}`);
    return sealed.token;
  }

  open(token: unknown, binding: Binding): Opened | undefined {
    if (token === undefined) return undefined;
    if (typeof token !== "string") throw new StateError("seal_malformed");
    const expected = { ...this.#bound(binding), now: Date.now(), skew: clockSkew };
    const opened = this.#engine.eval("unseal", { keys: [...this.#keys], purpose: "state", token, expected });
    if ("problems" in opened) throw new StateError(opened.problems[0]?.code ?? "");
    const { id, expires_at, body_text } = opened.claims;
    return { id, expires: expires_at, state: JSON.parse(body_text!) as State };
  }

  #bound({ principal, target, arguments: given }: Binding) {
    return {
      ...(principal && { principal }), method: "tools/call", target, audience: this.#audience,
      ...(given !== undefined && { arguments_text: JSON.stringify(given) }),
    };
  }
}
