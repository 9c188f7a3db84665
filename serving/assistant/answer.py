"""`Answer`: what the student gets, whole."""

from dataclasses import dataclass

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.composed import Coverage
from serving.assistant.guardrails.ending import Finish
from serving.assistant.plan import Route
from serving.assistant.references import Reference
from serving.assistant.trace import Trace
from serving.assistant.turn import Usage
from serving.index.evidence import Evidence


@dataclass(frozen=True)
class Answer:
    """A whole answer. `notice` says in one sentence where it comes from; empty for small talk.

    `degraded` is true when the model should have written it and could not. `evidence` is all that it could cite, by
    number; `choices` are questions the student may have meant; `trace` is the record that was stored.
    """

    text: str
    route: Route
    lang: Lang
    references: tuple[Reference, ...]
    evidence: tuple[Evidence, ...]
    choices: tuple[str, ...]
    notice: str
    reasoning: str
    usage: Usage
    degraded: bool
    trace: Trace
    kind: str = ""
    """What kind of question it was taken for; empty where nothing was composed."""
    coverage: Coverage | None = None
    """How well the material covers the question; `None` where nothing was composed."""
    finish: Finish = "stop"
    """Why the text ended, as OpenAI names it."""
    referred: tuple[Evidence, ...] = ()
    """What the references lead to, which the answer need not have been made from."""
