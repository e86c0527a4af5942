import type { Asked, Opened } from "../dist/index.js";

/** The events most tests begin with. */
export const opened: Opened = { event: "opened", session: "s", server: "backup", side: "answering",
  declared: ["form", "url"], shown: ["form", "url"] };

export const schema = { type: "object", properties: { region: { type: "string", enum: ["eu", "us"] },
  keep: { type: "integer", minimum: 1 } }, required: ["region"] };

export const asked = (ref: string): Asked => ({ event: "asked", session: "s", ref, mode: "form",
  message: "Which region?", schema });

/** Lets everything through at once. */
export const roomy = { limits: { per_minute: 60000, burst: 60000, shown: 1024, queue: 1024 } };

export const random = (n: number) => n.toString(16).padStart(64, "0");
