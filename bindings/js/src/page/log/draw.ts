/** Makes an element. Children that are texts stay texts: nothing here makes markup of a string. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, given: Record<string, string> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The element of the page with this id. */
export function at<E extends HTMLElement = HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

/** "1 record", "2,000 records". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** Whether times are drawn in UTC. */
let utc = false;

export function drawUTC(wanted: boolean): void {
  utc = wanted;
}

const two = (n: number) => String(n).padStart(2, "0");

/** A moment as `elicit log` prints it. */
export function moment(ms: number): string {
  // A moment in UTC is one of a zone that is shifted to UTC.
  const time = new Date(utc ? ms : ms - new Date(ms).getTimezoneOffset() * 60_000);
  if (Number.isNaN(time.getTime())) return String(ms);
  return `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())} ` +
    `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`;
}

export const zone = (): string => (utc ? "UTC" : "the zone of this browser");

/** A time that passed, as a person says it. */
export function spent(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** Characters that a reader cannot see, or what would move the text around it. */
const hidden = /[^\P{C}\n]|[\u2028\u2029\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f]/gu;

/** Spells invisible characters of JSON text as JSON does, so that the text stays the same JSON. */
export const spelled = (json: string): string =>
  json.replace(hidden, (found) =>
    [...Array(found.length).keys()].map((i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""));
