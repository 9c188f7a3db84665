"""`intent.yaml` beside the labels: read, refused by name, and noticed by the planner."""

import json
import shutil
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest
import yaml
from tiny_intent import INTENT, Trained, labelled

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Lang
from models.albert import resolve_encoder
from models.intent.labels.categories import Category
from models.intent.labels.examples import IntentExample
from models.intent.release.release import TrainingPlan, train_intent
from models.intent.scope import IntentScope
from models.intent.settings import IntentSettings
from models.intent.settings_file import FILE, SettingsUnusable, encoder_asked_for, read_intent_settings
from orchestration.building.courses import INTENT_SETTINGS, intent_versions
from orchestration.resources import Inputs, PipelineSettings, inputs_of


def write(folder: Path, text: str) -> Path:
    (folder / FILE).write_text(text, encoding="utf-8")
    return folder


def test_without_a_file_the_settings_are_the_usual_ones(tmp_path: Path) -> None:
    assert read_intent_settings(tmp_path) == IntentSettings()
    assert read_intent_settings(write(tmp_path, "")) == IntentSettings()


def test_what_the_file_names_is_set_and_the_rest_stays(tmp_path: Path) -> None:
    found = read_intent_settings(write(tmp_path, "learning_rate: 0.001\nepochs: 8\nrefit: false\n"))
    assert found == replace(IntentSettings(), learning_rate=0.001, epochs=8, refit=False)


@pytest.mark.parametrize("name", [one.name for one in fields(IntentSettings)])
def test_every_setting_can_be_set_to_what_it_is(tmp_path: Path, name: str) -> None:
    value = asdict(IntentSettings())[name]
    told = yaml.safe_dump({name: list(value) if isinstance(value, tuple) else value})
    assert read_intent_settings(write(tmp_path, told)) == IntentSettings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("learning_rat: 1", "learning_rat, which is no setting; there are: encoder"),
        ("dropout: 1.5", "dropout to 1.5; it is between 0 and 0.99"),
        ("epochs: many", "epochs to 'many'"),
        ("languages: [en, de]", "languages to 'de'"),
        ("languages: []", "languages to (); it needs 1 or more"),
        ("categories: [simple]", "needs 2 or more"),
        ("categories: [simple, other, simple]", "none of them twice"),
        ("encoder: 5", "encoder to 5"),
        ("- epochs", "holds list"),
        ("epochs: [", "cannot be read"),
    ],
)
def test_what_cannot_be_a_setting_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsUnusable) as refused:
        read_intent_settings(write(tmp_path, text))
    assert said in str(refused.value)


def inputs(folder: Path, albert: Path | None) -> Inputs:
    return replace(inputs_of(PipelineSettings(labels=folder)), albert=None if albert is None else str(albert))


def test_another_setting_or_another_encoder_is_noticed(tmp_path: Path) -> None:
    encoder = tmp_path / "encoder"
    encoder.mkdir()
    (encoder / "config.json").write_text("{}")
    told = [intent_versions(inputs(tmp_path, None)), intent_versions(inputs(tmp_path, encoder))]
    write(tmp_path, "epochs: 3")
    told.append(intent_versions(inputs(tmp_path, encoder)))
    (encoder / "config.json").write_text('{"hidden_size": 3}')
    told.append(intent_versions(inputs(tmp_path, encoder)))
    assert len({each[INTENT_SETTINGS, None] for each in told}) == 4


def test_the_encoder_of_the_settings_may_lie_beside_them_and_is_taken_before_that_of_the_environment(
    tmp_path: Path,
) -> None:
    assert encoder_asked_for(tmp_path, None) is None
    assert encoder_asked_for(tmp_path, "elsewhere/bert") == "elsewhere/bert"
    write(tmp_path, "encoder: minilm")
    assert encoder_asked_for(tmp_path, "elsewhere/bert") == "minilm", "no folder: a hub's id"
    (tmp_path / "minilm").mkdir()
    assert encoder_asked_for(tmp_path, "elsewhere/bert") == str(tmp_path / "minilm")


def test_an_encoder_that_the_settings_name_is_noticed_when_its_files_change(tmp_path: Path) -> None:
    write(tmp_path, "encoder: minilm")
    (tmp_path / "minilm").mkdir()
    told = [intent_versions(inputs(tmp_path, None))]
    (tmp_path / "minilm" / "config.json").write_text("{}")
    told.append(intent_versions(inputs(tmp_path, None)))
    assert told[0] != told[1]


def example(name: str, lang: Lang, category: Category) -> IntentExample:
    return IntentExample(name, f"question {name}", "", "", "", category, lang)


def test_questions_outside_of_the_chosen_languages_and_categories_are_left_out(tmp_path: Path) -> None:
    asked = [example("a", "en", "simple"), example("b", "zh", "simple"), example("c", "en", "other")]
    settings = read_intent_settings(write(tmp_path, "languages: [en]\ncategories: [simple, complex]"))
    assert [one.id for one in IntentScope.of(settings).among(asked)] == ["a"]
    assert IntentScope.of(IntentSettings()).among(asked) == asked


def test_the_scope_of_a_version_is_that_of_its_card_and_everything_before_there_was_one(tmp_path: Path) -> None:
    assert IntentScope.of_version(tmp_path) == IntentScope.of(IntentSettings())
    card = {"settings": {"epochs": 5}}
    (tmp_path / "card.json").write_text(json.dumps(card))
    assert IntentScope.of_version(tmp_path) == IntentScope.of(IntentSettings())
    card["settings"] |= {"languages": ["zh"], "categories": ["simple", "other"]}  # type: ignore[dict-item]
    (tmp_path / "card.json").write_text(json.dumps(card))
    assert IntentScope.of_version(tmp_path) == IntentScope(("zh",), ("simple", "other"))


def test_a_training_learns_and_asks_what_its_settings_are_for(trained: Trained, tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    shutil.copytree(trained.data_dir.albert, data_dir.albert)
    examples = [replace(one, lang="zh" if one.question[-3:] in ("链表?", "叉树?") else one.lang) for one in labelled()]
    settings = replace(INTENT, epochs=1, refit=False, languages=("en",), categories=("simple", "general_chat"))
    report = train_intent(
        examples,
        data_dir=data_dir,
        encoder=resolve_encoder(None, data_dir=data_dir),
        settings=settings,
        plan=TrainingPlan(ablation=False),
    )
    card = json.loads((data_dir.intent / report.version / "card.json").read_text())
    inside = IntentScope.of(settings).among(examples)
    assert sum(card["data"]["questions"].values()) == len(inside) < len(examples)
    assert card["data"]["languages"] == ["en"]
    assert IntentScope.of_version(data_dir.intent / report.version) == IntentScope.of(settings)
