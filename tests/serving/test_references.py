"""References: labels, numbers, the off-list, addresses, and nothing but the evidence of this turn."""

import course_rows as rows
import pytest

from knowledge_graph.lake.records import Locator
from knowledge_graph.text.time_code import paragraph_start, time_code
from serving.assistant.references import (
    OffList,
    Reference,
    ReferenceChooser,
    References,
    Response,
    can_be_opened,
    label,
    plain,
)
from serving.assistant.references.reference import from_evidence
from serving.gateway.links import locator_fields, locator_of, reference_path
from serving.gateway.source_pages.sections import document, select_rows
from serving.index.evidence import Evidence
from serving.index.search import SearchIndex


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
    slide = Locator(document="documents/heaps.pptx", page=4)
    assert label(evidence(locator=slide), "en") == "Heaps, slide 4"
    cell = Locator(document="documents/binary_search.ipynb", page=3)
    assert label(evidence(locator=cell), "zh") == "Binary search，第 3 个单元格"
    assert label(evidence(locator=Locator(url="https://example.org/a")), "en") == "https://example.org/a"
    page = Locator(document="catalog/comp-1100.html")
    assert label(evidence(source="catalog", locator=page), "en") == "Catalogue: title 1"
    assert label(evidence(source="scholar", locator=Locator(url="https://example.org/w1")), "zh") == "title 1"
    assert label(evidence(source="faq", reviewer="Ada"), "en") == "FAQ: title 1 (From the FAQ, reviewed by Ada)"


@pytest.mark.parametrize(
    ("video_id", "title", "said"),
    [
        ("week 1/Introduction", "Introduction", "Introduction (week 1) @ 00:05"),
        ("week 2/Introduction", "Introduction", "Introduction (week 2) @ 00:05"),
        ("week 2/Week 2 in short", "Week 2 in short", "Week 2 in short @ 00:05"),
        ("lectures/Introduction", "Introduction", "Introduction @ 00:05"),
        ("Introduction", "Introduction", "Introduction @ 00:05"),
    ],
)
def test_lectures_of_one_title_are_told_apart_by_the_part_of_the_course(video_id: str, title: str, said: str) -> None:
    place = Locator(video_id=video_id, video_title=title, start_ms=5_000)
    assert label(evidence(locator=place), "en") == said


OVERVIEWS = {"01 - Overview": "Overview (1/2)", "02 - Overview": "Overview (2/2)"}


def test_a_reference_calls_a_lecture_as_its_course_does(index: SearchIndex) -> None:
    shown = [
        evidence(n, locator=Locator(video_id=f"0{n} - Overview", video_title="Overview", start_ms=8_000))
        for n in (1, 2)
    ]
    chooser = ReferenceChooser(index, names_of=lambda course_id: OVERVIEWS if course_id == "ds" else {})
    assert [one.label for one in chooser.cite(shown, lang="en").chosen] == [
        "Overview (1/2) @ 00:08",
        "Overview (2/2) @ 00:08",
    ]
    chosen = chooser.choose(Response("zzz", "zzz"), cited=shown, used=[], course_id="ds", subject=None, lang="en")
    assert [one.label for one in chosen.chosen] == ["Overview (1/2) @ 00:08", "Overview (2/2) @ 00:08"]
    in_folder = evidence(locator=Locator(video_id="week 2/Heaps", video_title="Heaps", start_ms=0))
    assert label(in_folder, "en", {"week 2/Heaps": "Heaps"}) == "Heaps (week 2) @ 00:00"
    assert label(in_folder, "en", {"week 2/Heaps": "Heaps (week 2)"}) == "Heaps (week 2) @ 00:00"


UNTIMED = Locator(
    video_id="week 2/03 heaps",
    video_title="Heaps",
    start_ms=paragraph_start(12) + 700,
    end_ms=paragraph_start(13) + 9,
)


