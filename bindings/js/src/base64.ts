// Bytes as text, in standard base64 with padding and in the alphabet for URLs without (RFC 4648 §4 and §5).

/** The bytes that standard base64 spells. It throws for any other text. */
export function read(text: string): Uint8Array<ArrayBuffer> {
  const units = atob(text);
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = units.charCodeAt(i);
  return bytes;
}

export const spell = (bytes: Uint8Array): string => btoa(latin(bytes));

export const spellURL = (bytes: Uint8Array): string =>
  spell(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** A text of one character for each byte, which compares as the bytes do. */
export function latin(bytes: Uint8Array): string {
  let text = ""; // in pieces, because a call takes only so many arguments
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
