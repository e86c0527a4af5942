"""Questions for somebody else than the caller, and pages that one browser may claim."""

import asyncio

import pytest
from test_ask import play

from elicit_engine import InputError, ask
from elicit_engine.store import MemoryStore

PAGE = "https://bot.example/ask/"


class Visits:
    """A client that shows URLs and agrees to visit them, or does what ``action`` says."""

    def __init__(self, action="accept"):
        self.action, self.messages = action, []

    async def request(self, method, params):
        self.messages.append(params["message"])
        return {"action": self.action}

    async def notify(self, method, params):
        pass


def asked(body, action="accept", store=None, **more):
    """Runs a handler that asks bob for ann, and ``body`` with the asker and the token of the page."""

    async def run():
        opened = asyncio.get_running_loop().create_future()
        asker = ask.Asker("bot", page=PAGE, opened=opened.set_result, store=store)
        peer = Visits(action)
        client = ask.Client(session="s", principal="ann", declared=("form", "url"), peer=peer)

        async def handler(call):
            try:
                await ask.confirm("Delete the table?", principal=more.get("principal", "bob"), on_page=True)
                return "deleted"
            except ask.AskError as error:
                return "%s %s" % (type(error).__name__, error.outcome)

        call = asyncio.ensure_future(asker.run(ask.Call(client, "delete"), handler))
        page = await opened
        assert page["link"] == page["url"][len(PAGE):]
        await body(asker, page, peer)
        try:
            return await call
        finally:
            await asker.close()

    return play(run())


@pytest.mark.parametrize("store", [False, True])
def test_a_second_approver_answers_and_nobody_else(store):
    async def body(asker, page, peer):
        assert page["for"] == "bob" and (await asker.page(page["link"]))["for"] == "bob"
        for stranger in ("ann", "eve", ""):
            with pytest.raises(ask.WrongPrincipal):
                await asker.claim_page(page["link"], "x", principal=stranger)
            with pytest.raises(InputError):
                await asker.answer_page(page["link"], "accept", {}, principal=stranger)
        assert peer.messages == ["Send this page to bob, who is to answer: Delete the table?"]
        assert await asker.answer_page(page["link"], "accept", {}, principal="bob") == []

    assert asked(body, store=MemoryStore() if store else None) == "deleted"


def test_a_no_of_the_caller_is_none_of_the_approver():
    async def body(asker, page, peer):
        pass

    assert asked(body, action="decline") == "Cancelled cancel"


@pytest.mark.parametrize("store", [False, True])
def test_the_first_browser_has_the_page(store):
    async def body(asker, page, peer):
        await asker.claim_page(page["link"], "x", principal="ann")
        await asker.claim_page(page["link"], "x", principal="ann")
        with pytest.raises(ask.Claimed):
            await asker.claim_page(page["link"], "y", principal="ann")
        for token in (page["link"] + "0", "nothing"):
            with pytest.raises(ask.Closed):
                await asker.claim_page(token, "x", principal="ann")
        assert await asker.answer_page(page["link"], "accept", {}, principal="ann") == []

    assert asked(body, store=MemoryStore() if store else None, principal=None) == "deleted"
