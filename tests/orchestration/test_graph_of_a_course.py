"""A course's graph through the pipeline: what people say counts, what is measured is told, one video parses one video.

One home goes through all of it: built; then a video added; then a teacher's edits.
"""

import json
from dataclasses import dataclass

import mlflow
import pytest
from small_courses import SORTING, STACKS, TREES, Place, srt, write_course

from knowledge_graph.lake.tables import Row, read_rows
from models.tracking.graph import EXPERIMENT
from models.tracking.place import place_of
from orchestration.building.build import RunOutcome

pytestmark = pytest.mark.slow

COURSE = "structures"
GOLD_CONCEPTS = "binary search tree::;BST\nmerge sort\nstack\nskip list\n"
GOLD_PAIRS = "call stack\t\tstack\t\t1-\nbinary tree\t\tbinary search tree\t\t-1\nheap\t\tstack\t\t-\n"
EDITS = """\
reject: [pivot]
rename: {binary search tree: search tree}
add:
  - {name: amortised cost, definition: The cost of one operation on the average over many.}
prerequisites:
  accept: [[linked list, stack]]
  reject: [[stack, call stack]]
"""


@dataclass(frozen=True)
class Step:
    """What one build of the course left behind."""

    outcomes: list[RunOutcome]
    concepts: dict[str, Row]
    edges: dict[tuple[str, str], Row]
    metadata: dict[str, object]

    @property
    def made(self) -> set[str]:
        return {key.path[-1] for one in self.outcomes for key in one.plan.assets if one.plan.partition == COURSE}


def step(place: Place) -> Step:
    outcomes = place.outcomes()
    concepts = read_rows(place.data_dir.table("concepts", COURSE))
    edges = read_rows(place.data_dir.table("prerequisites", COURSE))
    shown = place.metadata("concepts", COURSE)
    return Step(
        outcomes,
        {row["name"]: row for row in concepts},
        {(row["prerequisite"], row["concept"]): row for row in edges},
        {name: shown[name].value for name in ("parsed", "parses_reused", "labelling_functions")},
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = Place(tmp_path_factory.mktemp("graph"))
    write_course(
        place.courses / COURSE,
        {
            "course.yaml": "title: Data Structures\nlang: en\n",
            "subtitles/01 - Stacks.srt": srt(STACKS),
            "subtitles/02 - Trees.srt": srt(TREES),
            "gold/concepts.txt": GOLD_CONCEPTS,
            "gold/prerequisites.tsv": GOLD_PAIRS + "one row without a label\n",
        },
    )
    return place


@pytest.fixture(scope="module")
def built(place: Place) -> Step:
    return step(place)


@pytest.fixture(scope="module")
def extended(place: Place, built: Step) -> Step:
    """The same with a third video."""
    write_course(place.courses / COURSE, {"subtitles/03 - Sorting.srt": srt(SORTING)})
    return step(place)


@pytest.fixture(scope="module")
def edited(place: Place, extended: Step) -> Step:
    """The same with a teacher's edits."""
    write_course(place.courses / COURSE, {"graph.yaml": EDITS})
    return step(place)


def test_every_concept_says_which_functions_voted_for_it(built: Step) -> None:
    assert built.concepts
    assert all(row["votes"] for row in built.concepts.values())
    assert "| function | reason |" in str(built.metadata["labelling_functions"])


def test_accepted_edges_open_at_their_evidence(place: Place, built: Step) -> None:
    assert any(row["accepted"] for row in built.edges.values())
    assert place.check("prerequisites", "prerequisites_are_sound", COURSE).passed


def test_the_scores_are_those_against_the_gold_files(place: Place, built: Step) -> None:
    rows = read_rows(place.data_dir.table("graph_scores", COURSE))
    scores = {(row["of"], row["system"], row["measure"]): row["value"] for row in rows}
    names = {name.lower() for row in built.concepts.values() for name in (row["name"], *row["aliases"])}
    found = sum(bool({name} & names) for name in ("binary search tree", "merge sort", "stack", "skip list"))
    assert scores["concepts", "coteach", "found"] == found
    assert scores["concepts", "coteach", "gold_concepts"] == 4
    assert (scores["prerequisites", "coteach", "labelled"], scores["prerequisites", "coteach", "covered"]) == (3, 3)
    assert {system for of, system, _ in scores if of == "prerequisites"} > {"coteach", "shown", "first_mention"}
    assert not place.check("graph_scores", "input_is_clean", COURSE).passed


def test_mlflow_shows_the_scores_of_every_build_of_the_course(place: Place, edited: Step) -> None:
    mlflow.set_tracking_uri(place_of(place.data_dir).uri)
    runs = mlflow.search_runs(experiment_names=[EXPERIMENT], output_format="list")
    assert len(runs) == 3
    wanted = {"concepts.count", "concepts.defined_of_top_100", "prerequisites.accepted"}
    wanted |= {"concepts.average_precision", "prerequisites.f1"}
    assert all(wanted <= run.data.metrics.keys() for run in runs)


def test_an_added_video_is_the_only_one_parsed(built: Step, extended: Step) -> None:
    assert (built.metadata["parsed"], built.metadata["parses_reused"]) == (2, 0)
    assert (extended.metadata["parsed"], extended.metadata["parses_reused"]) == (1, 2)
    assert "merge sort" in extended.concepts


def test_a_teachers_edits_count(extended: Step, edited: Step) -> None:
    assert "pivot" in extended.concepts
    assert "pivot" not in edited.concepts
    assert edited.concepts["search tree"]["concept_id"] == extended.concepts["binary search tree"]["concept_id"]
    assert edited.concepts["amortised cost"]["definition_kind"] == "teacher"
    assert edited.edges["linked list", "stack"]["accepted"]
    assert edited.edges["stack", "call stack"]["rejected_because"] == "rejected by a teacher"


def test_edits_parse_nothing_and_read_no_subtitles_again(edited: Step) -> None:
    assert (edited.metadata["parsed"], edited.metadata["parses_reused"]) == (0, 3)
    assert {"statements", "concepts", "prerequisites", "concept_map", "graph_scores"} <= edited.made
    assert not {"subtitles", "faq", "documents"} & edited.made


def test_edits_survive_a_rebuild(place: Place, edited: Step) -> None:
    place.make(COURSE, "concepts", "prerequisites")
    again = step(place)
    assert again.concepts == edited.concepts
    assert again.edges == edited.edges


def test_the_map_is_a_page_that_shows_the_concepts(place: Place, edited: Step) -> None:
    page = place.data_dir.concept_map(COURSE).read_text(encoding="utf-8")
    assert "<svg" in page
    assert "search tree" in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_gold_is_never_learnt_from(place: Place, edited: Step) -> None:
    write_course(place.courses / COURSE, {"gold/concepts.txt": "quicksort\n"})
    again = step(place)
    assert again.made == {"graph_scores", "exam_questions", "graded_items"}, "what measures or is kept apart alone"
    assert json.dumps(again.concepts, default=str) == json.dumps(edited.concepts, default=str)
