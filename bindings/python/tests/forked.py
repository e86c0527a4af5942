"""Starts Python programs out of a process that has loaded an SDK already, because that takes longer than a test.

As a program it is one of two:

    python forked.py --load SOCKET WHAT...      loads modules and runs scripts, then forks for every program
    python -I -S forked.py SOCKET PROGRAM...    is the program, for the one that starts it: it lends the program its
                                                standard files, and ends as it ends
"""

import atexit
import contextlib
import functools
import importlib
import json
import os
import pathlib
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[3]


@functools.lru_cache(maxsize=None)
def command(*what):
    """The beginning of a command line, for a script or "-c" and code. It loads these modules and scripts once."""
    folder = tempfile.mkdtemp(prefix="f")  # a socket's path is short
    path = os.path.join(folder, "s")
    line = [sys.executable, __file__, "--load", path, *what]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, start_new_session=True)

    def end():
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        shutil.rmtree(folder)

    atexit.register(end)
    if process.stdout.readline() != b"ready\n":
        raise RuntimeError("what the program needs cannot be loaded")
    return [sys.executable, "-I", "-S", __file__, path]


def fastmcp():
    """The command line of the FastMCP server of the real parts."""
    script = str(ROOT / "testdata" / "realparts" / "fastmcp" / "server.py")
    return [*command(script), script]  # it loads its modules late


def load(path, *what):
    for name in what:
        if name.endswith(".py"):
            runpy.run_path(name)
        else:
            importlib.import_module(name)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    print("ready", flush=True)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a child
    while True:
        connection, _ = listener.accept()
        told, files, _, _ = socket.recv_fds(connection, 1, 3)
        with connection.makefile("rb") as rest:
            told += rest.readline()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for file, to in zip(files, range(3)):
                os.dup2(file, to)
                os.close(file)
            run(connection, **json.loads(told))
        connection.close()
        for file in files:
            os.close(file)


def run(connection, environment, folder, words):
    """Runs a program, tells its exit code, and ends."""
    status = 1
    try:
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        sys.path[:0] = [place for place in environment.get("PYTHONPATH", "").split(os.pathsep) if place]
        if words[0] == "-c":
            sys.argv = ["-c", *words[2:]]
            exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
        else:
            sys.argv = words
            sys.path.insert(0, os.path.dirname(words[0]))
            runpy.run_path(words[0], run_name="__main__")
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):  # nobody may be there any more
            sys.stdout.flush()
            sys.stderr.flush()
            connection.sendall(bytes([status & 255]))
        os._exit(status & 255)


def stand_in(path, *words):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    told = json.dumps({"environment": dict(os.environ), "folder": os.getcwd(), "words": words}).encode() + b"\n"
    sent = socket.send_fds(connection, [told], [0, 1, 2])
    connection.sendall(told[sent:])
    for file in (0, 1):
        os.close(file)  # the program has them
    os._exit((connection.recv(1) or b"\1")[0])


if __name__ == "__main__":
    if sys.argv[1] == "--load":
        load(*sys.argv[2:])
    else:
        stand_in(*sys.argv[1:])
