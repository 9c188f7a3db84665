"""`Trace`: everything that led to one answer."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from serving.llm.messages import Message


@dataclass(frozen=True)
class CandidateTrace:
    """The scores of one candidate: that of its strategy with the parts it is made of, and the match of eq. 7."""

    entry_id: str
    source: str
    score: float
    match: float
    parts: dict[str, float]


@dataclass(frozen=True)
class VerdictTrace:
    """One look at a draft: what was looked at, whether it passed, how sure that is, 0..1, and who looked."""

    looked: str
    passed: bool
    score: float
    by: str


@dataclass(frozen=True)
class PartTrace:
    """One of several questions in a message: the kind it was taken for, how well the material covers it, how sure the
    composer is, 0..1, and whether a stored answer was given."""

    question: str
    question_kind: str
    coverage: str
    sufficiency: float
    stored: bool


@dataclass(frozen=True)
class RuleTrace:
    """The rule about graded work that an answer was given under: item `number` of `assessment`, whose text is no part
    of a trace, what the course `allows`, which message of the session about it this is, and what it was recognised
    by (`wording`, `meaning`, or the `session` before it)."""

    course_id: str
    assessment: str
    number: int
    allows: str
    turn: int
    by: str


@dataclass(frozen=True)
class Trace:
    """One answer. Times are milliseconds; `at` is UTC, ISO 8601; `error` is why the model did not answer.

    `question_kind`, `coverage` (`full`, `partial`, `none`) and `sufficiency`, 0..1, are those of a composed answer,
    `None` where nothing was composed, and `parts` those of each of several questions. `form` is `mcq` or `frq`;
    `refusal` why the question was declined, `None` when it was not. `resolved` is the question as it was understood in
    its session, `added` what was put in, `follow_up` why, and `choices` the questions to choose from when it could mean
    several things. `queries` are the texts that the last look-up searched for, `retrieval_notes` what it did without
    and why, `rewordings` the questions asked instead of the first; `path` is the way through the states of self-
    reflection, and `verdicts` are what the graders said on it, in order. `versions` are those of the program
    (`coteach`), the intent model and the embedder, as far as there were any. `rule` is that of graded work.
    `given_before` is the trace of the answer that another student got to the same question, and this one again.
    """

    trace_id: str
    at: str
    question: str
    resolved: str
    follow_up: str
    added: tuple[str, ...]
    choices: tuple[str, ...]
    course_id: str | None
    lang: str
    route: str
    category: str
    kind: str | None
    form: str
    refusal: str | None
    h: float
    alpha: float
    beta: float
    concepts: tuple[str, ...]
    strategy: str
    queries: tuple[str, ...]
    retrieval_notes: tuple[str, ...]
    by_concepts: bool
    candidates: tuple[CandidateTrace, ...]
    evidence: tuple[str, ...]
    references: tuple[str, ...]
    template: str | None
    policy: str | None
    prompt_sha256: str | None
    model: str | None
    index_version: str
    rewordings: tuple[str, ...]
    path: tuple[str, ...]
    verdicts: tuple[VerdictTrace, ...]
    error: str | None
    timings: dict[str, float]
    versions: dict[str, str] = field(default_factory=dict)
    question_kind: str | None = None
    coverage: str | None = None
    sufficiency: float | None = None
    parts: tuple[PartTrace, ...] = ()
    rule: RuleTrace | None = None
    given_before: str | None = None


def prompt_digest(messages: Sequence[Message]) -> str | None:
    """SHA-256 of a prompt; `None` when the model was not asked."""
    if not messages:
        return None
    text = json.dumps([asdict(message) for message in messages], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
