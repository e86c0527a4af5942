"""Judges what the tests of this directory draw, a line at a time: python peer.py KIND."""

import decimal
import json
import struct
import sys


def text(s):
    return "s" + s.encode("utf-8", "replace").hex()


def number(v):
    try:
        x = float(v)
    except OverflowError:
        x = float("inf") if v > 0 else float("-inf")
    return "n" + struct.pack(">d", x or 0.0).hex()


def value(v):
    if v is None:
        return "z"
    if v is True:
        return "t"
    if v is False:
        return "f"
    if isinstance(v, (int, float)):
        return number(v)
    if isinstance(v, str):
        return text(v)
    if isinstance(v, list):
        return "[" + ",".join(map(value, v)) + "]"
    return "{" + ",".join(k + ":" + m for k, m in sorted((text(k), value(m)) for k, m in v.items())) + "}"


def read(word):
    try:
        return value(json.loads(bytes.fromhex(word).decode("utf-8")))
    except ValueError:
        return "!"


def json_line(line):
    return " ".join(map(read, line.split(" ")))


def schema_line(line):
    from jsonschema import Draft202012Validator, validators

    def integer(_, v):
        whole = isinstance(v, decimal.Decimal) and v == v.to_integral()
        return whole or isinstance(v, int) and not isinstance(v, bool)

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", integer)
    validator = validators.extend(Draft202012Validator, type_checker=checker)
    decimal.getcontext().prec = 400
    answers = []
    for case in json.loads(line, parse_float=decimal.Decimal):
        refused = set()
        for e in validator(case["schema"]).iter_errors(case["answer"]):
            if e.validator == "required":
                refused.update(set(e.validator_value) - set(e.instance))
            else:
                refused.add(e.absolute_path[0])
        answers.append(sorted(refused))
    return json.dumps(answers)


judge = {"json": json_line, "schema": schema_line}[sys.argv[1]]
for line in sys.stdin:
    print(judge(line.rstrip("\n")), flush=True)
