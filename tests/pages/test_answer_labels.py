"""What stands above an answer: that it is a reviewed one, from the course's sentences, or only the nearest."""

from typing import Any

import pytest

from serving.pages.provenance import Label, label_of


@pytest.mark.parametrize(
    ("shown", "label"),
    [
        ({"route": "ask_ta", "coverage": "partial"}, Label("doubt", "covered_in_part")),
        ({"route": "ask_ta", "coverage": "none"}, Label("doubt", "not_covered")),
        ({"route": "teach", "coverage": "partial"}, Label("source", "from_course_sentences")),
        (
            {"route": "direct", "coverage": "full", "source": "faq", "reviewer": "Ada"},
            Label("reviewed", "from_faq_reviewed", "Ada"),
        ),
        ({"route": "teach"}, Label("ai", "by_ai_from_material")),
    ],
)
def test_the_label_says_how_far_the_answer_can_be_relied_on(shown: dict[str, Any], label: Label) -> None:
    assert label_of(shown) == label
