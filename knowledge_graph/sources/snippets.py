"""Recorded search replies: `snippets.jsonl`, one `{query, results: [{headline, text, url, fetched_at}]}` a line."""

from collections.abc import Iterable

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CourseCard, Snippet
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.fields import LONGEST_QUESTION, LONGEST_TEXT, Fields, ProblemLog, excess, texts_of
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.recorded_replies import FETCHED_NAMES, Result, format_records, results_in

_FORM = '{"query": "...", "results": [{"headline": "...", "text": "...", "url": "...", "fetched_at": "..."}]}'
_RESULT_NAMES: Fields = {
    "headline": ("headline", "title", "标题"),
    "text": ("text", "snippet", "abstract", "content", "摘要", "内容"),
    "url": ("url", "link", "链接"),
    "fetched_at": FETCHED_NAMES,
}


def read_snippets(folder: CourseFolder, card: CourseCard) -> tuple[tuple[Snippet, ...], tuple[Problem, ...]]:
    """Every recorded result in file order; `position` is its place in its reply, 1 = the engine's first.

    A line that is not such a reply, and a result without headline or text, is left out with a problem that names it.
    """
    snippets: list[Snippet] = []
    log = BoundedTold()
    for path in input_files(folder, "search_snippets"):
        log.file = display_path(path, folder.path)
        read = (_snippet(result, card, log) for result in results_in(path, _FORM, log))
        snippets += [snippet for snippet in read if snippet is not None]
        log.close()
    return tuple(snippets), tuple(log.problems)


def record_snippets(snippets: Iterable[Snippet]) -> str:
    """The text of a `snippets.jsonl` that `read_snippets` reads back; missing positions are closed up."""
    return format_records(
        snippets,
        lambda each: {"headline": each.headline, "text": each.text, "url": each.url, "fetched_at": each.fetched_at},
    )


def _snippet(result: Result, card: CourseCard, log: ProblemLog) -> Snippet | None:
    query, position, line = result.query, result.position, result.line
    values = texts_of(result.fields, _RESULT_NAMES, line, log)
    headline, text = values["headline"], values["text"]
    if not headline or not text:
        missing = "headline" if text else "text"
        message = f"Result {position} of '{query[:60]}' has no {missing}; it was left out."
        log.error(line, message, f"Add its '{missing}', or remove it.")
        return None
    if long := excess("headline", headline, LONGEST_QUESTION) or excess("text", text, LONGEST_TEXT):
        message = f"Result {position} of '{query[:60]}' was left out: {long}."
        log.error(line, message, "Shorten it, or remove it.")
        return None
    when = result.read_fetched_at(values["fetched_at"], log)
    return Snippet(card.course_id, query, position, headline, text, values["url"], when, lang_of(text, card.lang))
