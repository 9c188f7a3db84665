"""Whether what was built may be released: the same questions, asked of what was released and of what would be.

Belongs here: the scores of a candidate, their comparison with those of the last release, and what blocks it. Pure but
for `read_candidate` and `write_candidate`. How two systems are compared is
`paired_comparison`'s; when the gate is asked is the asset `release_candidate`'s.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from knowledge_graph.lake.evaluation_schemas import RELEASE_SCORES
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import read_rows, write_table, write_text_atomic
from serving.evaluation.release.paired_comparison import PairedMeasure, Verdict, compare, floor_of_halves
from serving.evaluation.release.traffic_answers import MEASURES
from serving.evaluation.systems.system_answers import SystemAnswer

SCORES, FACTS, JUDGEMENT = "answers.parquet", "candidate.json", "judgement.json"
"""Files of a candidate. The first two are released; the third says whether they may be."""

_FORMAT = 1


class CandidateUnusable(CoteachError):
    """A candidate or release whose files are missing or of another form."""


@dataclass(frozen=True)
class Score:
    """One question's value by one measure, 0..1, higher is better. `measure` is "<set>/<measure>"."""

    measure: str
    question_id: str
    value: float


@dataclass(frozen=True)
class ReleaseCandidate:
    """What would be released. `facts` name its index, models, thresholds and questions; `floors` are noise floors."""

    facts: Mapping[str, str]
    floors: Mapping[str, float]
    scores: tuple[Score, ...]

    @property
    def measures(self) -> dict[str, dict[str, float]]:
        """Values by measure and question."""
        found: dict[str, dict[str, float]] = {}
        for one in self.scores:
            found.setdefault(one.measure, {})[one.question_id] = one.value
        return dict(sorted(found.items()))

    @property
    def figures(self) -> dict[str, float]:
        """The mean of each measure."""
        return {name: fmean(values.values()) for name, values in self.measures.items()}


