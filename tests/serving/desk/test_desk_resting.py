"""What an approval rests on: found again after a rebuild, and flagged when its words changed, and only then."""

import tempfile
from pathlib import Path

import pytest
from desk_rows import catalogue, cue, faq, lake_of, section, ta_answer, unit
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import Locator
from serving.desk.course_tables import CourseTables
from serving.desk.difference import DifferencePiece, difference
from serving.desk.material_units import find_changes, find_units, make_reviewed_sources, plain, units_of
from serving.desk.refusals import NotFit
from serving.index.schema import Entry
from serving.store.tables.review import ReviewedSource

CUES = [cue(number, text) for number, text in enumerate(["a stack", "is last in", "first out", "a queue is not"])]
MIDDLE = "cues:01:4000-12000"
"""The second and the third cue."""


def entry(source: str, locator: Locator | None, **more: object) -> Entry:
    fixed = {"entry_id": "e", "kind": "qa", "course_id": "ds", "lang": "en", "title": "t", "text": "x"}
    return Entry(**(fixed | {"source": source, "locator": locator} | more))  # type: ignore[arg-type]


def resting(tables: CourseTables, *names: str) -> list[ReviewedSource]:
    return make_reviewed_sources([unit(tables, name) for name in names], "a1")


def test_a_stretch_holds_the_cues_that_are_spoken_in_it(tmp_path: Path) -> None:
    found = unit(lake_of(tmp_path, cues=CUES), MIDDLE)
    assert (found.text, found.label) == ("is last in\nfirst out", "Stacks @ 00:04")


@pytest.mark.parametrize("number", range(4))
def test_editing_a_cue_flags_the_stretch_that_holds_it_and_no_other(tmp_path: Path, number: int) -> None:
    rests = resting(lake_of(tmp_path, cues=CUES), "cues:01:0-4000", MIDDLE, "cues:01:12000-16000")
    edited = [row | {"text": "edited"} if row["cue_index"] == number else row for row in CUES]
    holding = ["cues:01:0-4000", MIDDLE, MIDDLE, "cues:01:12000-16000"][number]
    assert [one.unit for one in find_changes(rests, lake_of(tmp_path, cues=edited))] == [holding]


@pytest.mark.parametrize(
    "text",
    ["is  last\nin", " is last in ", "is last in\u3000"],
    ids=["wrapped", "with space around", "with a wide space"],
)
def test_white_space_is_no_change(tmp_path: Path, text: str) -> None:
    rests = resting(lake_of(tmp_path, cues=CUES), MIDDLE)
    assert find_changes(rests, lake_of(tmp_path, cues=[CUES[0], cue(1, text), *CUES[2:]])) == []


def test_the_same_words_cut_into_other_cues_are_no_change(tmp_path: Path) -> None:
    rests = resting(lake_of(tmp_path, cues=CUES), MIDDLE)
    halves = [cue(1, "is", start=4000, length=1000), cue(2, "last in first out", start=5000, length=7000)]
    assert find_changes(rests, lake_of(tmp_path, cues=[CUES[0], *halves, CUES[3]])) == []


def test_chinese_cut_into_other_cues_is_no_change(tmp_path: Path) -> None:
    rests = resting(lake_of(tmp_path, cues=[cue(0, "栈是后进"), cue(1, "先出的表")]), "cues:01:0-8000")
    assert find_changes(rests, lake_of(tmp_path, cues=[cue(0, "栈是"), cue(1, "后进先出的表")])) == []


def test_cues_added_elsewhere_are_no_change(tmp_path: Path) -> None:
    rests = resting(lake_of(tmp_path, cues=CUES), MIDDLE)
    more = [*CUES, cue(4, "thanks"), cue(0, "hello", video="02")]
    assert find_changes(rests, lake_of(tmp_path, cues=more)) == []


def test_a_file_that_is_timed_a_little_otherwise_is_no_change(tmp_path: Path) -> None:
    rests = resting(lake_of(tmp_path, cues=CUES), MIDDLE)
    later = [row | {"start_ms": row["start_ms"] + 400, "end_ms": row["end_ms"] + 400} for row in CUES]
    assert find_changes(rests, lake_of(tmp_path, cues=later)) == []


