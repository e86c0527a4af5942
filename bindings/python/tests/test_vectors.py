"""Every vector through ctypes, byte for byte."""

import json
import os
import pathlib
import re
from collections.abc import Iterator

from elicit_engine import evaluate_text

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "testdata" / "vectors"
SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')


def parts(text: str, at: int) -> Iterator[tuple[str, str]]:
    """The name and the exact text of each member of the object at this place, or of each element of the list."""
    decoder, space = json.JSONDecoder(), re.compile(r"[\s,:]*")
    keyed, at = text[at] == "{", space.match(text, at + 1).end()
    while text[at] not in "]}":
        key = ""
        if keyed:
            key, at = decoder.raw_decode(text, at)
            at = space.match(text, at).end()
        _, end = decoder.raw_decode(text, at)
        yield key, text[at:end]
        at = space.match(text, end).end()


def test_vectors() -> None:
    ran, wrong = 0, []
    for path in sorted(VECTORS.glob("*/*.json")):
        for _, text in parts(path.read_text(), 0):
            vector = dict(parts(text, 0))
            want = SPACE.sub(lambda m: m.group(1) or "", vector["want"])
            got = evaluate_text(json.loads(vector["op"]), vector["in"])
            ran += 1
            if got != want.encode():
                name = json.loads(vector["tcId"]).split("/")[1]
                wrong.append("%s/%s#%s\n got %s\nwant %s" % (path.parent.name, path.name, name, got.decode(), want))
    print("vectors through Python: %d" % ran)
    assert ran > 1000 and not wrong, "\n".join(wrong[:5])
    if record := os.environ.get("ELICIT_HOSTS"):
        with open(record, "a") as file:
            file.write("Python vectors %d %d\n" % (ran, ran))
