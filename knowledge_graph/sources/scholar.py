"""Recorded academic search: `scholar.jsonl`, one `{query, results: [...]}` a line, as `recorded.py` says.

A result is `{kind, id, question, answer, url, fetched_at}`.
"""

from collections.abc import Iterable
from typing import Literal

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CourseCard, ScholarRecord
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.fields import LONGEST_QUESTION, LONGEST_TEXT, Fields, ProblemLog, excess, texts_of
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.recorded_replies import FETCHED_NAMES, Result, format_records, results_in

_FORM = (
    '{"query": "...", "results": [{"kind": "paper", "id": "...", "question": "...", "answer": "...", "url": "...", '
    '"fetched_at": "..."}]}'
)
_RESULT_NAMES: Fields = {
    "kind": ("kind", "type", "类型"),
    "id": ("id", "record_id", "编号"),
    "question": ("question", "title", "问题", "标题"),
    "answer": ("answer", "text", "答案", "内容"),
    "url": ("url", "link", "链接"),
    "fetched_at": FETCHED_NAMES,
}
_KINDS: dict[str, Literal["scholar", "paper", "trend"]] = {"scholar": "scholar", "paper": "paper", "trend": "trend"}


def read_scholar_records(
    folder: CourseFolder, card: CourseCard
) -> tuple[tuple[ScholarRecord, ...], tuple[Problem, ...]]:
    """Every recorded result in file order; `position` is its place in its reply, 1 = the service's first.

    A line that is not such a reply, and a result without a known kind, id, question or answer, is left out with a
    problem that names it.
    """
    records: list[ScholarRecord] = []
    log = BoundedTold()
    for path in input_files(folder, "scholar_records"):
        log.file = display_path(path, folder.path)
        read = (_record(result, card, log) for result in results_in(path, _FORM, log))
        records += [record for record in read if record is not None]
        log.close()
    return tuple(records), tuple(log.problems)


def record_scholar_records(records: Iterable[ScholarRecord]) -> str:
    """The text of a `scholar.jsonl` that `read_scholar_records` reads back; missing positions are closed up."""
    return format_records(
        records,
        lambda each: {
            "kind": each.kind,
            "id": each.record_id,
            "question": each.question,
            "answer": each.answer,
            "url": each.url,
            "fetched_at": each.fetched_at,
        },
    )


def _record(result: Result, card: CourseCard, log: ProblemLog) -> ScholarRecord | None:
    query, position, line = result.query, result.position, result.line
    values = texts_of(result.fields, _RESULT_NAMES, line, log)
    where = f"Result {position} of '{query[:60]}'"
    kind, record_id, question, answer = (values[name] for name in ("kind", "id", "question", "answer"))
    if not kind or not record_id or not question or not answer:
        missing = next(name for name in ("kind", "id", "question", "answer") if not values[name])
        log.error(line, f"{where} has no {missing}; it was left out.", f"Add its '{missing}', or remove it.")
        return None
    if kind.lower() not in _KINDS:
        log.error(line, f"{where} was left out: its kind is '{kind[:60]}'.", f"Write one of {', '.join(_KINDS)}.")
        return None
    if long := excess("question", question, LONGEST_QUESTION) or excess("answer", answer, LONGEST_TEXT):
        log.error(line, f"{where} was left out: {long}.", "Shorten it, or remove it.")
        return None
    return ScholarRecord(
        course_id=card.course_id,
        kind=_KINDS[kind.lower()],
        record_id=record_id,
        query=query,
        position=position,
        question=question,
        answer=answer,
        url=values["url"],
        fetched_at=result.read_fetched_at(values["fetched_at"], log),
        lang=lang_of(answer, card.lang),
    )
