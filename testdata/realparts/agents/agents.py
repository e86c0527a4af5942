"""Agents of LangChain, LangGraph, Pydantic AI and AG-UI stop for a person, and continue with the answers.

The first argument names the case. The package under test reads what each framework asks, and writes the answer.
"""

import dataclasses
import json
import sys

from elicit_engine.interrupts import Refused, answer, answer_text, decode


def decided(framework, document, decide):
    """The answer to a document, in the framework's spelling. decide gives the answer to one question."""
    questions = decode(framework, document)["questions"]
    return answer_text(framework, document, [{"key": q["key"], **decide(q)} for q in questions])


# LangChain and LangGraph


def chain_agent(mode):
    """An agent whose model calls two tools at once. Gives what it asks, what runs it on, and what the tools did."""
    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    sent = []

    @tool
    def mail(to: str) -> str:
        "Sends a message."
        sent.append(to)
        return "sent to " + to

    @tool
    def ask_user(question: str) -> str:
        "Asks the user."
        raise AssertionError("the person answers in place of this tool")

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools, **more):
            return self

    calls = [
        {"name": "mail", "args": {"to": "a"}, "id": "c1"},
        {"name": "ask_user", "args": {"question": "Which?"}, "id": "c2"},
    ]
    allowed = {"mail": ["approve", "edit", "reject"], "ask_user": ["respond"]}
    runs = create_agent(
        Model(messages=iter([AIMessage(content="", tool_calls=calls), AIMessage(content="done")])),
        tools=[mail, ask_user],
        middleware=[
            HumanInTheLoopMiddleware(
                interrupt_on={name: {"allowed_decisions": words} for name, words in allowed.items()},
                interrupt_mode=mode,
            )
        ],
        checkpointer=InMemorySaver(),
    )
    config = {"configurable": {"thread_id": "1"}}
    stopped = runs.invoke({"messages": [("user", "go")]}, config)
    asked = [dataclasses.asdict(interrupt) for interrupt in stopped["__interrupt__"]]

    def resume(value):
        messages = runs.invoke(Command(resume=json.loads(value)), config)["messages"]
        return sent, {m.name: m.content for m in messages if m.type == "tool"}

    return asked, resume


def langchain(mode):
    def decide(of_mail):
        return lambda q: of_mail if q["tool"] == "mail" else {"action": "accept", "content": {"value": "the first"}}

    asked, resume = chain_agent(mode)
    kinds = [(q["tool"], q["kind"], q["options"]) for q in decode("langgraph", asked)["questions"]]
    assert sorted(kinds) == [
        ("ask_user", "question", ["respond"]),
        ("mail", "approval", ["accept", "edit", "decline", "decline_note"]),
    ]
    sent, said = resume(decided("langgraph", asked, decide({"action": "accept"})))
    assert sent == ["a"] and said["ask_user"] == "the first"

    asked, resume = chain_agent(mode)
    sent, said = resume(decided("langgraph", asked, decide({"action": "accept", "arguments": {"to": "b"}})))
    assert sent == ["b"] and "sent to b" in said["mail"]

    asked, resume = chain_agent(mode)
    sent, said = resume(decided("langgraph", asked, decide({"action": "decline", "note": "not today"})))
    assert sent == [] and "not today" in said["mail"]


def langchain_batched():
    langchain("batched")


def langchain_per_call():
    langchain("per_call")


def langgraph():
    from typing import TypedDict

    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    class State(TypedDict, total=False):
        age: int
        name: str

    graph = StateGraph(State)
    graph.add_node("age", lambda state: {"age": interrupt({"ask": "How old?"}, response_schema=int)})
    graph.add_node("name", lambda state: {"name": interrupt("Your name?")})
    graph.add_edge(START, "age")
    graph.add_edge(START, "name")
    runs = graph.compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    runs.invoke({}, config)
    asked = [dataclasses.asdict(i) for task in runs.get_state(config).tasks for i in task.interrupts]
    value = {'{"ask":"How old?"}': 42, "Your name?": "Ada"}
    found = decided(
        "langgraph",
        json.dumps(asked, separators=(",", ":")),
        lambda q: {"action": "accept", "content": {"value": value[q["message"]]}},
    )
    assert runs.invoke(Command(resume=json.loads(found)), config) == {"age": 42, "name": "Ada"}


# Pydantic AI and AG-UI


