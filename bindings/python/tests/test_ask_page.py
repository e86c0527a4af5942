"""The pages through ASGI. The rules are the machine's, and vectors show them; here the adapter hands them on."""

import asyncio
import json
import pathlib

from elicit_engine import ask
from elicit_engine.ask import asgi

BASE = "https://bot.example/ask/"
OWN = [("origin", "https://bot.example"), ("content-type", "application/json")]
FILES = pathlib.Path(__file__).parents[3] / "ask" / "page" / "files"


class Browser:
    """Sends requests to an application of ASGI."""

    def __init__(self, app):
        self.app, self.token, self.cookie = app, "", ""

    async def send(self, path, body=b"", headers=OWN, method="POST", host="bot.example"):
        sent, parts = [], [body[:1000], body[1000:]]

        async def receive():
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

        async def send(message):
            sent.append(message)

        given = [("host", host), *headers, *([("cookie", "other=1; " + self.cookie)] if self.cookie else [])]
        scope = {"type": "http", "method": method, "path": "/ask/" + path,
                 "headers": [(name.encode(), value.encode()) for name, value in given]}
        await self.app(scope, receive, send)
        start, end = sent
        found = dict(start["headers"])
        assert found[b"content-security-policy"].startswith(b"default-src 'none'; ")
        self.cookie = found.get(b"set-cookie", self.cookie.encode()).decode().split(";")[0]
        return start["status"], end["body"]

    async def act(self, path, token, headers=(), **more):
        body = json.dumps({"token": token, **more}).encode()
        status, text = await self.send(path, body, [*OWN, *headers])
        return status, json.loads(text)["state"]


async def asking(test, principal=None, on_error=lambda error: None):
    """Lets a tool ask for a word on a page, while a test plays the browsers."""
    links = asyncio.Queue()
    asker = ask.Asker("bot", page=BASE + "#/", sign_in="/login", opened=lambda page: links.put_nowait(page["link"]))
    client = ask.Client(version="2025-11-25", session="1", declared=("url",), peer=Peer())
    form = {"type": "object", "required": ["word"], "properties": {"word": {"type": "string"}}}

    async def handler(call):
        return (await ask.form(form, "The word?", on_page=True))["word"]

    running = asyncio.ensure_future(asker.run(ask.Call(client, "word"), handler))
    app = asgi.pages(asker, principal, on_error, FILES)
    await test(app, await links.get(), running)
    running.cancel()
    await asker.close()


class Peer:
    """A client that opens every link."""

    async def request(self, method, params):
        return {"action": "accept"}

    async def notify(self, method, params):
        pass


WORD = {"action": "accept", "content": {"word": "k-123"}}


def test_one_browser_answers():
    async def play(app, token, running):
        first, second = Browser(app), Browser(app)
        assert await first.act("claim", token) == (400, "no_cookie")
        assert await first.act("open", token) == (200, "new")
        assert await second.act("open", token) == (200, "new")
        assert await first.act("claim", token) == (200, "open")
        assert await first.act("claim", token) == (200, "open")
        assert await second.act("claim", token) == (409, "used")
        assert await second.act("answer", token, **WORD) == (409, "used")
        second.cookie = first.cookie.split("=")[0] + "=guessed"
        assert await second.act("answer", token, **WORD) == (409, "used")
        assert await first.act("answer", token, **WORD) == (200, "done")
        assert await first.act("answer", token, **WORD) == (410, "answered")
        assert await running == "k-123"

    asyncio.run(asking(play))


def test_refusals():
    async def play(app, token, running):
        browser = Browser(app)
        body = json.dumps({"token": token}).encode()
        assert (await browser.send("open", body, [("origin", "https://evil.example"), OWN[1]]))[0] == 403
        assert (await browser.send("open", body, [OWN[1]]))[0] == 403
        assert (await browser.send("open", body, [OWN[0], ("content-type", "text/plain")]))[0] == 415
        assert (await browser.send("open", body, host="evil.example"))[0] == 421
        assert (await browser.send("unknown", body))[0] == 404
        assert (await browser.send("open", b'{"token":"\xff"}'))[0] == 400
        assert (await browser.send("open", "é".encode() * 300_000))[0] == 413
        assert not running.done()

    asyncio.run(asking(play))


def test_files():
    async def play(app, token, running):
        browser = Browser(app)
        assert b"<elicit-carrier" in (await browser.send("", method="GET", headers=[]))[1]
        assert b"elicit-carrier" in (await browser.send("page.js", method="GET", headers=[]))[1]
        assert (await browser.send("page.js", method="GET", headers=[("sec-fetch-site", "cross-site")]))[0] == 403
        assert await browser.send("", method="HEAD", headers=[]) == (200, b"")

    asyncio.run(asking(play))


def test_login():
    faults = []

    async def signed_in(scope):
        user = dict(scope["headers"]).get(b"x-user")
        if user == b"banned":
            raise asgi.Forbidden
        if user == b"broken":
            raise LookupError("the table of users is gone")
        return user and user.decode()

    async def play(app, token, running):
        browser = Browser(app)
        assert await browser.act("open", token) == (401, "sign_in")
        assert await browser.act("open", token, [("x-user", "banned")]) == (403, "forbidden")
        assert await browser.act("open", token, [("x-user", "ada")]) == (200, "new")
        assert not faults
        assert await browser.act("open", token, [("x-user", "broken")]) == (500, "failed")
        assert [str(fault) for fault in faults] == ["the table of users is gone"]

    asyncio.run(asking(play, signed_in, faults.append))
