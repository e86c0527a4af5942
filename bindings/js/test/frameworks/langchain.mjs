// An agent of LangChain stops for a person in its human-in-the-loop middleware. A graph of LangGraph has an interrupt.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, Command, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { z } from "zod";

/** Calls the tool twice, and then repeats what the tool said. */
class Model extends BaseChatModel {
  constructor() { super({}); }
  _llmType() { return "test"; }
  bindTools() { return this; }
  async _generate(messages) {
    const said = messages.filter((m) => m.getType() === "tool").map((m) => m.content);
    const call = (id, to) => ({ name: "mail", args: { to }, id, type: "tool_call" });
    const message = said.length > 0
      ? new AIMessage(said.join())
      : new AIMessage({ content: "", tool_calls: [call("c1", "a"), call("c2", "b")] });
    return { generations: [{ text: "", message }] };
  }
}

const config = () => ({ configurable: { thread_id: "1" } });

/** `decide` gets the result with its interrupts, and gives the value of resume. */
export async function agent(decide) {
  const sent = [];
  const mail = tool(async ({ to }) => (sent.push(to), `sent to ${to}`), {
    name: "mail", description: "sends", schema: z.object({ to: z.string() }),
  });
  const middleware = [humanInTheLoopMiddleware({ interruptOn: { mail: true } })];
  const runs = createAgent({ model: new Model(), tools: [mail], middleware, checkpointer: new MemorySaver() });
  const stopped = await runs.invoke({ messages: [{ role: "user", content: "go" }] }, config());
  const { messages } = await runs.invoke(new Command({ resume: decide(stopped.__interrupt__) }), config());
  return { sent, said: messages.at(-1).content };
}

export async function graph(decide) {
  const State = Annotation.Root({ age: Annotation() });
  const runs = new StateGraph(State)
    .addNode("ask", () => ({ age: interrupt("How old?", { responseSchema: z.number().int().min(0) }) }))
    .addEdge(START, "ask")
    .compile({ checkpointer: new MemorySaver() });
  await runs.invoke({}, config());
  const state = await runs.getState(config());
  const { age } = await runs.invoke(new Command({ resume: decide(state.tasks[0].interrupts) }), config());
  return age;
}
