import type { AskerBinding } from "../asker-event.ts";
import { spellURL } from "../base64.ts";
import type { Engine } from "../engine.ts";

/** A key of at least 32 random bytes in base64url without padding. */
export interface Key {
  id: string;
  secret: string;
}

/** How far the clocks of two processes of a server may differ, in milliseconds. */
const clockSkew = 10 * 60 * 1000;

/** Seals what clients carry from one round of a call to the next. Keys never enter a machine. */
export class Sealer {
  readonly #engine: Engine;
  readonly #audience: string;
  readonly #keys: Key[];

  constructor(engine: Engine, audience: string, keys?: readonly Key[]) {
    this.#engine = engine;
    this.#audience = audience;
    this.#keys = [...(keys ?? [{ id: "process", secret: spellURL(crypto.getRandomValues(new Uint8Array(32))) }])];
  }

  seal(body_text: string, expires_at: number, of: AskerBinding): string {
    const claims = { ...this.#bound(of), issued_at: Date.now(), expires_at, body_text };
    const sealed = this.#engine.eval("seal", { keys: this.#keys, random: random(32), purpose: "state", claims });
    if ("problems" in sealed) throw new Error(sealed.problems[0]?.code);
    return sealed.token;
  }

  open(token: string, of: AskerBinding): { id: string; body: string; expires: number } {
    const expected = { ...this.#bound(of), now: Date.now(), skew: clockSkew };
    const opened = this.#engine.eval("unseal", { keys: this.#keys, purpose: "state", token, expected });
    if ("problems" in opened) throw new Error(opened.problems[0]?.code);
    const { id, body_text = "", expires_at: expires } = opened.claims;
    return { id, body: body_text, expires };
  }

  #bound({ principal, method, target, arguments: given }: AskerBinding) {
    return {
      ...(principal && { principal }), ...(method && { method }), ...(target && { target }), audience: this.#audience,
      ...(given !== undefined && { arguments_text: JSON.stringify(given) }),
    };
  }
}

/** Random bytes as hexadecimal digits. */
export const random = (size: number): string =>
  [...crypto.getRandomValues(new Uint8Array(size))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
