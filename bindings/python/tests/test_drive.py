"""The driver on asyncio: effects in order, one timer, a journal that may fail, and whoever is asked."""

import asyncio
import json
import random
import time

import pytest

from elicit_engine import HandleError, InputError, JournalError, Relay, evaluate
from elicit_engine.drive import Driver
from elicit_engine.fault import durable
from elicit_engine.library import Callbacks
from elicit_engine.question import Answer

from test_engine import SCHEMA

MODES = ["form", "url"]
CONNECTION = {"server": "build", "modes": MODES, "session": {"version": "2025-11-25", "declared": MODES}}


def create(ref, schema=SCHEMA, **more):
    """A question of the server, as its bytes."""
    params = {"message": "Where to?", "requestedSchema": schema, **more}
    return json.dumps({"jsonrpc": "2.0", "id": ref, "method": "elicitation/create", "params": params}).encode()


class Host:
    """A driver, and in `story` what it had done, in order. `sent` has the messages to the server by their ids."""

    def __init__(self, config=None, kept=None, **more):
        self.story, self.journal, self.sent, self.effects = [], [], {}, []
        self.kept, self.changed = kept, asyncio.Event()
        names = ("show", "withdraw", "problem", "note", "close", "settled")
        host = {name: self.told for name in names}
        self.driver = Driver({**CONNECTION, "config": config or {}}, self.write, host, self.keep, **more)

    def write(self, end, message):
        self.story.append("to " + end)
        if end == "server":
            read = json.loads(message)
            self.sent.setdefault(read["id"], []).append(read)
        self.changed.set()

    def keep(self, record):
        if len(self.journal) == self.kept:
            raise OSError("no space left on device")
        self.journal.append(record)
        self.story.append("record")

    def told(self, effect):
        self.story.append(effect["effect"])
        self.effects.append(effect)
        self.changed.set()

    def last(self, name):
        return [e for e in self.effects if e["effect"] == name][-1]

    def answer(self, action="decline", **more):
        show = self.last("show")
        self.driver.do({"event": "answered", "session": show["session"], "id": show["id"], "action": action, **more})

    async def until(self, done):
        while not done():
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), 60)


def run(body):
    return asyncio.run(body())


def error_of(message):
    return message["error"]["data"]["problems"][0]["code"]


def test_records_come_before_what_follows_from_them():
    async def body():
        host = Host()
        host.driver.receive("server", create(1))
        host.answer()
        assert host.story == ["record", "record", "record", "show", "record", "settled", "to server"]
        assert host.sent[1][0]["result"] == {"action": "decline"}

    run(body)


def test_what_is_no_question_passes_as_it_is():
    async def body():
        written = []
        driver = Driver(CONNECTION, lambda end, message: written.append((end, message)))
        call, notice = b'{"jsonrpc":"2.0", "id":1,"method":"x"}', b'{"jsonrpc":"2.0","method":"\xc3\xa9"}'
        driver.receive("client", call)
        driver.receive("server", notice)
        assert written == [("server", call), ("client", notice)]

    run(body)


@pytest.mark.parametrize("seed", range(20))
def test_effects_and_members_of_a_later_version_change_nothing(seed):
    async def body():
        host, chance = Host(), random.Random(seed)
        next_effect = host.driver.relay.next
        later = {"later": {"a": [None, 1.5]}, "in": "", "\ud800": [], "to": "client", "id": 7, "problems": {}}

        def mixed(*given):
            if chance.random() < 0.5:
                names = ["sing", "", "__class__", "Show", "show ", "items"]
                return {"effect": chance.choice(names), **dict(chance.sample(sorted(later.items()), 3))}, None
            effect, message = next_effect(*given)
            return {"effect_later": 1, **effect, "later_%d" % chance.randrange(9): later}, message

        host.driver.relay.next = mixed
        host.driver.receive("server", create(1))
        host.answer()
        assert host.story == ["record", "record", "record", "show", "record", "settled", "to server"]
        assert host.sent[1][0]["result"] == {"action": "decline"}

    run(body)


