"""Reads lines "NAME TIMES THREADS" and answers each with nanoseconds.

It reads its documents from the given directory.
"""

import json
import pathlib
import sys
import time

import jsonschema
import jsonschema_rs

import elicit_engine
from elicit_engine.library import library

# The engine's clock started with the system's and never goes back, so the questions have times in the year 2100.
at = 4102444800000
place = pathlib.Path(sys.argv[1])
names = ("answer", "wrong", "form", "check", "tick", "config", "opened", "asked", "answered")
text = {name: (place / name).read_text() for name in names}
schema = json.loads(text["form"])["schema"]
answer, wrong, check, tick = (text[name].encode() for name in ("answer", "wrong", "check", "tick"))
c, form = library(), elicit_engine.Form(schema)
handle = c.form(text["form"].encode())[0]
engine = c.open(text["config"].encode())[0]
c.step(engine, text["opened"].encode())
pure = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
rust = jsonschema_rs.validator_for(schema, validate_formats=True)

assert c.check(handle, answer) == b'{"problems":[]}' and c.check(handle, wrong) != b'{"problems":[]}'
assert form.check(text["answer"]) == [] and form.check(text["wrong"]) != []
assert pure.is_valid(json.loads(answer)) and not pure.is_valid(json.loads(wrong))
assert rust.is_valid(json.loads(answer)) and not rust.is_valid(json.loads(wrong))


def question():
    """Asks and answers once, in two steps from bytes to bytes."""
    global at
    at += 20
    now = '"at":%d' % at
    shown = c.step(engine, text["asked"].replace('"at":0', now, 1).encode())
    found = shown.index(b'"id":"', shown.index(b'"effect":"show"')) + 6
    answered = text["answered"].replace('"at":0', now, 1).replace("$1", shown[found : found + 32].decode(), 1)
    settled = c.step(engine, answered.encode())
    assert b'"effect":"reply"' in settled


def new_jsonschema():
    schema = json.loads(text["form"])["schema"]
    return jsonschema.Draft202012Validator(schema).is_valid(json.loads(answer))


def new_jsonschema_rs():
    schema = json.loads(text["form"])["schema"]
    return jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(json.loads(answer))


LINES = {
    "ctypes-check": lambda: c.check(handle, answer),
    "form-check": lambda: form.check(text["answer"]),
    "loads": lambda: json.loads(answer),
    "jsonschema": lambda: pure.is_valid(json.loads(answer)),
    "jsonschema-rs": lambda: rust.is_valid(json.loads(answer)),
    "new-jsonschema": new_jsonschema,
    "new-jsonschema-rs": new_jsonschema_rs,
    "eval": lambda: c.eval(b"check", check),
    "tick": lambda: c.step(engine, tick),
    "step": question,
}

for line in sys.stdin:
    name, times, _ = line.split()
    run, turns = LINES[name], range(int(times))
    start = time.perf_counter_ns()
    for _ in turns:
        run()
    print(time.perf_counter_ns() - start, flush=True)
