"""What a build sees of the store before it reads it: a version per course, and what was done since."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from assets.ta_answers import read_ta_answers
from knowledge_graph.lake.records import TaAnswer
from orchestration.building.courses import changes
from orchestration.building.decisions import GRAPH_EDITS, REVIEWED_ANSWERS, TURNS, StoreState, existing_store, look
from serving.desk.decisions import edit, edit_faq, withdraw
from serving.desk.material_units import UnitChange
from serving.desk.revalidation import return_to_queue
from serving.store.caller import Caller
from serving.store.corrections import Correction
from serving.store.database import Store, sqlite_url
from serving.store.for_builds import NOTHING, list_unanswered_questions
from serving.store.graph_edits import correct, undo
from serving.store.tables.conversation import ChatSession, RestsOn, TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.review import ReviewedAnswer, ReviewedSource

ADA = Caller("ada", "ta", name="Ada Quill")
COURSES = ["sorting", "trees"]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return sqlite_url(tmp_path / "store.db")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store.open(url)
    yield store
    store.close()


def approve(store: Store, course_id: str, question: str = "May I hand in late?") -> str:
    return store.write(lambda db: edit_faq(db, course_id, question, question, "Two days late is fine.", ADA)).answer_id


def answers_of(seen: StoreState, course_id: str) -> str | None:
    return seen.versions[REVIEWED_ANSWERS, course_id]


def test_looking_for_a_store_makes_none(url: str, tmp_path: Path) -> None:
    seen = look(url, COURSES)
    assert seen.trouble is None
    assert {place: version for place, version in seen.versions.items() if version is not None}.keys() == {(TURNS, None)}
    with existing_store(url) as store:
        assert store is None
    assert list(tmp_path.iterdir()) == []


def test_an_empty_store_is_as_none(store: Store, url: str) -> None:
    assert {look(url, COURSES).versions[key, "trees"] for key in (REVIEWED_ANSWERS, GRAPH_EDITS)} == {NOTHING}


def test_an_approval_is_news_of_its_course_alone(store: Store, url: str) -> None:
    before = look(url, COURSES)
    approve(store, "trees")
    after = look(url, COURSES)
    changed = {place for place in after.versions if after.versions[place] != before.versions[place]}
    assert changed == {(REVIEWED_ANSWERS, "trees")}
    assert after.tallies[REVIEWED_ANSWERS, "trees"] == {
        "answer approved": 1,
        "answer edited": 0,
        "answer withdrawn": 0,
    }


def test_edits_and_withdrawals_are_counted_and_what_is_withdrawn_holds_no_more(store: Store, url: str) -> None:
    kept, gone = approve(store, "trees", "One?"), approve(store, "trees", "Two?")
    before = look(url, COURSES)
    store.write(lambda db: edit(db, kept, question="One?", answer="Three days.", rests=(), by=ADA))
    edited = look(url, COURSES)
    assert answers_of(edited, "trees") != answers_of(before, "trees")
    store.write(lambda db: withdraw(db, gone, by=ADA))
    assert look(url, COURSES).tallies[REVIEWED_ANSWERS, "trees"] == {
        "answer approved": 2,
        "answer edited": 1,
        "answer withdrawn": 1,
    }
    store.write(lambda db: withdraw(db, kept, by=ADA))
    assert answers_of(look(url, COURSES), "trees") == NOTHING


def test_an_answer_that_goes_back_to_the_queue_is_no_news(store: Store, url: str) -> None:
    answer_id = approve(store, "trees")
    source = ReviewedSource(
        answer_id=answer_id, unit="faq:late", kind="faq", course_id="trees", label="", text="One day.", text_sha256=""
    )
    store.write(lambda db: db.add(source))
    before = answers_of(look(url, COURSES), "trees")
    change = UnitChange(answer_id, "faq:late", "One day.", "Two days.")
    store.write(lambda db: return_to_queue(db, answer_id, [change]))
    assert store.read(lambda db: db.get_one(ReviewedAnswer, answer_id)).is_stale
    assert answers_of(look(url, COURSES), "trees") == before


def test_a_correction_is_news_until_it_is_taken_back(store: Store, url: str) -> None:
    made = store.write(lambda db: correct(db, Correction("trees", "no_concept", "leaf"), ADA))
    assert look(url, COURSES).versions[GRAPH_EDITS, "trees"] != NOTHING
    store.write(lambda db: undo(db, "trees", made.edit_id))
    seen = look(url, COURSES)
    assert seen.versions[GRAPH_EDITS, "trees"] == NOTHING
    tally = {"correction made": 1, "correction edited": 0, "correction taken back": 1}
    assert seen.tallies[GRAPH_EDITS, "trees"] == tally


def test_a_store_that_is_gone_takes_nothing_away(store: Store, url: str, tmp_path: Path) -> None:
    approve(store, "trees")
    seen = look(url, COURSES)
    store.close()
    for path in tmp_path.iterdir():
        path.unlink()
    assert changes(look(url, COURSES).versions, seen.versions) == []


def test_a_store_that_cannot_be_read_takes_nothing_away_and_is_told(url: str, tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(b"no database at all, but long enough to be looked at" * 100)
    seen = look(url, COURSES)
    assert "is no SQLite database" in (seen.trouble or "")
    assert answers_of(seen, "trees") is None
    observed = {place: "1" for place in seen.versions if place != (TURNS, None)}
    assert [change.key for change in changes(seen.versions, observed)] == [TURNS]


def test_what_was_never_seen_is_reported_once_as_holding_nothing(url: str) -> None:
    found = changes(look(url, ["trees"]).versions, {})
    assert {change.version for change in found if change.key != TURNS} == {NOTHING}


def test_an_answer_that_cannot_be_used_is_left_out_and_told_and_the_others_stay(store: Store) -> None:
    good = approve(store, "trees")
    rows = [
        ReviewedAnswer(
            course_id="trees", lang="en", question=question, answer=answer, reviewer_id="ada", reviewer="Ada"
        )
        for question, answer in (("Why " * 2_000, "Because."), ("What?", " \n"))
    ]
    store.write(lambda db: db.add_all(rows))
    found = store.read(lambda db: read_ta_answers(db, "trees"))
    (answer,) = found.records
    assert isinstance(answer, TaAnswer)
    assert (answer.origin_id, answer.reviewer, answer.lang) == (f"ta-{good}", "Ada Quill", "en")
    assert sorted(problem.message.split(": ")[-1] for problem in found.problems) == [
        "it is empty.",
        "its question has 7,999 characters, the limit is 4,000.",
    ]


def add_turn(db: Session, question: str, route: str, *, refers: bool = False, outcome: str = "answered") -> None:
    number = db.query(TurnRow).count()
    turn = TurnRow(
        session_id="s", person_id="p", position=number, question=question, answer="…", outcome=outcome, route=route
    )
    turn.course_id = "trees"
    db.add(turn)
    db.flush()
    db.add(RestsOn(trace_id=turn.trace_id, entry_id="e", source="faq", text_sha256="", is_reference=refers))


def test_questions_that_nobody_could_answer_are_counted(store: Store) -> None:
    def ask(db: Session) -> None:
        db.add(Person(person_id="p"))
        db.flush()
        db.add(ChatSession(session_id="s", person_id="p"))
        db.flush()
        for question in ("What is a treap?", "What is a rope?", "What is a treap?"):
            add_turn(db, question, "ask_ta")
        add_turn(db, "What is a heap?", "teach", refers=True)
        add_turn(db, "What is a splay tree?", "teach")
        add_turn(db, "How are you?", "chat")
        add_turn(db, "What failed?", "teach", outcome="failed")

    store.write(ask)
    found = store.read(lambda db: list_unanswered_questions(db, "trees"))
    assert found == [("What is a rope?", 1), ("What is a splay tree?", 1), ("What is a treap?", 2)]
    assert store.read(lambda db: list_unanswered_questions(db, "sorting")) == []
