// The frameworks' own packages produce the interrupts, and continue with the answers. package.json lists them.
import { beforeAll, expect, test } from "vitest";
import { Engine } from "../../dist/index.js";
import { answerInterrupts, decodeInterrupts } from "../../dist/interrupts/index.js";
import type { Framework, InterruptAnswer, InterruptQuestion } from "../../dist/interrupts/index.js";

let engine: Engine;
beforeAll(async () => void (engine = await Engine.open()));

/** The program of a framework. Its types belong to packages that a checker of this package need not have. */
const program = (name: string) => import(new URL(`${name}.mjs`, import.meta.url).href);

type Decide = (question: InterruptQuestion) => Omit<InterruptAnswer, "key">;
const asked: InterruptQuestion[] = [];

/** Reads what a framework asks, decides each question, and gives the answer in the framework's spelling. */
const decider = (framework: Framework, decide: Decide) => (document: object) => {
  const found = decodeInterrupts(engine, framework, document);
  if ("problems" in found) throw new Error(JSON.stringify(found.problems));
  asked.splice(0, asked.length, ...found.questions);
  const answers = asked.map((question) => ({ key: question.key, ...decide(question) }));
  const given = answerInterrupts(engine, framework, document, answers);
  if ("problems" in given) throw new Error(JSON.stringify(given.problems));
  return given.answer;
};

const accept: Decide = () => ({ action: "accept" });
const decline: Decide = () => ({ action: "decline", note: "too much" });

test("the AI SDK runs a call that was approved, and no other", async () => {
  const ai = await program("ai");
  expect((await ai.program(decider("ai_sdk", accept))).paid).toEqual([{ amount: 5 }]);
  expect(asked).toMatchObject([{ kind: "approval", tool: "pay", arguments: { amount: 5 } }]);
  const refused = await ai.program(decider("ai_sdk", decline));
  expect(refused.paid).toEqual([]);
  expect(refused.text).toContain("too much");
});

test("a chat of the AI SDK takes its message back with the signature", async () => {
  const ai = await program("ai");
  expect(await ai.chat(decider("ai_sdk", accept))).toMatchObject({ paid: [{ amount: 5 }], complete: true });
  expect(await ai.chat(decider("ai_sdk", decline))).toMatchObject({ paid: [], complete: true });
  const forge = (message: { parts: { approval?: { signature: string } }[] }) => {
    for (const { approval } of message.parts) if (approval) approval.signature = "forged";
    return message;
  };
  await expect(ai.chat(decider("ai_sdk", accept), forge)).rejects.toThrow("signature");
  expect(() => decider("ai_sdk", () => ({ action: "accept", arguments: {} }))([
    { type: "tool-approval-request", approvalId: "a", toolCall: { toolCallId: "c", toolName: "pay", input: {} } },
  ])).toThrow("answer_not_offered");
});

test("an agent of LangChain runs, edits and refuses calls", async () => {
  const langchain = await program("langchain");
  const first: Decide = ({ key }) =>
    key.endsWith("/0") ? { action: "accept", arguments: { to: "c" } } : { action: "accept" };
  expect(await langchain.agent(decider("langgraph", first))).toEqual({ sent: ["c", "b"], said: "sent to c,sent to b" });
  expect(asked.map(({ tool, options }) => [tool, options])).toEqual([
    ["mail", ["accept", "edit", "decline", "decline_note"]],
    ["mail", ["accept", "edit", "decline", "decline_note"]],
  ]);
  const refused = await langchain.agent(decider("langgraph", decline));
  expect(refused.sent).toEqual([]);
  expect(refused.said).toContain("too much");
});

test("a graph of LangGraph gets the value that it asked for", async () => {
  const langchain = await program("langchain");
  const age = await langchain.graph(decider("langgraph", () => ({ action: "accept", content: { value: 42 } })));
  expect(age).toBe(42);
  expect(asked[0]!.message).toBe("How old?");
  const wrong: Decide = () => ({ action: "accept", content: { value: -1 } });
  await expect(langchain.graph(decider("langgraph", wrong))).rejects.toThrow("too_low");
});

test("the schemas of AG-UI take every answer", async () => {
  const agui = await program("agui");
  const decide: Decide = ({ key }) => ({
    "i-1": { action: "accept" as const, arguments: { to: "b" } },
    "i-2": { action: "accept" as const, content: { value: "Ada" } },
    "i-3": { action: "cancel" as const },
  })[key]!;
  expect(agui.next(decider("ag_ui", decide)(agui.events()))).toEqual([
    { interruptId: "i-1", status: "resolved", payload: { approved: true, editedArgs: { to: "b" } } },
    { interruptId: "i-2", status: "resolved", payload: "Ada" },
    { interruptId: "i-3", status: "cancelled" },
  ]);
  expect(asked[0]).toMatchObject({ tool: "mail", arguments: { to: "a" } });
});
