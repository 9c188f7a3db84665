"""The page of a course's graph when a whole staff opens it at once, beside students who ask."""

import asyncio
from collections import Counter
from collections.abc import Iterator

import httpx
import pytest
from served import Served, serving, small_home

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir

pytestmark = pytest.mark.slow

TEACHERS = 40
CONCEPTS, PAIRS = 75, 2000
"""As many as the sample course on data structures has."""
PATIENCE_SECONDS = "2"
"""More than a gateway has by itself, for other tests may run beside this one."""
BETWEEN_SECONDS = 0.2
LEAST_ASKED = 8
QUESTION = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = small_home(tmp_path_factory, "load")
    write_graph(DataDir(home))
    settings = {"patience_seconds": PATIENCE_SECONDS, "requests_per_minute": "0"}
    with serving(home, settings=settings) as one:
        yield one


def test_dozens_who_open_the_graph_at_once_are_answered_and_so_are_the_questions_beside_them(gateway: Served) -> None:
    headers = {"Authorization": f"Bearer {gateway.key('teacher', 'Ines Calloway')}"}
    pages, answers = asyncio.run(at_once(gateway.url, headers))
    assert Counter(one.status_code for one in pages) == {200: TEACHERS}
    assert all("Not a concept: concept 0" in one.text for one in pages)
    assert len(answers) >= LEAST_ASKED
    assert {one.status_code for one in answers} == {200}


async def at_once(url: str, headers: dict[str, str]) -> tuple[list[httpx.Response], list[httpx.Response]]:
    """The pages, and the answers to questions that were asked one after the other until the last page was there."""
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=httpx.Limits(max_connections=200)) as client:
        assert (await client.post("/v1/chat/completions", json=QUESTION)).status_code == 200
        pages = [asyncio.create_task(client.get("/graph?course=ds", headers=headers)) for _ in range(TEACHERS)]
        asked: list[asyncio.Task[httpx.Response]] = []
        while len(asked) < LEAST_ASKED or not all(one.done() for one in pages):
            asked.append(asyncio.create_task(client.post("/v1/chat/completions", json=QUESTION)))
            await asyncio.sleep(BETWEEN_SECONDS)
        return await asyncio.gather(*pages), await asyncio.gather(*asked)


def write_graph(data_dir: DataDir) -> None:
    said = "And a place where it is said what this is and what it is good for, in a sentence or two of a lecture. " * 2
    span = {"video_id": "02 stacks", "start_ms": 0, "end_ms": 9_000, "document": None, "page": None, "article": None}
    evidence = [{**span, "start_ms": 1_000 * n, "text": said} for n in range(5)]
    names = [f"concept {n}" for n in range(CONCEPTS)]
    nowhere = {column: None for column in schemas.CONCEPTS.names}
    concepts = [
        {
            **nowhere,
            "course_id": "ds",
            "concept_id": f"en:{name}",
            "name": name,
            "aliases": [f"{name} by another name"],
            "lang": "en",
            "rank": rank,
            "score": 0.5,
            "definition": said,
            "definition_kind": "subtitle",
            "domains": [],
            "mention_count": 9,
            "evidence": evidence,
        }
        for rank, name in enumerate(names, 1)
    ]
    ends = [(first, second) for first in names for second in names if first != second][:PAIRS]
    pairs = [
        {
            "course_id": "ds",
            "prerequisite_id": f"en:{first}",
            "concept_id": f"en:{second}",
            "prerequisite": first,
            "concept": second,
            "probability": 0.9,
            "accepted": first < second,
            "rejected_because": None,
            "confidence": None,
            "votes": {},
            "evidence": evidence[:2],
        }
        for first, second in ends
    ]
    tables.write_table(data_dir.table("concepts", "ds"), concepts, schemas.CONCEPTS)
    tables.write_table(data_dir.table("prerequisites", "ds"), pairs, schemas.PREREQUISITES)
