"""The policy of the administrator, read by the library as it is shipped, in a mount namespace with another /etc."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

DECLINES = '{"version":1,"rules":[{"name":"closed","when":{},"then":"decline"}]}'

PROGRAM = """
import json, elicit_engine as e
accept = {"version": 1, "rules": [{"when": {}, "then": "accept"}]}
with e.Engine({"policy": {**e.managed_policy(), "user": accept}}) as engine:
    engine.step({"event": "opened", "session": "s", "server": "x", "side": "answering", "declared": ["form"],
                 "shown": ["form"]})
    effects = engine.step({"event": "asked", "session": "s", "ref": "1", "mode": "form", "message": "Go on?",
                           "schema": {"type": "object", "properties": {}}})
print(json.dumps([effect for effect in effects if effect["effect"] == "reply"]))
"""


def decided(etc: Path) -> str:
    """The reply of an engine whose user accepts everything, on a machine with this /etc."""
    inside = ["unshare", "-m", "sh", "-c", 'mount --bind "$1" /etc && shift && exec "$@"', "sh", str(etc)]
    if subprocess.run([*inside, "true"], capture_output=True).returncode != 0:
        pytest.skip("no mount namespace can be made here")
    ran = subprocess.run([*inside, sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.skipif(not sys.platform.startswith("linux") or os.geteuid() != 0, reason="needs root on Linux")
def test_the_administrator_decides(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert json.loads(decided(tmp_path))[0]["outcome"] == "accept"
    file = tmp_path / "elicit" / "managed.json"
    file.parent.mkdir()
    file.write_text(DECLINES)
    file.chmod(0o644)
    reply = decided(tmp_path)
    assert json.loads(reply)[0]["outcome"] == "decline" and "closed" in reply
    file.chmod(0o666)
    reply = decided(tmp_path)
    assert json.loads(reply)[0]["outcome"] == "decline" and "has the mode 0666" in reply
