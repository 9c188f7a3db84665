"""A new source, `forum`, in the places that CONTRIBUTING.md names: answered threads of a course's forum."""

from collections.abc import Mapping
from pathlib import Path

READER = '''"""A course's forum, `forum.jsonl`: one `{"id", "question", "answer", "url"}` a line."""

import json
from dataclasses import dataclass

import pyarrow as pa

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CourseCard, Lang
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.fields import lower_keys, texts_of
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.language import lang_of

_NAMES = {name: (name,) for name in ("id", "question", "answer", "url")}
FORUM = pa.schema(
    [(name, pa.string()) for name in ("course_id", "thread_id", "question", "answer", "url", "lang")]
)


@dataclass(frozen=True)
class Thread:
    """A question of the forum with the answer that was accepted."""

    course_id: str
    thread_id: str
    question: str
    answer: str
    url: str | None
    lang: Lang


def read_forum(folder: CourseFolder, card: CourseCard) -> tuple[tuple[Thread, ...], tuple[Problem, ...]]:
    """Every thread with an answer, in file order; what was left out is told."""
    threads, told = list[Thread](), BoundedTold()
    for path in input_files(folder, "forum"):
        told.file = display_path(path, folder.path)
        decoded = read_text(path, told)
        for number, line in enumerate(decoded.text.splitlines() if decoded else (), start=1):
            fields = texts_of(lower_keys(json.loads(line)), _NAMES, number, told)
            if fields["id"] and fields["question"] and fields["answer"]:
                lang = lang_of(fields["answer"], card.lang)
                threads.append(
                    Thread(card.course_id, fields["id"], fields["question"], fields["answer"], fields["url"], lang)
                )
            else:
                told.error(number, "A thread without id, question or answer was left out.", "Add what is missing.")
        told.close()
    return tuple(threads), tuple(told.problems)
'''

ASSET = '''"""Stage `forum`: what was asked and answered in a course's forum."""

from knowledge_graph.sources.forum import FORUM, read_forum
from orchestration.reporting.course_source import course_source, of_files

forum = course_source(
    "forum",
    group="faq",
    description="Threads of a course's forum that somebody answered.",
    read=of_files(read_forum),
    schema=FORUM,
    expectations=(
        ("ExpectColumnValuesToBeUnique", {"column": "thread_id"}),
        ("ExpectColumnValuesToNotBeNull", {"column": "answer"}),
    ),
)
'''

STAGING = """-- Threads of the forum as pairs.
select
    'forum' as source,
    course_id,
    thread_id as origin_id,
    question,
    answer,
    lang,
    {{ locator(url='url') }} as locator
from {{ source('lake', 'forum') }}
where trim(question) <> '' and trim(answer) <> ''
"""

NEW_FILES: Mapping[str, str] = {
    "knowledge_graph/sources/forum.py": READER,
    "assets/forum.py": ASSET,
    "dbt/models/staging/stg_forum.sql": STAGING,
}
"""By path, with what is in them."""

ADDED_LINES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "knowledge_graph/lake/source_kinds.py": (
        ("InputKind = Literal[\n", '    "forum",\n'),
        ("CourseTable = Literal[\n", '    "forum",\n'),
        ("Source = Literal[", '"forum", '),
        (
            "INPUT_FILES: Mapping[InputKind, InputFiles] = {\n",
            '    "forum": InputFiles("Answered threads of the course\'s forum.", names=("forum.jsonl",)),\n',
        ),
        (
            "PAIR_SOURCES: Mapping[Source, PairSource] = {\n",
            '    "forum": PairSource("forum", "knowledge_graph.sources.forum:FORUM", '
            '{"en": "From the forum.", "zh": "来自课程论坛。"}, "`forum.jsonl`"),\n',
        ),
    ),
    "dbt/models/staging/staging.yml": (
        (
            "    tables:\n",
            "      - name: forum\n"
            "        description: Answered threads of the course's forum.\n"
            "        config: {meta: {dagster: {asset_key: [forum]}}}\n",
        ),
        (
            "models:\n",
            "  - name: stg_forum\n"
            "    description: Threads of the forum as (question, answer).\n"
            "    data_tests: *pair_tests\n"
            "    columns: *pair_columns\n",
        ),
    ),
    "dbt/macros/pair_sources.sql": (("    ('stg_faq', 'faq'),\n", "    ('stg_forum', 'forum'),\n"),),
}
"""By path, with each line and what is added behind it."""


def add_forum(checkout: Path) -> None:
    """Add the source to a copy of the checkout."""
    for name, text in NEW_FILES.items():
        assert not (checkout / name).exists()
        (checkout / name).write_text(text, encoding="utf-8")
    for name, additions in ADDED_LINES.items():
        text = (checkout / name).read_text(encoding="utf-8")
        for line, added in additions:
            assert text.count(line) == 1, f"{name} has '{line.strip()}' {text.count(line)} times"
            text = text.replace(line, line + added)
        (checkout / name).write_text(text, encoding="utf-8")
