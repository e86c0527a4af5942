"""What cannot be seen in a peer's text, by the table and the cases that all interfaces share."""

import json
import pathlib

from elicit_engine.invisible import INVISIBLE
from elicit_engine.plain import line

SHARED = pathlib.Path(__file__).resolve().parents[3] / "testdata" / "plain.json"


def test_the_shared_cases():
    cases = json.loads(SHARED.read_text(encoding="utf-8"))
    assert len(cases) > 10
    for case in cases:
        assert line(case["in"]) == case["out"].replace("\n", " "), case["name"]


def test_nothing_of_the_table_stays_between_letters():
    hidden = [chr(code) for first, last in INVISIBLE for code in range(first, last + 1)]
    drawn = line("a" + "a".join(hidden) + "a")
    assert len(hidden) > 130_000
    assert not set(hidden) & set(drawn)
