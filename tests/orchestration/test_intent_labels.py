"""The asset `intent_examples`: what it writes, that building again changes nothing, and what its check refuses."""

from pathlib import Path

import dagster as dg
import pytest

from assets.intent_examples import intent_examples, read_examples, splits_do_not_leak
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import COURSE_CARDS, FAQ, INTENT_EXAMPLES, INTENT_LABEL_HISTORY
from knowledge_graph.lake.tables import digest, read_rows, write_table
from knowledge_graph.sources.web.settings import WebSettings
from models.intent.labels import weak_labels
from models.intent.labels.examples import IntentExample
from models.intent.labels.history import LabelRecord
from orchestration.resources import Inputs

LABELS = "id,question,session_id,category\n" + "".join(
    f"{n},{question} {n},{n},{category}\n"
    for n in range(12)
    for question, category in [("what is a heap number", "simple"), ("hello dear friend", "general_chat")][
        n % 2 : n % 2 + 1
    ]
)


@pytest.fixture
def data_dir(tmp_path: Path) -> DataDir:
    """A home with one course's FAQ and no graph."""
    data_dir = DataDir(tmp_path / "home")
    card = {"course_id": "trees", "title": "Trees", "lang": "en", "subject": "", "domains": [], "instructors": []}
    card |= {"policy": "", "support": None, "video_order": [], "concepts": "merged", "videos": {}, "video_url": None}
    card |= {"shares_with": None, "is_platform": False}
    write_table(data_dir.table("course_cards", "trees"), [card], COURSE_CARDS)
    entry = {"course_id": "trees", "origin_id": "due", "section": None, "question": "When is the homework due?"}
    entry |= {"answer": "On Sunday.", "author": None, "reviewer": None, "updated_at": None}
    write_table(data_dir.table("faq", "trees"), [entry | {"file": "faq.csv", "row": 2, "lang": "en"}], FAQ)
    return data_dir


def build(data_dir: DataDir, labels: str) -> dg.ExecuteInProcessResult:
    """Materialize it, with its check, over one label file."""
    folder = data_dir.root.parent / "labels"
    (folder / "intents").mkdir(parents=True, exist_ok=True)
    (folder / "intents" / "a.csv").write_text(labels, encoding="utf-8")
    inputs = Inputs(
        folder, folder, None, "http://mlflow", "http://gateway", WebSettings(), "sqlite:////nowhere/store.db"
    )
    return dg.materialize([intent_examples, splits_do_not_leak], resources={"data_dir": data_dir, "inputs": inputs})


def metadata(result: dg.ExecuteInProcessResult) -> dict[str, object]:
    (event,) = result.asset_materializations_for_node("intent_examples")
    return {name: value.value for name, value in event.metadata.items()}


def test_rules_label_the_faq_and_what_people_left_open(data_dir: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weak_labels, "SURE", 0.45)  # of so few questions the rules learn next to nothing
    of_the_course = "".join(f"{n},when is the exam of group {n},{n},platform_faq\n" for n in range(60, 72))
    result = build(data_dir, LABELS + of_the_course + "50,what is a queue?,50,\n51,thanks a lot,51,\n")
    weak = {example.id: example for example in read_examples(data_dir, weak=True) if example.label_kind == "weak"}
    assert result.success
    assert weak["faq:trees/due"].category == "platform_faq"
    assert weak["faq:trees/due"].course == "Trees"
    assert weak["a/50"].category == "simple"
    assert {example.split for example in weak.values()} == {"train"}
    assert metadata(result)["weak_examples"] == len(weak)
    assert {example.label_kind for example in read_examples(data_dir)} == {"human"}


def test_building_again_gives_the_same_bytes(data_dir: DataDir) -> None:
    build(data_dir, LABELS)
    before = digest(data_dir.intent_examples), digest(data_dir.intent_label_history)
    build(data_dir, LABELS)
    assert (digest(data_dir.intent_examples), digest(data_dir.intent_label_history)) == before


def test_a_label_that_changed_is_kept_in_the_history(data_dir: DataDir) -> None:
    build(data_dir, LABELS)
    result = build(data_dir, LABELS.replace("what is a heap number 4,4,simple", "what is a heap number 4,4,complex"))
    records = [LabelRecord(**row) for row in read_rows(data_dir.intent_label_history) if row["example_id"] == "a/4"]
    assert [(r.number, r.category, r.superseded_by, r.in_force) for r in records] == [
        (1, "simple", 2, False), (2, "complex", None, True)
    ]  # fmt: skip
    assert records[0].file_version != records[1].file_version
    assert metadata(result)["labels_superseded"] == 1


def test_conflicts_are_listed_and_told(data_dir: DataDir) -> None:
    result = build(data_dir, LABELS + "60,what is it,60,simple\n61,What is it?,61,complex\n")
    (told,) = [check for check in result.get_asset_check_evaluations() if check.check_name == "input_is_clean"]
    assert metadata(result)["conflicts"] == 1
    assert "simple (1 row, intents/a.csv:14) and complex (1 row, intents/a.csv:15)" in str(
        metadata(result)["conflict_list"]
    )
    assert (told.passed, told.metadata["warnings"].value) == (False, 1)
    assert [example.agreement for example in read_examples(data_dir) if example.agreement < 1] == [0.5, 0.5]


def test_labels_in_german_do_not_count_as_english_without_a_word(data_dir: DataDir) -> None:
    german = "".join(f"{n},Was ist eigentlich ein Haufen Nummer {n}?,{n},simple\n" for n in range(60, 66))
    result = build(data_dir, LABELS + german)
    (told,) = [check for check in result.get_asset_check_evaluations() if check.check_name == "input_is_clean"]
    assert "6 questions, 'Was ist eigentlich ein Haufen Nummer 60?' the first" in str(told.description)


def test_the_check_refuses_a_held_out_example_that_a_rule_labelled(data_dir: DataDir) -> None:
    example = IntentExample("a/1", "hi", "", "", "", "general_chat", "en", split="test", label_kind="weak")
    write_table(data_dir.intent_examples, [vars(example)], INTENT_EXAMPLES)
    result = splits_do_not_leak(data_dir)
    assert isinstance(result, dg.AssetCheckResult)
    assert (result.passed, result.metadata["weak_held_out"].value) == (False, 1)


def test_the_history_has_the_columns_of_its_table() -> None:
    assert list(LabelRecord.__dataclass_fields__) == INTENT_LABEL_HISTORY.names