def test_a_cue_put_into_the_stretch_is_a_change(tmp_path: Path) -> None:
    rests = resting(lake_of(tmp_path, cues=CUES), MIDDLE)
    found = find_changes(
        rests, lake_of(tmp_path, cues=[*CUES[:2], cue(9, "always", start=7000, length=900), *CUES[2:]])
    )
    assert [one.now for one in found] == ["is last in\nalways\nfirst out"]


def test_what_is_gone_has_changed_to_nothing(tmp_path: Path) -> None:
    before = lake_of(tmp_path, cues=CUES, entries=[faq("late", "Late?", "Ten percent.")])
    rests = resting(before, MIDDLE, "faq:late")
    assert [(one.unit, one.now) for one in find_changes(rests, lake_of(tmp_path))] == [(MIDDLE, ""), ("faq:late", "")]


def test_a_course_that_is_gone_has_changed_to_nothing(tmp_path: Path) -> None:
    rests = resting(lake_of(tmp_path / "a", cues=CUES), MIDDLE)
    (tmp_path / "a" / "lake" / "cues" / "ds.parquet").unlink()
    assert [one.now for one in find_changes(rests, lake_of(tmp_path / "b"))] == [""]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("faq:late", {"entries": [faq("late", "Late?", "Ten.")]}, {"entries": [faq("late", "Late?", "Twenty.")]}),
        ("document:rules.md:5.1", {"sections": [section("5.1", "Ten.")]}, {"sections": [section("5.1", "Twenty.")]}),
        (
            "catalog:class:MUSC 1000",
            {"records": [catalogue("class:MUSC 1000", "Café", "Études.")]},
            {"records": [catalogue("class:MUSC 1000", "Café", "Preludes.")]},
        ),
    ],
)
def test_each_kind_of_source_is_found_again_by_its_name(
    tmp_path: Path, name: str, before: dict[str, list[dict[str, object]]], after: dict[str, list[dict[str, object]]]
) -> None:
    rests = resting(lake_of(tmp_path, **before), name)
    assert find_changes(rests, lake_of(tmp_path, **before)) == []
    assert [one.unit for one in find_changes(rests, lake_of(tmp_path, **after))] == [name]


def test_a_new_section_before_it_leaves_a_section_as_it_is(tmp_path: Path) -> None:
    rests = resting(lake_of(tmp_path, sections=[section("5.1", "Ten.")]), "document:rules.md:5.1")
    assert find_changes(rests, lake_of(tmp_path, sections=[section("5.0", "New."), section("5.1", "Ten.")])) == []


def test_an_answer_of_a_ta_can_be_rested_on_too(tmp_path: Path) -> None:
    rests = resting(lake_of(tmp_path, answers=[ta_answer("ta-1", "Late?", "Ten.")]), "faq:ta-1")
    assert find_changes(rests, lake_of(tmp_path, answers=[ta_answer("ta-1", "Late?", "Ten.")])) == []
    assert len(find_changes(rests, lake_of(tmp_path, answers=[ta_answer("ta-1", "Late?", "Twenty.")]))) == 1


def test_a_correction_by_a_ta_is_a_change_of_the_entry_it_takes_the_place_of(tmp_path: Path) -> None:
    entries = [faq("late", "Late?", "Ten.")]
    rests = resting(lake_of(tmp_path, entries=entries), "faq:late")
    corrected = lake_of(tmp_path, entries=entries, answers=[ta_answer("ta-1", "Late?", "Twenty.", "late")])
    assert [one.now for one in find_changes(rests, corrected)] == ["Late?\nTwenty."]


