"""`CartridgeQuiz`: a quiz or a question bank of a Common Cartridge, and whether it counts for a grade."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.importing.export_files import file_inside, read_xml
from knowledge_graph.sources.importing.qti import QtiQuestion, banks_of, questions_of

BANK = "question-bank"
"""How the type of a resource ends that is a bank."""
_WHOLE = "non_cc_assessments/{}.xml.qti"
"""Where Canvas writes a quiz with every kind of question; a cartridge's own file has a few."""
_FOR_PRACTICE = frozenset({"practice_quiz", "survey"})


@dataclass(frozen=True)
class CartridgeQuiz:
    """What its export does not say to be for practice is `is_graded`. `banks` are those that it draws from."""

    title: str
    questions: tuple[QtiQuestion, ...]
    banks: frozenset[str]
    is_graded: bool
    is_hidden: bool
    shows_answers: bool


def read_quiz(root: Path, identifier: str, files: Sequence[str], log: BoundedTold) -> CartridgeQuiz | None:
    """The quiz of a resource; `None` when no file of it can be read."""
    names = [name for name in (_WHOLE.format(identifier), *files[:1]) if file_inside(root, name) is not None]
    found = read_xml(root, names[0], log) if names else None
    if found is None:
        return None
    beside = str(PurePosixPath(files[0]).parent / "assessment_meta.xml") if files else ""
    meta = read_xml(root, beside, log) if file_inside(root, beside) is not None else None
    told = {} if meta is None else {str(one.tag).rpartition("}")[2]: (one.text or "").strip() for one in meta}
    named = found.find("{*}assessment")
    return CartridgeQuiz(
        " ".join((named.get("title", "") if named is not None else "").split()),
        tuple(questions_of(found)),
        frozenset(banks_of(found)),
        is_graded=told.get("quiz_type") not in _FOR_PRACTICE,
        is_hidden=told.get("available") == "false",
        shows_answers=told.get("show_correct_answers") != "false" and told.get("hide_results") != "always",
    )
