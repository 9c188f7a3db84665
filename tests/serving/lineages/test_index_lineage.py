"""What is kept beside an index version of the builds that made it, and what stays when the version is removed."""

from dataclasses import replace
from pathlib import Path

import course_rows as rows

from serving.index.build import build_index
from serving.index.lineage import (
    IndexBuild,
    IndexLineage,
    Materialization,
    ModelUsed,
    read_lineage,
    record_build,
    with_build,
)

CUES = Materialization("subtitles", "ds", "run-1", "2026-03-01T08:00:00.000+00:00", "cues of March", "2")
MARCH = IndexBuild("2026-03-01T08:01:00.000+00:00", (CUES,), (ModelUsed("intent", "i1", run="abc"),))
APRIL = IndexBuild("2026-04-01T08:01:00.000+00:00", (replace(CUES, run_id="run-2"),), MARCH.models)


def test_an_index_built_without_dagster_has_a_lineage_without_builds(built: Path) -> None:
    version = (built / "CURRENT").read_text().strip()
    assert read_lineage(built, version) == IndexLineage(version)


def test_what_is_recorded_is_read_again_and_the_version_stays(tmp_path: Path) -> None:
    report = build_index(rows.tables(tmp_path / "tables"), tmp_path / "index")
    record_build(tmp_path / "index", report.version, MARCH)
    again = build_index(rows.tables(tmp_path / "tables"), tmp_path / "index")
    assert (again.version, again.written) == (report.version, False)
    assert read_lineage(tmp_path / "index", report.version) == IndexLineage(report.version, (MARCH,))


def test_a_build_that_read_the_same_is_recorded_once() -> None:
    own = Materialization("search_index", None, "run-1", MARCH.at, "v", "5")
    march, later = (replace(MARCH, materializations=(replace(own, run_id=run), CUES)) for run in ("run-1", "run-9"))
    lineage = with_build(IndexLineage("v"), march)
    assert with_build(lineage, replace(later, at="2026-03-02T00:00:00.000+00:00")) == lineage


def test_the_build_of_an_answer_is_the_newest_before_it() -> None:
    lineage = IndexLineage("v", (MARCH, APRIL))
    assert lineage.at("2026-03-15T00:00:00.000+00:00") == MARCH
    assert lineage.at("2026-05-01T00:00:00.000+00:00") == APRIL
    assert lineage.at("2026-01-01T00:00:00.000+00:00") == MARCH
    assert IndexLineage("v").at(MARCH.at) is None


def test_a_build_that_dagster_knows_nothing_of_is_not_recorded() -> None:
    assert with_build(IndexLineage("v"), IndexBuild(MARCH.at, ())) == IndexLineage("v")


def test_the_lineage_of_a_removed_version_stays(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    first = build_index(rows.tables(tmp_path / "tables"), folder).version
    record_build(folder, first, MARCH)
    for number in (1, 2):
        build_index(rows.tables(tmp_path / f"tables{number}", qa=rows.QA[: -1 - number]), folder, keep=1)
    assert not (folder / first).exists()
    assert read_lineage(folder, first) == IndexLineage(first, (MARCH,))


def test_a_version_that_is_no_name_of_a_folder_is_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "lineage.json").write_text("secret")
    assert read_lineage(tmp_path / "index", "..") is None
    assert read_lineage(tmp_path / "index", "") is None
