import ast
import gc
import json
import multiprocessing
import os
import pathlib
import re
import threading

import pytest

import elicit_engine
from elicit_engine import Busy, Engine, Forked, Form, HandleError, InputError, LibraryMissing
from elicit_engine import describe, evaluate, guest, selfcheck
from elicit_engine import library as c
from elicit_engine.question import Answer, Question, Reading

OPENED = {"event": "opened", "session": "s", "server": "build", "side": "answering",
          "declared": ["form"], "shown": ["form"]}
SCHEMA = {"type": "object", "properties": {"region": {"type": "string", "enum": ["eu", "us"]}}, "required": ["region"]}
ASKED = {"event": "asked", "session": "s", "ref": "1", "mode": "form", "message": "Where to?", "schema": SCHEMA}
RANDOM = "01" * 32


def kinds(effects):
    return [effect["effect"] for effect in effects]


def test_a_question_is_asked_and_answered():
    with Engine() as engine:
        assert kinds(engine.beginning) == ["append"]
        engine.step(OPENED)
        show = engine.step(ASKED)[-1]
        assert show["effect"] == "show" and show["form"]["fields"][0]["name"] == "region"
        answer = {"event": "answered", "session": "s", "id": show["id"], "action": "accept",
                  "content": {"region": "eu"}}
        reply = [e for e in engine.step(answer) if e["effect"] == "reply"][0]
        assert (reply["outcome"], reply["content"], reply["cause"]) == ("accept", {"region": "eu"}, "user")


def test_time_and_dice_make_it_repeat():
    def once():
        with Engine({"profile": "2025-11-25"}, at=999, random=RANDOM) as engine:
            return [engine.step_text({"event": event, "at": 1000 + i, "random": RANDOM})
                    for i, event in enumerate((OPENED, ASKED))]

    assert once() == once()


def test_an_event_may_be_wrapped():
    at, random = 5, "01" * 32
    with Engine(at=at, random=random) as bare, Engine(at=at, random=random) as wrapped:
        for event in (OPENED, ASKED):
            effects = bare.step(event, at, random)
            assert wrapped.step({"event": event, "at": at, "random": random}) == effects
        assert wrapped.step({"event": ASKED, "at": 9}, random=random) == bare.step(ASKED, 9, random)
        with pytest.raises(ValueError, match="at is given twice"):
            wrapped.step({"event": ASKED, "at": 9}, 9)
        assert json.loads(bare.step_text(OPENED))["effects"]


def test_what_is_printed_of_an_object_holds_no_answer():
    question = Question({"server": "backup", "mode": "form", "message": "Token?"})
    assert repr(question) == "<Question of 'backup': form, 'Token?'>"
    answer = Answer("accept", {"token": "s3cret"}, via="script")
    assert repr(answer) == "<Answer accept, fields token via script>" and repr(Answer("cancel")) == "<Answer cancel>"
    assert repr(Reading({"token": "s3cret"}, [])) == "<Reading of fields token, problems=[]>"
    with Engine() as engine:
        assert repr(engine).startswith("<Engine, handle ")
    assert repr(engine) == "<Engine, closed>"


def test_a_record_keeps_its_bytes():
    with Engine() as engine:
        form = '{"type":"object","properties":{"n":{"type":"number","maximum":1e400,"minimum":1.50}}}'
        asked = {name: value for name, value in ASKED.items() if name != "schema"}
        out = engine.beginning + engine.step(OPENED) + engine.step({**asked, "schema_text": form})
        records = [effect["record"] for effect in out if effect["effect"] == "append"]
        assert len(records) == 3 and '"maximum":1e400,"minimum":1.50' in records[2].replace("\\", "")
        assert elicit_engine.evaluate("replay", {"journal_text": "".join(r + "\n" for r in records)}) == {"records": 3}


NO_LINKS = (pathlib.Path(__file__).parents[3] / "testdata/guests/no-links.wasm").read_bytes()
VISITED = {**OPENED, "declared": ["form", "url"], "shown": ["form", "url"]}
LINK = {"event": "asked", "session": "s", "ref": "1", "mode": "url", "message": "Pay here",
        "url": "https://pay.example.com/", "link": "l"}


def guarded(**more):
    declared = {"phases": ["before_show"], "reads": ["/request/mode", "/request/url"]}
    grant = {"name": "g", "digest": guest(NO_LINKS)["digest"], "declared": declared, "reads": ["/request/mode"]}
    return {"guardians": [{**grant, **more}]}


def test_guests_run_inside_a_step():
    assert guest(NO_LINKS)["manifest"]["name"] == "no-links"
    with Engine(guarded()) as engine:
        engine.step(VISITED)
        effects = engine.step(LINK)
        assert kinds(effects)[:3] == ["append", "append", "reply"] and "consult" not in kinds(effects)
        assert (effects[2]["outcome"], effects[2]["cause"]) == ("decline", "guardian")
        assert [json.loads(e["record"])["seq"] for e in effects[:2]] == [3, 4]
        assert kinds(engine.step({**ASKED, "ref": "2"})) == ["append", "append", "show", "wake"]


def test_a_host_may_run_guests_itself():
    with Engine(guarded(host=True)) as engine:
        engine.step(VISITED)
        consult = engine.step(LINK)[1]
        assert consult["effect"] == "consult" and consult["question"]["request"] == {"mode": "url"}
        verdict = json.dumps({"v": 1, "decision": "pass"})
        answer = {"event": "consulted", "session": "s", "id": consult["id"], "round": consult["round"],
                  "output": verdict}
        assert "show" in kinds(engine.step(answer))


