"""Which kinds of sources there are: the files of a course folder, the tables made of them, what their pairs are called.

A new source is an entry here and in five more places, which CONTRIBUTING.md names under "A new source". What a file
says is for its reader, what a table holds is said by its schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from knowledge_graph.lake.records import Lang

InputKind = Literal[
    "card",
    "subtitles",
    "faq",
    "search_snippets",
    "scholar_records",
    "catalog_pages",
    "informal_reviews",
    "schedule",
    "documents",
    "statements",
    "gold",
    "expectations",
]

CourseTable = Literal[
    "course_cards",
    "cues",
    "lecture_sentences",
    "teacher_edits",
    "statements",
    "concepts",
    "concept_functions",
    "prerequisites",
    "prerequisite_functions",
    "graph_scores",
    "faq",
    "ta_answers",
    "search_queries",
    "search_snippets",
    "web_snippets",
    "scholar_records",
    "catalog_pages",
    "informal_reviews",
    "schedule",
    "documents",
    "passages",
    "exam_questions",
    "graded_items",
]
"""Tables that hold one Parquet file per course, `lake/<table>/<course_id>.parquet`."""

Source = Literal["concept", "search", "scholar", "faq", "catalog", "document", "review"]
"""What a QA pair comes from."""


@dataclass(frozen=True)
class InputFiles:
    """How the files of one kind are known in a course folder."""

    description: str
    """For Dagster's pages."""
    names: tuple[str, ...] = ()
    """At the top of the folder, in lower case."""
    folder: str | None = None
    suffixes: tuple[str, ...] = ()
    """Suffixes of the files in `folder` and below; none means all files."""
    makes_a_course: bool = True
    """Whether a folder with nothing else is a course: what is only said of a course does not make one."""
    has_asset: bool = True
    """Whether an asset of the same name is made of them."""


FAQ_SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".yaml", ".yml")
SCHEDULE_NAMES = ("schedule.csv", "schedule.tsv", "schedule.json", "schedule.jsonl")

INPUT_FILES: Mapping[InputKind, InputFiles] = {
    "card": InputFiles(
        "`course.yaml`: title, language, subject, domains, policy, rules about graded work.",
        names=("course.yaml", "course.yml"),
        has_asset=False,
    ),
    "subtitles": InputFiles("Lecture subtitles as teachers have them, anywhere in the folder."),
    "faq": InputFiles(
        "Questions with the answers people stand behind.",
        names=tuple(f"faq{suffix}" for suffix in FAQ_SUFFIXES),
        folder="faq",
        suffixes=(".md",),
    ),
    "search_snippets": InputFiles("Recorded search replies.", names=("snippets.jsonl",)),
    "scholar_records": InputFiles("Recorded replies of an academic search.", names=("scholar.jsonl",)),
    "catalog_pages": InputFiles(
        "Start links and saved pages of a university's catalogue.",
        names=("catalog.yaml", "catalog.yml"),
        folder="catalog",
        suffixes=(".html", ".htm"),
    ),
    "informal_reviews": InputFiles(
        "What students say of classes among themselves.",
        names=("informal_reviews.csv", "informal_reviews.jsonl"),
        makes_a_course=False,
    ),
    "schedule": InputFiles(
        "Which classes of a catalogue are offered in which term, and when they meet.",
        names=SCHEDULE_NAMES,
        makes_a_course=False,
    ),
    "documents": InputFiles("Regulations, syllabuses and other documents.", folder="documents"),
    "statements": InputFiles(
        "What people say of the graph: `seeds.txt`, `graph.yaml`, a dataset's concepts and prerequisites.",
        names=("seeds.txt", "concepts.jsonl", "prerequisites.jsonl", "graph.yaml", "graph.yml"),
        makes_a_course=False,
    ),
    "gold": InputFiles(
        "`gold/`: what people labelled to measure by, their own exam items, and items of graded work; only the cut of "
        "references is learnt from it.",
        folder="gold",
        suffixes=(".txt", ".tsv", ".jsonl", ".csv"),
        makes_a_course=False,
        has_asset=False,
    ),
    "expectations": InputFiles(
        "`expectations.yaml`: what the team expects of the course's rows beyond what must hold of every course.",
        names=("expectations.yaml", "expectations.yml"),
        makes_a_course=False,
        has_asset=False,
    ),
}


@dataclass(frozen=True)
class PairSource:
    """A source of QA pairs: the table dbt stages them from, and what students are told of an answer from it."""

    table: CourseTable
    schema: str
    """Where its schema is defined, as `module:NAME`."""
    told: Mapping[Lang, str]
    given_by: str
    """What of a course folder gives such pairs, for whoever has none."""
    everywhere: bool = False
    """Whether its pairs may answer in any course; otherwise in their own only."""
    informal: bool = False
    """Whether nobody checks what it says: such pairs are found only where that is set."""


PAIR_SOURCES: Mapping[Source, PairSource] = {
    "faq": PairSource(
        "faq",
        "knowledge_graph.lake.schemas:FAQ",
        {"en": "From the FAQ.", "zh": "来自常见问题。"},
        "`faq.csv` or another file of questions and answers",
    ),
    "document": PairSource(
        "documents",
        "knowledge_graph.lake.schemas:DOCUMENTS",
        {"en": "From the course documents.", "zh": "来自课程文件。"},
        "files in `documents/`",
    ),
    "catalog": PairSource(
        "catalog_pages",
        "knowledge_graph.lake.schemas:CATALOG_PAGES",
        {"en": "From the course catalogue.", "zh": "来自课程目录。"},
        "`catalog.yaml` or saved pages in `catalog/`",
    ),
    "concept": PairSource(
        "concepts",
        "knowledge_graph.lake.schemas:CONCEPTS",
        {"en": "From the course's concepts.", "zh": "来自课程概念。"},
        "lectures or documents that define what they teach",
        everywhere=True,
    ),
    "scholar": PairSource(
        "scholar_records",
        "knowledge_graph.lake.schemas:SCHOLAR_RECORDS",
        {"en": "From scholarly records.", "zh": "来自学术资料。"},
        "`scholar.jsonl`, or an academic search that is set",
        everywhere=True,
    ),
    "search": PairSource(
        "web_snippets",
        "knowledge_graph.lake.schemas:SEARCH_SNIPPETS",
        {"en": "From a web search result.", "zh": "来自网络搜索结果。"},
        "`snippets.jsonl`, or a search engine that is set",
        everywhere=True,
    ),
    "review": PairSource(
        "informal_reviews",
        "knowledge_graph.lake.schemas:INFORMAL_REVIEWS",
        {"en": "From informal reviews that nobody checked.", "zh": "来自未经核实的同学评价。"},
        "`informal_reviews.csv`",
        informal=True,
    ),
}
"""In the order in which one is preferred to another that matches a question equally well."""


def empty_sources(counts: Mapping[str, int]) -> tuple[Source, ...]:
    """The sources that have no pair, of how many each has, in their usual order; informal ones are missed by nobody."""
    return tuple(name for name, source in PAIR_SOURCES.items() if not source.informal and not counts.get(name))


INPUT_KINDS: tuple[InputKind, ...] = get_args(InputKind)
COURSE_TABLES: tuple[CourseTable, ...] = get_args(CourseTable)
