import { exact, isNumberText, type Spelled } from "./exact.ts";

/** The value of typed text, or a problem if the text has no value. Only the checker decides whether the value fits. */
export type Read<T> = { value: T } | { code: string; args?: { [name: string]: string | number } };

/** Marks a date that is typed in part. The browser reports only that something is there, not its text. */
export const unfinished = "\u2026";

const separators = /\d([,'_ \u00a0\u202f\u2009\u2019\u066c])\d/;
/** Points that may separate the thousands of a whole number. */
const grouped = /^[+\-\u2212]?[1-9]\d{0,2}(\.\d{3})+$/;

/**
 * Reads a decimal number as people write it. It accepts both minus characters, leading zeros, a point at either end,
 * and Arabic digits. In a whole number, "10.000" may mean ten thousand.
 */
export function readNumber(typed: string, integer = false): Read<number | Spelled> {
  const text = westernDigits(typed.trim());
  const separator = separators.exec(text);
  if (separator?.[1] !== undefined) return { code: "digit_separator", args: { separator: separator[1] } };
  if (integer && grouped.test(text)) return { code: "digit_separator", args: { separator: "." } };
  const parts = /^([+\-\u2212]?)(\d*)(\.\d*)?([eE][+-]?\d+)?$/.exec(text);
  if (parts === null || typed.length > 400) return { code: "not_a_number" };
  const [, sign, whole = "", fraction = "", exponent = ""] = parts;
  if (whole === "" && fraction.length < 2) return { code: "not_a_number" };
  const number =
    (sign === "" || sign === "+" ? "" : "-") +
    (whole.replace(/^0+(?=\d)/, "") || "0") +
    (fraction === "." ? "" : fraction) +
    exponent;
  return isNumberText(number) ? { value: exact(number) } : { code: "not_a_number" };
}

/** Arabic-Indic and Persian digits, and their decimal mark, as ASCII. */
function westernDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (d) => String(d.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (d) => String(d.charCodeAt(0) - 0x6f0))
    .replace(/\u066b/g, ".");
}

/** A local date and time as RFC 3339, with the UTC offset that the local time zone has at that time. */
export function fromLocal(local: string): string | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(local);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0));
  const at = new Date(year!, month! - 1, day, hour, minute, second);
  at.setFullYear(year!);
  const clock = local.length === 16 ? `${local}:00` : local;
  return clock + offsetAt(at);
}

/** An RFC 3339 time as the value of a local date and time input, or undefined if it has none. */
export function toLocal(stamp: string): string | undefined {
  const at = new Date(stamp);
  if (!/^\d{4}-\d\d-\d\d[Tt ]/.test(stamp) || Number.isNaN(at.getTime())) return undefined;
  const two = (n: number): string => String(n).padStart(2, "0");
  const date = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export function offsetAt(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return "Z";
  const two = (n: number): string => String(Math.floor(n)).padStart(2, "0");
  return (minutes < 0 ? "-" : "+") + two(Math.abs(minutes) / 60) + ":" + two(Math.abs(minutes) % 60);
}
