// Hooks: what a server does with every question and answer. Package ask for Go has the same tests.
import { expect, test } from "vitest";
import type { Hook } from "../../dist/ask/index.js";
import { connect } from "./connect.ts";

const size = () => ({ action: "accept" as const, content: { choice: "s" } });

test("the first hook is the outermost, and each sees what the one before has changed", async () => {
  const seen: string[] = [];
  const hook = (name: string): Hook => async (question, next) => {
    seen.push(`${name} asks ${question.message}`);
    const answer = await next({ ...question, message: `${question.message}${name}` });
    seen.push(`${name} gets ${answer.content?.["choice"]}`);
    return answer;
  };
  const { value, asked } = await connect({ form: {} }, size, { hooks: [hook("1"), hook("2")] });
  expect(await value("size")).toBe("s");
  expect(asked.map((q) => q.message)).toEqual(["Which size?12"]);
  expect(seen).toEqual(["1 asks Which size?", "2 asks Which size?1", "2 gets s", "1 gets s"]);
});

test("a hook refuses a question with its own error, and nobody is asked", async () => {
  const veto: Hook = () => {
    throw Object.assign(new Error("not at night"), { code: "night" });
  };
  const { value, asked } = await connect({ form: {} }, size, { hooks: [veto] });
  expect(await value("size")).toEqual({ error: "Error", code: "night" });
  expect(asked).toEqual([]);
});

test("an answer that a hook changes is checked again", async () => {
  const say = (choice: string): Hook => async (question, next) => {
    const answer = await next(question);
    return { ...answer, content: { choice } };
  };
  const fitting = await connect({ form: {} }, size, { hooks: [say("l")] });
  expect(await fitting.value("size")).toBe("l");
  const wrong = await connect({ form: {} }, size, { hooks: [say("xl")] });
  expect(await wrong.value("size")).toEqual({ error: "UnfitError", code: "attempts_used" });
});

test("a hook may answer by itself, and sees errors", async () => {
  const ends: string[] = [];
  const decline = () => ({ action: "decline" as const });
  const see: Hook = (question, next) =>
    next(question).catch((error) => {
      ends.push(error.code);
      throw error;
    });
  const answer = { id: "", content: { choice: "l" }, page: false, model: false };
  const own: Hook = async (question, next) => (question.message === "Which size?" ? answer : next(question));
  const { value, asked } = await connect({ form: {} }, decline, { hooks: [see, own] });
  expect(await value("size")).toBe("l");
  expect(await value("deploy")).toEqual({ error: "DeclinedError", code: "declined" });
  expect(asked).toHaveLength(1);
  expect(ends).toEqual(["declined"]);
});

test("hooks share nothing: what one keeps and changes, no other sees", async () => {
  const spoil: Hook = async (question, next) => {
    const kept = question.schema as { properties: Record<string, unknown> };
    const answer = await next(question);
    delete kept.properties["choice"];
    (answer.content as { choice: string }).choice = "l";
    return next(question).then(() => answer, () => answer); // a second asking, of a broken question
  };
  const schemas: object[] = [];
  const see: Hook = async (question, next) => {
    const answer = await next(question);
    schemas.push(question.schema!);
    return answer;
  };
  const { value, asked } = await connect({ form: {} }, size, { hooks: [see, spoil, see] });
  expect(await value("size")).toBe("l");
  for (const schema of [schemas[0], schemas.at(-1)]) expect(schema).toHaveProperty("properties.choice");
  expect(asked[0]!.requestedSchema).toHaveProperty("properties.choice");
});

test("a hook knows who called", async () => {
  const callers: unknown[] = [];
  const see: Hook = (question, next, context) => {
    callers.push(asker.caller(context));
    return next(question);
  };
  const { value, asker } = await connect({ form: {} }, size, { hooks: [see], principal: () => "ann" });
  await value("size");
  expect(callers).toMatchObject([{ principal: "ann", declared: ["form"], requests: true }]);
  expect(asker.caller({})).toBeUndefined();
});
