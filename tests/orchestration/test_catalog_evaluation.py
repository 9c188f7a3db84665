"""The evaluation of catalogues as assets, on the sample catalogue and on a home without any; and both kinds of question
that the paper calls well served (Tulane 5.I), in the right mode and in the wrong one."""

import asyncio
import warnings
from pathlib import Path

import dagster as dg
import pytest
from catalog_rows import COURSES, SAMPLE, sample_home, write_graph

from assets.evaluation.catalog_ablations import catalog_ablations
from assets.evaluation.catalog_latency import catalog_latency
from assets.evaluation.catalog_projection import catalog_projection
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Mode
from models.tracking.evaluation import metrics_of
from orchestration.reporting.publishing import PublishedTable, read_shown
from orchestration.resources import PipelineSettings, inputs_of
from serving.assistant.answer import Answer
from serving.gateway.knowledge import Knowledge, load_knowledge
from serving.settings import Settings

DESCRIBE = "Describe the class COMP 3400 Databases"
REQUIRED = "What are the required classes for the Computing major?"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> DataDir:
    return sample_home(tmp_path_factory.mktemp("catalogue") / "home")


@pytest.fixture(scope="module")
def knowledge(data_dir: DataDir) -> Knowledge:
    """Both experts by themselves: while no model is admitted, composers answer from what both know."""
    return load_knowledge(Settings(home=data_dir.root, model_admission="always"), None)


def made(asset: dg.AssetsDefinition, data_dir: DataDir, courses: Path = COURSES) -> tuple[PublishedTable, str]:
    """The table as it was published, and its data version."""
    inputs = inputs_of(PipelineSettings(home=data_dir.root, courses=courses))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of MLflow and Dagster among themselves; an error here would fail the step
        result = dg.materialize([asset], resources={"data_dir": data_dir, "inputs": inputs})
    (event,) = result.asset_materializations_for_node(asset.key.to_python_identifier())
    assert event.tags is not None
    return read_shown(data_dir.evaluation_tables / f"{asset.key.path[-1]}.json"), event.tags["dagster/data_version"]


def asked(knowledge: Knowledge, question: str, mode: Mode) -> Answer:
    return asyncio.run(knowledge.assistant.answer(question, course_id=SAMPLE, mode=mode))


def modes_of(answer: Answer) -> set[str]:
    """The modes of the catalogue pages that an answer refers to: classes have a code before their title."""
    return {"program" if " — " in one.title else "class" for one in answer.references}


def test_math_minor_is_first_in_the_table_and_both_pictures_are_there(data_dir: DataDir) -> None:
    shown, version = made(catalog_projection, data_dir)
    charted = [row[3] for row in shown.table.rows if row[:2] == (SAMPLE, "math minor")]
    assert charted[0] == "Mathematics Minor — home"
    assert set(shown.pictures) == {
        "tulane_projection_university_catalog.png",
        "tulane_scores_university_catalog.png",
    }
    assert all((data_dir.evaluation_tables / name).read_bytes()[:4] == b"\x89PNG" for name in shown.pictures)
    assert metrics_of(shown.run_id, data_dir=data_dir) == shown.table.metrics()
    assert made(catalog_projection, data_dir)[1] == version


@pytest.mark.slow
def test_every_ablation_has_its_arms_and_says_why_embeddings_are_left_out(data_dir: DataDir) -> None:
    shown, _ = made(catalog_ablations, data_dir)
    metrics = shown.table.metrics()
    assert metrics["university_catalog/modes/arm_2/hit_at_1"] == 0
    assert metrics["simulated/chunking/arm_1/documents"] > 1.5 * metrics["simulated/chunking/arm_0/documents"]
    assert metrics["university_catalog/chunking/arm_1/gained"] == 0
    assert any("Embeddings are not measured" in note.format_text() for note in shown.table.notes)
    assert set(shown.made_of) == {
        "search_index",
        f"catalog_pages/{SAMPLE}",
        f"{SAMPLE}/gold/questions.jsonl",
    }


@pytest.mark.slow
def test_latency_is_told_by_stage_for_the_sample_and_for_a_catalogue_of_the_papers_size(data_dir: DataDir) -> None:
    shown, _ = made(catalog_latency, data_dir)
    metrics = shown.table.metrics()
    assert metrics["university_catalog/whole/runs"] > 100
    assert metrics["simulated/pages"] == 1400
    assert 0 < metrics["simulated/whole/p50_ms"] <= metrics["simulated/whole/p95_ms"]
    assert metrics["simulated/keyword_to_cosine"] > 0


@pytest.mark.slow
def test_a_home_without_a_catalogue_has_tables_that_say_so(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "home")
    write_graph(data_dir)
    (tmp_path / "courses").mkdir()
    retrieval, _ = made(catalog_projection, data_dir, tmp_path / "courses")
    ablations, _ = made(catalog_ablations, data_dir, tmp_path / "courses")
    assert "no course of this home has a catalogue" in retrieval.table.notes[0].format_text()
    assert "no course of this home has a catalogue" in ablations.table.notes[0].format_text()
    assert not retrieval.pictures
    assert {str(row[0]) for row in ablations.table.rows} == {"simulated"}


def test_the_expert_on_classes_describes_a_class(knowledge: Knowledge) -> None:
    answer = asked(knowledge, DESCRIBE, "class")
    assert "Tables, keys, queries and transactions" in answer.text
    assert answer.references[0].title == "COMP 3400 Databases"
    assert modes_of(answer) == {"class"}


def test_the_expert_on_programs_knows_the_required_classes_of_a_major(knowledge: Knowledge) -> None:
    answer = asked(knowledge, REQUIRED, "program")
    assert answer.references[0].title == "Computing (BS) — requirements"
    assert "COMP 1200" in answer.text
    assert modes_of(answer) == {"program"}


def test_the_expert_on_classes_offers_a_person_where_a_program_is_asked_for(knowledge: Knowledge) -> None:
    answer = asked(knowledge, REQUIRED, "class")
    assert answer.route == "ask_ta"
    assert "real teaching assistant" in answer.text
    assert answer.references == ()


def test_the_expert_on_programs_never_describes_a_class_from_the_others_data(knowledge: Knowledge) -> None:
    answer = asked(knowledge, DESCRIBE, "program")
    assert answer.route != "direct"
    assert "Tables, keys, queries" not in answer.text
    assert modes_of(answer) <= {"program"}


@pytest.fixture(scope="module")
def unadmitted(data_dir: DataDir) -> Knowledge:
    """As students have it: no model is admitted, and answers are put together from the material."""
    return load_knowledge(Settings(home=data_dir.root), None)


def test_what_is_put_together_from_the_material_keeps_to_what_one_expert_knows(unadmitted: Knowledge) -> None:
    described = asked(unadmitted, DESCRIBE, "program")
    assert "Tables, keys, queries" not in described.text
    assert modes_of(described) <= {"program"}
    assert "Tables, keys, queries" in asked(unadmitted, DESCRIBE, "class").text
    required = asked(unadmitted, REQUIRED, "class")
    assert modes_of(required) <= {"class"}
    assert "COMP 1200" in asked(unadmitted, REQUIRED, "program").text
