"""Homes that older code of this project wrote: what is opened as it is, and what one sentence says to run for.

`homes/schema-1.tar.xz` was written by commit 8ab54d4 of 2026-11-23, `schema-3.tar.xz` by 7ae46cc of 2026-11-25 and
`schema-5.tar.xz` by 9f7e32d of 2026-11-26: each by the gateway of its time, with a key, a question that was answered,
and a thumb. The number is that of the store's schema. A new version of the schema or of the index adds a home of the
one before.
"""

import asyncio
import json
import tarfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from gateways import Gateway, bearer, running
from sqlalchemy import create_engine, select, text

from knowledge_graph.lake.home import DataDir
from serving.settings import Settings
from serving.store import schema
from serving.store.tables.conversation import Feedback

HOMES = Path(__file__).parents[1] / "homes"
OLDER = sorted(one.name.removesuffix(".tar.xz") for one in HOMES.glob("*.tar.xz"))
QUESTION = {"model": "coteach:ds", "messages": [{"role": "user", "content": "Where is it taught?"}]}


@dataclass(frozen=True)
class OldHome:
    """A home as it was left, and what was asked in it."""

    root: Path
    key: str
    session: str
    trace_id: str

    @property
    def schema(self) -> str:
        engine = create_engine(f"sqlite:///{DataDir(self.root).store}")
        with engine.connect() as connection:
            found = str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())
        engine.dispose()
        return found

    def run(self, work: Callable[[Gateway], Awaitable[Any]]) -> Any:
        async def whole() -> Any:
            async with running(Settings(home=self.root)) as gateway:
                return await work(gateway)

        return asyncio.run(whole())


@pytest.fixture(params=OLDER)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> OldHome:
    with tarfile.open(HOMES / f"{request.param}.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    return OldHome(tmp_path, **json.loads((tmp_path / "asked.json").read_text()))


def test_there_are_homes_of_two_schemas_before_this_one() -> None:
    assert len(OLDER) >= 2
    assert {int(one.removeprefix("schema-")) for one in OLDER} < set(range(1, int(schema.head())))


def test_an_older_home_is_served_and_its_students_find_what_they_had(old: OldHome) -> None:
    assert old.schema < schema.head()

    async def work(gateway: Gateway) -> tuple[list[Any], list[Any]]:
        headers = bearer(old.key)
        asked = QUESTION | {"metadata": {"session": old.session}}
        answer = await gateway.client.post("/v1/chat/completions", json=asked, headers=headers)
        paths = ("/readyz", f"/v1/sessions/{old.session}", f"/v1/traces/{old.trace_id}")
        found = [answer, *[await gateway.client.get(path, headers=headers) for path in paths]]
        return found, gateway.store.read(lambda db: [(one.trace_id, one.thumb) for one in db.scalars(select(Feedback))])

    (answer, ready, session, trace), thumbs = old.run(work)
    assert [one.status_code for one in (answer, ready, session, trace)] == [200] * 4
    assert answer.json()["coteach"]["session"] == old.session
    assert "stack" in answer.json()["coteach"]["resolved"]
    assert [one["question"] for one in session.json()["turns"]] == ["What is a stack?", "Where is it taught?"]
    assert session.json()["turns"][0]["answer"].startswith(rows.STACK)
    assert thumbs == [(old.trace_id, 1)]
    assert trace.json()["trace"]["trace_id"] == old.trace_id
    assert old.schema == schema.head()


def test_an_index_of_another_format_is_not_guessed_at_and_one_sentence_says_what_to_run(old: OldHome) -> None:
    index = DataDir(old.root).index
    manifest = index / (index / "CURRENT").read_text().strip() / "manifest.json"
    written = json.loads(manifest.read_text())
    assert written["made_with"].startswith("format 5 ")
    manifest.write_text(json.dumps(written | {"made_with": written["made_with"].replace("format 5", "format 4")}))

    async def work(gateway: Gateway) -> list[Any]:
        ready = await gateway.client.get("/readyz")
        asked = await gateway.client.post("/v1/chat/completions", json=QUESTION, headers=bearer(old.key))
        kept = await gateway.client.get(f"/v1/sessions/{old.session}", headers=bearer(old.key))
        return [ready, asked, kept]

    ready, asked, kept = old.run(work)
    assert [one.status_code for one in (ready, asked, kept)] == [503, 503, 200]
    for told in (ready.json()["missing"][0]["remedy"], asked.json()["error"]["message"]):
        assert told.endswith("Run `coteach build`.")
