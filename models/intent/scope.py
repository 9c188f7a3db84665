"""Which labelled questions an intent model is for: those in its languages and of its categories.

What lies outside is left out wherever that model learns, is chosen, judged or calibrated.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.records import Lang
from models.intent.labels.categories import Category
from models.intent.labels.examples import IntentExample
from models.intent.settings import IntentSettings


@dataclass(frozen=True)
class IntentScope:
    """The languages and categories of one model."""

    languages: tuple[Lang, ...]
    categories: tuple[Category, ...]

    @classmethod
    def of(cls, settings: IntentSettings) -> "IntentScope":
        """That of a model with these settings."""
        return cls(settings.languages, settings.categories)

    @classmethod
    def of_version(cls, folder: Path) -> "IntentScope":
        """That of a published version, by its card; versions of before there was a choice have all there is."""
        path, usual = folder / "card.json", IntentSettings()
        card = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        told = card.get("settings", {})
        return cls(
            tuple(told.get("languages", usual.languages)),
            tuple(told.get("categories", usual.categories)),
        )

    def among(self, examples: Sequence[IntentExample]) -> list[IntentExample]:
        """The examples inside, in their order."""
        return [one for one in examples if one.lang in self.languages and one.category in self.categories]
