// The AI SDK asks for an approval, and continues with the answer. It signs its requests.
import {
  convertToModelMessages, generateText, isStepCount, lastAssistantMessageIsCompleteWithApprovalResponses,
  readUIMessageStream, streamText, tool, validateUIMessages,
} from "ai";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import { z } from "zod";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const call = { type: "tool-call", toolCallId: "c1", toolName: "pay", input: '{"amount":5}' };
const finish = (unified) => ({ finishReason: { unified }, usage });
const asked = (prompt) => prompt.at(-1).role === "user";

/** Calls the tool once, and then says what the tool's message told it. */
const model = () => new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => asked(prompt)
    ? { content: [call], ...finish("tool-calls"), warnings: [] }
    : { content: [{ type: "text", text: JSON.stringify(prompt.at(-1).content) }], ...finish("stop"), warnings: [] },
  doStream: async () => ({
    stream: convertArrayToReadableStream([
      { type: "stream-start", warnings: [] }, call, { type: "finish", ...finish("tool-calls") },
    ]),
  }),
});

const settings = (paid) => ({
  model: model(),
  experimental_toolApprovalSecret: "a secret of the server",
  stopWhen: isStepCount(3),
  tools: {
    pay: tool({
      inputSchema: z.object({ amount: z.number() }),
      needsApproval: true,
      execute: async (input) => (paid.push(input), "paid"),
    }),
  },
});

/** A program: `decide` gets the content of the result and gives the message of the role tool. */
export async function program(decide) {
  const paid = [];
  const first = await generateText({ ...settings(paid), prompt: "go" });
  const answer = decide(first.content);
  const messages = [{ role: "user", content: "go" }, ...first.response.messages, answer];
  const { text } = await generateText({ ...settings(paid), messages });
  return { paid, text };
}

/** A chat: `decide` gets the UI message and gives it back with its answers. */
export async function chat(decide, forge = (message) => message) {
  const paid = [];
  const stream = streamText({ ...settings(paid), prompt: "go" }).toUIMessageStream({ generateMessageId: () => "m2" });
  let message;
  for await (const each of readUIMessageStream({ stream })) message = each;
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "go" }] }, forge(decide(message))];
  const complete = lastAssistantMessageIsCompleteWithApprovalResponses({ messages });
  const { tools } = settings(paid);
  const valid = await validateUIMessages({ messages, tools });
  const { text } = await generateText({ ...settings(paid), messages: await convertToModelMessages(valid, { tools }) });
  return { paid, text, complete };
}