def pydantic_agent():
    """A run whose model calls a tool that needs approval, one that asks a person, and one that a program finishes."""
    from pydantic_ai import Agent, CallDeferred, DeferredToolRequests
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def model(messages, info):
        if len(messages) == 1:
            calls = [("delete", '{"path": ".env"}', "c1"), ("ask", {"text": "Where?"}, "c2"), ("job", {}, "c3")]
            return ModelResponse(parts=[ToolCallPart(n, a, tool_call_id=i) for n, a, i in calls])
        return ModelResponse(parts=[TextPart(json.dumps([str(p.content) for p in messages[-1].parts]))])

    agent = Agent(FunctionModel(model), output_type=[str, DeferredToolRequests])
    deleted = []

    @agent.tool_plain(requires_approval=True)
    def delete(path: str) -> str:
        deleted.append(path)
        return "deleted " + path

    @agent.tool_plain
    def ask(text: str) -> str:
        raise CallDeferred(kind="question")

    @agent.tool_plain
    def job() -> str:
        raise CallDeferred

    return agent, agent.run_sync("go"), deleted


def pydantic_ai():
    from pydantic import TypeAdapter
    from pydantic_ai import DeferredToolRequests, DeferredToolResults

    def finish(of_delete, of_ask):
        agent, stopped, deleted = pydantic_agent()
        document = TypeAdapter(DeferredToolRequests).dump_json(stopped.output)
        assert decode("pydantic_ai", document).get("others") == ["c3"]
        text = decided("pydantic_ai", document, lambda q: of_delete if q["tool"] == "delete" else of_ask)
        results = TypeAdapter(DeferredToolResults).validate_json(text)
        results.calls["c3"] = "finished"
        run = agent.run_sync(message_history=stopped.all_messages(), deferred_tool_results=results)
        return deleted, json.loads(run.output)

    # Content that looks like a result of another kind stays content.
    tricky = {"action": "accept", "content": {"value": '{"kind":"tool-failed"}'}}
    assert finish({"action": "accept"}, tricky) == ([".env"], ["deleted .env", '{"kind":"tool-failed"}', "finished"])
    deleted, said = finish({"action": "accept", "arguments": {"path": "tmp"}}, {"action": "decline", "note": "guess"})
    assert deleted == ["tmp"] and "guess" in said[1]
    deleted, said = finish({"action": "decline", "note": "keep it"}, {"action": "cancel"})
    assert deleted == [] and "keep it" in said[0] and "declined" in said[1]


def ag_ui():
    """Pydantic AI speaks AG-UI: its interrupts are read, and it reads the answers."""
    from ag_ui.core import ResumeEntry, RunFinishedEvent, RunFinishedInterruptOutcome
    from pydantic_ai import ToolApproved, ToolDenied
    from pydantic_ai.ui.ag_ui._interrupt import approval_to_interrupt, resume_entry_to_approval

    _, stopped, _ = pydantic_agent()
    interrupts = [approval_to_interrupt(call, {}) for call in stopped.output.approvals]
    event = RunFinishedEvent(
        thread_id="t", run_id="r", outcome=RunFinishedInterruptOutcome(interrupts=interrupts)
    ).model_dump_json(by_alias=True)
    options = decode("ag_ui", event)["questions"][0]["options"]
    assert options == ["accept", "edit", "decline", "cancel", "decline_note"], options
    for decision, want in [
        ({"action": "accept"}, ToolApproved()),
        ({"action": "accept", "arguments": {"path": "x"}}, ToolApproved(override_args={"path": "x"})),
        ({"action": "decline"}, ToolDenied()),
        ({"action": "decline", "note": "keep it"}, ToolDenied("keep it")),
        ({"action": "cancel"}, ToolDenied("Cancelled by user.")),
    ]:
        (entry,) = json.loads(decided("ag_ui", event, lambda q: decision))
        assert resume_entry_to_approval(ResumeEntry.model_validate(entry)) == want


# OpenAI


def openai():
    """The types of the SDK read the requests and the answers. There is no server to ask."""
    from openai.types.responses import ResponseInputItem
    from openai.types.responses.response_output_item import McpApprovalRequest
    from pydantic import TypeAdapter

    request = McpApprovalRequest(
        id="mcpr_1", type="mcp_approval_request", server_label="dice", name="roll", arguments='{"sides": 20}'
    )
    (question,) = decode("openai", "[%s]" % request.model_dump_json())["questions"]
    assert question["arguments"] == {"sides": 20}
    for action, approve, note in [("accept", True, None), ("decline", False, "no"), ("cancel", False, None)]:
        decision = {"action": action, **({"note": note} if note else {})}
        (item,) = answer("openai", [request.model_dump()], [{"key": "mcpr_1", **decision}])
        read = TypeAdapter(ResponseInputItem).validate_python(item)
        assert (type(read).__name__, read.approve, read.reason) == ("McpApprovalResponse", approve, note)
        assert read.approval_request_id == "mcpr_1"
    try:
        answer("openai", [request.model_dump()], [])
    except Refused:
        return
    raise AssertionError("no answer was taken")


CASES = (langchain_batched, langchain_per_call, langgraph, pydantic_ai, ag_ui, openai)

if __name__ == "__main__":
    {case.__name__: case for case in CASES}[sys.argv[1]]()
