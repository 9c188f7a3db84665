"""`PerLanguage`: what each language may have of its own, as its model, with one for all other languages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar, get_args

from knowledge_graph.lake.records import Lang
from serving.settings import Settings

LANGS: tuple[Lang, ...] = get_args(Lang)
MODEL_URLS = ("llm_url", *(f"llm_url_{lang}" for lang in LANGS))
"""Settings that name model servers."""
MODEL_NAMES = ("llm_model", *(f"llm_model_{lang}" for lang in LANGS))
"""Settings that name a model of theirs."""

One = TypeVar("One", covariant=True)
Other = TypeVar("Other")


@dataclass(frozen=True)
class PerLanguage(Generic[One]):
    """`others` is for every language that is not in `own`."""

    others: One
    own: Mapping[str, One] = field(default_factory=dict)

    def of(self, lang: str) -> One:
        return self.own.get(lang, self.others)

    @property
    def all(self) -> tuple[One, ...]:
        return (self.others, *self.own.values())

    def map(self, make: Callable[[One], Other]) -> "PerLanguage[Other]":
        return PerLanguage(make(self.others), {lang: make(one) for lang, one in self.own.items()})


def settings_per_language(settings: Settings) -> PerLanguage[Settings]:
    """The settings of the model that writes in each language: its servers, and the languages it is examined in."""
    own = {lang: url for lang in LANGS if (url := getattr(settings, f"llm_url_{lang}")) is not None}
    if not own:
        return PerLanguage(settings)
    left = tuple(lang for lang in settings.languages if lang not in own)
    return PerLanguage(
        settings.model_copy(update={"languages": left}),
        {
            lang: settings.model_copy(
                update={
                    "llm_url": url,
                    "llm_model": getattr(settings, f"llm_model_{lang}"),
                    "llm_api_key": getattr(settings, f"llm_api_key_{lang}"),
                    "languages": tuple(one for one in settings.languages if one == lang),
                }
            )
            for lang, url in own.items()
        },
    )
