"""One model, many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.llm.conftest import Connect, Serve
from tests.llm.requests import PLAIN, reply_of
from tests.scripted_replies import Say


def test_sixty_four_streams_at_once_each_get_a_reply(serve: Serve, connect: Connect) -> None:
    server = serve(responder=lambda _: Say("It is 45 euros.", first_delay_s=0.5))
    model = connect(server)
    with ThreadPoolExecutor(64) as pool:
        replies = [*pool.map(lambda _: reply_of(model.stream(PLAIN)), range(64))]
    assert {reply.text for reply in replies} == {"It is 45 euros."}
    assert sum(reply.usage.completion or 0 for reply in replies) == sum(
        one.completion_tokens for one in server.chats
    )
