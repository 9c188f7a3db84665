"""Ablations of the catalogue expert: arms over the real strategies, paired tests, and a made-up large catalogue."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest
from catalog_rows import COURSES, SAMPLE, graph_of, sample_home, sample_records

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CatalogRecord
from knowledge_graph.lake.schemas import CATALOG_PAGES
from knowledge_graph.lake.tables import write_table
from knowledge_graph.sources.folders import find_courses
from serving.evaluation.catalog.catalog_ablation import (
    ArmResult,
    CatalogAblation,
    chunking,
    compare_arms,
    modes,
    scoring,
)
from serving.evaluation.catalog.catalog_ablation_table import ablation_table, notes_on
from serving.evaluation.catalog.catalogs import (
    CatalogQuestion,
    LabelledCatalog,
    chunks,
    name_of,
    read_catalogs,
    whole_pages,
)
from serving.evaluation.catalog.simulated_catalog import SimulatedCatalog, simulate_catalog
from serving.evaluation.tables import markdown
from serving.index.search import SearchIndex

LONG = CatalogRecord(
    "ds",
    "program",
    "program:law#home",
    None,
    "Law",
    "home",
    " ".join(f"tort {n:05}" for n in range(1_091)),
    "x.html",
    None,
    None,
    "en",
)
CLASS = replace(LONG, mode="class", record_id="class:LAW 1", code="LAW 1", title="Torts", topic=None)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> DataDir:
    return sample_home(tmp_path_factory.mktemp("catalogue") / "home")


@pytest.fixture(scope="module")
def asked(data_dir: DataDir) -> tuple[CatalogQuestion, ...]:
    return read_catalogs(data_dir, find_courses(COURSES))[0].questions_of_one_mode()


@pytest.fixture(scope="module")
def simulated() -> SimulatedCatalog:
    return simulate_catalog(subjects=12, classes=30)


def outcome(hits: str) -> ArmResult:
    """One letter for each question: x for a hit."""
    found = tuple(each == "x" for each in hits)
    return ArmResult(found, tuple(map(float, found)), tuple(1 for _ in found))


def share(found: ArmResult) -> float:
    return sum(found.hits) / len(found.hits)


def test_a_mode_finds_what_the_other_never_can(data_dir: DataDir, asked: tuple[CatalogQuestion, ...]) -> None:
    arms = modes(SAMPLE, "sample", SearchIndex.open(data_dir.index), asked, graph_of(data_dir)).arms
    assert sum(arms["wrong mode"].hits) == 0
    assert sum(arms["wrong mode"].recalls) == 0
    by_neither = 1 / len(asked)  # one question is answered by what a page says of all its classes, which has no mode
    assert share(arms["own mode"]) >= share(arms["mixed"]) - by_neither
    assert share(arms["own mode"]) > 0.85


def test_title_words_are_worth_something(data_dir: DataDir, asked: tuple[CatalogQuestion, ...]) -> None:
    found = scoring(SAMPLE, "sample", SearchIndex.open(data_dir.index), asked, graph_of(data_dir), None)
    usual, without = found.arms.values()
    assert share(usual) >= share(without)


def test_chunks_change_nothing_where_every_page_is_short(data_dir: DataDir, asked: tuple[CatalogQuestion, ...]) -> None:
    whole, pieces = chunking(SAMPLE, "sample", sample_records(), asked, graph_of(data_dir)).arms.values()
    assert whole == pieces


def test_more_documents_fit_when_long_pages_are_chunked(simulated: SimulatedCatalog) -> None:
    graph = simulated.graph()
    whole, pieces = chunking("simulated", "simulated", simulated.records, simulated.asked, graph).arms.values()
    assert sum(pieces.documents) > 1.5 * sum(whole.documents)
    assert len(whole.hits) == 12  # questions to the expert on programs alone


def test_a_simulated_catalogue_is_the_same_for_the_same_seed(simulated: SimulatedCatalog) -> None:
    assert simulate_catalog(subjects=12, classes=30) == simulated
    assert simulate_catalog(subjects=12, classes=30, seed=1) != simulated
    ids = [record.record_id for record in simulated.records]
    assert len(set(ids)) == len(ids) == 4 * 12 + 30
    assert {key for one in simulated.asked for key in one.question.gold} <= set(ids)


def test_only_long_topics_of_programs_are_split_and_pieces_name_their_page() -> None:
    rows = chunks([LONG, CLASS])
    assert [row["origin_id"] for row in rows] == ["program:law#home"] * 3 + ["class:LAW 1"]
    assert [len(row["answer"]) for row in rows] == [5000, 5000, 2200, 12_000]
    assert [row["question"] for row in whole_pages([LONG, CLASS])] == ["Law — home", "LAW 1 Torts"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("xxxxx", "xxxxx", (0, 0, None)),
        ("xxxxx", "-----", (0, 5, 0.0625)),  # 2 * (1/2)^5
        ("x----", "-xxxx", (4, 1, 0.375)),  # 2 * (5 + 1) / 32
    ],
)
def test_paired_questions_worked_by_hand(first: str, second: str, expected: tuple[int, int, float | None]) -> None:
    found = compare_arms(outcome(first), outcome(second))
    assert (found.gained, found.lost) == expected[:2]
    assert found.p == (expected[2] if expected[2] is None else pytest.approx(expected[2]))


def test_the_table_compares_each_arm_with_the_first() -> None:
    found = CatalogAblation(
        "Sample", "sample/modes", "modes", {"own": outcome("xxx-"), "mixed": outcome("x---")}, {"mixed": "a fall"}
    )
    table = ablation_table([found])
    metrics = table.metrics()
    assert metrics["sample/modes/arm_0/hit_at_1"] == 0.75
    assert metrics["sample/modes/arm_1/lost"] == 2
    assert "sample/modes/arm_0/p" not in metrics
    assert "*a fall*" in markdown(table)


def test_documents_are_shown_where_they_are_what_is_compared() -> None:
    arms = {"whole": replace(outcome("xx"), documents=(9, 13)), "pieces": replace(outcome("xx"), documents=(20, 30))}
    table = ablation_table([CatalogAblation("Sample", "sample/chunking", "chunks", arms, {}, counts_documents=True)])
    assert table.metrics()["sample/chunking/arm_1/documents"] == 25


def test_notes_say_what_could_not_be_measured() -> None:
    assert "no course of this home has a catalogue" in notes_on([], why_no_embeddings="")[0].format_text()
    catalog = LabelledCatalog("ds", "ds", (LONG, CLASS), ())
    lengths, embeddings = notes_on([catalog], why_no_embeddings="No {model} here.")
    assert "of 1 pages of programs 1 have more than 5,000 characters" in lengths.format_text()
    assert embeddings.format_text() == "Embeddings are not measured. No {model} here."


def test_names_of_courses_fit_into_metrics() -> None:
    assert name_of("university-catalog") == "university_catalog"
    assert name_of("Law 1").startswith("law_1_")
    assert name_of("目录") != name_of("数据")
    assert name_of("目录").isascii()


def test_questions_whose_gold_is_of_both_modes_or_of_none_belong_to_no_expert(tmp_path: Path) -> None:
    (tmp_path / "ds" / "gold").mkdir(parents=True)
    (tmp_path / "ds" / "catalog").mkdir()
    (tmp_path / "ds" / "catalog" / "x.html").write_text("<h1>x</h1>")
    lines = [
        '{"question": "torts", "gold": ["class:LAW 1"]}',
        '{"question": "law", "gold": ["class:LAW 1", "program:law#home"]}',
        '{"question": "elsewhere", "gold": ["faq#1"]}',
    ]
    (tmp_path / "ds" / "gold" / "questions.jsonl").write_text("\n".join(lines))
    data_dir = DataDir(tmp_path / "home")
    write_table(data_dir.table("catalog_pages", "ds"), [asdict(LONG), asdict(CLASS)], CATALOG_PAGES)
    (catalog,) = read_catalogs(data_dir, find_courses(tmp_path))
    assert [one.question.question for one in catalog.questions_of_one_mode()] == ["torts"]
    assert [name for name, _ in catalog.made_of] == ["catalog_pages/ds", "ds/gold/questions.jsonl"]
