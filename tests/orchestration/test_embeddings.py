"""The embedder and the vectors as a build makes them, and how the gateway opens them."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from built_homes import copied
from small_courses import Place, write_two_courses
from tiny_embedder import write_tiny_embedder

from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.web.settings import WebSettings
from models.embedding.published import EmbedderSource, publish_embedder
from orchestration.building.courses import EMBEDDER_SOURCE, embedder_versions
from orchestration.resources import Inputs, PipelineSettings, embedder_source
from serving.gateway.knowledge import follow_dense
from serving.index.dense import vectors_of
from serving.index.search import SearchIndex
from serving.index.vectors import entries_in
from serving.settings import Settings

MADE = {"embedder", "embeddings"}


@pytest.fixture(scope="module")
def environment() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, environment: pytest.MonkeyPatch) -> Place:
    """Two small courses that were built without an embedder, and again with a tiny one."""
    place = copied(tmp_path_factory, write_two_courses, "embedded")
    environment.setenv("COTEACH_EMBEDDER", str(write_tiny_embedder(place.root / "Tiny")))
    environment.setenv("COTEACH_EMBED_LIMIT", "10000")
    code, printed = place.build()
    assert code == 0, printed
    return place


def settings(place: Place) -> Settings:
    return Settings(home=place.data_dir.root)


@pytest.mark.slow
def test_a_build_embeds_every_english_entry(place: Place) -> None:
    found = vectors_of(place.data_dir.embeddings)
    listed = SearchIndex.open(place.data_dir.index).counts()
    facts = place.metadata("embeddings", None)
    assert found.model.startswith("tiny@")
    sentences = sum(len(read_rows(path)) for path in place.data_dir.tables("lecture_sentences"))
    assert sentences > 0
    assert entries_in(place.data_dir.embeddings) == sum(sum(each.values()) for each in listed.values()) + sentences
    assert found.rows == sum(listed["passage"].values()) + 2 * sum(listed["qa"].values()) + sentences
    assert facts["dagster/row_count"].value == found.rows
    assert facts["model"].value == found.model


@pytest.mark.slow
def test_the_gateway_opens_both_and_finds_an_entry_by_its_meaning(place: Place) -> None:
    dense = follow_dense(settings(place))
    assert dense is not None
    (best, cosine), *_ = dense.index.search(dense.embedder.encode(["the heap is a tree"])[0])
    assert SearchIndex.open(place.data_dir.index).entries("qa", [best])
    assert -1 <= cosine <= 1
    again = follow_dense(settings(place), last=dense)
    assert again is not None
    assert again.embedder is dense.embedder


@pytest.mark.slow
def test_while_an_embedder_is_replaced_the_last_one_stays_in_use(place: Place) -> None:
    dense = follow_dense(settings(place))
    assert dense is not None
    current = place.data_dir.embedder / "CURRENT"
    before = current.read_text()
    other = write_tiny_embedder(place.root / "Other", seed=5)
    publish_embedder(EmbedderSource(str(other), ("en",)), place.data_dir.embedder)
    assert follow_dense(settings(place), last=dense) is dense
    assert follow_dense(settings(place)) is None
    current.write_text(before)


def planned(place: Place) -> set[str]:
    return {key.to_user_string() for plan in place.plans() for key in plan.assets}


@pytest.mark.slow
def test_an_unchanged_home_is_not_embedded_again(place: Place) -> None:
    assert planned(place) & MADE == set()


@pytest.mark.slow
def test_an_embedder_that_was_cut_is_named_and_made_again_by_one_build(place: Place) -> None:
    folder = place.data_dir.embedder
    (network,) = (folder / (folder / "CURRENT").read_text().strip()).rglob("*.onnx")
    whole = network.read_bytes()
    network.write_bytes(whole[: len(whole) // 2])
    assert f"{network.parent} is damaged: its file {network.name} has" in place.build(dry_run=True)[1]
    assert place.build()[0] == 0
    assert network.read_bytes() == whole
    assert planned(place) & MADE == set()
    dense = follow_dense(settings(place))
    assert dense is not None
    assert dense.embedder.encode(["a heap"]).shape[0] == 1


@pytest.mark.slow
def test_another_embedder_is_taken_up_by_the_next_build(
    place: Place, environment: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The tests after it build with this embedder, so it outlives this one."""
    before = vectors_of(place.data_dir.embeddings).model
    tiny = write_tiny_embedder(tmp_path_factory.mktemp("other") / "Tiny", seed=9)
    environment.setenv("COTEACH_EMBEDDER", str(tiny))
    names = planned(place)
    assert names >= MADE
    assert not names & {"passages", "qa_pairs", "search_index"}
    assert place.build()[0] == 0
    assert vectors_of(place.data_dir.embeddings).model != before