def test_an_odd_id_goes_on_in_the_spelling_of_the_machine():
    async def body():
        written = []
        driver = Driver(CONNECTION, lambda end, message: written.append((end, message)))
        driver.receive("client", b'{"jsonrpc":"2.0", "id":1.0e0,"method":"x"}')
        assert written == [("server", b'{"jsonrpc":"2.0", "id":1,"method":"x"}')]

    run(body)


def test_the_journal_verifies():
    async def body():
        host = Host()
        host.driver.receive("server", create(1))
        host.driver.shutdown()
        host.driver.shutdown()
        assert host.sent[1][0]["result"] == {"action": "cancel"} and host.story[-1] == "close"
        journal = "".join(record + "\n" for record in host.journal)
        assert evaluate("replay", {"journal_text": journal}) == {"records": len(host.journal)}

    run(body)


@pytest.mark.parametrize("kept", [3, 4])
def test_a_full_disk_answers_every_open_question_with_an_error(kept):
    async def body():
        host = Host({"limits": {"shown": 9}}, kept)
        host.driver.receive("server", create(1))
        if kept == 3:
            with pytest.raises(JournalError):
                host.driver.receive("server", create(2))
        else:
            host.driver.receive("server", create(2))
            with pytest.raises(JournalError) as failed:
                host.answer("accept", content={"region": "eu"})
            assert isinstance(failed.value.__cause__, OSError)
        assert [error_of(answer) for ref in (1, 2) for answer in host.sent[ref]] == ["journal_failed"] * 2
        host.driver.receive("server", create(3))
        host.driver.do({"event": "ticked"})
        assert error_of(host.sent[3][0]) == "journal_failed" and len(host.journal) == kept
        host.driver.receive("server", b'{"jsonrpc":"2.0","method":"n"}')
        assert host.story[-1] == "to client"

    run(body)


@pytest.mark.parametrize("kept", [0, 1])
def test_a_journal_that_takes_nothing_is_known_at_once(kept):
    async def body():
        with pytest.raises(JournalError):
            Host(kept=kept)

    run(body)


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit(3)])
def test_what_ends_the_program_during_a_record_is_raised(end):
    async def body():
        host = Host()
        host.driver.receive("client", b'{"jsonrpc":"2.0","method":"n"}')

        def interrupted(record):
            raise end

        host.driver._callbacks = Callbacks(durable(interrupted, {}), host.driver._consults.begin)
        with pytest.raises(type(end)) as raised:
            host.driver.receive("server", create(1))
        assert raised.value is end and error_of(host.sent[1][0]) == "journal_failed"
        host.driver.receive("client", b'{"jsonrpc":"2.0","method":"n"}')  # raised once

    run(body)


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
def test_a_journal_that_is_a_coroutine_function_keeps_nothing():
    async def body():
        async def keep(record):
            raise AssertionError("not reached")

        with pytest.raises(JournalError) as failed:
            Driver(CONNECTION, lambda end, message: None, journal=keep)
        assert isinstance(failed.value.__cause__, TypeError)

    run(body)


def test_random_bytes_that_are_too_few_count_as_none():
    async def body():
        host = Host()
        host.driver._callbacks = Callbacks(durable(host.keep, {}), host.driver._consults.begin, lambda: b"few")
        host.driver.receive("server", create(1))
        assert error_of(host.sent[1][0]) == "journal_failed" and "show" not in host.story

    run(body)


def test_a_deadline_comes_by_itself():
    async def body():
        host = Host({"limits": {"answer_ttl_ms": 60}})
        host.driver.receive("server", create(1))
        await host.until(lambda: 1 in host.sent)
        assert (host.sent[1][0]["result"], host.last("settled")["reply"]["cause"]) == ({"action": "cancel"}, "timeout")

    run(body)


