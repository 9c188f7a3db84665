"""Decisions in the gateway's store as external assets, with a version for each course's part.

A store that is not there, or cannot be reached, has no version: what was read of it before stays as it was, as a course
does whose folder is not mounted. Looking makes no store.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import dagster as dg

from knowledge_graph.lake.home import DataDir
from serving.store.database import Store, sqlite_url
from serving.store.database_errors import TROUBLES, StoreUnavailable, explain_error, format_url
from serving.store.engines import open_engines, parse_url, sqlite_path
from serving.store.for_builds import NOTHING, DecisionDigest, digest_answers, digest_edits
from serving.store.schema import version

REVIEWED_ANSWERS = dg.AssetKey(["store", "reviewed_answers"])
"""Answers that TAs approved."""
GRAPH_EDITS = dg.AssetKey(["store", "graph_edits"])
"""Corrections that teachers made of the graph."""
TURNS = dg.AssetKey(["store", "turns"])
"""What was asked and answered. It changes all the time: who reads it does so by a schedule, not when it changes."""

Tally = Mapping[str, int]
"""How often what was done, ever growing; each name is a noun in the singular and a verb, `answer approved`."""

Place = tuple[dg.AssetKey, str | None]


@dataclass(frozen=True)
class StoreState:
    """The store as it is. A version of `None`: not seen now. `trouble` says why, if it should have been."""

    versions: Mapping[Place, str | None]
    tallies: Mapping[Place, Tally] = field(default_factory=dict)
    trouble: str | None = None


def store_url(data_dir: DataDir, chosen: str | None) -> str:
    """The URL of a home's store; `chosen` is `COTEACH_STORE_URL`."""
    return chosen or sqlite_url(data_dir.store)


@contextmanager
def existing_store(url: str) -> Iterator[Store | None]:
    """The store at a URL, `None` when nobody has made one. Raises `StoreUnavailable` when that cannot be told."""
    if not _exists(url):
        yield None
        return
    store = Store.open(url)
    try:
        yield store
    finally:
        store.close()


def show_url(url: str) -> str:
    """A URL without its password, for people."""
    return format_url(parse_url(url))


def look(url: str, course_ids: Sequence[str]) -> StoreState:
    """What was decided of each of these courses. 50 ms with 10,000 approved answers in SQLite, on two CPU cores."""
    try:
        with existing_store(url) as store:
            if store is None:
                return _make_unseen_state(course_ids)
            answers, edits = store.read(digest_answers), store.read(digest_edits)
    except StoreUnavailable as error:
        return _make_unseen_state(course_ids, str(error))
    found = {
        (key, course_id): decided.get(course_id, DecisionDigest(NOTHING, {}))
        for key, decided in ((REVIEWED_ANSWERS, answers), (GRAPH_EDITS, edits))
        for course_id in course_ids
    }
    versions: dict[Place, str | None] = {place: each.digest for place, each in found.items()}
    return StoreState({**versions, **_TURNS_VERSION}, {place: each.tally for place, each in found.items()})


_TURNS_VERSION: Mapping[Place, str | None] = {(TURNS, None): "read by a schedule"}


def _make_unseen_state(course_ids: Sequence[str], trouble: str | None = None) -> StoreState:
    places: list[Place] = [(key, course_id) for key in (REVIEWED_ANSWERS, GRAPH_EDITS) for course_id in course_ids]
    return StoreState(dict.fromkeys(places, None) | dict(_TURNS_VERSION), trouble=trouble)


def _exists(url: str) -> bool:
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite":
        path = sqlite_path(parsed)
        return path is None or (path.is_file() and path.stat().st_size > 0)
    engines = open_engines(parsed)
    try:
        with engines.reader.connect() as connection:
            return version(connection) is not None
    except TROUBLES as error:
        raise (explain_error(error, parsed) or error) from error
    finally:
        engines.dispose()
