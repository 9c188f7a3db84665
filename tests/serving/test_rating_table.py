"""Table 3: means and intervals against cases worked by hand, published cells that follow and those that do not."""

import math
from functools import partial
from pathlib import Path

import pytest
from rating_files import six, write_ratings

from knowledge_graph.concepts.academic_fields import ACADEMIC_FIELDS
from serving.evaluation.figures import draw
from serving.evaluation.ratings.human_ratings import ASPECTS, read_human_ratings
from serving.evaluation.ratings.published_ratings import PUBLISHED, find_published
from serving.evaluation.ratings.rating_categories import (
    CATEGORIES,
    category_means,
    category_of,
    category_table,
    paint_categories,
)
from serving.evaluation.ratings.rating_estimates import estimate
from serving.evaluation.ratings.rating_table import SystemRow, rating_table, rows_of
from serving.evaluation.ratings.reliability import reliability_of
from serving.evaluation.tables import MeasuredNumber, markdown


def rows(folder: Path) -> tuple[SystemRow, ...]:
    systems = read_human_ratings(folder).systems
    return rows_of(systems, [reliability_of(one) for one in systems])


def with_mean(mean: float, answers: int = 100) -> list[int]:
    """Ratings of 0, 1 and 2 with this mean, to two decimals."""
    total = round(mean * answers)
    twos = min(total // 2, answers)
    return [2] * twos + [1] * (total - 2 * twos) + [0] * (answers - twos - (total - 2 * twos))


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("CoT-10b", "LittleMu (10B)"),
        ("cot_130B", "LittleMu (130B)"),
        ("xiaomu", "XiaoMu"),
        ("PLATO_XL", "PLATO-XL"),
        ("plato-xl", "PLATO-XL"),
        ("CDial-GPT", "CDial-GPT"),
        ("glm130b", "GLM-130B"),
        ("GLM", "GLM"),
        ("CPM2", "CPM-2"),
        ("EVA", "EVA2.0"),
        ("EVA2.0", "EVA2.0"),
    ],
)
def test_a_folder_is_known_by_any_spelling_of_its_system(folder: str, name: str) -> None:
    found = find_published(folder)
    assert found is not None
    assert found.name == name


def test_another_system_is_not_in_the_paper() -> None:
    assert find_published("GPT-3") is None


def test_the_published_interval_is_over_all_labels_of_both_raters(tmp_path: Path) -> None:
    """Labels 0, 2, 2, 1: mean 1.25, sd sqrt(11/12), n 4."""
    write_ratings(tmp_path / "A" / "A_1.csv", six(0, 2))
    write_ratings(tmp_path / "A" / "A_2.csv", six(2, 1))
    (system,) = read_human_ratings(tmp_path).systems
    found = estimate(system, 0).published_way
    assert found.value == 1.25
    assert found.high == pytest.approx(1.25 + 1.96 * math.sqrt(11 / 12) / 2)
    assert found.n == 4


def test_an_interval_that_knows_of_raters_is_wider_by_what_they_differ(tmp_path: Path) -> None:
    """Two courses alike, raters at 0.5 and 1.5: no variance between courses, (1.5 - 0.5)**2 / 4 between raters."""
    for rater, values in (("1", [0, 1, 0, 1]), ("2", [1, 2, 1, 2])):
        path = write_ratings(tmp_path / "A" / f"A_{rater}.csv", six(*values))
        lines = path.read_text().splitlines()
        path.write_text("\n".join([*lines[:3], *(line.replace("heaps", "trees") for line in lines[3:])]))
    (system,) = read_human_ratings(tmp_path).systems
    found = estimate(system, 0)
    assert found.published_way.value == found.widened.value == 1
    assert found.published_way.low is not None
    assert found.published_way.low > 0
    assert (found.widened.low, found.widened.high) == (0, 2)
    alone = estimate(system, 0, copied=("",)).widened
    assert (alone.low, alone.high) == (pytest.approx(1), pytest.approx(1))


def test_every_cell_that_the_files_give_is_equal_and_the_others_are_named(tmp_path: Path) -> None:
    """XiaoMu's published means to the letter, but for humanness."""
    xiaomu = next(one for one in PUBLISHED if one.name == "XiaoMu")
    means = [mean + 0.02 if aspect == "humanness" else mean for aspect, mean in zip(ASPECTS, xiaomu.means, strict=True)]
    columns = [with_mean(mean) for mean in means]
    write_ratings(tmp_path / "XiaoMu" / "XiaoMu_1.csv", zip(*columns, strict=True))
    write_ratings(tmp_path / "XiaoMu" / "XiaoMu_2.csv", zip(*(column[::-1] for column in columns), strict=True))
    table = rating_table(rows(tmp_path))
    metrics = table.metrics()
    assert (metrics["cells/equal"], metrics["cells/cells"], metrics["cells/all"]) == (5, 6, 54)
    assert metrics["xiaomu/coherence"] == pytest.approx(1.27)
    assert "XiaoMu differs from the paper: humanness 0.68 for 0.66. The files show no reason." in markdown(table)


