import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]


def pytest_configure() -> None:
    """Builds the library into dist/ unless one is given, so that a plain `pytest` works in a clone."""
    if "ELICIT_LIBRARY" not in os.environ:
        subprocess.run([str(ROOT / "build.sh"), "lib"], check=True)
        os.environ["ELICIT_LIBRARY"] = str(ROOT / "dist" / "libelicit.so.1")
