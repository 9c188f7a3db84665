"""`words`: what the pages say, in both languages, from one YAML file per page beside this module.

A file is a mapping of key to `{en: ..., zh: ...}`; gaps such as `{name}` are filled by `str.format`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import LANGS, Lang

FOLDER = Path(__file__).with_name("words")


class WordsMissing(CoteachError):
    """A page asks for words that its file does not have."""


@dataclass(frozen=True)
class PageTexts:
    """The words of one page in one language: `say("key")`, or with gaps `say("key", name="Ada")`."""

    page: str
    lang: Lang
    texts: Mapping[str, str]

    def __call__(self, key: str, **gaps: object) -> str:
        if key not in self.texts:
            raise WordsMissing(f"words/{self.page}.yaml has no '{key}' in '{self.lang}'; add it in both languages.")
        return self.texts[key].format(**gaps) if gaps else self.texts[key]

    def __contains__(self, key: object) -> bool:
        return key in self.texts


@cache
def words(page: str, lang: Lang) -> PageTexts:
    """The words of `page`. Raises `WordsMissing` when a key lacks a language."""
    texts: dict[str, str] = {}
    for key, said in read_words(FOLDER / f"{page}.yaml").items():
        if lang not in said:
            raise WordsMissing(f"words/{page}.yaml: '{key}' is not said in '{lang}'.")
        texts[key] = said[lang]
    return PageTexts(page, lang, texts)


def read_words(path: Path) -> dict[str, dict[str, str]]:
    """Every key of a file with what it says in each language."""
    read: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {str(key): {str(lang): str(text) for lang, text in said.items()} for key, said in read.items()}


def pages_with_words() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def find_unsaid(page: str) -> list[str]:
    """`key: language` for everything that a page cannot say in one of the languages."""
    said = read_words(FOLDER / f"{page}.yaml")
    return [f"{key}: {lang}" for key, texts in said.items() for lang in LANGS if not texts.get(lang, "").strip()]
