"""What TAs and teachers decide in the store, from there to the QA pairs, the graph and back to the TAs' queue.

One home goes through all of it: built without a store; answers approved and the graph corrected; a cue edited; some of
it taken back.
"""

from dataclasses import dataclass

import pytest
from built_homes import copied
from small_courses import STACKS, Place, srt, write_course, write_two_courses
from sqlalchemy.orm import Session

from knowledge_graph.lake.tables import read_rows
from orchestration.building.build import RunOutcome
from serving.desk.course_tables import CourseTables
from serving.desk.decisions import approve, edit_faq, withdraw
from serving.desk.material_units import find_units
from serving.desk.queue_entry import ask
from serving.index.search import SearchIndex
from serving.store.caller import Caller
from serving.store.corrections import Correction
from serving.store.graph_edits import correct, undo
from serving.store.tables.identity import Person
from serving.store.tables.review import ReviewedAnswer, TaQuestion

pytestmark = pytest.mark.slow

ADA = Caller("ada", "ta", name="Ada Quill")
RIVERA = Caller("rivera", "teacher", name="Dr. Rivera")
QUESTION = "Why does my stack overflow when recursion never ends?"
CUES = {number: f"cues:01 - Stacks:{2000 * number}-{2000 * number + 2000}" for number in range(3 * len(STACKS))}
EDITED = "A frame of the call stack forgets where the function must return to."


@dataclass(frozen=True)
class Step:
    """What one build did, with what it would have done said before."""

    outcomes: list[RunOutcome]
    dry: str

    def made(self) -> dict[str | None, set[str]]:
        return {one.plan.partition: {key.path[-1] for key in one.plan.assets} for one in self.outcomes}


@dataclass(frozen=True)
class Decided:
    """Ids of what people decided: three answers of `structures`, one of `sorting` in the place of its entry `due`."""

    frames: str
    overflow: str
    unrelated: str
    due: str
    rejected: str


def step(place: Place) -> Step:
    _, dry = place.build(dry_run=True)
    outcomes = place.outcomes()
    assert all(one.succeeded for one in outcomes)
    return Step(outcomes, dry)


def approved(place: Place, question: str, *units: str) -> str:
    """A student's question, answered by a TA who rests on these units."""
    rests = find_units(units, "structures", CourseTables(place.data_dir))
    with place.store() as store:

        def work(db: Session) -> str:
            asked = ask(db, "student", question, course_id="structures", lang="en")
            said = f"Answer to: {question}"
            return approve(db, asked.question_id, question=question, answer=said, rests=rests, by=ADA).answer_id

        return store.write(work)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = copied(tmp_path_factory, write_two_courses, "decisions")
    assert not place.data_dir.store.exists(), "a build makes no store"
    assert read_rows(place.data_dir.table("ta_answers", "structures")) == []
    assert read_rows(place.data_dir.reviewed_sources) == []
    return place


@pytest.fixture(scope="module")
def decided(place: Place) -> tuple[Decided, Step]:
    with place.store() as store:
        store.write(lambda db: db.add(Person(person_id="student")))
    frames = approved(place, "What does a frame remember?", CUES[7], CUES[8])
    overflow = approved(place, QUESTION, CUES[8])
    unrelated = approved(place, "What is a heap?", "faq:late")
    with place.store() as store:
        due = store.write(
            lambda db: edit_faq(db, "sorting", "due", "When is the homework due?", "On Monday at nine.", ADA)
        )
        edit = store.write(lambda db: correct(db, Correction("structures", "no_concept", "heap"), RIVERA))
    return Decided(frames, overflow, unrelated, due.answer_id, edit.edit_id), step(place)


@pytest.fixture(scope="module")
def edited(place: Place, decided: tuple[Decided, Step]) -> Step:
    """The eighth cue says something else; it is said at 14 s."""
    lecture = srt(STACKS)
    assert lecture.count(STACKS[7]) == 3
    write_course(place.courses / "structures", {"subtitles/01 - Stacks.srt": lecture.replace(STACKS[7], EDITED, 1)})
    return step(place)


@pytest.fixture(scope="module")
def taken_back(place: Place, decided: tuple[Decided, Step], edited: Step) -> Step:
    with place.store() as store:
        store.write(lambda db: withdraw(db, decided[0].due, by=ADA))
        store.write(lambda db: undo(db, "structures", decided[0].rejected))
    return step(place)


def names_of_concepts(place: Place) -> set[str]:
    return {row["name"] for row in read_rows(place.data_dir.table("concepts", "structures"))}


def in_queue(place: Place) -> set[str | None]:
    with place.store() as store:
        return {
            one.answer_id
            for one in store.read(lambda db: db.query(TaQuestion).all())
            if one.state == "open" and one.reason == "source_changed"
        }


