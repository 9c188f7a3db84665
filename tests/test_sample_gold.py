"""What the sample courses' graphs are measured by: readable, about what the lectures say, and without a circle."""

from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from knowledge_graph.sources.course import read_course_card
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.gold import read_gold
from knowledge_graph.sources.subtitles import read_subtitles
from knowledge_graph.sources.terms import fold_name

COURSES = Path(__file__).parents[1] / "examples" / "courses"
SAMPLES = pytest.mark.parametrize("course_id", ["data-structures", "shujujiegou"])


@SAMPLES
def test_the_gold_is_read_whole(course_id: str) -> None:
    gold, problems = read_gold(CourseFolder(course_id, COURSES / course_id))
    assert problems == ()
    assert len(gold.concepts) >= 150
    assert len(gold.pairs) >= 250
    assert sum(pair.prerequisite is not None for pair in gold.pairs) >= 60


@SAMPLES
def test_the_lectures_speak_of_every_gold_concept(course_id: str) -> None:
    folder = CourseFolder(course_id, COURSES / course_id)
    card, _ = read_course_card(folder)
    said = fold_name(" ".join(cue.text for cue in read_subtitles(folder, card).cues))
    unsaid = [names[0] for names in read_gold(folder)[0].concepts if not any(fold_name(name) in said for name in names)]
    assert unsaid == []


@SAMPLES
def test_labelled_pairs_are_of_gold_concepts_and_close_no_circle(course_id: str) -> None:
    gold, _ = read_gold(CourseFolder(course_id, COURSES / course_id))
    names = {concept[0] for concept in gold.concepts}
    needs: dict[str, set[str]] = {}
    for pair in gold.pairs:
        assert {pair.first, pair.second} <= names
        if pair.prerequisite is not None:
            other = pair.second if pair.prerequisite == pair.first else pair.first
            needs.setdefault(other, set()).add(pair.prerequisite)
    TopologicalSorter(needs).prepare()  # raises CycleError