def test_what_is_no_guest_is_refused():
    with pytest.raises(InputError):
        guest(NO_LINKS[:-1])
    with pytest.raises(InputError) as refused:
        Engine(guarded(settings={"a": 1}))
    assert refused.value.problems[0]["pointer"] == "/guardians/0/settings"


def test_a_wrong_answer_is_a_value():
    with Engine() as engine:
        engine.step(OPENED)
        show = engine.step(ASKED)[-1]
        effects = engine.step({"event": "answered", "session": "s", "id": show["id"], "action": "accept",
                               "content": {"region": "mars"}})
        problem = [e for e in effects if e["effect"] == "problem"][0]
        assert problem["problems"][0]["pointer"] == "/region"


def test_what_cannot_be_read_is_an_error():
    with pytest.raises(InputError) as error:
        Engine({"polizei": {}})
    assert error.value.problems[0]["pointer"] == "/polizei"
    assert error.value.sentences[0] in str(error.value) and " (at /polizei)" in str(error.value)
    assert "unknown_member" not in str(error.value) and "'code': 'unknown_member'" in repr(error.value)
    with Engine() as engine, pytest.raises(InputError):
        engine.step({"event": "exploded"})
    with pytest.raises(InputError):
        Form({"type": "array"})
    with pytest.raises(InputError) as error:
        Engine("x" * (8 * 1024 * 1024 + 1))
    assert error.value.problems[0]["code"] == "json_size"


def test_a_session_goes_on_elsewhere():
    with Engine() as here, Engine() as there:
        here.step(OPENED)
        here.step(ASKED)
        assert "show" in kinds(there.resume(here.save("s")))
        assert here.save("unknown") is None


def test_a_form_checks_at_every_key():
    with Form(SCHEMA) as form:
        assert [f["name"] for f in form.fields] == ["region"]
        assert form.check({"region": "eu"}) == []
        assert form.check('{"region":"mars"}')[0]["pointer"] == "/region"
    with Form(json.dumps(SCHEMA), profile="2025-11-25") as form:
        assert form.check({})[0]["code"] == "missing"


def test_what_is_closed_stays_closed():
    engine = Engine()
    engine.close()
    engine.close()
    with pytest.raises(HandleError):
        engine.step(OPENED)


def test_what_is_forgotten_is_closed():
    engine = Engine()
    handle = engine._handle
    del engine
    gc.collect()
    with pytest.raises(HandleError):
        c.library().step(handle, b'{"list":"grants"}')


def test_surrogates_and_nan_are_refused_and_nothing_breaks():
    assert evaluate("parse", {"document_text": '"\ud800"'})["problems"]
    with pytest.raises(ValueError):
        evaluate("parse", {"document": float("nan")})


def test_the_constants_are_the_library_s():
    said = describe()
    assert tuple(said["statuses"]) == c.STATUSES[: len(said["statuses"])]
    assert said["abi"]["oldest"] <= c.ABI <= said["abi"]["current"]


def test_the_words_this_package_uses_are_the_library_s():
    said = describe()
    keys = "profile pauses join_duplicates offer_scopes show_changes servers grants guardians limits policy"
    assert [key["name"] for key in said["configuration"]] == keys.split()
    assert said["layers"] == ["managed", "user", "project", "session"]
    assert set(said["abouts"]) >= {"answer", "guardian"}
    assert set(said["faults"]) >= {"bad_output", "not_loaded", "unavailable"}
    assert "no_ui" in said["vias"]


def test_threads_take_turns_or_are_told():
    told, wrong = [], []

    def run(engine):
        for _ in range(200):
            try:
                engine.step({"event": "ticked"})
            except Busy:
                told.append(1)
            except Exception as error:  # noqa: BLE001 - whatever it is, the test must see it
                wrong.append(error)

    with Engine() as engine:
        threads = [threading.Thread(target=run, args=(engine,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def spawned(queue):
    queue.put(describe()["abi"]["current"])


def test_a_spawned_process_has_an_engine():
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue()
    process = spawn.Process(target=spawned, args=(queue,))
    process.start()
    assert queue.get(timeout=60) == describe()["abi"]["current"]
    process.join(60)
    assert process.exitcode == 0


def test_a_forked_process_is_told():
    describe()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            Engine()
            os.write(write, b"an engine")
        except Forked as error:
            os.write(write, str(error).encode())
        finally:
            os._exit(0)
    os.close(write)
    assert b"spawn" in os.read(read, 200)
    os.waitpid(child, 0)
    os.close(read)


def test_selfcheck():
    assert set(selfcheck()) == {"ok", "warnings"}


def test_a_missing_library_says_where_it_was_sought(monkeypatch):
    monkeypatch.setenv("ELICIT_LIBRARY", "/nowhere/libelicit.so.1")
    monkeypatch.setattr(c, "places", lambda: ["/nowhere/libelicit.so.1"])
    with pytest.raises(LibraryMissing, match="/nowhere/libelicit.so.1"):
        c._load()


def test_the_source_is_python_3_9():
    source = pathlib.Path(c.__file__).parent
    files = sorted(source.glob("*.py"))
    assert len(files) > 8
    for file in files:
        ast.parse(file.read_text(), feature_version=(3, 9))


def test_the_program_of_the_front_page(capsys):
    page = (pathlib.Path(__file__).resolve().parents[3] / "README.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(program, {})
    assert capsys.readouterr().out == "append \nreply decline\n"
