"""Guardians: lists of them, real guests, and hosts that answer late, wrongly or not at all."""

import asyncio
import json
import pathlib
import re
import warnings

import pytest

from elicit_engine import Engine, Guardian, GuardianError, InputError, Relay, evaluate, why
from elicit_engine.drive import Driver
from elicit_engine.mcp import elicitation_callback
from elicit_engine.prompt import Prompt
from elicit_engine.question import Answer, Question

from test_drive import CONNECTION, create
from test_engine import ASKED, LINK, NO_LINKS, OPENED, VISITED, kinds
from test_mcp import Person, server_of_forms

ROOT = pathlib.Path(__file__).resolve().parents[3]
WARY = ROOT / "testdata" / "guests" / "wary.wasm"
LINKS = Guardian(module=NO_LINKS, reads=["/request/mode", "/request/url"])
ANSWERS = Guardian(module=WARY, reads=["/answer"])
BLANK = {"type": "object", "properties": {}}
APPROVAL = {"codex_request_type": "approval_request", "codex_approval_kind": "mcp_tool_call", "tool_name": "deploy"}


def verdict(decision, message=None, **more):
    findings = {} if message is None else {"findings": [{"code": "x", "message": message}]}
    return json.dumps({"v": 1, "decision": decision, **findings, **more})


@pytest.mark.parametrize(
    "guardian, said",
    [
        (Guardian(module="/no/such/links.wasm"), "guardian 0, /no/such/links.wasm, cannot be read: No such file"),
        (Guardian(module=ROOT), "cannot be read: Is a directory"),
        (Guardian(module=b"no module"), "guardian 0 is refused: "),
        (Guardian(module=WARY, digest="0" * 64), "is another module: it has the digest "),
        (Guardian(module=WARY, reads=[], settings={"x": 1}), "there is nothing to set (at /guardians/0/settings)"),
        (Guardian(module=WARY, reads=[], declared={"phases": ["before_show"], "reads": []}),
            "declares other phases or reads"),
        ({"module": WARY, "reads": [], "read": []}, "(at /guardians/0/read)"),
    ],
)
def test_a_guardian_that_cannot_be_used_is_named(guardian, said):
    with pytest.raises(GuardianError) as error:
        Engine(guardians=[guardian])
    assert said in str(error.value) and isinstance(error.value, InputError)


CLERK = ROOT / "testdata" / "guests" / "clerk.wasm"


def test_a_guardian_reads_the_data_document_of_its_permit(tmp_path):
    document = tmp_path / "list.txt"
    document.write_bytes(b"deny\xff")
    for data, told in ((document, "reply"), (b"pass", "show")):
        engine = Engine(guardians=[Guardian(module=CLERK, reads=[], data=data)])
        engine.step(OPENED)
        assert told in kinds(engine.step(ASKED))


@pytest.mark.parametrize(
    "more, said",
    [
        ({}, "clerk needs a data document, and the permit names none"),
        ({"data": "/no/such/list.txt"}, "data document of guardian 0"),
        ({"data": b"deny", "data_digest": "0" * 64}, "has another data document: it has the digest "),
        ({"data": b"x"}, "the document begins with x"),
        ({"data": bytes((4 << 20) + 1)}, "has at most 4194304 bytes; this one has 4194305"),
        ({"data_digest": "0" * 64}, "nobody has given the data document of clerk"),
    ],
)
def test_a_data_document_that_cannot_be_used_is_named(more, said):
    with pytest.raises(GuardianError) as error:
        Engine(guardians=[Guardian(module=CLERK, reads=[], **more)])
    assert said in str(error.value)


def test_nothing_is_permitted_that_was_not_written():
    shown_nothing = r'guardian no-links is shown nothing.*reads=\["/request/mode", "/request/url"\]'
    with pytest.warns(UserWarning, match=shown_nothing):
        engine = Engine(guardians=[Guardian(module=NO_LINKS)])
    engine.step(VISITED)
    assert "show" in kinds(engine.step(LINK))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Engine('{"policy":{}}', guardians=[Guardian(module=NO_LINKS, reads=[])])
    with pytest.raises(TypeError), Relay(CONNECTION) as relay:
        Driver(relay, print, guardians=[LINKS])


class Host:
    """A connection whose one guardian is the host's own; it keeps what it is handed."""

    def __init__(self, consult, config=None, **more):
        permit = {"name": "aunt", "reads": ["/request/message"], "phases": ["before_show"], "deadline_ms": 60_000,
            **more}
        self.handed, self.journal, self.sent, self.changed = {}, [], [], asyncio.Event()
        host = {name: self.hand for name in ("show", "settled", "problem")}
        connection = {**CONNECTION, "principal": "ann", "config": config or {}}
        self.driver = Driver(connection, self.write, host, self.journal.append, consult=consult, guardians=[permit])
        self.driver.receive("server", create(1, BLANK))

    def write(self, end, message):
        self.sent.append(json.loads(message))

    def hand(self, effect):
        self.handed[effect["effect"]] = effect.get("reply", effect)
        self.changed.set()

    def why(self):
        return "; ".join(why(self.handed["settled"]))

    def answer(self):
        show = self.handed["show"]
        event = {"event": "answered", "session": show["session"], "id": show["id"], "action": "accept", "content": {}}
        self.driver.do({**event, "principal": "ann"})

    async def until(self, name):
        while name not in self.handed:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), 60)
        return self.handed.pop(name)


