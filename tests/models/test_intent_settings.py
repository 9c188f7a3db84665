"""`intent.yaml` beside the labels: read, refused by name, and noticed by the planner."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from models.intent.settings import IntentSettings
from models.intent.settings_file import FILE, SettingsUnusable, read_intent_settings
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
    value = getattr(IntentSettings(), name)
    assert read_intent_settings(write(tmp_path, f"{name}: {str(value).lower()}")) == IntentSettings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("learning_rat: 1", "learning_rat, which is no setting; there are: epochs"),
        ("dropout: 1.5", "dropout to 1.5; it is between 0 and 0.99"),
        ("epochs: many", "epochs to 'many'"),
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
