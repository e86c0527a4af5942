// The server of the A2A SDK keeps a task that requires input, and continues it with the answer.
import { AgentCard, Task } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, JsonRpcTransportHandler, ServerCallContext } from
  "@a2a-js/sdk/server";

const status = (state, text) => ({
  state, message: { messageId: `agent-${state}`, role: "ROLE_AGENT", parts: [{ text }] },
});

/** Asks for a region at the first message, and repeats the second one. */
const executor = {
  execute: async ({ taskId, contextId, task, userMessage }, bus) => {
    const said = userMessage.parts.map(({ content }) => content.value).join();
    const now = task
      ? status("TASK_STATE_COMPLETED", `The region is ${said}`)
      : status("TASK_STATE_INPUT_REQUIRED", "Which region?");
    bus.publish(AgentEvent.task(Task.fromJSON({ id: taskId, contextId, status: now })));
    bus.finished();
  },
  cancelTask: async (taskId, bus) => {
    const now = { state: "TASK_STATE_CANCELED" };
    bus.publish(AgentEvent.task(Task.fromJSON({ id: taskId, contextId: "c", status: now })));
    bus.finished();
  },
};

/** Sends a message, and then the call that `decide` makes of the task. Gives what became of the task. */
export async function task(decide) {
  const about = { name: "a", version: "1", description: "", capabilities: {}, supportedInterfaces: [] };
  const card = AgentCard.fromJSON(about);
  const server = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new InMemoryTaskStore(), executor));
  const call = async (id, { method, params }) => {
    const body = { jsonrpc: "2.0", id, method, params };
    const reply = await server.handle(body, new ServerCallContext({ requestedVersion: "1.0" }));
    if (reply.error) throw new Error(JSON.stringify(reply.error));
    return JSON.parse(JSON.stringify(reply.result));
  };
  const hello = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "deploy" }] };
  const asked = await call(1, { method: "SendMessage", params: { message: hello } });
  return call(2, decide(asked));
}
