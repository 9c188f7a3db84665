"""Refuses `COTEACH_*` variables that name no setting, so that a typing mistake is not silently the default."""

import difflib
import importlib.util
from collections.abc import Mapping

from pydantic_settings import BaseSettings

from knowledge_graph.lake.problems import CoteachError
from serving.settings import ModelServerSettings, Settings

PREFIX = "COTEACH_"


class SettingUnknown(CoteachError):
    """The environment holds a setting that coteach does not have."""


def known_settings() -> frozenset[str]:
    """The names of all settings; those of the pipeline only where it is installed."""
    groups: list[type[BaseSettings]] = [Settings, ModelServerSettings]
    if importlib.util.find_spec("dagster") is not None:
        from orchestration.resources import PipelineSettings  # noqa: PLC0415  Dagster is not part of a base install

        groups.append(PipelineSettings)
    return frozenset(f"{PREFIX}{name.upper()}" for group in groups for name in group.model_fields)


def refuse_unknown_settings(environment: Mapping[str, str]) -> None:
    """Raise `SettingUnknown` for names that are near a setting's but none. Others may be somebody else's."""
    known = known_settings()
    told = []
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
            told += [f"{name} is no setting; did you mean {nearest[0]}?"] if nearest else []
    if told:
        raise SettingUnknown(" ".join(told) + " docs/settings.md lists them all.")