def run(body):
    asyncio.run(body())


TOO_LONG = "x" * (9 << 20)  # for any input


async def says_too_much(effect):
    return TOO_LONG


def breaks(effect):
    raise OSError("no model")


async def breaks_later(effect):
    await asyncio.sleep(0)
    raise OSError("no model")


async def gives_up(effect):
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    "consult, said",
    [
        (None, "(unavailable)"),
        (breaks, "(unavailable)"),
        (lambda e: None, "(unavailable)"),
        (lambda e: "", "(bad_output)"),
        (lambda e: 7, "(bad_output)"),
        (lambda e: "\ud800", "(bad_output)"),
        (lambda e: TOO_LONG, "(bad_output)"),
        (lambda e: {"output": verdict("pass"), "principal": "\ud800"}, "(bad_output)"),
        (lambda e: {"fault": "tired"}, "(unavailable)"),
        (lambda e: "certainly!", "(bad_verdict)"),
        (lambda e: {"fault": "trap"}, "(trap)"),
        (lambda e: verdict("deny", "Not on Sundays"), "guardian aunt denies it: Not on Sundays"),
    ],
)
def test_what_is_said_at_once_is_heard_at_once(consult, said):
    async def body():
        host = Host(consult)
        events = [r["event"]["event"] for r in map(json.loads, host.journal)]
        assert said in host.why() and events[-2:] == ["asked", "consulted"]
        assert (host.handed["settled"]["outcome"], host.handed["settled"]["cause"]) == ("decline", "guardian")
        assert [message["result"]["action"] for message in host.sent] == ["decline"]

    run(body)


@pytest.mark.parametrize(
    "consult, fault", [(breaks_later, "unavailable"), (gives_up, "unavailable"), (says_too_much, "bad_output")]
)
def test_a_coroutine_that_fails_is_no_reason_to_wait(consult, fault):
    async def body():
        reply = await Host(consult).until("settled")
        assert "guardian aunt gave no verdict (%s)" % fault in "; ".join(why(reply))

    run(body)


def test_a_module_that_nobody_loaded_is_missing():
    async def body():
        host = Host(None, digest="a" * 64, declared={"phases": ["before_show"], "reads": []})
        assert "(not_loaded)" in host.why()

    run(body)


def test_a_coroutine_may_take_its_time():
    async def body():
        gate = asyncio.Event()

        async def consult(effect):
            assert effect["question"]["request"] == {"message": "Where to?"}
            await gate.wait()
            return verdict("ask", "Are you sure?")

        host = Host(consult)
        assert not host.handed
        gate.set()
        question = Question(await host.until("show"))
        assert question.warnings() == ["aunt says: Are you sure?"]
        assert question.voices() == ["guardian aunt wants a person's word: Are you sure?"]
        host.driver.shutdown()
        text = "".join(r + "\n" for r in host.journal)
        assert evaluate("replay", {"journal_text": text}) == {"records": len(host.journal)}

    run(body)


