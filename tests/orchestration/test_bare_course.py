"""A teacher's first step: a folder with a `course.yaml` and nothing else, in a fresh home."""

from pathlib import Path

from small_courses import Place, write_course

from knowledge_graph.lake import read_rows
from serving.index.search import SearchIndex


def test_a_course_with_a_card_alone_is_built(tmp_path: Path) -> None:
    place = Place(tmp_path)
    write_course(place.courses / "bare", {"course.yaml": "title: Bare\n"})
    code, printed = place.build()
    assert code == 0, printed
    assert read_rows(place.data_dir.qa_pairs) == []
    assert SearchIndex.open(place.data_dir.index).counts() == {"qa": {}, "passage": {}}
    assert [row["course_id"] for row in read_rows(place.data_dir.graph_courses)] == ["bare"]
