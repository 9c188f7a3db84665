"""What `coteach store` and `coteach student` do and print: look after the store, and what it holds of one student."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

import structlog
from rich.console import Console
from rich.markup import escape
from sqlalchemy import URL
from sqlalchemy.orm import Session

from knowledge_graph.lake.problems import CoteachError
from orchestration.cli.keys_command import whoami
from orchestration.cli.output import output
from serving.settings import Settings
from serving.store.audit import Act, record, record_beside
from serving.store.backup import back_up
from serving.store.database import Store, url_of
from serving.store.database_errors import explain_troubles, format_url
from serving.store.engines import Engines, open_engines, parse_url
from serving.store.privacy import delete_student, everything_of, find_student
from serving.store.retention import purge
from serving.store.schema import bring_to_head, head
from serving.store.status import exists, standing
from serving.store.tables.base import now
from serving.store.tables.identity import Person

Confirm = Callable[[str], bool]


class StoreMissing(CoteachError):
    """There is no store yet."""


class NotSaid(CoteachError):
    """The command cannot know what is meant."""


@dataclass(frozen=True)
class Who:
    """How a student is named on the command line: one of the three."""

    person: str | None = None
    session: str | None = None
    key: str | None = None
    user: str | None = None


def store_status(console: Console, settings: Settings, *, as_json: bool) -> int:
    """1 when the store is there and its schema is not the newest."""
    with _engines(settings) as engines:
        found = standing(engines)
    if as_json:
        console.print_json(json.dumps({**asdict(found), "is_current": found.is_current}, default=str))
        return 0 if found.is_current else 1
    state = "up to date" if found.is_current else f"run `coteach store migrate` for {found.newest_schema}"
    if not found.is_known:
        state = f"made by a newer coteach: upgrade this one, which knows schemas up to {found.newest_schema}"
    console.print(f"{escape(found.url)}  {found.size / 1_000_000:.1f} MB", highlight=False)
    console.print(f"schema {found.schema or 'none'}, {state}", highlight=False)
    if found.oldest_answer is not None:
        kept = "for good" if settings.retention_days is None else f"for {settings.retention_days} days"
        console.print(f"answers since {found.oldest_answer:%Y-%m-%d}, kept {kept}", highlight=False)
    for table, count in found.rows.items():
        console.print(f"{count:>10,}  {table}", highlight=False)
    return 0 if found.is_current else 1


def store_migrate(console: Console, settings: Settings) -> int:
    engines = open_engines(parse_url(url_of(settings)))
    try:
        with explain_troubles(engines.url):
            before = bring_to_head(engines)
            if before != head():
                record_beside(engines, "store.migrate", head(), by=whoami(), before=before)
    finally:
        engines.dispose()
    done = f"is at schema {head()} already" if before == head() else f"went from {before or 'nothing'} to {head()}"
    console.print(f"{escape(format_url(engines.url))} {done}.", highlight=False)
    return 0


def store_backup(console: Console, settings: Settings, target: Path) -> int:
    with _engines(settings) as engines:
        size = back_up(engines, target)
        record_beside(engines, "store.backup", target.name, by=whoami(), bytes=size)
    console.print(f"{escape(str(target))}: {size / 1_000_000:.1f} MB, checked.", highlight=False)
    return 0


def store_purge(console: Console, settings: Settings, *, days: int | None, confirm: Confirm, as_json: bool) -> int:
    kept = days if days is not None else settings.retention_days
    if kept is None:
        raise NotSaid("Nothing says how long answers are kept. Name --days, or set COTEACH_RETENTION_DAYS.")
    with _store(settings) as store:
        if not confirm(f"Delete what was asked more than {kept} days ago from {format_url(store.url)}?"):
            return 1
        removed = asdict(purge(store, before=now() - timedelta(days=kept)))
        store.write(lambda db: record(db, "store.purge", f"{kept} days", by=whoami(), **removed))
    if as_json:
        console.print_json(json.dumps(removed))
    else:
        console.print(f"Deleted {_list_counts(removed)}.", highlight=False)
    return 0


def student_export(settings: Settings, who: Who, *, out: Path | None) -> int:
    """Write everything the store holds of a student as JSON."""
    with _store(settings) as store:
        person_id = store.read(lambda db: _person_finder(who)(db).person_id)
        found = store.read(lambda db: everything_of(db, person_id))
        store.write(lambda db: record(db, "student.export", person_id, by=whoami()))
    with output(out) as stream:
        json.dump(found, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
    return 0


def student_delete(console: Console, settings: Settings, who: Who, *, confirm: Confirm, as_json: bool) -> int:
    with _store(settings) as store:
        person_id = store.read(_person_finder(who)).person_id
        if not confirm(f"Delete everything of person {person_id} from {format_url(store.url)}, for good?"):
            return 1

        def work(db: Session) -> dict[str, int]:
            record(db, "student.delete", person_id, by=whoami())
            return delete_student(db, person_id)

        counts = store.write(work)
        store.checkpoint()
    if as_json:
        console.print_json(json.dumps({"person_id": person_id, "deleted": counts}))
    else:
        console.print(f"Deleted {_list_counts(counts)}. Copies that were made before are not touched.", highlight=False)
    return 0


def _person_finder(who: Who) -> Callable[..., Person]:
    if (who.key is None) != (who.user is None) or sum(map(bool, (who.person, who.session, who.key))) != 1:
        raise NotSaid("Name the student by --person, by --session, or by --key and --user, one of the three.")
    of_service = None if who.key is None or who.user is None else (who.key, who.user)
    return lambda db: find_student(db, person_id=who.person, session_id=who.session, of_service=of_service)


def _existing(settings: Settings) -> URL:
    """Raises `StoreMissing` for a file that is not there: a look at it does not make an empty one."""
    url = parse_url(url_of(settings))
    if not exists(url):
        raise StoreMissing(
            f"There is no store at {format_url(url)} yet: `coteach serve` makes it, or `coteach store migrate`."
        )
    return url


def note_act(act: Act, subject: str, *, by: str = "", **details: str) -> None:
    """Note an act of the pipeline in the home's store. A home that nothing was asked of has none, and one that is away
    does not undo what was done: it is said in the log."""
    try:
        with _engines(Settings()) as engines, explain_troubles(engines.url):
            record_beside(engines, act, subject, by=by or whoami(), **details)
    except StoreMissing:
        return
    except CoteachError as error:
        structlog.get_logger().warning("act_not_recorded", act=act, subject=subject, reason=str(error))


@contextmanager
def _engines(settings: Settings) -> Iterator[Engines]:
    engines = open_engines(_existing(settings))
    try:
        yield engines
    finally:
        engines.dispose()


@contextmanager
def _store(settings: Settings) -> Iterator[Store]:
    store = Store.open(_existing(settings).render_as_string(hide_password=False))
    try:
        yield store
    finally:
        store.close()


def _list_counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count) or "nothing"