def test_a_timer_that_comes_early_is_set_again():
    async def body():
        begun, reads = time.time_ns() // 1_000_000, []

        def slow():  # a clock of half the speed: each timer ends too soon, again and again
            reads.append(1)
            return begun + (time.time_ns() // 1_000_000 - begun) // 2

        host = Host({"limits": {"answer_ttl_ms": 400}}, now=slow)
        host.driver.receive("server", create(1))
        records, before = len(host.journal), len(reads)
        host.driver.do({"event": "ticked"})
        assert not host.sent
        await host.until(lambda: 1 in host.sent)
        assert host.last("settled")["reply"]["cause"] == "timeout" and len(reads) > before + 2
        assert len(host.journal) == records + 1

    run(body)


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_timer_does_not_follow_the_wall_clock(monkeypatch, hours):
    async def body():
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() + hours * 3_600_000_000_000)
        host = Host({"limits": {"answer_ttl_ms": 300}})
        begun = time.monotonic()
        host.driver.receive("server", create(1))
        await host.until(lambda: 1 in host.sent)
        assert host.last("settled")["reply"]["cause"] == "timeout"
        assert time.monotonic() - begun > 0.25

    run(body)


def test_an_id_in_use_has_one_answer():
    async def body():
        host = Host()
        host.driver.receive("server", create("a"))
        host.driver.receive("server", create("a"))
        host.answer("accept", content={"region": "eu"})
        assert error_of(host.sent[None][0]) == "ref_in_use"
        assert [answer["result"]["action"] for answer in host.sent["a"]] == ["accept"]

    run(body)


@pytest.mark.parametrize(
    "message, code",
    [
        (create(7).replace(b"Where", b"Wh\xffre"), "json_utf8"),
        (create(7).replace(b'"method"', b'"_meta":{"x":NaN},"method"'), "json_syntax"),
        (create(7).replace(b"{", b"{\r", 1), "message_line_break"),
        (b'{"jsonrpc":"2.0","method":"n"}\r' + create(7), "message_line_break"),
        (create(7) + b"\0", "json_trailing"),
        (create(7)[:-3], "json_truncated"),
    ],
)
def test_hostile_bytes_reach_nobody(message, code):
    async def body():
        host = Host()
        host.driver.receive("server", message)
        assert set(host.story) <= {"record", "note", "to server"} and "note" in host.story
        assert all("error" in answer for answers in host.sent.values() for answer in answers)
        said = host.last("note")["problems"][0]["code"]
        print(said); assert said == code

    run(body)


def test_an_event_that_cannot_be_read_changes_nothing():
    async def body():
        host = Host()
        host.driver.receive("server", create(1))
        before = list(host.story)
        for wrong in ({"event": "answered", "session": "s"}, {"event": "exploded"}):
            with pytest.raises(InputError):
                host.driver.do(wrong)
        with pytest.raises(ValueError):
            host.driver.receive("host", b"{}")
        assert host.story == before
        host.driver.relay.close()
        with pytest.raises(HandleError):
            host.driver.do({"event": "ticked"})

    run(body)


def test_what_a_performer_does_comes_after_the_step():
    async def body():
        order = []

        def show(effect):
            order.append("show")
            driver.do({"event": "answered", "session": effect["session"], "id": effect["id"], "action": "decline"})
            order.append("shown")

        driver = Driver(CONNECTION, lambda end, message: order.append("to " + end), {"show": show})
        driver.receive("server", create(1))
        assert order == ["show", "shown", "to server"]

    run(body)


def test_a_performer_that_breaks_holds_nothing_up():
    async def body():
        raised = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: raised.append(context["exception"]))
        host = Host({"policy": {"user": {"version": 1, "approval_policy": "never"}}})

        def breaks(end, message):
            raise BrokenPipeError(end)

        host.driver._write = breaks
        host.driver.receive("server", create(1))
        assert [repr(e) for e in raised] == ["BrokenPipeError('server')"] and host.story[-1] == "settled"

    run(body)


class Person:
    """Answers by a list of answers and exceptions; None never ends. Keeps what was shown."""

    def __init__(self, *answers):
        self.answers, self.shown, self.ended = list(answers), [], 0

    async def ask(self, question):
        self.shown.append(question)
        try:
            answer = self.answers.pop(0)
            if answer is None:
                await asyncio.Event().wait()
        finally:
            self.ended += 1
        if isinstance(answer, BaseException):
            raise answer
        return answer


