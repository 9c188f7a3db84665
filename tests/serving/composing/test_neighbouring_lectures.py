"""Which lecture comes before or after another, where several have one title."""

from types import SimpleNamespace
from typing import cast

import pytest
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.composed import Composed
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.request import Request
from serving.assistant.composing.study_after import _find_finished, _next_lecture, previous_lecture

TITLES = ("Algorithm design", "Introduction to heaps", "Introduction to heaps", "Sorts")
LECTURES = CourseLectures(tuple(one_lecture("Hello.", title=one, index=at) for at, one in enumerate(TITLES)))


def request(question: str) -> Request:
    material, graph = SimpleNamespace(lectures=LECTURES), ConceptGraph.from_rows([], [], [])
    asked = {"question": question, "spoken": "en", "lang": "en", "course_id": "ml", "units": ()}
    return cast(Request, SimpleNamespace(material=material, graph=graph, **asked))


def first(found: Composed | None) -> str:
    return found.statements[0].text if found is not None else ""


@pytest.mark.parametrize(("number", "following"), [(1, "Introduction to heaps (2/2)"), (2, "Sorts")])
def test_after_one_of_them_comes_the_next_one_of_the_course(number: int, following: str) -> None:
    here = f"Introduction to heaps ({number}/2)"
    found = _next_lecture(request(f"what comes after the lecture {here}?"))
    assert first(found) == f"The lecture after “{here}” is “{following}”."


def test_a_title_that_several_have_means_all_of_them() -> None:
    finished = _find_finished(request("I finished Introduction to heaps, what is next?"))
    assert [LECTURES.name_of(one) for one in finished] == ["Introduction to heaps (1/2)", "Introduction to heaps (2/2)"]
    before = previous_lecture(request("which lecture comes before Introduction to heaps?"))
    assert first(before) == "The lecture before “Introduction to heaps (1/2)” is “Algorithm design”."
