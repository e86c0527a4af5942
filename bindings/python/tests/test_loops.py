"""The driver does what every host must do, with each vector of a connection. See `internal/hostkit`."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_loops():
    if not shutil.which("go"):
        pytest.skip("Go runs the kit")
    host = [sys.executable, str(pathlib.Path(__file__).with_name("hostkit.py"))]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    if library := paths.get("ELICIT_LIBRARY"):
        paths["ELICIT_LIBRARY"] = str(pathlib.Path(library).absolute())
    kit = ["go", "run", "./internal/hostkit", "-host", "Python", *host]
    said = subprocess.run(kit, cwd=ROOT, env=paths, capture_output=True, text=True)
    print("through the loop of Python:", said.stdout[-4000:])
    assert said.returncode == 0, said.stderr
    assert int(said.stdout.split(" of ")[0]) > 3000
