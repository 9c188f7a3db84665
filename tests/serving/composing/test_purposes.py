"""What a thing is for is told by what introduces it, and no doubt is said where that tells it."""

from types import SimpleNamespace

import pytest
from asked_rows import MERGE_SORT, asking, spoken
from asker import Asker

from serving.assistant.composing import titled_examples
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import doubt
from serving.assistant.composing.windows import best_windows
from serving.assistant.understanding.aspects import find_aspects
from serving.index.evidence import Evidence


def test_need_x_for_asks_for_its_purpose_and_not_for_what_comes_before_it(composed_by: Asker) -> None:
    answer = composed_by("What do I need a stack for?")
    assert answer.trace.question_kind == "aspect"
    assert "used because the last call must return first" in answer.text


@pytest.mark.parametrize(
    ("introduced", "leads"),
    [
        ("A stack is a structure that undoes the last thing first.", True),
        ("A stack is what stands in the corner.", False),
    ],
)
def test_what_introduces_a_thing_leads_where_it_says_what_it_is_for(
    introduced: str, leads: bool, composed_by: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = ComposedStatement(introduced, Evidence(9, introduced, "subtitle", "ds", "", ""))
    monkeypatch.setattr(titled_examples, "compose_definition", lambda _: Composed("definition", "partial", (said,)))
    assert composed_by("What do I need a stack for?").text.startswith(introduced) == leads


def test_a_definition_tells_what_a_thing_is_for_and_no_other_aspect_of_it() -> None:
    said = "Merge sort is what puts a list in order."
    for asked, is_missing in (("what is merge sort used for", False), ("what are the drawbacks of merge sort", True)):
        request = asking(
            asked,
            MERGE_SORT,
            kind="aspect",
            aspects=find_aspects(asked),
            concepts=(),
            spoken="en",
            names="merge sort",
            asked=asked,
            graph=SimpleNamespace(mentions=lambda *_: ()),
            material=SimpleNamespace(lectures=SimpleNamespace(lectures=())),
        )
        window = best_windows([spoken((said, 0.9))], [MERGE_SORT], kind="aspect")[0]
        assert ("I did not find" in doubt(request, window)) == is_missing
