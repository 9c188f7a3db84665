"""What a re-run found: which records are new, changed, gone or as before. Pure comparison of two readings."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from knowledge_graph.lake.records import CatalogRecord


@dataclass(frozen=True)
class CatalogChanges:
    """Record ids, sorted."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


def compare(previous: Iterable[CatalogRecord], current: Iterable[CatalogRecord]) -> CatalogChanges:
    """The changes from one reading to the next. When a text was fetched is no change of it."""
    before = {record.record_id: replace(record, fetched_at=None) for record in previous}
    after = {record.record_id: replace(record, fetched_at=None) for record in current}
    both = sorted(before.keys() & after.keys())
    return CatalogChanges(
        new=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(key for key in both if before[key] != after[key]),
        gone=tuple(sorted(before.keys() - after.keys())),
        unchanged=tuple(key for key in both if before[key] == after[key]),
    )


def with_first_times(current: Iterable[CatalogRecord], previous: Iterable[CatalogRecord]) -> tuple[CatalogRecord, ...]:
    """The records, those whose text is as before with the time at which it was first seen."""
    before = {record.record_id: record for record in previous}
    return tuple(
        replace(record, fetched_at=before[record.record_id].fetched_at)
        if record.record_id in before and before[record.record_id].text == record.text
        else record
        for record in current
    )


def find_unseen(
    previous: Sequence[CatalogRecord], current: Sequence[CatalogRecord], known: Collection[str]
) -> tuple[CatalogRecord, ...]:
    """Records of web pages that an incomplete crawl did not come to: not in `current`, their page not in `known`."""
    ids = {record.record_id for record in current}
    return tuple(
        record
        for record in previous
        if record.record_id not in ids and record.page.startswith(("http://", "https://")) and record.page not in known
    )