def test_nobody_is_asked_about_what_is_over():
    async def body():
        ended = asyncio.Event()

        async def consult(effect):
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        host = Host(consult)
        await asyncio.sleep(0)
        host.driver.receive("server", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
        await asyncio.wait_for(ended.wait(), 60)
        assert "problem" not in host.handed

    run(body)


def test_a_word_that_comes_too_late_disturbs_nobody():
    async def body():
        gate = asyncio.Event()

        async def consult(effect):
            await gate.wait()
            return verdict("pass")

        host = Host(consult, phases=["before_send"], deadline_ms=30)
        host.answer()
        problem = await host.until("problem")
        assert why(problem) == ["aunt does not let this answer be sent: fault timeout"]
        gate.set()
        for _ in range(5):
            await asyncio.sleep(0)
        assert "problem" not in host.handed and "settled" not in host.handed

    run(body)


@pytest.mark.parametrize(
    "principal, outcome, said",
    [("bob", "accept", "bob approved for guardian aunt"),
        ("ann", "cancel", "nobody else approved for guardian aunt (unavailable)")],
)
def test_the_second_person_is_another(principal, outcome, said):
    def consult(effect):
        if effect["phase"] == "second_person":
            return {"output": verdict("allow"), "principal": principal}
        return verdict("pass", obligations=[{"do": "second_person"}])

    async def body():
        host = Host(consult, phases=["before_send"])
        host.answer()
        assert host.handed["settled"]["outcome"] == outcome and said in host.why() and "problem" not in host.handed

    run(body)


@pytest.mark.parametrize(
    "word, times, outcome, said",
    [
        ('{"outcome":"allow","risk_level":"low"}', 1, "accept", "reviewer auto allows it (low risk)"),
        ('{"outcome":"deny","rationale":"On a Friday?"}', 1, "decline", "the reviewer auto says: On a Friday?"),
        ('It says {"outcome":"allow"}.\n{"outcome":"deny"}', 3, "decline",
            "reviewer auto gave no usable answer (bad_verdict)"),
        ("Sure.", 3, "decline", "reviewer auto gave no usable answer (bad_verdict)"),
    ],
)
def test_a_reviewer_is_a_function_that_asks_a_model(word, times, outcome, said):
    prompts, replies = [], []

    def consult(effect):
        prompts.append(effect["question"]["prompt"])
        return word

    async def body():
        policy = {"policy": {"user": {"version": 1, "reviewer": "auto_review"}}}
        auto = Guardian(name="auto", reviewer=True, reads=["/request/message"])
        host = {"settled": lambda effect: replies.append(effect["reply"])}
        driver = Driver({**CONNECTION, "config": policy}, lambda end, message: None, host, consult=consult,
            guardians=[auto])
        driver.receive("client", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deploy"}}')
        driver.receive("server", create(1, BLANK, _meta=APPROVAL))
        assert len(prompts) == times and "Where to?" in prompts[0]["user"]
        assert replies[0]["outcome"] == outcome and said in "; ".join(why(replies[0]))

    run(body)


def test_all_records_of_a_step_are_kept_first():
    async def body():
        order = []
        journal = lambda record: order.append(json.loads(record)["event"]["event"])  # noqa: E731
        driver = Driver(CONNECTION, lambda end, message: order.append("answer"), None, journal,
            guardians=[LINKS, ANSWERS])
        params = {"mode": "url", "message": "Pay here", "url": "https://pay.example.com/", "elicitationId": "l"}
        question = {"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": params}
        driver.receive("server", json.dumps(question).encode())
        assert order == ["configured", "opened", "asked", "consulted", "answer"]

    run(body)


def called(person, tool, arguments, **more):
    mcp = pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")
    pytest.importorskip("fastmcp")
    replies = []

    async def body():
        server = server_of_forms()
        callback = elicitation_callback({}, person, server="booking", settled=replies.append, **more)
        async with mcp.Client(server, elicitation_callback=callback, mode="legacy") as client:
            return (await client.call_tool(tool, arguments)).content[0].text

    got = json.loads(asyncio.run(asyncio.wait_for(body(), 60)))
    return got, why(replies[-1])


def test_a_fastmcp_server_s_page_is_denied_by_a_guest():
    person = Person()
    got, said = called(person, "visit", {"url": "https://pay.example.com/"}, guardians=[LINKS])
    assert got == {"action": "decline"} and person.shown == []
    assert "guardian no-links denies it: No links here" in said


def test_an_answer_is_refused_then_confirmed_then_sent():
    person = Person(*(Answer("accept", {"name": name}) for name in ("drop it", "prod", "prod")))
    got, said = called(person, "ask", {"type": "closed", "message": "Which?"}, guardians=[ANSWERS])
    assert got["data"] == {"name": "prod"}
    assert [q.complaints() for q in person.shown] == [
        [],
        ["wary does not let this answer be sent: Nothing is dropped from here"],
        ["wary wants this confirmed: This is production. Send it again if that is meant"],
    ]
    assert [p["pointer"] for p in person.shown[1].problems] == ["/name"]
    assert "guardian wary wants a person's word: This is production" in said


def test_a_host_s_own_guardian_is_asked_through_the_adapter():
    async def consult(effect):
        await asyncio.sleep(0)
        return verdict("deny", "Ask Ann first")

    aunt = Guardian(name="aunt", reads=["/request/message"], phases=["before_show"])
    got, said = called(Person(), "ask", {"type": "str", "message": "?"}, guardians=[aunt], consult=consult)
    assert got == {"action": "decline"} and "guardian aunt denies it: Ask Ann first" in said


def test_the_prompt_says_what_a_guardian_has_against_an_answer():
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    with Engine(guardians=[ANSWERS, {"name": "aunt", "phases": ["before_show"]}]) as engine:
        engine.step(OPENED)
        consult = engine.step({**ASKED, "schema": schema})[1]
        said = {"event": "consulted", "session": "s", "id": consult["id"], "round": consult["round"],
            "output": verdict("ask", "Hm")}
        show = [e for e in engine.step(said) if e["effect"] == "show"][0]
        refused = engine.step(Answer("accept", {"name": "drop it"}).event("s", show["id"]))[-2]
    written = []
    prompt = Prompt(lambda p: "fine", write=written.append)
    answer = asyncio.run(prompt.ask(Question(show, json.dumps(schema), refused["problems"])))
    assert answer.content == {"name": "fine"}
    assert "  ! guardian aunt wants a person's word: Hm" in written and "  ! medium: aunt says: Hm" in written
    assert "  ! wary does not let this answer be sent: Nothing is dropped from here" in written
