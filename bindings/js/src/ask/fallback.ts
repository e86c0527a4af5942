import type { Result } from "./sdk.ts";

/** The definition of the tool with which a model passes on an answer. */
export const submitTool = (name: string) => ({
  name,
  title: "Pass on a person's answer",
  description:
    "Another tool's result may ask you for an answer of the person. Ask the person, wait for their reply, then call " +
    "this tool with the id from that result. Never answer for the person. The result of this tool is the result of " +
    "the other tool.",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string", description: "the id in the result that asked" },
      action: { type: "string", enum: ["accept", "decline", "cancel"], description: "what the person decided" },
      content: { type: "object", description: "for accept: the answer, as the schema in that result says" },
    },
    required: ["id", "action"],
  },
});

/** A result that tells a model why there is no other. */
export const told = (text: string): Result => ({ content: [{ type: "text", text }], isError: true });
