"""The programs of the README, as a reader saves them: the type checker finds nothing, and they run."""

import asyncio
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from test_types import KNOWN

mcp = pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "bindings" / "python"
README = (PACKAGE / "README.md").read_text()
PROGRAMS = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", README, re.S))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with every program of the README, and the module that one of them names."""
    assert sorted(PROGRAMS) == ["calls.py", "client.py", "deploy.py", "guarded.py", "host.py", "server.py"]
    assert README.count("```python\n") == len(PROGRAMS), "a block has no file name, so nobody runs it"
    place = tmp_path_factory.mktemp("readme")
    for name, text in PROGRAMS.items():
        (place / name).write_text(text)
    shutil.copy(ROOT / "testdata" / "guests" / "no-links.wasm", place)
    return place


def run(folder, *arguments, typed=""):
    library = str(pathlib.Path(os.environ["ELICIT_LIBRARY"]).resolve())  # the program runs in another folder
    home = {**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "ELICIT_LIBRARY": library}
    return subprocess.run(
        [sys.executable, *arguments], input=typed, cwd=folder, env=home, text=True, capture_output=True, timeout=600
    )


@pytest.mark.parametrize("name", ["client.py", "host.py"])
def test_an_answer_is_asked_until_it_fits(folder, name):
    out = run(folder, name, typed="90\n7\n")
    assert out.returncode == 0 and "kept for 7 days" in out.stdout, out.stderr
    assert "/days: this must be at most 30" in out.stderr


@pytest.mark.parametrize("name", ["client.py", "host.py"])
def test_a_person_may_decline(folder, name):
    out = run(folder, name, typed="!decline\n")
    assert out.returncode == 0 and "decline" in out.stdout, out.stderr


def test_a_guardian_denies_a_link(folder):
    out = run(folder, "guarded.py")
    said = re.search(r"It prints why the question was denied:\n\n```\n(.*?)```", README, re.S).group(1)
    assert out.returncode == 0 and out.stdout == said, out.stderr


def test_each_call_of_a_framework_is_decided(folder):
    request = {"type": "mcp_approval_request", "server_label": "dice", "arguments": "{}"}
    calls = [{**request, "id": "a", "name": "roll"}, {**request, "id": "b", "name": "cheat"}]
    (folder / "response.json").write_text(json.dumps({"output": calls}))
    out = run(folder, "calls.py", "response.json", typed="y\nnever\n")
    assert out.returncode == 0 and out.stderr == "roll {}\ncheat {}\n"
    assert json.loads(out.stdout[out.stdout.index("[") :]) == [
        {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True},
        {"type": "mcp_approval_response", "approval_request_id": "b", "approve": False, "reason": "never"},
    ]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_server_asks_every_client(folder, mode):
    library = str(pathlib.Path(os.environ["ELICIT_LIBRARY"]).resolve())
    home = {**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "ELICIT_LIBRARY": library}
    server = mcp.StdioServerParameters(command=sys.executable, args=["deploy.py"], cwd=folder, env=home)

    async def answer(context, params):
        asked.append(params.message)
        content = {"region": "eu"} if len(asked) == 1 else {}
        return mcp.types.ElicitResult(action="accept", content=content)

    async def talk(person):
        async with mcp.Client(server, elicitation_callback=person, mode=mode) as client:
            result = await client.call_tool("deploy", {})
            for content in [] if person else [{"region": "us", "count": 3}, {}]:
                id = re.search(r'"id":"([^"]+)"', result.content[0].text).group(1)
                said = {"id": id, "action": "accept", "content": content}
                result = await client.call_tool("elicitation_result", said)
            return result.content[0].text

    asked = []
    assert asyncio.run(asyncio.wait_for(talk(answer), 60)) == "started 2 machines in eu"
    assert asked == ["Where should it run?", "Start 2 machines in EUROPE?"]
    assert asyncio.run(asyncio.wait_for(talk(None), 60)) == "started 3 machines in us"


def test_a_strict_type_checker_finds_nothing(folder):
    pytest.importorskip("mypy")
    out = run(folder, "-m", "mypy", "--strict", *KNOWN, *sorted(PROGRAMS))
    assert out.returncode == 0, out.stdout + out.stderr
