"""Agent frameworks' own packages produce the interrupts, and continue with the answers. See realparts/agents."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PARTS = ROOT / "testdata" / "realparts"
INSIDE = PARTS / "venv-agents" / "bin" / "python"


@pytest.mark.parametrize(
    "case", ["langchain_batched", "langchain_per_call", "langgraph", "pydantic_ai", "ag_ui", "openai"]
)
def test_an_agent_continues_as_the_person_decided(case):
    if not INSIDE.exists() and os.environ.get("CI") != "true":
        pytest.skip("run testdata/realparts/setup.sh")
    library = str(pathlib.Path(os.environ["ELICIT_LIBRARY"]).resolve())
    source = str(ROOT / "bindings" / "python" / "src")
    # The frameworks tell nobody of their runs.
    quiet = {"LANGSMITH_TRACING": "false", "ELICIT_LIBRARY": library, "PYTHONPATH": source}
    out = subprocess.run(
        [str(INSIDE), str(PARTS / "agents" / "agents.py"), case],
        env={**os.environ, **quiet},
        text=True,
        capture_output=True,
        timeout=300,
    )
    assert out.returncode == 0, out.stdout + out.stderr
