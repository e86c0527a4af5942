import "../../src/form/index.ts";
import { ar } from "../../src/form/strings/ar.ts";
import { de } from "../../src/form/strings/de.ts";
import { zh } from "../../src/form/strings/zh.ts";
import type { Content, Problem } from "../../src/form/question.ts";
import type { Mounting } from "./rig.ts";

const languages = { de, zh, ar };

globalThis.told = [];
for (const type of ["elicit-answer", "elicit-draft", "elicit-receipt", "elicit-extend", "elicit-open"]) {
  document.addEventListener(type, (event) => {
    const detail = (event as CustomEvent).detail;
    globalThis.told.push({ type, detail: type === "elicit-answer" ||
      type === "elicit-draft" ? { ...detail } : detail });
  });
}
document.addEventListener("securitypolicyviolation",
  (event) => console.error(`policy: ${event.violatedDirective} ${event.sample}`));

// The element takes no keys and clicks in its first moments. settling.test.ts is about them, and the other tests need
// not wait so long.
const moments = 600;
let isHurried = false;
const later = globalThis.setTimeout.bind(globalThis) as (...args: unknown[]) => number;
Object.assign(globalThis, {
  setTimeout: (run: unknown, wait: unknown, ...args: unknown[]) =>
    later(run, isHurried && wait === moments ? 0 : wait, ...args),
});

globalThis.mount = async (properties, options: Mounting = {}) => {
  const form = document.createElement("elicit-form");
  if (options.lang !== undefined) {
    form.strings = languages[options.lang];
    document.documentElement.lang = options.lang;
  }
  if (options.checker !== undefined) form.checker = checkerFor(options.checker);
  Object.assign(form, properties);
  isHurried = options.settled !== false;
  globalThis.told.length = 0;
  document.querySelector("#place")!.replaceChildren(form);
  await form.updateComplete;
  if (isHurried) await ready(form);
  isHurried = false;
  await looked(form);
  await form.updateComplete;
};

/** Waits until the element takes keys and clicks. Its attribute tells it. */
function ready(form: Element): Promise<void> {
  return new Promise((done) => {
    const look = () => form.hasAttribute("ready") && done();
    new MutationObserver(look).observe(form, { attributeFilter: ["ready"] });
    look();
  });
}

/**
 * Waits until the browser has told what is on the screen, because nobody can accept before. It tells the observers of
 * the element first, which are older than this one.
 */
function looked(form: Element): Promise<void> {
  return new Promise((done) => {
    const observer = new IntersectionObserver(() => {
      observer.disconnect();
      done();
    });
    observer.observe(form);
  });
}

/** Stands in for the engine's check, which this package's element never imitates. */
function checkerFor({ missing = [], problems = [], held }: NonNullable<Mounting["checker"]>) {
  return (content: Content): Problem[] | Promise<Problem[]> => {
    const found = [...missing.filter((name) => !(name in content)).map((name) => ({ code: "missing",
      pointer: `/${name}` })), ...(problems as Problem[])];
    return held ? new Promise((done) => (globalThis.release = () => done(found))) : found;
  };
}
