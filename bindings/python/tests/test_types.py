"""The package's types: the checkers find nothing wrong, and no public name is without a type."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCE = ROOT / "bindings" / "python" / "src"
PYRIGHT = ROOT / "testdata" / "realparts" / "node_modules" / "pyright" / "index.js"


#: What mypy knows of files that did not change, for all tests that run it.
KNOWN = ["--cache-dir", str(ROOT / "dist" / "mypy")]


def test_the_package_passes_strict_checks():
    pytest.importorskip("mypy")
    pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")
    command = [sys.executable, "-m", "mypy", "--strict", *KNOWN, str(SOURCE)]
    out = subprocess.run(command, capture_output=True, text=True)
    assert out.returncode == 0, out.stdout + out.stderr


def test_every_public_name_has_a_type(tmp_path):
    """Pyright looks at an installed package only, so the package is copied into an environment of its own."""
    if not PYRIGHT.exists() and os.environ.get("CI") != "true":
        pytest.skip("run testdata/realparts/setup.sh")
    pytest.importorskip("mcp", reason="the official SDK needs Python 3.10")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    inside = tmp_path / "venv" / "bin" / "python"
    find = [str(inside), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = pathlib.Path(subprocess.run(find, capture_output=True, text=True, check=True).stdout.strip())
    shutil.copytree(SOURCE / "elicit_engine", site / "elicit_engine", ignore=shutil.ignore_patterns("*.so*"))
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    environment = {**os.environ, "VIRTUAL_ENV": str(tmp_path / "venv")}
    environment["PATH"] = "%s:%s" % (inside.parent, environment["PATH"])
    # The types of pydantic, which those of the official SDK use, are not complete; they are not this package's.
    command = ["node", str(PYRIGHT), "--ignoreexternal", "--verifytypes", "elicit_engine", "--outputjson"]
    out = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    said = json.loads(out.stdout)["typeCompleteness"]
    wrong = [s["name"] for s in said["symbols"] if s["isExported"] and not s["isTypeKnown"]]
    assert said["exportedSymbolCounts"]["withKnownType"] > 200, out.stderr
    assert said["completenessScore"] == 1, wrong
