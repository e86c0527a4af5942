"""A real Redis for a test, and Go programs that the tests build."""

import asyncio
import atexit
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@functools.lru_cache(maxsize=None)
def program(name):
    """Builds a Go program of the repository, once."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    subprocess.run(["go", "build", "-o", folder, "./testdata/" + name], cwd=ROOT, check=True)
    return os.path.join(folder, name)


@pytest.fixture(scope="module")
def redis_server():
    """The socket of a server, and the folder that it is in. CI must have one."""
    if shutil.which("redis-server") is None and os.environ.get("CI") != "true":
        pytest.skip("redis-server is not installed")
    pytest.importorskip("redis")
    with tempfile.TemporaryDirectory(prefix="s") as folder:
        socket = os.path.join(folder, "s")
        command = ["redis-server", "--port", "0", "--save", "", "--dir", folder, "--unixsocket", socket]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            asyncio.run(reached(socket))
            yield socket
        finally:
            process.kill()
            process.wait()


async def reached(socket):
    import redis.asyncio

    client = redis.asyncio.Redis(unix_socket_path=socket)
    for _ in range(10_000):
        try:
            await client.ping()
            return await client.aclose()
        except redis.exceptions.RedisError:
            await asyncio.sleep(0.001)  # between two looks
    raise AssertionError("the server did not start")


PYTHON = sys.executable