def test_a_lecture_without_times_is_cited_by_paragraph_and_told_of_without_a_time() -> None:
    assert label(evidence(locator=UNTIMED), "en") == "Heaps (week 2), paragraph 12"
    assert label(evidence(locator=UNTIMED), "zh") == "Heaps (week 2)，第 12 段"
    assert reference_path(reference(locator=UNTIMED)) == "/courses/d%2Fs/videos/week%202%2F03%20heaps?paragraph=12"
    told = locator_fields(UNTIMED)
    assert (told["start_ms"], told["end_ms"], told["paragraph"], told["last_paragraph"]) == (None, None, 12, 13)
    assert (locator_of(told).paragraph, locator_of(told).video_id) == (12, UNTIMED.video_id)


def test_a_locator_with_a_time_or_a_page_is_told_of_as_it_is() -> None:
    for where in (STACKS, Locator(**rows.AT_ARTICLE), Locator(url="https://example.org")):
        assert locator_fields(where) == vars(where)
        assert locator_of(locator_fields(where)) == where


def test_labels_and_titles_are_plain_text() -> None:
    assert plain("<b>Stacks</b>\n and <script>x</script>\x00queues") == "Stacks and x queues"


def choose(question: str, answer: str, index: SearchIndex, **found: list[Evidence]) -> list[tuple[int, str]]:
    chosen = ReferenceChooser(index).choose(
        Response(question, answer),
        cited=found.get("cited", []),
        used=found.get("used", []),
        course_id="ds",
        subject=None,
        lang="en",
    )
    return [(one.number, one.evidence_id) for one in chosen.chosen]


def test_what_the_answer_cites_keeps_its_number_and_the_rest_fill_the_gaps(index: SearchIndex) -> None:
    cited, used = [evidence(2)], [evidence(1, locator=STACKS), evidence(2)]
    assert choose("zzz", "zzz", index, cited=cited, used=used) == [(1, "e1"), (2, "e2")]


def test_two_cited_definitions_of_one_minute_both_keep_their_reference(index: SearchIndex) -> None:
    cited = [evidence(1, locator=STACKS), evidence(3, locator=STACKS)]
    assert choose("zzz", "zzz", index, cited=cited, used=[evidence(2, locator=STACKS)]) == [(1, "e1"), (3, "e3")]


PLATES = "Push a plate on the stack, and pop the plate from the stack."


def test_passages_join_when_they_support_the_answer(index: SearchIndex) -> None:
    assert choose("plate on the stack", PLATES, index) == [(1, "p1")]
    assert choose("colour of the sky", "The sky is blue, far from any stack.", index) == []


def test_two_times_in_one_video_half_a_minute_apart_are_one_place(index: SearchIndex) -> None:
    used = [evidence(1, locator=STACKS)]
    assert choose("plate on the stack", PLATES, index, used=used) == [(1, "e1")]


def test_there_are_at_most_three(index: SearchIndex) -> None:
    used = [evidence(number, locator=Locator(document=f"notes/{number}.md")) for number in range(1, 6)]
    assert len(choose("zzz", "zzz", index, used=used)) == 3


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


def test_a_reference_to_a_heading_names_it_and_opens_at_it() -> None:
    notes = Locator(document="documents/notes.md")
    passage = evidence(1, "document", notes, title="Notes — Trees › Heaps")
    assert label(passage, "en") == "Notes, “Heaps”"
    assert reference_path(from_evidence(passage, "en")) == (
        "/courses/ds/documents/documents%2Fnotes.md?heading=Trees+%E2%80%BA+Heaps"
    )
    pair = evidence(2, "document", notes, title="What is a heap?", origin_id="documents/notes.md#ab12")
    assert label(pair, "en") == "Notes, “What is a heap?”"
    numbered = evidence(3, "document", Locator(**rows.AT_ARTICLE), title="Rules — 5.1.1 Resits")
    assert label(numbered, "en") == "Regulations, article 5.1.1, page 3"
    assert document(SECTIONS, article=None, page=None, heading="Trees › Heaps").parts[1].is_first
    assert select_rows(SECTIONS, article=None, page=None, heading="Trees › Heaps") == SECTIONS[1:]


