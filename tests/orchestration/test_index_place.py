"""COTEACH_INDEX: a build puts index and vectors where it says, the gateway follows what was published, and back."""

from pathlib import Path

import pytest
from built_homes import copied
from small_courses import Place, write_two_courses
from tiny_embedder import write_tiny_embedder
from typer.testing import CliRunner

from orchestration.building.courses import INDEX_PLACE, index_versions
from orchestration.cli.main import app
from orchestration.resources import IndexPlaceUnusable, PipelineSettings, index_place, inputs_of
from serving.gateway.knowledge import Knowledge, load_knowledge
from serving.index import schema
from serving.index.dense import DenseIndex
from serving.index.engine import IndexPlace
from serving.index.lance_reader import LanceReader
from serving.index.lance_vectors import POINTER, LanceVectors
from serving.index.tantivy_reader import TantivyReader
from serving.settings import Settings

QUESTION = "recursion needs the call stack"


def known(place: Place) -> Knowledge:
    return load_knowledge(Settings(home=place.data_dir.root), None)


def hits(knowledge: Knowledge) -> list[str]:
    return [hit.entry.entry_id for hit in knowledge.index.search(QUESTION, k=3)]


@pytest.mark.slow
def test_a_build_with_lance_publishes_tables_that_are_answered_from_and_tantivy_comes_back(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = copied(tmp_path_factory, write_two_courses, "lance")
    monkeypatch.setenv("COTEACH_EMBEDDER", str(write_tiny_embedder(tmp_path / "Tiny")))
    monkeypatch.setenv("COTEACH_EMBED_LIMIT", "10000")
    assert place.build()[0] == 0
    before = known(place)
    assert isinstance(before.index.reader, TantivyReader)
    expected = hits(before)
    assert expected

    monkeypatch.setenv("COTEACH_INDEX", "lance")
    monkeypatch.setenv("COTEACH_INDEX_URL", str(tmp_path / "tables"))
    code, printed = place.build()
    assert code == 0, printed
    assert "index_place" in printed
    assert "cues" not in printed
    after = known(place)
    assert isinstance(after.index.reader, LanceReader)
    assert after.dense is not None
    assert isinstance(after.dense.index, LanceVectors)
    assert hits(after) == expected
    assert any((tmp_path / "tables").iterdir())
    (place.data_dir.index / POINTER).unlink()
    assert "embeddings" in place.build()[1]
    assert (place.data_dir.index / POINTER).is_file()
    asked = CliRunner().invoke(app, ["ask", QUESTION, "--home", str(place.data_dir.root)])
    assert asked.exit_code == 0, asked.output

    monkeypatch.delenv("COTEACH_INDEX")
    monkeypatch.delenv("COTEACH_INDEX_URL")
    assert place.build()[0] == 0
    back = known(place)
    assert isinstance(back.index.reader, TantivyReader)
    assert back.dense is not None
    assert isinstance(back.dense.index, DenseIndex)
    assert (back.index.version, hits(back)) == (before.index.version, expected)


def test_a_folder_is_made_absolute_an_address_stays_and_one_without_lance_is_refused(tmp_path: Path) -> None:
    def placed(**how: object) -> IndexPlace:
        return index_place(PipelineSettings(**how))  # type: ignore[arg-type]

    assert placed() == IndexPlace()
    assert placed(index="lance") == IndexPlace("lance")
    assert placed(index="lance", index_url="tables") == IndexPlace("lance", str(Path("tables").absolute()))
    assert placed(index="lance", index_url="s3://bucket/x") == IndexPlace("lance", "s3://bucket/x")
    with pytest.raises(IndexPlaceUnusable, match="Set COTEACH_INDEX=lance"):
        placed(index_url="s3://bucket/x")


@pytest.mark.parametrize("address", ["s3://ada:geheim@bucket/x", "s3://bucket/x?secret_key=geheim"])
def test_an_address_with_a_password_is_refused_and_not_repeated(address: str) -> None:
    """It is in the manifest of a version, in Dagster's record of it and in what is said of a store that is away."""
    with pytest.raises(IndexPlaceUnusable, match="AWS_ACCESS_KEY_ID") as refused:
        index_place(PipelineSettings(index="lance", index_url=address))
    assert "geheim" not in str(refused.value)


def test_another_place_is_another_version_of_what_goes_into_a_build(tmp_path: Path) -> None:
    settings = [
        PipelineSettings(home=tmp_path, index=engine, index_url=url)
        for engine, url in (("tantivy", None), ("lance", None), ("lance", "s3://bucket/x"))
    ]
    assert len({index_versions(inputs_of(each))[INDEX_PLACE, None] for each in settings}) == 3


@pytest.mark.parametrize("part", ["FORMAT_VERSION", "ANALYSIS_VERSION"])
def test_an_index_in_a_form_that_is_refused_is_planned_again(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    """The gateway says "Run `coteach build` again", so that must have something to do."""
    before = index_versions(inputs_of(PipelineSettings()))[INDEX_PLACE, None]
    monkeypatch.setattr(schema, part, "next")
    assert index_versions(inputs_of(PipelineSettings()))[INDEX_PLACE, None] != before
