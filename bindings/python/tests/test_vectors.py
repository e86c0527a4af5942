"""Every vector through ctypes, byte for byte."""

import json
import pathlib
import re

from elicit_engine import evaluate_text

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "testdata" / "vectors"
SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')


def member(text: str, name: str) -> str:
    """The exact text of a member of the outermost object."""
    decoder = json.JSONDecoder()
    at = text.index("{") + 1
    while True:
        at = re.compile(r"[\s,]*").match(text, at).end()
        key, at = decoder.raw_decode(text, at)
        at = re.compile(r"\s*:\s*").match(text, at).end()
        _, end = decoder.raw_decode(text, at)
        if key == name:
            return text[at:end]
        at = end


def test_vectors() -> None:
    ran, wrong = 0, []
    index = json.loads((VECTORS / "index.json").read_text())
    for entry in index:
        path = VECTORS / (entry["tcId"] + ".json")
        text = path.read_text()
        want = SPACE.sub(lambda m: m.group(1) or "", member(text, "want"))
        got = evaluate_text(json.loads(text)["op"], member(text, "in"))
        ran += 1
        if got != want.encode():
            wrong.append("%s\n got %s\nwant %s" % (path, got.decode(), want))
    print("vectors through Python: %d" % ran)
    assert ran == len(index) > 1000 and not wrong, "\n".join(wrong[:5])
