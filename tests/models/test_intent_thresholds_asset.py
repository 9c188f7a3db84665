"""The asset and its checks in a run of Dagster, over a model of a few words."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import dagster as dg
import pytest
from word_model import write_word_model

from assets.intent_thresholds import a_cut_keeps_the_promise, intent_thresholds, newer_labels_keep_the_promise
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import INTENT_EXAMPLES
from knowledge_graph.lake.tables import write_table
from models.intent.labels.categories import Category
from models.intent.labels.examples import IntentExample, Split
from models.versions import publish, staging
from orchestration.resources import InputsResource


def greetings(split: Split, *, wrong: int) -> Iterator[IntentExample]:
    """100 greetings, the first `wrong` of them labelled as questions."""
    for number in range(100):
        category: Category = "simple" if number < wrong else "general_chat"
        yield IntentExample(f"{split}/{number}", f"hello {split} {number}", "", "", "", category, "en", split)


@pytest.fixture
def data_dir(tmp_path: Path) -> DataDir:
    """A home with a model in use."""
    home = DataDir(tmp_path)
    with staging(home.intent) as staged:
        made = write_word_model(staged / "made")
        for file in made.iterdir():
            file.rename(staged / file.name)
        made.rmdir()
        publish(home.intent, staged)
    return home


def materialize(data_dir: DataDir, *examples: IntentExample) -> dg.ExecuteInProcessResult:
    write_table(data_dir.intent_examples, [asdict(one) for one in examples], INTENT_EXAMPLES)
    inputs = InputsResource(courses="", labels="", albert=None, mlflow_url="http://mlflow", gateway_url="")
    with dg.DagsterInstance.ephemeral() as instance:
        return dg.materialize(
            [intent_thresholds, a_cut_keeps_the_promise, newer_labels_keep_the_promise],
            resources={"data_dir": data_dir, "inputs": inputs},
            instance=instance,
        )


def verdicts(run: dg.ExecuteInProcessResult) -> dict[str, bool]:
    return {found.check_name: found.passed for found in run.get_asset_check_evaluations()}


def test_a_kept_promise_is_told_in_words_and_figures(data_dir: DataDir) -> None:
    run = materialize(data_dir, *greetings("valid", wrong=5), *greetings("test", wrong=10))
    assert verdicts(run) == {"a_cut_keeps_the_promise": True, "newer_labels_keep_the_promise": True}
    (event,) = run.asset_materializations_for_node("intent_thresholds")
    assert "at most 20% of the questions called chat are none" in str(event.metadata["promise"].value)
    assert "| any |" in str(event.metadata["cuts"].value)
    assert event.metadata["promise_coverage"].value == 1.0
    assert data_dir.built(str(event.metadata["dagster/uri"].value)).is_file()


def test_a_promise_that_newer_labels_break_warns_and_the_run_goes_on(data_dir: DataDir) -> None:
    run = materialize(data_dir, *greetings("valid", wrong=5), *greetings("test", wrong=40))
    assert run.success
    assert verdicts(run) == {"a_cut_keeps_the_promise": True, "newer_labels_keep_the_promise": False}
    (broken,) = [found for found in run.get_asset_check_evaluations() if not found.passed]
    assert broken.severity == dg.AssetCheckSeverity.WARN
    assert "all: 40 of 100 called chat are none" in str(broken.description)


def test_labels_without_a_promise_warn_and_break_nothing(data_dir: DataDir) -> None:
    run = materialize(data_dir, *greetings("valid", wrong=50))
    assert run.success
    assert verdicts(run) == {"a_cut_keeps_the_promise": False, "newer_labels_keep_the_promise": True}
