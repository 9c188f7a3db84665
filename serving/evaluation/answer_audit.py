"""Whether an answer keeps what is promised of every answer: citations resolve, quotes are said, verdicts are verdicts.

For evaluations over many answers; in service the promises are kept by construction. Pure.
"""

from dataclasses import dataclass

from serving.assistant.answer import Answer
from serving.assistant.grounding.quotes import verify_quotes
from serving.assistant.references import verify_references


@dataclass(frozen=True)
class Audit:
    """What is wrong with one answer; empty when nothing is.

    `unresolved` are numbers cited that name no evidence of the turn or no reference shown, `invented` quoted spans that
    are in no evidence and not in the question, `no_verdicts` looks at a draft that came to no verdict.
    """

    cited: int
    quoted: int
    verdicts: int
    unresolved: tuple[int, ...] = ()
    invented: tuple[str, ...] = ()
    no_verdicts: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not (self.unresolved or self.invented or self.no_verdicts)


def audit(answer: Answer) -> Audit:
    """One answer looked at. Stored answers and the material are quotes themselves and are not searched for any."""
    marks = verify_references(answer.text, answer.evidence)
    shown = verify_references(answer.text, answer.references)
    is_model = answer.trace.model is not None and answer.route in ("teach", "explain")
    quotes = (
        [one for one in verify_quotes(answer.text, answer.evidence) if one.quote.kind != "code"] if is_model else []
    )
    asked = answer.trace.resolved.casefold()
    invented = tuple(one.quote.text for one in quotes if not one.is_found and one.quote.text.casefold() not in asked)
    unread = tuple(
        f"{one.looked} by {one.by}: {one.score}"
        for one in answer.trace.verdicts
        if not 0 <= one.score <= 1  # nor is what is no number
    )
    unresolved = tuple(dict.fromkeys((*marks.unresolvable, *shown.unresolvable)))
    return Audit(len(marks.cited), len(quotes), len(answer.trace.verdicts), unresolved, invented, unread)
