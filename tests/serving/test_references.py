"""References: labels, numbers, and nothing but the evidence of this turn."""

import course_rows as rows
import pytest

from knowledge_graph.records import Locator
from knowledge_graph.time_code import time_code
from serving.evidence import Evidence
from serving.gateway.links import reference_path
from serving.index.search import SearchIndex
from serving.references import (
    CitationFilter,
    Reference,
    choose_references,
    cited_evidence,
    label,
    plain,
)


def evidence(number: int = 1, source: str = "concept", locator: Locator | None = None, **more: str) -> Evidence:
    values = {"evidence_id": f"e{number}", "title": f"title {number}", "text": "text", **more}
    return Evidence(number=number, source=source, course_id="ds", locator=locator, **values)  # type: ignore[arg-type]


STACKS = Locator(**rows.AT_STACKS)


@pytest.mark.parametrize(("ms", "code"), [(0, "00:00"), (192_000, "03:12"), (3_792_999, "1:03:12")])
def test_time_codes(ms: int, code: str) -> None:
    assert time_code(ms) == code


def test_labels_say_where_to_look() -> None:
    assert label(evidence(locator=STACKS), "en") == "Stacks and queues @ 03:12"
    assert label(evidence(locator=Locator(**rows.AT_ARTICLE)), "en") == "Regulations, article 5.1.1, page 3"
    assert label(evidence(locator=Locator(**rows.AT_ARTICLE)), "zh") == "Regulations，第 5.1.1 条，第 3 页"
    assert label(evidence(locator=Locator(url="https://example.org/a")), "en") == "https://example.org/a"
    page = Locator(document="catalog/comp-1100.html")
    assert label(evidence(source="catalog", locator=page), "en") == "Catalogue: title 1"
    assert label(evidence(source="scholar", locator=Locator(url="https://example.org/w1")), "zh") == "title 1"
    assert label(evidence(source="faq", reviewer="Ada"), "en") == "FAQ: title 1 (From the FAQ, reviewed by Ada)"


def test_labels_and_titles_are_plain_text() -> None:
    assert plain("<b>Stacks</b>\n and <script>x</script>\x00queues") == "Stacks and x queues"


def test_marks_of_no_evidence_never_reach_the_student() -> None:
    marks = CitationFilter([1, 2])
    shown = [marks.feed(text) for text in ("A [1", "] and [", "7] and [2], a[0] ", "[")]
    assert "".join(shown) + marks.flush() == "A [1] and  and [2], a[0] ["


def test_cited_evidence_is_in_order_of_first_use() -> None:
    both = [evidence(1), evidence(2)]
    assert [one.number for one in cited_evidence("x [2] y [1] z [2] [9]", both)] == [2, 1]


def choose(question: str, answer: str, index: SearchIndex, **found: list[Evidence]) -> list[tuple[int, str]]:
    chosen = choose_references(
        question,
        answer,
        cited=found.get("cited", []),
        used=found.get("used", []),
        index=index,
        course_id="ds",
        lang="en",
    )
    return [(one.number, one.evidence_id) for one in chosen]


def test_what_the_answer_cites_keeps_its_number_and_the_rest_fill_the_gaps(index: SearchIndex) -> None:
    cited, used = [evidence(2)], [evidence(1), evidence(2)]
    assert choose("zzz", "zzz", index, cited=cited, used=used) == [(1, "e1"), (2, "e2")]


def test_passages_join_when_they_speak_of_the_question(index: SearchIndex) -> None:
    assert choose("plate on the stack", "You push it.", index) == [(1, "p1")]
    assert choose("colour of the sky", "plate on the stack", index) == []


def test_two_times_in_one_video_half_a_minute_apart_are_one_place(index: SearchIndex) -> None:
    used = [evidence(1, locator=STACKS)]
    assert choose("plate on the stack", "push", index, used=used) == [(1, "e1")]


def test_there_are_at_most_three(index: SearchIndex) -> None:
    assert len(choose("zzz", "zzz", index, used=[evidence(number) for number in range(1, 6)])) == 3


def reference(source: str = "concept", locator: Locator | None = None, origin_id: str | None = None) -> Reference:
    return Reference(1, "t", "l", source, "d/s", "e", locator, origin_id)


def test_each_kind_of_reference_has_an_address_with_every_part_quoted() -> None:
    assert reference_path(reference(locator=STACKS)) == "/courses/d%2Fs/videos/02%20stacks?t=192"
    assert reference_path(reference("faq", origin_id="faq#1")) == "/courses/d%2Fs/faq/faq%231"
    assert reference_path(reference("document", Locator(**rows.AT_ARTICLE))) == (
        "/courses/d%2Fs/documents/documents%2Fregulations.pdf?article=5.1.1&page=3"
    )
    assert reference_path(reference("search", Locator(url="https://example.org"))) == "https://example.org"
    assert reference_path(reference("search", Locator(url="javascript:alert(1)"))) is None
