"""The wheel and the source package as a user gets them: new environments, no index, no clone in sight."""

import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
DIST = ROOT / "dist"
WHEEL = "elicit_engine-*_%s.whl" % platform.machine()

#: Pythons to try beside this one: the oldest and the newest promised.
OTHERS = ("python3.9", "python3.13")


def only(pattern):
    found = sorted(DIST.glob(pattern))
    if not found and os.environ.get("CI") != "true":
        pytest.skip("run ./build.sh wheel")
    assert len(found) == 1, found
    return found[0]


def pythons():
    yield sys.executable
    for name in OTHERS:
        path = shutil.which(name)
        # Version switchers leave a program that refuses to run; the real ones are beside it.
        for candidate in [path] if path else []:
            if subprocess.run([candidate, "-c", ""], capture_output=True).returncode == 0:
                yield candidate
                break
        else:
            beside = sorted(pathlib.Path.home().glob(".pyenv/versions/%s.*/bin/%s" % (name[6:], name)))
            yield str(beside[-1]) if beside else name


@pytest.fixture(scope="module", params=list(pythons()), ids=lambda path: pathlib.Path(path).name)
def user(request, tmp_path_factory):
    """Runs programs in a new environment into which the wheel was installed, and nothing else."""
    if shutil.which(request.param) is None:
        pytest.skip(request.param + " is not installed")
    return environment(request.param, tmp_path_factory.mktemp("user"), only(WHEEL))


#: Runs the pip that a Python brings, without the seconds that it takes to install it into an environment.
PIP = """
import ensurepip, pathlib, runpy, sys, sysconfig
brought = sysconfig.get_config_var("WHEEL_PKG_DIR") or pathlib.Path(ensurepip.__file__).parent / "_bundled"
(pip,) = pathlib.Path(brought).glob("pip-*.whl")
sys.path.insert(0, str(pip))
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""


def environment(python, place, package):
    subprocess.run([python, "-m", "venv", "--without-pip", str(place / "venv")], check=True)
    inside = str(place / "venv" / "bin" / "python")
    pip = [inside, "-c", PIP, "install", "-q", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([*pip, str(package)], check=True, cwd=place)
    clean = {"PATH": os.environ["PATH"], "HOME": str(place)}

    def run(*arguments, stdin="", **more):
        return subprocess.run([inside, *arguments], input=stdin, env={**clean, **more}, cwd=place, text=True,
            capture_output=True, timeout=60)

    return run


def test_the_demo_asks_and_answers(user):
    out = user("-m", "elicit_engine", "demo", stdin="production\n250\n25\n")
    assert out.returncode == 0, out.stderr
    assert out.stdout == (
        '{"outcome": "accept", "cause": "user", "content": {"environment": "production", "share": 25}}\n'
    )
    assert "journal records" in out.stderr
    assert user("-m", "elicit_engine", "demo", stdin="!decline\n").returncode == 3


def test_ten_lines_of_the_manual_work(user):
    out = user("-c", "import doctest, elicit_engine; "
               "r = doctest.testmod(elicit_engine); print(r.attempted > 1, r.failed)")
    assert out.stdout == "True 0\n", out.stdout + out.stderr


def test_the_library_is_the_wheel_s_own(user):
    out = user("-c", "from elicit_engine.library import library; print(library().path)")
    assert out.stdout.strip().endswith("site-packages/elicit_engine/libelicit.so.1"), out.stderr
    assert '"ok": true' in user("-m", "elicit_engine", "selfcheck").stdout


CHILD = """
import multiprocessing, sys
import elicit_engine

def child(queue):
    try:
        queue.put(elicit_engine.evaluate("parse", {"text": "1"}) is not None)
    except elicit_engine.ElicitError as error:
        queue.put("%s: %s" % (type(error).__name__, error))

if __name__ == "__main__":
    elicit_engine.describe()
    context = multiprocessing.get_context(sys.argv[1])
    queue = context.SimpleQueue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    process.join(30)
    print(queue.get() if process.exitcode == 0 else process.exitcode)
"""


@pytest.mark.parametrize("method, want", [("spawn", "True"),
    ("fork", "Forked: a forked child cannot use the engine of its parent")])
def test_other_processes(user, tmp_path, method, want):
    script = tmp_path / "processes.py"
    script.write_text(CHILD)
    out = user(str(script), method)
    assert out.stdout.startswith(want), out.stdout + out.stderr


def test_a_source_package_says_what_is_missing(tmp_path):
    source = only("elicit_engine-*.tar.gz")
    builder = DIST / "wheel" / "venv" / "bin" / "python"
    if not builder.exists():
        pytest.skip("run ./build.sh wheel")
    made = [str(builder), "-m", "pip", "wheel", "--disable-pip-version-check", "--no-index", "--no-deps",
        "--no-build-isolation", "-v", "-w", str(tmp_path), str(source)]
    out = subprocess.run(made, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    assert "carries none" in out.stdout + out.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    run = environment(sys.executable, tmp_path, wheel)
    missing = run("-m", "elicit_engine", "demo")
    told = "libelicit.so.1 was not found. Install a wheel that carries it"
    assert missing.returncode == 2 and missing.stderr.startswith(told), missing.stderr
    found = run("-m", "elicit_engine", "demo", stdin="staging\n\n", ELICIT_LIBRARY=str(DIST / "libelicit.so.1"))
    assert found.returncode == 0 and '"share": 5' in found.stdout, found.stderr


def test_the_wheel_holds_the_licences_and_fits_every_python_3():
    wheel = only(WHEEL)
    assert wheel.stem.split("-")[2:4] == ["py3", "none"]
    for package, there in ((wheel, zipfile.ZipFile(wheel).namelist), (only("elicit_engine-*.tar.gz"), None)):
        names = there() if there else tarfile.open(package).getnames()
        for name in ("LICENSE", "NOTICE"):
            (found,) = [at for at in names if at.endswith("/" + name)]
            read = zipfile.ZipFile(package).read(found) if there else tarfile.open(package).extractfile(found).read()
            assert read == (ROOT / name).read_bytes(), found


def test_the_platform_tag_is_true():
    auditwheel = DIST / "wheel" / "venv" / "bin" / "auditwheel"
    wheel = only(WHEEL)
    tag = wheel.stem.split("-")[-1]
    out = subprocess.run([str(auditwheel), "show", str(wheel)], capture_output=True, text=True)
    assert tag.startswith("manylinux_") and '"%s"' % tag in out.stdout, out.stdout + out.stderr