def test_a_person_is_asked_until_the_answer_fits():
    async def body():
        person = Person(Answer("accept", {"region": "mars"}), Answer("accept", {"region": "eu"}))
        host = Host(ui=person)
        host.driver.receive("server", create(1))
        await host.until(lambda: 1 in host.sent)
        assert host.sent[1][0]["result"] == {"action": "accept", "content": {"region": "eu"}}
        assert [p["pointer"] for p in person.shown[1].problems] == ["/region"]
        assert person.shown[0].read({"region": "us"}).content == {"region": "us"}

    run(body)


def test_a_question_that_is_withdrawn_ends_its_task():
    async def body():
        person = Person(None)
        host = Host(ui=person)
        host.driver.receive("server", create(1))
        await asyncio.sleep(0)
        host.driver.receive("server", b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
        for _ in range(3):
            await asyncio.sleep(0)
        assert person.ended == 1 and not host.sent

    run(body)


@pytest.mark.parametrize(
    "answer",
    [RuntimeError("no window"), Answer("accept", {"region": float("nan")}), Answer("accept", {"region": "\ud800"})],
)
def test_a_broken_interface_is_known_at_once(answer):
    async def body():
        raised = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: raised.append(context["exception"]))
        host = Host(ui=Person(answer))
        host.driver.receive("server", create(1))
        await host.until(lambda: 1 in host.sent)
        assert host.sent[1][0]["result"] == {"action": "cancel"} and host.last("settled")["reply"]["cause"] == "no_ui"
        assert len(raised) == 1

    run(body)


def test_the_host_may_take_the_exception_of_its_interface():
    async def body():
        failures = []
        host = Host(ui=Person(RuntimeError("no window")), failed=failures.append)
        host.driver.receive("server", create(1))
        await host.until(lambda: failures)
        assert host.last("settled")["reply"]["cause"] == "no_ui"
        assert repr(failures[0].__cause__) == "RuntimeError('no window')" and failures[0].question.server

    run(body)


def test_an_interface_that_gives_up_leaves_no_question_open():
    async def body():
        host = Host(ui=Person(asyncio.CancelledError()))
        host.driver.receive("server", create(1))
        await host.until(lambda: 1 in host.sent)
        assert host.last("settled")["reply"]["cause"] == "no_ui"

    run(body)


def test_a_connection_repeats_to_the_byte():
    def once():
        with Relay(CONNECTION, at=5, random="01" * 32) as relay:
            event = {"event": "received", "from": "server"}
            return relay.step_text({"event": event, "message": create(1).decode(), "at": 6, "random": "02" * 32})

    assert once() == once()


class Broken(Relay):
    """A connection whose engine broke and was replaced."""

    replaced = True

    def next(self, callbacks, at=-1, elapsed=-1):
        if self.replaced and callbacks.append(None, None, 0) != 0:
            self.step({"event": "append_failed"})
        self.replaced = False
        return super().next(callbacks, at, elapsed)


@pytest.mark.parametrize("able", [True, False])
def test_a_new_chain_has_a_journal_of_its_own(able):
    async def body():
        kept, begun, sent = [], [], []
        host = {"new_journal": begun.append} if able else {}
        given = Broken(CONNECTION, pull=True), lambda end, message: sent.append(json.loads(message)), host, kept.append
        if able:
            Driver(*given).receive("server", create(1))
            assert begun == [{"effect": "new_journal"}] and kept and not sent
        else:
            with pytest.raises(JournalError) as failed:
                Driver(*given)
            assert isinstance(failed.value.__cause__, KeyError) and not kept

    run(body)


def test_a_connection_that_returns_its_effects_has_no_driver():
    with Relay(CONNECTION) as relay, pytest.raises(TypeError, match="pull=True"):
        Driver(relay, lambda end, message: None)
