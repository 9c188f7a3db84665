"""What `coteach path` does and prints: what to learn before a concept, in order, and where it is taught."""

import difflib
import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.markup import escape

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import Step
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Span
from knowledge_graph.text.time_code import time_code

_SUGGESTED = 5
_LONGEST_SHOWN = 60


class ConceptUnknown(CoteachError):
    """No concept of the graph, or no course, has this name."""


class GraphMissing(CoteachError):
    """The home holds no graph."""


def study_path(
    console: Console, name: str, *, data_dir: DataDir, known: Sequence[str], course: str | None, as_json: bool
) -> int:
    """Print the path to the concept called `name`; names in `known` are left out, with what they need."""
    graph = _graph(data_dir)
    if course is not None and course not in (built := [card.course_id for card in graph.courses]):
        raise ConceptUnknown(f"No course {course!r} is built; there are: {', '.join(built) or 'none'}.")
    goal = _find_concept(graph, name)
    steps = graph.study_path(goal, [_find_concept(graph, each) for each in known], course_id=course)
    shown = graph.concept(goal)
    if as_json:
        told = {"concept_id": goal, "name": shown.name, "steps": [_as_dict(step) for step in steps]}
        console.print_json(json.dumps(told, ensure_ascii=False))
        return 0
    if not steps:
        console.print(f"Nothing that is known of comes before {escape(shown.name)}.")
    for number, step in enumerate(steps, 1):
        console.print(f"{number}. [bold]{escape(step.concept.name)}[/]  {escape(where(step))}", highlight=False)
        if step.concept.definition:
            console.print(f"   {escape(step.concept.definition)}", highlight=False)
    return 0


def where(step: Step) -> str:
    """What to watch or read: "watch 03:12–04:05 of 02 - Trees (structures)"; empty when no course says."""
    span = step.watch
    if span is None:
        return ""
    course = f" ({step.course_id})" if step.course_id else ""
    if span.document is not None:
        page = f", page {span.page}" if span.page is not None else ""
        return f"read {span.document}{page}{course}"
    return f"watch {_times(span)} of {span.video_id}{course}"


def _times(span: Span) -> str:
    start = time_code(span.start_ms or 0)
    end = time_code(span.end_ms or 0)
    return start if start == end else f"{start}–{end}"


def _graph(data_dir: DataDir) -> ConceptGraph:
    try:
        return ConceptGraph.load(data_dir)
    except FileNotFoundError as error:
        raise GraphMissing(str(error)) from error


def _find_concept(graph: ConceptGraph, name: str) -> str:
    known = graph.find(name)
    if known is not None:
        return known
    shown = name[:_LONGEST_SHOWN]
    names = {each.lower(): each for each in graph.names()}
    near = [names[each] for each in difflib.get_close_matches(shown.lower(), names, n=_SUGGESTED)]
    meant = f" Did you mean {', '.join(repr(one) for one in near)}?" if near else ""
    raise ConceptUnknown(f"No concept is called {shown!r}.{meant}")


def _as_dict(step: Step) -> dict[str, object]:
    return {
        "concept_id": step.concept.concept_id,
        "name": step.concept.name,
        "definition": step.concept.definition,
        "need": round(step.need, 4),
        "course_id": step.course_id,
        "watch": asdict(step.watch) if step.watch else None,
        "because": [asdict(one) for one in step.because.evidence],
    }
