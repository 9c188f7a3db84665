"""What `coteach grade` does: reads answers from a file and writes how well each is grounded. Needs no model."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.files import open_text
from orchestration.cli.output import output
from serving.assistant.grounding.grading import Grounding, Record, grade_record

_FORM = '{"id": "...", "question": "...", "knowledge": "..." or ["...", ...], "answer": "..."}'
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class GradeUnusable(CoteachError):
    """The answers cannot be read."""


def grade_file(records: Path, *, out: Path | None) -> int:
    """Grade each answer and write a line about it; return 0 when every one was read, 1 when some were left out.

    Raises `GradeUnusable` for a file that cannot be read.
    """
    console = Console(stderr=True)
    log = BoundedTold(records.name)
    started, graded, left_out = time.monotonic(), 0, 0
    with output(out) as sink:
        for record in read_records(records, log):
            if record is None:
                left_out += 1
                continue
            sink.write(json.dumps(_line(record, grade_record(record)), ensure_ascii=False) + "\n")
            graded += 1
    for problem in log.problems:
        console.print(f"! {problem}", style="yellow", markup=False, highlight=False)
    place = f" -> {out}" if out else ""
    console.print(
        f"{graded:,} graded, {left_out:,} left out, {time.monotonic() - started:.1f} s{place}", highlight=False
    )
    return 1 if left_out else 0


def read_records(path: Path, log: BoundedTold) -> Iterator[Record | None]:
    """The records of a file of JSON lines or of one JSON array, one by one; `None` for one that is not.

    A record without `id` is called by its line, or by its place in the array, counted from 1. Raises `GradeUnusable`
    when the file cannot be read.
    """
    for number, item in _items(path, log):
        found = _record(item, number)
        if isinstance(found, str):
            log.error(number, found, f"Write one answer a line: {_FORM}.")
        yield found if isinstance(found, Record) else None
    log.close()


def _items(path: Path, log: BoundedTold) -> Iterator[tuple[int, object]]:
    stream = open_text(path, log)
    if stream is None:
        raise GradeUnusable("; ".join(f"{path}: {each.message} {each.remedy}" for each in log.problems))
    with stream:
        lines = ((number, line) for number, line in enumerate(stream, start=1) if line.strip())
        number, first = next(lines, (0, ""))
        if first.lstrip().startswith("["):
            listed = _parse(first + stream.read())
            if not isinstance(listed, list):
                raise GradeUnusable(
                    f"{path}: the file begins as a JSON array and is none. Mend it, or write JSON lines."
                )
            yield from enumerate(listed, start=1)
        elif first:
            yield number, _parse(first)
            yield from ((number, _parse(line)) for number, line in lines)


def _parse(text: str) -> object:
    """What a text says in JSON; `None`, as for `null`, when it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _record(item: object, number: int) -> Record | str:
    """The record, or what is wrong with it."""
    if not isinstance(item, dict):
        return "Expected a JSON object."
    record_id, knowledge = item.get("id", number), item.get("knowledge")
    listed = [knowledge] if isinstance(knowledge, str) else knowledge
    if not (isinstance(record_id, str) or type(record_id) is int):
        return "'id' is neither text nor a whole number."
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        return "'knowledge' is neither text nor a list of texts."
    question, answer = item.get("question"), item.get("answer")
    if not isinstance(question, str) or not isinstance(answer, str):
        return "There is no 'question' or no 'answer' with text."
    if _HALF_CHARACTER.search(f"{record_id}{answer}"):
        return "The line holds half a character (a lone surrogate), which cannot be written again."
    return Record(record_id, question, tuple(listed), answer)


def _line(record: Record, grounding: Grounding) -> dict[str, object]:
    return {
        "id": record.record_id,
        "score": round(grounding.score, 6),
        "grounded": grounding.grounded,
        "certain": grounding.certain,
        "sentences": [
            {
                "start": each.start,
                "end": each.end,
                "text": each.text,
                "score": round(each.score, 6),
                "supported": each.is_supported,
                "evidence": each.evidence_id,
                "missing": [fact.text for fact in each.missing],
            }
            for each in grounding.sentences
        ],
    }
