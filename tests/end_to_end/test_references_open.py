"""Every reference of the sample courses' answers, given through a keyed service: without a key a student opens it until
its time is over, and nothing of another course by it."""

import asyncio
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from gateways import Gateway, bearer, running

from knowledge_graph.lake.home import DataDir
from serving.gateway.signed_links import LinkSigner, read_secret
from serving.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ASKED = {
    "data-structures": (
        "How many late days do I have?",
        "What is the difference between a stack and a queue?",
        "Where is a hash table taught?",
        "What must I know before hash tables?",
        "Who teaches the course?",
        "When is assignment 2 due?",
    ),
    "shujujiegou": ("栈和队列有什么区别？", "作业可以迟交吗？"),
    "university-catalog": ("What is COMP 2140 about?", "Which classes do I need for a computer science degree?"),
}
KINDS = {"faq", "videos", "documents", "catalog"}
ELSEWHERE = {"data-structures": "shujujiegou", "shujujiegou": "data-structures", "university-catalog": "shujujiegou"}


def cited(reply: Any) -> Iterator[str]:
    for one in reply["output"][0]["content"][0]["annotations"]:
        place = urlsplit(one["url"])
        if place.path.startswith("/courses/"):
            yield f"{place.path}?{place.query}"


async def links_of(gateway: Gateway, key: str) -> list[tuple[str, str]]:
    """Course and address of every reference of every answer."""
    found = []
    for course, questions in ASKED.items():
        for question in questions:
            asked = {"model": f"coteach:{course}", "input": question}
            reply = await gateway.client.post("/v1/responses", json=asked, headers=bearer(key))
            found += [(course, link) for link in cited(reply.json())]
    return found


def test_every_reference_opens_without_a_key_and_no_other_course_nor_after_its_time(home: DataDir) -> None:
    settings = Settings(home=home.root, access="keys", model_admission="never", requests_per_minute=0)

    async def run() -> tuple[list[tuple[str, str]], dict[str, set[int]]]:
        async with running(settings, client=("192.0.2.7", 50_000)) as gateway:
            links = await links_of(gateway, gateway.key())
            gateway.app.state.signer = LinkSigner(read_secret(home.root), seconds=-60)
            over = await links_of(gateway, gateway.key())

            async def opened(addresses: list[str]) -> set[int]:
                return {(await gateway.client.get(one)).status_code for one in addresses}

            return links, {
                "signed": await opened([link for _, link in links]),
                "bare": await opened([link.partition("s=")[0] for _, link in links]),
                "elsewhere": await opened([link.replace(course, ELSEWHERE[course]) for course, link in links]),
                "over": await opened([link for _, link in over]),
            }

    links, statuses = asyncio.run(run())
    assert {link.split("/")[3] for _, link in links} == KINDS
    assert {course for course, _ in links} == set(ASKED)
    assert statuses == {"signed": {200}, "bare": {401}, "elsewhere": {401}, "over": {401}}
