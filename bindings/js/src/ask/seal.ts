import { spellURL } from "../base64.ts";

/** A key of at least 32 random bytes in base64url without padding. */
export interface Key { id: string; secret: string }

/** A key that only this process has. */
export const ownKey = (): Key =>
  ({ id: "process", secret: spellURL(crypto.getRandomValues(new Uint8Array(32))) });

/** Random bytes as hexadecimal digits. */
export const random = (size: number): string =>
  [...crypto.getRandomValues(new Uint8Array(size))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
