"""The index: same input, same version; English and Chinese; who may answer in which course; following CURRENT."""

from pathlib import Path

import course_rows as rows
import pytest

from serving.index import tantivy_reader
from serving.index.analysis import content_terms, terms
from serving.index.build import build_index
from serving.index.engine import IndexMissing
from serving.index.search import SearchIndex


def found(index: SearchIndex, query: str, **options: object) -> list[str]:
    return [hit.entry.entry_id for hit in index.search(query, **options)]  # type: ignore[arg-type]


def test_english_is_lower_cased_and_stemmed_with_stop_words_kept() -> None:
    assert terms("The Stacks were RUNNING in C++") == ["the", "stack", "were", "run", "in", "c++"]


def test_chinese_gives_words_and_character_bigrams_once_each() -> None:
    found_terms = terms("数据结构")
    assert {"数据", "结构", "据结", "数据结构"} <= set(found_terms)
    assert len(found_terms) == len(set(found_terms))


def test_content_terms_keep_question_words_that_change_the_answer() -> None:
    assert content_terms("When is the exam?") == ["when", "exam"]


def test_a_text_of_stop_words_keeps_them_unless_told_to_be_strict() -> None:
    assert content_terms("what is it") == ["what", "is", "it"]
    assert content_terms("what is it", strict=True) == []


def test_the_same_rows_in_any_order_are_one_version_and_are_not_built_again(tmp_path: Path) -> None:
    first = build_index(rows.tables(tmp_path / "t"), tmp_path / "index")
    second = build_index(rows.tables(tmp_path / "t", rows.QA[::-1], rows.PASSAGES[::-1]), tmp_path / "index")
    assert first.written
    assert not second.written
    assert (second.version, second.counts, second.beta) == (first.version, first.counts, first.beta)


def test_a_build_reports_the_counts_that_the_index_holds(tmp_path: Path) -> None:
    report = build_index(rows.tables(tmp_path / "t"), tmp_path / "index")
    assert report.counts == {
        "qa": {"concept": 4, "document": 1, "faq": 4, "search": 1},
        "passage": {"document": 1, "subtitle": 3},
    }
    assert SearchIndex.open(tmp_path / "index").counts() == report.counts


def test_two_versions_are_kept_and_older_ones_removed(tmp_path: Path) -> None:
    versions = [
        build_index(rows.tables(tmp_path / "t", rows.QA[:count], []), tmp_path / "index").version for count in (1, 2, 3)
    ]
    assert sorted(path.parent.name for path in tmp_path.glob("index/*/manifest.json")) == sorted(versions[1:])


def test_rows_that_share_an_id_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"found twice or more: \['c1'\]"):
        build_index(rows.tables(tmp_path / "t", [rows.QA[0], rows.QA[0]], []), tmp_path / "index")


def test_an_index_without_any_entry_can_be_built_and_searched(tmp_path: Path) -> None:
    build_index(rows.tables(tmp_path / "t", [], []), tmp_path / "index")
    assert SearchIndex.open(tmp_path / "index").search("stack") == []


def test_english_questions_find_inflected_forms(index: SearchIndex) -> None:
    assert found(index, "stacks", sources=["concept"]) == ["c1"]


def test_chinese_questions_find_chinese_pairs(index: SearchIndex) -> None:
    assert found(index, "作业截止时间")[0] == "z2"


def test_passages_of_other_courses_are_not_found(index: SearchIndex) -> None:
    assert found(index, "栈", kind="passage", course_id="ds") == []
    assert found(index, "栈", kind="passage", course_id="sjjg") == ["p4"]


def test_concepts_of_other_courses_stay_candidates_but_their_faq_does_not(index: SearchIndex) -> None:
    assert "c1" in found(index, "stack", course_id="sjjg")
    assert found(index, "homework deadline", course_id="sjjg") == []


def test_a_filter_does_not_change_the_score(index: SearchIndex) -> None:
    free = {hit.entry.entry_id: hit.score for hit in index.search("stack")}
    kept = {hit.entry.entry_id: hit.score for hit in index.search("stack", course_id="ds", sources=["concept"])}
    assert kept == {key: pytest.approx(free[key]) for key in kept}


@pytest.mark.parametrize("elsewhere", [2, 20])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_what_is_in_a_scope_that_most_entries_have_is_found_as_by_its_filter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, k: int, elsewhere: int
) -> None:
    own = [rows.pair(f"own {n:02}", "faq", f"late work {'again ' * (n % 5)}", "answer") for n in range(30)]
    others = [rows.pair(f"other {n:02}", "faq", "late work", "late work", course_id="sjjg") for n in range(elsewhere)]
    build_index(rows.tables(tmp_path / "t", [*own, *others], []), tmp_path / "index")
    index = SearchIndex.open(tmp_path / "index")
    direct = index.search("late work", course_id="ds", sources=["faq", "document"], k=k)
    monkeypatch.setattr(tantivy_reader, "_BROAD", 2)  # more than all: always by the filter
    assert [(one.entry, pytest.approx(one.score)) for one in direct] == [
        (one.entry, one.score) for one in index.search("late work", course_id="ds", sources=["faq", "document"], k=k)
    ]
    assert len(direct) == k


def test_a_scope_without_entries_finds_nothing(index: SearchIndex) -> None:
    assert found(index, "stack", course_id="ds", sources=["scholar"]) == []


def test_equal_scores_are_ordered_by_id(tmp_path: Path) -> None:
    same = [rows.pair(key, "faq", "same words", "same answer") for key in ("b", "c", "a")]
    build_index(rows.tables(tmp_path / "t", same, []), tmp_path / "index")
    assert found(SearchIndex.open(tmp_path / "index"), "words", k=2) == ["a", "b"]


def test_a_stored_entry_comes_back_whole(index: SearchIndex) -> None:
    entry = index.search("late submission", sources=["document"])[0].entry
    assert (entry.text, entry.domains) == ("Each day late costs ten percent.", ("computer science",))
    assert entry.locator is not None
    assert (entry.locator.article, entry.locator.page) == ("5.1.1", 3)


def test_a_home_without_an_index_names_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="Run `coteach build` first"):
        SearchIndex.open(tmp_path / "index")