def test_a_build_says_what_was_decided_and_makes_what_depends_on_it(decided: tuple[Decided, Step]) -> None:
    _, done = decided
    assert "course sorting: ta_answers: 1 answer approved since" in done.dry
    assert "ta_answers: 3 answers approved since" in {
        f"{name}: {reason}" for one in done.outcomes for name, reason in one.plan.reasons.items()
    }
    made = done.made()
    assert made["sorting"] == {"ta_answers"}
    assert {"ta_answers", "teacher_edits", "statements", "concepts", "prerequisites"} <= made["structures"]
    assert not made["structures"] & {"subtitles", "faq", "documents", "passages"}
    assert {"qa_pairs", "search_index", "reviewed_sources"} <= made[None]


def test_approved_answers_are_faq_pairs_with_their_reviewer(place: Place, decided: tuple[Decided, Step]) -> None:
    pair = place.pairs("structures")["faq", f"ta-{decided[0].overflow}"]
    assert (pair["question"], pair["answer"], pair["reviewer"]) == (QUESTION, f"Answer to: {QUESTION}", "Ada Quill")
    (hit,) = SearchIndex.open(place.data_dir.index).search(QUESTION, k=1)
    assert hit.entry.origin_id == f"ta-{decided[0].overflow}"


def test_an_answer_stands_in_the_place_of_the_entry_it_corrects(place: Place, decided: tuple[Decided, Step]) -> None:
    pairs = place.pairs("sorting")
    assert {origin for source, origin in pairs if source == "faq"} == {f"ta-{decided[0].due}", "late", "help"}
    assert pairs["faq", f"ta-{decided[0].due}"]["answer"] == "On Monday at nine."
    assert ("faq", "due") in place.pairs("structures"), "the entry of another course by the same name stays"


def test_a_teachers_correction_changes_the_graph(place: Place, decided: tuple[Decided, Step]) -> None:
    given = read_rows(place.data_dir.table("statements", "structures"))
    assert [(row["kind"], row["subject"], row["given_by"], row["file"]) for row in given] == [
        ("no_concept", "heap", "teacher", "console, by Dr. Rivera")
    ]
    assert "heap" not in names_of_concepts(place)


def test_nothing_went_back_to_the_queue_before_anything_changed(place: Place, decided: tuple[Decided, Step]) -> None:
    rows = read_rows(place.data_dir.reviewed_sources)
    assert sorted((row["answer_id"], row["unit"]) for row in rows) == sorted(
        [
            (decided[0].frames, CUES[7]),
            (decided[0].frames, CUES[8]),
            (decided[0].overflow, CUES[8]),
            (decided[0].unrelated, "faq:late"),
        ]
    )
    assert not any(row["is_changed"] for row in rows)


def test_a_cue_that_says_something_else_returns_exactly_the_answers_that_rest_on_it(
    place: Place, decided: tuple[Decided, Step], edited: Step
) -> None:
    assert in_queue(place) == {decided[0].frames}
    facts = place.metadata("reviewed_sources", None)
    assert facts["returned"].value == {"count": 1, "first": [decided[0].frames]}
    assert facts["rest_on"].value == {"cues": 3, "faq": 1}
    changed = [row["unit"] for row in read_rows(place.data_dir.reviewed_sources) if row["is_changed"]]
    assert changed == [CUES[7]]


def test_what_only_rests_on_other_material_stays_whole(
    place: Place, decided: tuple[Decided, Step], edited: Step
) -> None:
    with place.store() as store:
        answers = store.read(lambda db: {one.answer_id: one.is_stale for one in db.query(ReviewedAnswer).all()})
    assert {answer_id for answer_id, is_stale in answers.items() if is_stale} == {decided[0].frames}


def test_an_answer_that_went_back_is_still_served(place: Place, decided: tuple[Decided, Step], edited: Step) -> None:
    assert ("faq", f"ta-{decided[0].frames}") in place.pairs("structures")


def test_what_was_taken_back_is_gone_and_what_it_replaced_is_back(
    place: Place, decided: tuple[Decided, Step], taken_back: Step
) -> None:
    assert "course sorting: ta_answers: 1 answer withdrawn since" in taken_back.dry
    pairs = place.pairs("sorting")
    assert pairs["faq", "due"]["answer"] == "On Sunday at noon."
    assert ("faq", f"ta-{decided[0].due}") not in pairs
    assert "heap" in names_of_concepts(place)
    assert read_rows(place.data_dir.table("statements", "structures")) == []


def test_a_build_after_that_has_nothing_to_do(place: Place, taken_back: Step) -> None:
    assert place.plans() == []


def test_the_same_store_gives_the_same_bytes(place: Place, taken_back: Step) -> None:
    before = place.tables()
    assert place.make("structures", "ta_answers", "teacher_edits", "statements").succeeded
    assert place.tables() == before


def test_a_store_that_is_gone_takes_no_answer_away(place: Place, taken_back: Step) -> None:
    """Runs last: the store is away."""
    away = place.root / "away"
    away.mkdir()
    for path in place.data_dir.root.glob("store.db*"):
        path.rename(away / path.name)
    assert place.plans() == []
    before = place.tables()
    assert place.make("structures", "ta_answers").succeeded
    assert place.tables() == before
    told = place.check("ta_answers", "input_is_clean", "structures")
    assert not told.passed
    assert "There is no store" in (told.description or "")
    assert not place.data_dir.store.exists()
