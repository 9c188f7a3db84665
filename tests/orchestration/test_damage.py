"""Damage to what was built is found, named and repaired by one build; a moved home is judged by its own files."""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from small_courses import Place

from orchestration.building.event_log import ALSO_WRITTEN, SEALS, URI
from orchestration.cli.build_command import HomeDamaged


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 8
    path.write_bytes(content)


@pytest.fixture
def place(built: tuple[Place, int, str], tmp_path: Path) -> Place:
    """A copy of two small courses as they were built, elsewhere."""
    copy = Place(tmp_path / "moved")
    shutil.copytree(built[0].root, copy.root)
    return copy


def test_a_moved_home_is_up_to_date_and_names_nothing_of_the_first(built: tuple[Place, int, str], place: Place) -> None:
    shutil.rmtree(place.courses / "nothing", ignore_errors=True)
    code, printed = place.build()
    assert (code, "Everything is up to date" in printed) == (0, True)
    assert str(built[0].data_dir.root) not in printed
    metadata = [place.metadata(name, "structures") for name in ("subtitles", "concepts", "concept_map")]
    metadata += [place.metadata(name, None) for name in ("graph", "search_index", "qa_pairs")]
    told = str([{name: value.value for name, value in one.items()} for one in metadata])
    assert str(built[0].data_dir.root) not in told
    named = [str(name) for one in metadata for name in (one[URI].value, *_written_by(one))]
    assert named
    assert not [name for name in named if Path(name).is_absolute()], "the first home may be a copy of another, too"


def _written_by(metadata: Mapping[str, dg.MetadataValue[Any]]) -> Iterator[object]:
    """What a materialization names beside its own file."""
    for key in (ALSO_WRITTEN, SEALS):
        told = metadata[key].value if key in metadata else None
        yield from told if isinstance(told, list | dict) else ()


def test_damage_to_a_moved_home_is_its_own(built: tuple[Place, int, str], place: Place) -> None:
    cut(place.data_dir.table("faq", "sorting"))
    _, printed = place.build(dry_run=True)
    assert f"{place.data_dir.table('faq', 'sorting')} is damaged" in printed
    assert "Everything is up to date" in built[0].build()[1]


def test_every_file_that_is_damaged_is_named_when_one_step_wrote_several(place: Place) -> None:
    cut(place.data_dir.graph_courses)
    place.data_dir.graph_prerequisites.unlink()
    _, printed = place.build(dry_run=True)
    assert f"{place.data_dir.graph_courses} is damaged" in printed
    assert f"{place.data_dir.graph_prerequisites} is " in printed


@pytest.mark.slow
def test_everything_that_was_cut_changed_or_lost_is_found_and_made_again_by_one_build(place: Place) -> None:
    before, data_dir = place.tables(), place.data_dir
    version = (data_dir.index / "CURRENT").read_text().strip()
    cut(data_dir.table("cues", "structures"))
    flip(data_dir.table("concepts", "structures"))
    data_dir.table("prerequisite_functions", "structures").unlink()
    flip(data_dir.table("faq", "sorting"))
    cut(data_dir.concept_map("sorting"))
    cut(data_dir.parses("structures"))
    flip(data_dir.graph_courses)
    cut(data_dir.graph_concepts)
    flip(data_dir.qa_pairs)
    (data_dir.index / "CURRENT").write_text(version[:5])
    cut(max((data_dir.index / version).rglob("*.store"), key=lambda path: path.stat().st_size))
    cut(data_dir.references / "calibration.json")
    cut(data_dir.dbt_output / "coteach.duckdb")
    code, printed = place.build()
    assert code == 0, printed
    assert place.tables() == before
    assert (data_dir.index / "CURRENT").read_text().strip() == version
    assert "Everything is up to date" in place.build(verify=True)[1]


def test_a_bit_that_changed_by_itself_is_found_by_verify(place: Place) -> None:
    path = place.data_dir.table("passages", "sorting")
    found = path.stat()
    flip(path)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert "Everything is up to date" in place.build(dry_run=True)[1]
    assert f"{path} is damaged: it has other bytes" in place.build(dry_run=True, verify=True)[1]


def test_what_no_build_can_make_again_is_refused_with_what_to_do(place: Place) -> None:
    shutil.rmtree(place.courses / "sorting")
    cut(place.data_dir.table("concepts", "sorting"))
    with pytest.raises(HomeDamaged, match=r"concepts/sorting\.parquet is damaged.*Bring the folder of sorting back"):
        place.build()


def test_explanations_that_are_damaged_are_set_aside(place: Place) -> None:
    with place.instance() as instance:
        import dagster as dg

        place.data_dir.explanations.write_bytes(b"PAR1 and no more")
        instance.report_runless_asset_event(
            dg.AssetMaterialization("explanations", metadata={"dagster/uri": "lake/explanations.parquet"})
        )
    _, printed = place.build()
    assert "explanations.parquet is damaged: it ends before its end. It is set aside; `coteach explain`" in printed
    assert not place.data_dir.explanations.exists()


@pytest.mark.parametrize("name", ["storage", "dagster.yaml"])
def test_a_damaged_record_of_dagster_is_told_in_a_sentence(place: Place, name: str) -> None:
    if name == "storage":
        for path in (place.data_dir.dagster / "history").rglob("*.db"):
            path.write_bytes(b"no database" * 100)
    else:
        (place.data_dir.dagster / name).write_text("telemetry: [")
    with pytest.raises(HomeDamaged, match=r"Dagster's record of what was built, .* move it away and run"):
        place.build()


def test_a_record_on_a_full_disk_is_not_called_damaged(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (place.data_dir.dagster / "history").rglob("*.db"):
        path.write_bytes(b"no database" * 100)
    usage = shutil.disk_usage(place.data_dir.root)._replace(free=2**20)
    monkeypatch.setattr("orchestration.cli.build_command.shutil.disk_usage", lambda _: usage)
    with pytest.raises(HomeDamaged, match=r"Its disk has 1.0 MB left: make room") as told:
        place.build()
    assert "damaged" not in str(told.value)
