"""`intent.yaml` beside the labels: how the intent model is fine-tuned, where a person wants another way.

Its fields are those of `IntentSettings`; what is not named there stays as it is.
"""

from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path

import yaml
from pydantic import TypeAdapter, ValidationError

from knowledge_graph.lake.problems import CoteachError
from models.intent.settings import IntentSettings

FILE = "intent.yaml"

_SETTINGS = TypeAdapter(IntentSettings)
_NAMES = tuple(field.name for field in fields(IntentSettings))
_RANGES = {
    **dict.fromkeys(
        ("distillation", "bag_share", "embedding_share", "context_dropout", "token_dropout", "tolerance"), (0.0, 1.0)
    ),
    **dict.fromkeys(("learning_rate", "embedding_learning_rate", "head_learning_rate"), (1e-8, 1.0)),
    **dict.fromkeys(("epochs", "patience", "batch", "threads"), (1.0, 10_000.0)),
    "most_embedded": (0.0, 1e9),
    "dropout": (0.0, 0.99),
    "max_minutes": (0.01, 10_000.0),
    "class_weight_power": (0.0, 2.0),
    "max_length": (8.0, 512.0),
    "seed": (0.0, 2.0**31),
}


_LEAST = {"languages": 1, "categories": 2}


class SettingsUnusable(CoteachError):
    """`intent.yaml` cannot be used; the message names the field, what was found and what would do."""


def read_intent_settings(labels: Path) -> IntentSettings:
    """The settings that `intent.yaml` of the labels' folder asks for; the usual ones without it.

    Raises `SettingsUnusable` for a field that is none, or a value that cannot be one.
    """
    path = labels / FILE
    if not path.is_file():
        return IntentSettings()
    return set_fields(IntentSettings(), _content(path), where=str(path))


def set_fields(settings: IntentSettings, fields_set: Mapping[object, object], *, where: str) -> IntentSettings:
    """`settings` with these fields, as `where` sets them. Raises `SettingsUnusable`, which names `where` and field."""
    if unknown := sorted(str(name) for name in fields_set if name not in _NAMES):
        raise SettingsUnusable(f"{where} sets {unknown[0]}, which is no setting; there are: {', '.join(_NAMES)}.")
    try:
        found = _SETTINGS.validate_python(asdict(settings) | {str(name): one for name, one in fields_set.items()})
    except ValidationError as error:
        first = error.errors()[0]
        raise SettingsUnusable(f"{where} sets {first['loc'][0]} to {first['input']!r}: {first['msg']}.") from error
    for name, least_many in _LEAST.items():
        values = getattr(found, name)
        if len(values) < least_many or len(set(values)) < len(values):
            raise SettingsUnusable(
                f"{where} sets {name} to {values!r}; it needs {least_many} or more, none of them twice."
            )
    for name, (least, most) in _RANGES.items():
        if not least <= (value := getattr(found, name)) <= most:
            raise SettingsUnusable(f"{where} sets {name} to {value!r}; it is between {least:g} and {most:g}.")
    return found


def encoder_asked_for(labels: Path, albert: str | None) -> str | None:
    """The encoder that `intent.yaml` names, a folder beside it among others; else `albert`, of `COTEACH_ALBERT`."""
    return beside(labels, read_intent_settings(labels).encoder) or albert


def beside(labels: Path, encoder: str | None) -> str | None:
    """The folder of that name in the labels' folder, if there is one; else what was given."""
    found = labels / encoder if encoder else None
    return str(found) if found is not None and found.is_dir() else encoder


def _content(path: Path) -> dict[object, object]:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise SettingsUnusable(f"{path} cannot be read: {error}.") from error
    if not isinstance(content, dict):
        raise SettingsUnusable(f"{path} holds {type(content).__name__}, not fields like `epochs: 5`.")
    return content