def test_a_copied_second_file_is_the_likely_reason_and_what_it_hides_is_told(tmp_path: Path) -> None:
    """One rater at 1.0 twice; for a published mean of m the other would have to be at 2m - 1."""
    write_ratings(tmp_path / "EVA" / "EVA_general_1.csv", six(*with_mean(1.0)))
    write_ratings(tmp_path / "EVA" / "EVA_general_2.csv", six(*with_mean(1.0)))
    table = rating_table(rows(tmp_path))
    shown = markdown(table)
    assert "EVA2.0 differs from the paper: coherence 1.00 for 0.81" in shown
    assert "of the part “general”, the second rater's file has the bytes of the first" in shown
    assert "one rater" in shown
    assert "eva2_0/coherence.implied" not in table.metrics(), "2 * 0.47 - 1 is no mean of ratings"


def test_what_a_copied_file_would_have_to_hold_is_inferred(tmp_path: Path) -> None:
    for rater in ("1", "2"):
        write_ratings(tmp_path / "EVA" / f"EVA_{rater}.csv", six(*with_mean(0.7)))
    metrics = rating_table(rows(tmp_path)).metrics()
    assert metrics["eva2_0/coherence.implied"] == pytest.approx(2 * 0.81 - 0.7)


def test_a_mean_that_counts_an_impossible_rating_is_told(tmp_path: Path) -> None:
    """99 ratings of 1 and 48 more beside a 12: 1.60 with it, less without."""
    coherence: list[object] = [12, *with_mean((160 - 12) / 99, 99)]
    written = [[value, 1, 1, 1, 1, 1] for value in coherence]
    for rater in ("1", "2"):
        write_ratings(tmp_path / "CoT-130b" / f"CoT-130b_{rater}.csv", written)
    (row,) = (row for row in rows(tmp_path) if row.estimates)
    assert row.is_equal(0, as_written=True)
    assert not row.is_equal(0, as_written=False)
    table = rating_table([row])
    assert table.metrics()["littlemu_130b/coherence"] == pytest.approx(1.6), "the line that is held against the paper"
    assert table.metrics()["littlemu_130b/coherence.widened"] < 1.59
    shown = markdown(table)
    assert "of 6 cells are the published means" in shown
    assert "the published 1.60 counts ratings outside 0, 1 and 2 (2 in the files); with them the mean is 1.600" in shown


def test_without_ratings_the_published_rows_stand_alone() -> None:
    table = rating_table(rows_of((), ()))
    assert [row[0] for row in table.rows] == [one.name for one in PUBLISHED]
    assert not table.metrics()
    assert "set COTEACH_EVAL_RATINGS" in markdown(table)


def test_two_folders_of_one_system_both_have_their_rows(tmp_path: Path) -> None:
    for name in ("GLM-130B", "glm_130b", "glm 130b"):
        write_ratings(tmp_path / name / "x_1.csv", six(0, 1, 2))
    table = rating_table(rows(tmp_path))
    assert [row[0] for row in table.rows if row[1] == "from the files"] == ["GLM-130B", "glm 130b", "glm_130b"]


def test_an_aspect_that_nobody_rated_has_no_figure_and_no_crash(tmp_path: Path) -> None:
    write_ratings(tmp_path / "A" / "A_1.csv", [["", 1, 1, 1, 1, 1], [3, 1, 2, 1, 1, 1]])
    table = rating_table(rows(tmp_path))
    (line,) = (row for row in table.rows if row[1] == "from the files")
    assert isinstance(line[2], MeasuredNumber)
    assert line[2].value is None
    assert markdown(table)


def test_categories_are_compared_by_answer_and_drawn(tmp_path: Path) -> None:
    for rater in ("1", "2"):
        path = write_ratings(tmp_path / "GLM" / f"GLM_{rater}.csv", six(2, 2, 0, 1, 1))
        lines = path.read_text().splitlines()
        letters = "工工文文?"
        path.write_text("\n".join([lines[0], *(x.replace("工", y) for x, y in zip(lines[1:], letters, strict=True))]))
    listed = rows(tmp_path)
    means = category_means(listed)
    metrics = category_table(listed, means).metrics()
    assert (metrics["glm/engineering"], metrics["glm/arts"], metrics["without_category"]) == (2, 0.5, 2)
    assert "glm/others" not in metrics
    picture = draw(partial(paint_categories, means=means))
    assert picture.startswith(b"\x89PNG")
    assert picture == draw(partial(paint_categories, means=means))


@pytest.mark.parametrize(
    ("domains", "letter"),
    [
        (["computer science"], "工"),
        (["计算机科学", "数学"], "工"),
        (["Data structures", "Mathematics"], "理"),
        (["历史学"], "文"),
        (["law"], "社"),
        (["medicine"], "其"),
        (["Ham radio"], ""),
        ([], ""),
    ],
)
def test_a_course_is_of_the_category_of_its_first_known_field(domains: list[str], letter: str) -> None:
    assert category_of(domains) == letter


def test_every_academic_field_has_a_category() -> None:
    assert {category_of([field.en]) for field in ACADEMIC_FIELDS} == set(CATEGORIES)
    assert all(category_of([field.en]) == category_of([field.zh]) != "" for field in ACADEMIC_FIELDS)


def test_without_categories_only_the_paper_is_shown() -> None:
    table = category_table((), {})
    assert len(table.rows) == 1
    assert "column `category`" in markdown(table)
