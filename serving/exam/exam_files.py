"""The files of exams in a home: the questions, what models answered, and who was admitted.

`evaluation/exam/<model>/answers.jsonl` keeps every answer, so that an exam that was stopped goes on where it was and a
changed course asks only what is new; `<key>.json` beside it is the result.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import from_row
from knowledge_graph.lake.tables import TableDamaged, digest, read_rows
from models.tutor.lessons import read_card
from serving.assistant.generation.demonstrations import COLLECTION
from serving.assistant.generation.prompts import TEMPLATES
from serving.exam.admission import Admission
from serving.exam.item import ExamItem
from serving.llm.messages import Message
from serving.settings import Settings

MARKS_VERSION = 4
"""Raise it when marks or admission change what they say: results of another version do not hold."""

_PROMPTING = (
    "complex_prompt",
    "context_tokens",
    "demonstrations",
    "few_shot",
    "languages",
    "max_snippets",
    "max_tokens",
    "simple_prompt",
    "temperature",
)
"""Settings that change what the model is asked."""


@dataclass(frozen=True)
class Written:
    """What a model wrote to one prompt; times in seconds. `first_token_s` is `None` where it wrote nothing."""

    prompt: str
    text: str
    first_token_s: float | None
    seconds: float
    tokens: int | None


@dataclass(frozen=True)
class Papers:
    """The folder of one model's exams. `model` is its name and where it is served."""

    folder: Path
    model: str
    learnt: frozenset[str] = frozenset()
    """Ids of the evidence that the model was fine-tuned on here: it is not examined in what rests on that."""

    @classmethod
    def of(cls, data_dir: DataDir, name: str, url: str) -> "Papers":
        """The papers of the model of this name at this address; a folder with other content is another model."""
        local = Path(name)
        content = _weights(local) if local.is_dir() else ""
        mark = hashlib.sha256(f"{name} {'' if content else url} {content}".encode()).hexdigest()[:8]
        plain = re.sub(r"[^\w.-]+", "-", name.rstrip("/").rsplit("/", 1)[-1])[:60]
        card = read_card(local) or read_card(data_dir.tutor / local.name)  # one served elsewhere has its folder's name
        learnt = frozenset(card.learnt) if card is not None else frozenset[str]()
        return cls(data_dir.exam / f"{plain}-{mark}", f"{name} {mark}", learnt)

    def keep_unseen(self, items: Iterable[ExamItem]) -> tuple[ExamItem, ...]:
        """The items that the model has not learnt the answers of."""
        return tuple(item for item in items if not self.learnt & item.rests_on)

    @property
    def answers(self) -> Path:
        return self.folder / "answers.jsonl"

    def result(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def read_written(self) -> dict[str, Written]:
        """What was answered before, by prompt; a line that was cut off is left out."""
        found: dict[str, Written] = {}
        lines = self.answers.read_text(encoding="utf-8").splitlines() if self.answers.is_file() else []
        for line in lines:
            try:
                row: Mapping[str, Any] = json.loads(line)
                found[row["prompt"]] = Written(**row)
            except (json.JSONDecodeError, KeyError, TypeError):
                continue
        return found

    def keep(self, written: Written) -> None:
        """Add an answer."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.answers.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(written), ensure_ascii=False) + "\n")

    def admission(self, key: str) -> Admission | None:
        """The result that holds for a key; `None` where there is none or it cannot be read."""
        try:
            row = json.loads(self.result(key).read_text(encoding="utf-8"))
            return from_row(Admission, row)
        except (OSError, json.JSONDecodeError, KeyError, TypeError):
            return None

    def publish(self, admission: Admission) -> Path:
        """Write a result whole or not at all."""
        path = self.result(admission.key)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(admission), ensure_ascii=False, indent=1), encoding="utf-8")
        draft.replace(path)
        return path


def read_items(data_dir: DataDir) -> tuple[ExamItem, ...]:
    """The exam of every course; a table that is damaged is left out, and so is its course."""
    found: list[ExamItem] = []
    for path in data_dir.tables("exam_questions"):
        try:
            found += [from_row(ExamItem, row) for row in read_rows(path)]
        except (TableDamaged, OSError, KeyError):
            continue
    return tuple(found)


def exam_key(papers: Papers, settings: Settings, data_dir: DataDir) -> str:
    """Another one whenever the model, a prompt, a setting of prompts, the marks or a course's exam is another."""
    asked = {name: getattr(settings, name) for name in _PROMPTING}
    parts = [
        papers.model,
        str(MARKS_VERSION),
        json.dumps(asked, sort_keys=True, default=str),
        *(template.digest for template in TEMPLATES),
        digest(COLLECTION),
        *([digest(settings.own_demonstrations)] if settings.own_demonstrations is not None else []),
        *(f"{path.stem} {digest(path)}" for path in data_dir.tables("exam_questions")),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def prompt_key(messages: Sequence[Message], settings: Settings) -> str:
    """A digest of what is sent to the model."""
    sent = [[message.role, message.content] for message in messages]
    told = json.dumps([sent, settings.temperature, settings.max_tokens], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:24]


def newest(data_dir: DataDir) -> list[Admission]:
    """The newest result of every model that was examined, the latest first."""
    found = sorted(data_dir.exam.glob("*/*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    first: dict[str, Path] = {}
    for path in found:
        first.setdefault(path.parent.name, path)
    read = (Papers(path.parent, "").admission(path.stem) for path in first.values())
    return [one for one in read if one is not None]


def _weights(folder: Path) -> str:
    """Names, sizes and times of a model's files: its content, without reading gigabytes."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return " ".join(f"{path.name} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in files)