SECTIONS = [
    {
        **{"document": "documents/notes.md", "title": "Notes", "article": None, "page": None, "lang": "en"},
        **{"section_index": place, "heading": heading, "text": "…"},
    }
    for place, heading in enumerate(("Lists", "Trees › Heaps"))
]


EVERYWHERE = [
    ("concept", STACKS, None),
    ("concept", None, "en:stack"),
    ("subtitle", STACKS, None),
    ("document", Locator(**rows.AT_ARTICLE), None),
    ("catalog", Locator(document="catalog/comp-1100.html"), None),
    ("catalog", Locator(url="https://example.org/comp-1100"), None),
    ("faq", None, "faq#1"),
    ("faq", None, None),
    ("search", Locator(url="https://example.org"), None),
    ("search", Locator(url="javascript:alert(1)"), None),
    ("scholar", Locator(url="http://example.org/w1"), "w1"),
]


@pytest.mark.parametrize(("source", "locator", "origin_id"), EVERYWHERE)
def test_what_can_be_opened_is_what_the_gateway_has_an_address_for(
    source: str, locator: Locator | None, origin_id: str | None
) -> None:
    for course_id in ("ds", None):
        one = Evidence(1, "e", source, course_id, "t", "x", locator=locator, origin_id=origin_id)
        assert can_be_opened(one) == (reference_path(from_evidence(one, "en")) is not None)


def test_nothing_is_shown_that_does_not_open(index: SearchIndex) -> None:
    assert choose("zzz", "zzz", index, used=[evidence(1)]) == []


def chosen_for(subject: str | None, index: SearchIndex, off_list: OffList, lang: str = "en") -> References:
    chooser = ReferenceChooser(index, off_list=off_list)
    return chooser.choose(
        Response("plate on the stack", PLATES),
        cited=[evidence(1)],
        used=[],
        course_id="ds",
        subject=subject,
        lang=lang,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("subject", ["mathematics", "Applied Mathematics", "Maths", "数学", "高等数学"])
def test_a_course_of_mathematics_gets_no_references_and_is_told_why(index: SearchIndex, subject: str) -> None:
    found = chosen_for(subject, index, OffList())
    assert found.chosen == ()
    assert (
        found.reason == f"No references are shown for {subject}: in this subject they were too often beside the point."
    )
    assert chosen_for(subject, index, OffList(), "zh").reason.startswith(f"{subject}类问题不附参考资料")


@pytest.mark.parametrize("subject", ["computing", "aftermath studies", "finance", None, ""])
def test_other_subjects_keep_theirs(index: SearchIndex, subject: str | None) -> None:
    found = chosen_for(subject, index, OffList())
    assert [one.evidence_id for one in found.chosen] == ["e1", "p1"]
    assert found.reason == ""


def test_the_list_is_a_setting(index: SearchIndex) -> None:
    assert chosen_for("Finance", index, OffList(["finance", "mathematics"])).reason
    assert chosen_for("mathematics", index, OffList(["none"])).chosen


def test_a_passage_of_a_listed_subject_is_left_out_and_the_reason_told_when_nothing_is_left(index: SearchIndex) -> None:
    chooser = ReferenceChooser(index, off_list=OffList(["computing"]))  # the subject of every passage of this index
    response = Response("plate on the stack", PLATES)
    alone = chooser.choose(response, cited=[], used=[], course_id="ds", subject=None, lang="en")
    beside = chooser.choose(response, cited=[evidence(1)], used=[], course_id="ds", subject=None, lang="en")
    assert (alone.chosen, alone.reason != "") == ((), True)
    assert ([one.evidence_id for one in beside.chosen], beside.reason) == (["e1"], "")
