"""A change to one entry costs one entry; what is taken away can no longer be found, cited or read in any table.

One home goes through all of it: an edit; then a course revised and another forgotten; then that one back again.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import pytest
from built_homes import copied
from small_courses import FAQ, REGULATION, UNNAMED_FAQ, Pairs, Place, write_course, write_every_source

from knowledge_graph.lake.tables import read_rows
from orchestration.building.build import RunOutcome
from orchestration.resources import CourseUnknown
from serving.index.search import SearchIndex

pytestmark = pytest.mark.slow

GRADED = "graded,How are exams graded?,Out of ten points.\n"
INSERTED = "Is there a break?,After an hour.\n"
NOTHING = {"added": 0, "changed": 0, "removed": 0}


@dataclass(frozen=True)
class Step:
    """What one build did: its runs, the pairs of each course before and after, and what Dagster shows as changed."""

    outcomes: list[RunOutcome]
    before: dict[str, Pairs]
    after: dict[str, Pairs]
    pairs_changed: object
    index_changed: object

    def made(self) -> dict[str | None, set[str]]:
        """The assets made, by course; those of all courses under `None`."""
        return {one.plan.partition: {key.path[-1] for key in one.plan.assets} for one in self.outcomes}

    def of(self, course: str) -> tuple[Pairs, Pairs]:
        return self.before[course], self.after[course]


def pairs_of_each(place: Place) -> dict[str, Pairs]:
    return {course: place.pairs(course) for course in ("sorting", "structures")}


def step(place: Place, build: Callable[[], list[RunOutcome]]) -> Step:
    before = pairs_of_each(place)
    outcomes = build()
    shown = [place.metadata(asset, None)["changes"].value for asset in ("qa_pairs", "search_index")]
    return Step(outcomes, before, pairs_of_each(place), *shown)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return copied(tmp_path_factory, write_every_source, "edits")


@pytest.fixture(scope="module")
def edited(place: Place) -> Step:
    """One answer of `structures` says something else."""
    write_course(place.courses / "structures", {"faq.csv": FAQ.replace("On Sunday", "On Monday") + GRADED})
    return step(place, place.outcomes)


@dataclass(frozen=True)
class Ended:
    """`sorting` was revised, then `structures`, whose folder is gone, was forgotten."""

    step: Step
    absent: list[str]
    code: int
    printed: str
    away: Path


@pytest.fixture(scope="module")
def ended(place: Place, edited: Step) -> Ended:
    """`sorting`: a row at the top of its FAQ, a document less, its regulation issued again. No more `structures`."""
    revise(place.courses / "sorting")
    away = place.root / "away"
    shutil.move(place.courses / "structures", away)
    told: list[tuple[list[str], int, str]] = []

    def build() -> list[RunOutcome]:
        with place.builder() as builder:
            courses = builder.prepare()
            outcomes = [builder.run(plan) for plan in takewhile(lambda plan: plan.partition, builder.plans(courses))]
            absent = builder.absent()
        told.append((absent, *place.forget("structures")))
        return outcomes

    done = step(place, build)
    return Ended(done, *told[0], away)


def revise(folder: Path) -> None:
    header, _, rows = UNNAMED_FAQ.partition("\n")
    regulation = REGULATION.format(month="January")
    write_course(folder, {"faq.csv": f"{header}\n{INSERTED}{rows}", "documents/regulation.txt": regulation})
    (folder / "documents" / "parking.md").unlink()


def texts_at_hand(place: Place) -> str:
    """Everything in the tables and the index that is in use."""
    root, current = place.data_dir.root, (place.data_dir.index / "CURRENT").read_text().strip()
    unused = [path for path in place.data_dir.index.iterdir() if path.name not in ("CURRENT", current)]
    tables = [path for path in root.rglob("*.parquet") if not any(path.is_relative_to(each) for each in unused)]
    assert len(tables) > 10
    return json.dumps([read_rows(path) for path in tables], ensure_ascii=False, default=str)


def found(place: Place, question: str, **filters: str) -> str:
    """The text of everything the index finds, QA pairs and passages."""
    index = SearchIndex.open(place.data_dir.index)
    hits = [*index.search(question, kind="qa", k=50, **filters), *index.search(question, kind="passage", k=50)]
    return "\n".join(f"{hit.entry.title} {hit.entry.text}" for hit in hits)


def test_an_edit_to_one_faq_entry_changes_one_pair_and_one_index_document(edited: Step) -> None:
    assert edited.pairs_changed == {"added": 0, "changed": 1, "removed": 0}
    assert edited.index_changed == {"qa": {"added": 0, "changed": 1, "removed": 0}, "passage": NOTHING}


def test_an_edited_entry_keeps_its_id_and_gets_another_content_hash(edited: Step) -> None:
    before, after = edited.before["structures"], edited.after["structures"]
    assert before.keys() == after.keys()
    assert [key for key in after if after[key] != before[key]] == [("faq", "due")]
    old, new = before["faq", "due"], after["faq", "due"]
    assert {name for name in new if new[name] != old[name]} == {"answer", "content_hash"}


def test_an_edit_of_one_course_makes_nothing_of_another(edited: Step) -> None:
    assert all(one.succeeded for one in edited.outcomes)
    made = edited.made()
    assert set(made) == {"structures", None}
    assert "faq" in made["structures"]
    assert not made["structures"] & {"course_card", "subtitles", "documents", "catalog_pages", "passages"}
    assert edited.before["sorting"] == edited.after["sorting"]


def test_the_old_answer_is_gone(place: Place, edited: Step) -> None:
    assert "On Monday at noon." in found(place, "When is the homework due?", course_id="structures")
    assert "On Sunday" not in found(place, "When is the homework due?") + texts_at_hand(place)


def test_after_an_edit_the_next_build_has_nothing_to_do(place: Place, edited: Step) -> None:
    assert place.plans() == []


@pytest.mark.parametrize(
    ("course", "reason"),
    [
        ("nowhere", r"No course 'nowhere' is built; there are: sorting, structures\."),
        ("structures", r"'structures' still has its folder in .*/courses: .* Move the folder away first\."),
    ],
)
def test_a_course_that_cannot_be_forgotten_is_refused_with_the_reason(
    place: Place, edited: Step, course: str, reason: str
) -> None:
    before = place.tables()
    with pytest.raises(CourseUnknown, match=reason):
        place.forget(course)
    assert place.tables() == before


def test_a_row_at_the_top_of_a_faq_without_ids_is_one_pair_more_and_no_other_changes(ended: Ended) -> None:
    before, after = ({key: row for key, row in pairs.items() if key[0] == "faq"} for pairs in ended.step.of("sorting"))
    added = [after[key] for key in after if key not in before]
    assert [(row["question"], row["answer"]) for row in added] == [("Is there a break?", "After an hour.")]
    assert {key: after[key] for key in before} == before


def test_a_reissued_article_is_the_same_pair_with_the_new_text(ended: Ended) -> None:
    before, after = ended.step.of("sorting")
    article = ("document", "documents/regulation.txt#5.1")
    assert "August" in before[article]["answer"]
    assert "January" in after[article]["answer"]
    assert before[article]["qa_id"] == after[article]["qa_id"]
    appeals = ("document", "documents/regulation.txt#5.2")
    assert before[appeals] == after[appeals]


def test_dagster_shows_what_a_revision_and_a_forgotten_course_came_to(ended: Ended) -> None:
    assert ended.step.made().keys() == {"sorting"}
    before, after = ended.step.of("sorting")
    told = [key for key in before.keys() | after.keys() if key[0] != "concept" and before.get(key) != after.get(key)]
    assert sorted((key in before, key in after) for key in told) == [(False, True), (True, False), (True, True)]
    assert ended.step.pairs_changed == {
        "added": len(after.keys() - before.keys()),
        "changed": sum(before[key] != after[key] for key in before.keys() & after.keys()),
        "removed": len(before.keys() - after.keys()) + len(ended.step.before["structures"]),
    }
    assert isinstance(ended.step.index_changed, dict)
    assert ended.step.index_changed["qa"] == ended.step.pairs_changed


def test_a_removed_document_and_the_old_regulation_can_no_longer_be_found(place: Place, ended: Ended) -> None:
    said = texts_at_hand(place) + found(place, "Where do bicycles stand?") + found(place, "When is a resit?")
    assert "January" in said
    assert "boathouse" not in said
    assert "August" not in said


def test_a_course_whose_folder_is_gone_is_served_until_it_is_forgotten(ended: Ended) -> None:
    assert ended.absent == ["structures"]
    assert ended.code == 0
    assert "structures is forgotten" in ended.printed


def test_nothing_of_a_forgotten_course_is_left(place: Place, ended: Ended) -> None:
    names = {path.stem for path in (place.data_dir.root / "lake").rglob("*.parquet")}
    assert "sorting" in names
    assert "structures" not in names
    assert [path for path in place.data_dir.of_course("structures") if path.exists()] == []
    assert list((place.data_dir.root / "maps").glob("structures*")) == []
    assert list((place.data_dir.root / "cache").rglob("structures*")) == []
    assert {row["course_id"] for row in read_rows(place.data_dir.qa_pairs)} == {"sorting"}
    assert [row["course_id"] for row in read_rows(place.data_dir.graph_courses)] == ["sorting"]
    assert {course for row in read_rows(place.data_dir.graph_concepts) for course in row["course_ids"]} == {"sorting"}
    said = found(place, "stack list homework exams class") + texts_at_hand(place)
    assert "structures" not in said
    assert "linked list" not in said
    with place.builder() as builder:
        builder.prepare()
        assert builder.absent() == []


def test_after_forgetting_the_next_build_has_nothing_to_do(place: Place, ended: Ended) -> None:
    assert place.plans() == []


def test_the_only_course_is_not_forgotten(place: Place, ended: Ended) -> None:
    folder = place.courses / "sorting"
    shutil.move(folder, place.root / "kept")
    with pytest.raises(CourseUnknown, match=r"'sorting' is the only course: .* Remove the home\."):
        place.forget("sorting")
    shutil.move(place.root / "kept", folder)
    assert {row["course_id"] for row in read_rows(place.data_dir.qa_pairs)} == {"sorting"}


def test_a_forgotten_course_that_comes_back_is_built_again(place: Place, edited: Step, ended: Ended) -> None:
    """Runs last: it ends the story."""
    shutil.move(ended.away, place.courses / "structures")
    assert all(one.succeeded for one in place.outcomes())
    assert pairs_of_each(place) == {"sorting": ended.step.after["sorting"], "structures": edited.after["structures"]}
    assert [row["course_id"] for row in read_rows(place.data_dir.graph_courses)] == ["sorting", "structures"]
    assert "A skip list is a list with lanes." in found(place, "the skip list")