@dataclass(frozen=True)
class Judgement:
    """A candidate against the release `against`; `None` is the first, with which nothing is compared.

    `left_out` are questions, by measure, that only one of the two was asked; `lost` are measures of the release of
    which the candidate was asked no question, so that nothing says that it is no worse: they block it.
    """

    against: str | None
    comparisons: tuple[PairedMeasure, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def worse(self) -> tuple[str, ...]:
        """Measures in which the candidate is worse, beyond chance and beyond the noise floor."""
        return tuple(one.measure for one in self.comparisons if one.verdict == "worse")

    @property
    def is_blocked(self) -> bool:
        return bool(self.worse or self.lost or self.broken)


def score_written(answers: Iterable[SystemAnswer]) -> list[Score]:
    """Scores of the questions as written: where the gold is, and the words of the answer where there is a reference."""
    found: list[Score] = []
    for one in answers:
        if one.recall5 is not None:
            found += [Score(f"written/{name}", one.question_id, of(one.hit_rank)) for name, of in MEASURES.items()]
        if one.rougel is not None:
            found.append(Score("written/rouge_l", one.question_id, one.rougel))
    return found


def score_reshaped(ranks: Iterable[Mapping[str, Any]]) -> list[Score]:
    """Scores of the questions in the shape of traffic, from rows of `RESHAPED_RANKS`."""
    return [
        Score(f"reshaped/{name}", row["question_id"], of(row["hit_rank"]))
        for row in ranks
        for name, of in MEASURES.items()
    ]


def student_scores(marks: Iterable[Mapping[str, Any]]) -> list[Score]:
    """Scores of the questions as students ask them, from rows of `STUDENT_MARKS`."""
    return [
        Score(f"students/{name}", row["question_id"], float(value))
        for row in marks
        for name, value in (("right_and_cited", row["cited"]), ("not_misleading", not row["misleading"]))
    ]


def floors_of(scores: Sequence[Score], known: Mapping[str, float]) -> dict[str, float]:
    """The noise floor of each measure: `known` by the measure's name without its set, else that of random halves."""
    found = {}
    for measure, values in ReleaseCandidate({}, {}, tuple(scores)).measures.items():
        name = measure.rpartition("/")[2]
        found[measure] = known[name] if name in known else _of_halves(values)
    return found


def judge(
    candidate: ReleaseCandidate, released: ReleaseCandidate | None, *, version: str | None, broken: Sequence[str] = ()
) -> Judgement:
    """What the candidate's scores say beside those of the release `version`, on the questions that both were asked.

    The noise floors are those of the release: a candidate does not set its own bar. `broken` are promises of the
    candidate that do not hold; they block the first release too.
    """
    if released is None:
        return Judgement(None, broken=tuple(broken))
    before, after = released.measures, candidate.measures
    shared = {name: sorted(set(before[name]) & set(after.get(name, {}))) for name in before}
    measures = [name for name, ids in shared.items() if ids]
    left_out = {name: len(set(before[name]) ^ set(after.get(name, {}))) for name in before}
    comparisons = compare(
        {name: [before[name][key] for key in shared[name]] for name in measures},
        {name: [after[name][key] for key in shared[name]] for name in measures},
        floors=released.floors,
    )
    lost = tuple(name for name, ids in shared.items() if not ids)
    return Judgement(version, comparisons, {name: n for name, n in left_out.items() if n}, lost, tuple(broken))


def verdict_of(judgement: Judgement, measure: str) -> Verdict | None:
    """What was found by one measure; `None` when it was not compared."""
    return next((one.verdict for one in judgement.comparisons if one.measure == measure), None)


def write_candidate(folder: Path, candidate: ReleaseCandidate) -> None:
    """Store facts and scores; the same candidate gives the same bytes."""
    rows = sorted(({**asdict(one)} for one in candidate.scores), key=lambda row: (row["measure"], row["question_id"]))
    write_table(folder / SCORES, rows, RELEASE_SCORES)
    facts = {
        "format": _FORMAT,
        "facts": dict(sorted(candidate.facts.items())),
        "floors": dict(sorted(candidate.floors.items())),
        "figures": candidate.figures,
    }
    write_text_atomic(folder / FACTS, json.dumps(facts, ensure_ascii=False, indent=1) + "\n")


def read_candidate(folder: Path) -> ReleaseCandidate:
    """What `write_candidate` stored. Raises `CandidateUnusable`."""
    try:
        fields = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        scores = tuple(Score(**row) for row in read_rows(folder / SCORES))
        return ReleaseCandidate(fields["facts"], fields["floors"], scores)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CandidateUnusable(f"{folder} holds no candidate that can be read: {error!r}.") from error


def write_judgement(folder: Path, judgement: Judgement, *, candidate: str) -> None:
    """Store what blocks the candidate with the digest `candidate`, for the checks and for `released`."""
    said = {
        "candidate": candidate,
        "against": judgement.against,
        "worse": [
            *(_describe(one) for one in judgement.comparisons if one.verdict == "worse"),
            *(f"{name}: none of the questions that {judgement.against} was asked" for name in judgement.lost),
        ],
        "broken": list(judgement.broken),
        "compared": {one.measure: one.verdict for one in judgement.comparisons},
    }
    write_text_atomic(folder / JUDGEMENT, json.dumps(said, ensure_ascii=False, indent=1) + "\n")


@dataclass(frozen=True)
class StoredJudgement:
    """A judgement as it is stored; `worse`, in which lost measures are, and `broken` are a line each."""

    candidate: str
    against: str | None
    worse: tuple[str, ...]
    broken: tuple[str, ...]
    compared: Mapping[str, str]


def read_judgement(folder: Path) -> StoredJudgement:
    """What `write_judgement` stored. Raises `CandidateUnusable`."""
    try:
        found = json.loads((folder / JUDGEMENT).read_text(encoding="utf-8"))
        worse, broken = tuple(found["worse"]), tuple(found["broken"])
        return StoredJudgement(found["candidate"], found["against"], worse, broken, found["compared"])
    except (OSError, ValueError, KeyError) as error:
        raise CandidateUnusable(f"{folder} holds no judgement: {error!r}. Make `release_candidate`.") from error


def _of_halves(values: Mapping[str, float]) -> float:
    return floor_of_halves([values[key] for key in sorted(values)]) if len(values) > 1 else 1.0


def _describe(one: PairedMeasure) -> str:
    return (
        f"{one.measure}: {one.before:.3f} released, {one.after:.3f} now ({one.difference.value:+.3f}, "
        f"p {one.p_holm:.4f} after Holm's correction, noise floor {one.floor:.3f}, {one.questions} questions)"
    )
