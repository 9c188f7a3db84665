"""The score chart of the sample catalogue: "math minor" puts the mathematics minor first (Tulane 5.I)."""

import asyncio
from functools import partial

import pytest
from catalog_rows import SAMPLE, graph_of, sample_home, sample_records

from serving.assistant.retrieval.comparison import ask
from serving.evaluation.catalog.catalog_ablation import expert_of
from serving.evaluation.catalog.catalogs import LabelledCatalog
from serving.evaluation.catalog.score_chart import (
    CHARTED,
    Looked,
    ScoredPage,
    paint_scores,
    projection_table,
    score_pages,
)
from serving.evaluation.figures import draw
from serving.evaluation.tables import markdown
from serving.index.search import SearchIndex

PAGES = (ScoredPage("a", "Mathematics Minor — home", 0.4, 0.5), ScoredPage("b", "Computing — home", 0.1, 0.0))


@pytest.fixture(scope="module")
def charted(tmp_path_factory: pytest.TempPathFactory) -> tuple[ScoredPage, ...]:
    data_dir = sample_home(tmp_path_factory.mktemp("catalogue") / "home")
    expert, graph = expert_of(SearchIndex.open(data_dir.index)), graph_of(data_dir)
    return score_pages(asyncio.run(ask(expert, CHARTED, SAMPLE, graph, mode="program")))


def looked(name: str, pages: tuple[ScoredPage, ...]) -> Looked:
    return Looked(LabelledCatalog(name, name, sample_records(), ()), pages, pages[:1], None, 2)


def test_math_minor_ranks_the_mathematics_minor_first(charted: tuple[ScoredPage, ...]) -> None:
    assert [page.title for page in charted[:2]] == [
        "Mathematics Minor — home",
        "Mathematics Minor — requirements",
    ]
    assert charted[1].score > 2 * charted[2].score


def test_a_score_is_the_sum_of_its_parts(charted: tuple[ScoredPage, ...]) -> None:
    assert charted[0].title_words == 0.5  # "minor" of "math minor"; "math" is another word than "mathematics"
    assert 0 < charted[0].cosine < 1
    assert charted[0].score == charted[0].cosine + charted[0].title_words
    assert [page.score for page in charted] == sorted((page.score for page in charted), reverse=True)


def test_the_table_names_every_score_and_stands_beside_the_papers() -> None:
    table = projection_table([looked("ds", PAGES)])
    assert table.metrics()["ds/math_minor/1/score"] == 0.9
    assert table.metrics()["ds/computer_science_major/1/title_words"] == 0.5
    shown = markdown(table)
    assert "| Tulane's | math minor | 1 | *the math minor chunk* |" in shown
    assert "too few, or too much alike" in shown


def test_two_catalogues_stand_in_one_table() -> None:
    table = projection_table([looked("ds", PAGES), looked("law", PAGES)])
    assert {row[0] for row in table.rows} == {"Tulane's", "ds", "law"}


def test_without_a_catalogue_the_table_says_what_to_do() -> None:
    table = projection_table([])
    assert table.metrics() == {}
    assert "no course of this home has a catalogue" in markdown(table)


def test_the_chart_is_the_same_every_time() -> None:
    paint = partial(paint_scores, pages=PAGES, question=CHARTED)
    assert draw(paint) == draw(paint)
