import { createHash } from "node:crypto";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Makes the lines of a journal of events and effects, each with the hash of the one before, as engine/journal does. */
export function chain(
  records: readonly { event: object; effects?: object[] }[], at = (i: number) => 1_790_000_000_000 + i * 1000,
): string[] {
  let prev = "0".repeat(64);
  return records.map(({ event, effects = [] }, i) => {
    const covered = `{"v":2,"seq":${i + 1},"at":${at(i)},"random":"${"00".repeat(32)}",` +
      `"event":${JSON.stringify(event)},"effects":${JSON.stringify(effects)},"sum":"00","prev":"${prev}"`;
    prev = sha256(covered);
    return `${covered},"hash":"${prev}"}\n`;
  });
}

export const opened = (session: string, server: string) =>
  ({ event: { event: "opened", session, server, side: "answering", declared: ["form"], shown: ["form"] } });

/** A question, which is shown, drawn and answered after some seconds. */
export function question(session: string, ref: string, message: string, outcome: string, tool = "deploy") {
  const of = { session, ref, id: `id-${session}-${ref}` };
  return [
    { event: { event: "asked", session, ref, side: "answering", mode: "form", tool, message },
      effects: [{ effect: "show", ...of, kind: "confirm", findings: [], reasons: [] }] },
    { event: { event: "noted", session, id: of.id, receipt: "shown" } },
    { event: { event: "answered", session, id: of.id, action: outcome },
      effects: [{ effect: "reply", ...of, outcome, cause: "user", reasons: [] }] },
  ];
}