def test_entries_name_what_they_are_made_of(tmp_path: Path) -> None:
    tables = lake_of(
        tmp_path,
        cues=CUES,
        sections=[section("5.1", "Ten percent."), section("5.2", "Twenty.")],
        entries=[faq("late", "Late?", "Ten percent.")],
        records=[catalogue("class:MUSC 1000", "Café", "Études.")],
    )
    entries = [
        entry("subtitle", Locator(video_id="01", start_ms=4000, end_ms=12000)),
        entry("concept", Locator(video_id="01", start_ms=0, end_ms=4000), origin_id="en:stack"),
        entry("concept", Locator(video_id="01", start_ms=12500)),
        entry("faq", Locator(document="faq.csv"), origin_id="late"),
        entry("document", Locator(document="rules.md", article="5.1"), origin_id="rules.md#5.1"),
        entry("document", Locator(document="rules.md", article="5.2"), text="Twenty.", kind="passage"),
        entry("catalog", Locator(document="musc.html"), origin_id="class:MUSC 1000"),
        entry("catalog", Locator(document="musc.html"), title="MUSC 1000 Café", kind="passage"),
        entry("search", Locator(url="https://example.org")),
    ]
    assert [one.unit for one in units_of(entries, tables)] == [
        *(MIDDLE, "cues:01:0-4000", "cues:01:12500-16000", "faq:late"),
        *("document:rules.md:5.1", "document:rules.md:5.2", "catalog:class:MUSC 1000"),
    ]


@pytest.mark.parametrize("name", ["faq:none", "faq", "", "cues:01:x-y", "cues:09:0-4000", "../etc", "document:a"])
def test_material_that_is_not_there_cannot_be_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFit, match="no such material"):
        find_units([name], "ds", lake_of(tmp_path, cues=CUES))


def test_a_video_may_have_any_name(tmp_path: Path) -> None:
    tables = lake_of(tmp_path, cues=[cue(0, "hello", video="week 1: 0-5/天")])
    assert unit(tables, "cues:week 1: 0-5/天:0-4000").text == "hello"


WORDS = st.lists(st.text("ab 栈", min_size=1, max_size=4), min_size=1, max_size=6)


@given(texts=WORDS, edits=st.dictionaries(st.integers(0, 5), st.text("ab 栈", max_size=4), max_size=3))
@settings(max_examples=60, deadline=None)
def test_exactly_the_stretches_whose_words_changed_are_flagged(texts: list[str], edits: dict[int, str]) -> None:
    """Every stretch of a video is watched; those with other words than before are flagged, none else."""
    spans = [(a, b) for a in range(len(texts)) for b in range(a + 1, len(texts) + 1)]
    after = [edits.get(number, text) for number, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as root:
        before = lake_of(Path(root), cues=[cue(number, text) for number, text in enumerate(texts)])
        rests = make_reviewed_sources(
            find_units([f"cues:01:{4000 * a}-{4000 * b}" for a, b in spans], "ds", before), "a1"
        )
        found = find_changes(rests, lake_of(Path(root), cues=[cue(number, text) for number, text in enumerate(after)]))
    expected = {
        f"cues:01:{4000 * a}-{4000 * b}"
        for a, b in spans
        if plain("\n".join(texts[a:b])) != plain("\n".join(after[a:b]))
    }
    assert {one.unit for one in found} == expected


def test_a_difference_is_told_word_for_word() -> None:
    assert difference("late costs ten percent", "late  costs twenty percent") == [
        DifferencePiece("equal", "late costs ", "late costs "),
        DifferencePiece("replace", "ten", "twenty"),
        DifferencePiece("equal", " percent", " percent"),
    ]


def test_a_difference_in_chinese_is_told_character_for_character() -> None:
    found = difference("每周日晚上", "每周六晚上")
    assert found == [
        DifferencePiece("equal", "每周", "每周"),
        DifferencePiece("replace", "日", "六"),
        DifferencePiece("equal", "晚上", "晚上"),
    ]


@given(old=st.text("ab c栈.", max_size=30), new=st.text("ab c栈.", max_size=30))
def test_the_pieces_of_a_difference_make_up_both_texts(old: str, new: str) -> None:
    pieces = difference(old, new)
    assert "".join(one.old for one in pieces) == " ".join(old.split())
    assert "".join(one.new for one in pieces) == " ".join(new.split())