@pytest.mark.slow
def test_too_many_entries_turn_it_off_and_the_check_says_so(place: Place, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("COTEACH_EMBED_LIMIT", "3")
    assert place.build()[0] == 0
    assert vectors_of(place.data_dir.embeddings).rows == 0
    assert "COTEACH_EMBED_LIMIT is 3" in str(place.metadata("embeddings", None)["none_because"].value)
    assert check(place, "every_entry_has_a_vector").passed is False
    assert follow_dense(settings(place)) is None


@pytest.mark.slow
def test_a_limit_of_zero_turns_it_off_without_a_warning(place: Place, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("COTEACH_EMBED_LIMIT", "0")
    assert place.build()[0] == 0
    assert not place.data_dir.embeddings.exists()
    assert check(place, "every_entry_has_a_vector").passed is True
    assert follow_dense(settings(place)) is None


def check(place: Place, name: str) -> dg.AssetCheckEvaluation:
    """The newest result of a check of the embeddings."""
    with place.instance() as instance:
        key = dg.AssetCheckKey(dg.AssetKey("embeddings"), name)
        record = instance.event_log_storage.get_asset_check_execution_history(key, limit=1)[0]
        event = record.event
    assert event is not None
    assert event.dagster_event is not None
    return event.dagster_event.asset_check_evaluation_data


def inputs(**values: object) -> Inputs:
    told = Inputs(
        Path("courses"),
        Path("labels"),
        None,
        "http://mlflow",
        "http://gateway",
        WebSettings(),
        "sqlite:////nowhere/store.db",
    )
    return Inputs(**{**vars(told), **values})


def test_a_default_model_that_was_not_fetched_is_a_warning(tmp_path: Path) -> None:
    from assets.embedder import there_is_an_embedder, why_none

    none = inputs(embedder=EmbedderSource(str(tmp_path / "nothing"), ("en",)))
    assert "make setup" in (why_none(none) or "")
    result = there_is_an_embedder(inputs=none)
    assert isinstance(result, dg.AssetCheckResult)
    assert (result.passed, result.severity) == (False, dg.AssetCheckSeverity.WARN)


def test_a_model_that_a_person_named_is_never_passed_over(tmp_path: Path) -> None:
    from assets.embedder import why_none

    assert why_none(inputs(embedder=EmbedderSource(str(tmp_path / "nothing"), ("en",), is_chosen=True))) is None


def test_what_embeds_has_another_version_with_another_model_or_limit(tmp_path: Path) -> None:
    versions = {
        embedder_versions(each)[EMBEDDER_SOURCE, None]
        for each in (
            inputs(),
            inputs(embed_limit=5),
            inputs(embedder=EmbedderSource("a/b", ("en",), url="http://x/v1")),
        )
    }
    assert len(versions) == 3


def test_settings_name_the_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_EMBEDDER", "org/big")
    monkeypatch.setenv("COTEACH_EMBEDDER_URL", "http://models/v1")
    monkeypatch.setenv("COTEACH_EMBEDDER_LANGUAGES", "en, zh")
    found = embedder_source(PipelineSettings())
    assert (found.location, found.url, found.languages, found.is_chosen) == (
        "org/big",
        "http://models/v1",
        ("en", "zh"),
        True,
    )
    assert "secret" not in repr(EmbedderSource("a", ("en",), api_key="secret"))
