"""Catalogues as they are evaluated: their records, their labelled questions, and indexes made of either for a moment.

What is asked of them is `catalog_ablation`'s, `stage_latency`'s and `score_chart`'s. Tables that are made up, for there
is no large catalogue in the samples, come from `simulated_catalog`.
"""

import hashlib
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CatalogRecord, CourseCard, Mode, from_row
from knowledge_graph.lake.schemas import QA_PAIRS
from knowledge_graph.lake.tables import digest, read_rows, write_table
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.passages import catalog_passages
from serving.assistant.retrieval.question_sets import FILE, LabelledQuestion, read_question_set
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.index.tables import Tables

PAPER_TOKENS = 16_000
"""Tokens of context that the paper fills (Tulane 2.V)."""

_CHARACTERS_A_TOKEN = 4
"""For English, roughly, under the paper's tiktoken; that downloads its tables, so it is not used here."""

_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_DIGITS_OF_DIGEST = 6


@dataclass(frozen=True)
class CatalogQuestion:
    """A labelled question and the mode that its gold records belong to."""

    question: LabelledQuestion
    mode: Mode


@dataclass(frozen=True)
class LabelledCatalog:
    """The catalogue of one course. `name` stands for it in names of metrics and files."""

    course_id: str
    name: str
    records: tuple[CatalogRecord, ...]
    questions: tuple[LabelledQuestion, ...]
    made_of: tuple[tuple[str, str], ...] = ()
    """Digests by the name of what was read."""

    def questions_of_one_mode(self) -> tuple[CatalogQuestion, ...]:
        """The questions whose gold records are all of one mode, with that mode; others belong to no expert."""
        modes = {record.record_id: record.mode for record in self.records}
        found = [(one, {modes.get(key) for key in one.gold}) for one in self.questions]
        return tuple(
            CatalogQuestion(one, mode) for one, kinds in found if len(kinds) == 1 and (mode := kinds.pop()) is not None
        )


def read_catalogs(data_dir: DataDir, courses: Iterable[CourseFolder]) -> tuple[LabelledCatalog, ...]:
    """The catalogues that a home holds, by course, with the `gold/questions.jsonl` of their course folders.

    Raises `QuestionSetUnusable` for a file of questions that cannot be read.
    """
    folders = {folder.course_id: folder.path for folder in courses}
    found = []
    for path in data_dir.tables("catalog_pages"):
        records = tuple(from_row(CatalogRecord, row) for row in read_rows(path))
        if not records:
            continue
        gold = folders[path.stem] / FILE if path.stem in folders else None
        questions = read_question_set(gold, course_id=path.stem) if gold is not None and gold.is_file() else ()
        read = [(f"catalog_pages/{path.stem}", digest(path))]
        read += [(f"{path.stem}/{FILE}", digest(gold))] if gold is not None and questions else []
        found.append(LabelledCatalog(path.stem, name_of(path.stem), records, questions, tuple(read)))
    return tuple(found)


def paper_tokens(text: str) -> int:
    """Tokens of a text, about as the paper counts them."""
    return len(text) // _CHARACTERS_A_TOKEN + 1


def name_of(course_id: str) -> str:
    """A course in the name of a metric or file: "university_catalog"; with a digest where letters had to go."""
    plain = _NOT_IN_NAMES.sub("_", course_id.lower()).strip("_")
    if re.fullmatch(r"[a-z0-9-]+", course_id):
        return plain
    return f"{plain}_{hashlib.sha256(course_id.encode()).hexdigest()[:_DIGITS_OF_DIGEST]}".lstrip("_")


def whole_pages(records: Sequence[CatalogRecord]) -> list[dict[str, Any]]:
    """The records as QA pairs, each whole, as `stg_catalog_pages` makes them."""
    return [_pair(record, record.record_id, _title(record), record.text) for record in records]


def chunks(records: Sequence[CatalogRecord]) -> list[dict[str, Any]]:
    """The same with long topics of programs split as passages are (Tulane 2.III); each piece names its record."""
    rows = []
    for record in records:
        for passage in catalog_passages([record], _card(record)):
            rows.append(_pair(record, passage.passage_id, passage.title, passage.text))
    return rows


@contextmanager
def temporary_index(rows: Sequence[dict[str, Any]]) -> Iterator[SearchIndex]:
    """A search index of these QA pairs, gone at the end."""
    with tempfile.TemporaryDirectory(prefix="coteach-catalogue-") as folder:
        path = Path(folder) / "qa_pairs.parquet"
        write_table(path, rows, QA_PAIRS)
        build_index(Tables(path, ()), Path(folder) / "index")
        yield SearchIndex.open(Path(folder) / "index")


def _pair(record: CatalogRecord, qa_id: str, title: str, text: str) -> dict[str, Any]:
    told = {"qa_id": qa_id, "source": "catalog", "course_id": record.course_id, "lang": record.lang}
    more = {"mode": record.mode, "section": record.title if record.mode == "program" else None}
    said = {"question": title, "answer": text, "origin_id": record.record_id, "content_hash": qa_id}
    return {**dict.fromkeys(QA_PAIRS.names), **told, **more, **said, "domains": [], "also_from": []}


def _title(record: CatalogRecord) -> str:
    return catalog_passages([record], _card(record))[0].title


def _card(record: CatalogRecord) -> CourseCard:
    return CourseCard(record.course_id, record.course_id, record.lang)
