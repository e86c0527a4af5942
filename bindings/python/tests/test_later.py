"""A host of today reads what a later version writes: unknown effects and members change nothing of what it knows."""

import json
import pathlib

from elicit_engine.engine import effects

STEPS = pathlib.Path(__file__).resolve().parents[3] / "testdata" / "later.json"


def known(value, of):
    """The members of a value that another value has too."""
    if isinstance(value, list) and isinstance(of, list):
        assert len(value) == len(of)
        return [known(one, other) for one, other in zip(value, of)]
    if isinstance(value, dict) and isinstance(of, dict):
        return {name: known(value[name], of[name]) for name in value if name in of}
    return value


def test_later_versions_change_nothing_of_what_is_known():
    steps = json.loads(STEPS.read_text(encoding="utf-8"))
    assert len(steps) > 50
    for step in steps:
        want = effects(step["plain"].encode())
        names = {effect["effect"] for effect in want}
        got = [effect for effect in effects(step["later"].encode()) if effect["effect"] in names]
        assert json.dumps(known(got, want)) == json.dumps(want), step["later"]
