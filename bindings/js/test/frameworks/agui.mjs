// The schemas of AG-UI read what an agent sends, and what the next run brings.
import { RunAgentInputSchema, RunFinishedEventSchema, ToolCallArgsEventSchema, ToolCallStartEventSchema } from
  "@ag-ui/core/schemas";

const schema = {
  type: "object",
  properties: { approved: { type: "boolean" }, editedArgs: { type: "object" } },
  required: ["approved"],
};

export const events = () => [
  ToolCallStartEventSchema.parse({ type: "TOOL_CALL_START", toolCallId: "tc-1", toolCallName: "mail" }),
  ToolCallArgsEventSchema.parse({ type: "TOOL_CALL_ARGS", toolCallId: "tc-1", delta: '{"to":"a"}' }),
  RunFinishedEventSchema.parse({
    type: "RUN_FINISHED", threadId: "t", runId: "r1",
    outcome: {
      type: "interrupt",
      interrupts: [
        { id: "i-1", reason: "tool_call", toolCallId: "tc-1", message: "Send?", responseSchema: schema },
        { id: "i-2", reason: "input_required", message: "Name?", responseSchema: { type: "string" } },
        { id: "i-3", reason: "confirmation", message: "Go on?" },
      ],
    },
  }),
];

/** The next run. Its schema is strict, so a resume of another shape throws. */
export const next = (resume) =>
  RunAgentInputSchema.parse({ threadId: "t", runId: "r2", messages: [], tools: [], context: [], resume }).resume;
