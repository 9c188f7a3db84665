"""What leaves the store for analysis names nobody, and can still be joined."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import student_rows as rows

from serving.store import exports
from serving.store.database import Store
from serving.store.meta import digest_with_key, has_salt, pseudonym, salt

EVERY = (exports.turns, exports.feedback, exports.ratings, exports.exposures)


@pytest.fixture
def filled(store: Store) -> Store:
    store.write(rows.add_staff)
    store.write(lambda db: rows.add_student(db, "ming"))
    store.write(lambda db: rows.add_student(db, "ana", at=rows.LONG_AGO))
    return store


def taken(store: Store, export: Any, **options: Any) -> list[dict[str, Any]]:
    options = {"purpose": "report", **options}
    return store.read(lambda db: [row for part in export(db, **options) for row in part])


def test_no_name_no_comment_and_no_id_of_a_person_leaves(filled: Store) -> None:
    told = json.dumps([taken(filled, export) for export in EVERY], default=str)
    kept = ("-person", "-session", "Dr. Lin", "No! ", rows.NOTE, "You asked", '"ta"', "-alias")
    assert [word for word in kept if word in told] == []


def test_a_question_leaves_with_what_was_decided_about_it(filled: Store) -> None:
    (old, *_) = taken(filled, exports.turns)
    assert (old["trace_id"], old["question"], old["route"]) == ("ana-0", rows.QUESTION, "teach")
    assert old["asked_at"] == rows.LONG_AGO


def test_the_rows_of_one_purpose_can_be_joined_and_those_of_two_cannot(filled: Store) -> None:
    def people(export: Any, purpose: str) -> set[str]:
        return {row["person"] for row in taken(filled, export, purpose=purpose)}

    report = people(exports.turns, "report")
    assert len(report) == 2
    assert people(exports.feedback, "report") == people(exports.exposures, "report") == report
    assert people(exports.turns, "thesis") & report == set()


def test_the_turns_of_a_session_share_its_pseudonym(filled: Store) -> None:
    sessions = [row["session"] for row in taken(filled, exports.turns)]
    assert sessions[0] == sessions[1] != sessions[2] == sessions[3]


@pytest.mark.parametrize("export", EVERY)
def test_rows_come_in_parts_and_only_since_a_time(filled: Store, export: Any) -> None:
    def sizes(db: Any) -> list[int]:
        parts: Iterator[list[dict[str, Any]]] = export(db, purpose="report", batch=1)
        return [len(part) for part in parts]

    everything = taken(filled, export)
    assert filled.read(sizes) == [1] * len(everything)
    assert len(taken(filled, export, since=rows.LATELY)) == len(everything) / 2


def test_the_salt_is_made_once(store: Store) -> None:
    assert store.read(has_salt)
    first = store.read(salt)
    assert len(first) == 32
    assert store.write(salt) == first
    again = Store.open(store.url.render_as_string(hide_password=False))
    assert again.read(salt) == first
    again.close()


def test_pseudonyms_depend_on_salt_purpose_and_name() -> None:
    told = pseudonym(b"salt", "report", "ming")
    assert told == pseudonym(b"salt", "report", "ming")
    others = [pseudonym(b"other", "report", "ming"), pseudonym(b"salt", "r", "ming"), pseudonym(b"salt", "report", "m")]
    assert len({told, *others}) == 4
    assert digest_with_key(b"salt", "ab", "c") != digest_with_key(b"salt", "a", "bc")
