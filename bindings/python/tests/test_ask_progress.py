"""A client that gave a progress token hears that a person thinks, with the official SDKs."""

import asyncio

from test_ask import Connected, Person, play, server_of


def test_a_client_hears_that_a_person_thinks():
    async def body():
        heard, enough = [], asyncio.Event()

        async def progress(number, total, message):
            heard.append((number, total, message))
            if len(heard) == 3:
                enough.set()

        async def thinks(params):
            await enough.wait()
            return "decline"

        server, _ = server_of(progress=0.1)
        async with Connected(server, Person(thinks)) as client:
            result = await client.client.call_tool("careful", {}, progress_callback=progress)
            return result.content[0].text, heard[:3]

    text, heard = play(body())
    assert text == "Declined decline user"
    assert heard == [(number, None, "Waiting for the person to answer.") for number in (1, 2, 3)]
