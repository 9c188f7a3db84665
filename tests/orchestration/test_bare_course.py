"""A teacher's first step: a folder with a `course.yaml` and nothing else, in a fresh home."""

import shutil
from pathlib import Path

import dagster as dg
import pytest
from small_courses import FAQ, Place, write_course

from knowledge_graph.lake.tables import read_rows
from orchestration.building.build import RunPlan
from serving.index.search import SearchIndex


@pytest.mark.slow
def test_a_course_with_a_card_alone_is_built(tmp_path: Path) -> None:
    place = Place(tmp_path)
    write_course(place.courses / "bare", {"course.yaml": "title: Bare\n"})
    code, printed = place.build()
    assert code == 0, printed
    assert read_rows(place.data_dir.qa_pairs) == []
    assert SearchIndex.open(place.data_dir.index).counts() == {"qa": {}, "passage": {}}
    assert [row["course_id"] for row in read_rows(place.data_dir.graph_courses)] == ["bare"]


def test_a_run_whose_course_was_removed_before_it_began_makes_nothing_and_fails_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for course in ("gone", "here"):
        write_course(place.courses / course, {"course.yaml": "title: A course\n", "faq.csv": FAQ})
    assets = (dg.AssetKey("course_card"), dg.AssetKey("faq"))
    with place.builder() as builder:
        builder.prepare()
        shutil.rmtree(place.courses / "gone")
        assert builder.run(RunPlan("course_build", "gone", assets, {})).succeeded
        assert builder.run(RunPlan("course_build", "here", assets, {})).succeeded
    assert [path.stem for path in place.data_dir.tables("faq")] == ["here"]
    assert [path.stem for path in place.data_dir.tables("course_cards")] == ["here"]
