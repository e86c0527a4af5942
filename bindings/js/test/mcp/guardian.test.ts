import { expect, test } from "vitest";
import { Engine, Guest, type Problem, type GuardianAnswer } from "../../dist/index.js";
import { elicitationHandler, type OpenQuestion } from "../../dist/mcp/index.js";
import { assemble, manifest } from "../guardian/assemble.ts";
import { until } from "../until.ts";
import { person, roomy } from "./person.ts";

const say = (decision: string, more: object = {}) => JSON.stringify({ v: 1, decision, ...more });
const request = {
  params: {
    message: "Where?",
    requestedSchema: { type: "object", properties: { region: { type: "string", enum: ["eu", "us"] } } },
  },
};
const model = { name: "model", phases: ["before_send" as const], reads: ["/answer"] };

/** A handler that asks a guardian of the host, which answers in its own time. */
async function slow() {
  const waiting: ((said: GuardianAnswer) => void)[] = [];
  const consult = () => new Promise<GuardianAnswer>((resolve) => waiting.push(resolve));
  const told: Problem[][] = [];
  const ui = person(
    (question: OpenQuestion) => void question.accept({ region: "eu" }).then((problems) => told.push(problems)),
  );
  return {
    handler: elicitationHandler(await Engine.open({ ...roomy, guardians: [model] }), ui.ui, { consult }),
    waiting,
    told,
    ...ui,
  };
}

test("a guest looks at the questions of a handler", async () => {
  const guest = await Guest.load(assemble({ says: say("deny"), manifest: { ...manifest, phases: ["before_show"] } }));
  const { ui, seen } = person(() => {});
  const handler = elicitationHandler(await Engine.open({ ...roomy, guardians: [guest.permit()] }), ui, {
    guests: [guest],
  });
  expect(await handler(request as never)).toEqual({ action: "decline" });
  expect(seen).toEqual([]);
});

test("an answer is neither taken nor refused while a guardian looks at it", async () => {
  const { handler, waiting, told, questions } = await slow();
  const answer = handler(request as never);
  await until(() => expect(waiting).toHaveLength(1));
  expect(await questions[0]!.accept({ region: "us" })).toMatchObject([{ code: "answer_in_review" }]);
  expect(told).toEqual([]);
  waiting[0]!(say("pass"));
  expect(await answer).toEqual({ action: "accept", content: { region: "eu" } });
  await until(() => expect(told).toEqual([[]]));
});

test("what a guardian has against an answer reaches the person, who may mend it", async () => {
  const { handler, waiting, told, questions } = await slow();
  const answer = handler(request as never);
  await until(() => expect(waiting).toHaveLength(1));
  expect(await questions[0]!.accept({ region: "us" })).toMatchObject([{ code: "answer_in_review" }]);
  expect(told).toEqual([]);
  waiting[0]!(
    say("deny", { findings: [{ code: "full", message: "There is no room in eu.", pointer: "/answer/region" }] }),
  );
  await until(() =>
    expect(told).toMatchObject([
      [{ code: "guardian_refused", pointer: "/region", args: { message: "There is no room in eu." } }],
    ]),
  );
  const mended = questions[0]!.accept({ region: "us" });
  await until(() => expect(waiting).toHaveLength(2));
  waiting[1]!(say("pass"));
  expect(await mended).toEqual([]);
  expect(await answer).toEqual({ action: "accept", content: { region: "us" } });
});

test("a question withdrawn meanwhile ends the wait", async () => {
  const { handler, waiting, told } = await slow();
  const leaving = new AbortController();
  const answer = handler(request as never, { signal: leaving.signal });
  await until(() => expect(waiting).toHaveLength(1));
  leaving.abort(new Error("gone"));
  await expect(answer).rejects.toThrow("gone");
  await until(() => expect(told).toEqual([[]]));
});
