"""What the thresholds of a release promise, and whether what is stored says that they keep it. Pure.

How a threshold is found is told where it is: `models.intent.training.calibration`, `serving.index.calibration`,
`serving.assistant.references.fitting`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from models.statistics.calibration import PromiseVerdict as CutVerdict
from models.statistics.calibration import RiskPromise as CutPromise
from models.statistics.intervals import wilson
from serving.assistant.references.calibration import Calibration, Scorer
from serving.evaluation.students.table import BOUND_MISLEADING
from serving.index.calibration import ERROR_BOUND, Beta

State = Literal["kept", "nothing promised", "broken"]


@dataclass(frozen=True)
class ThresholdPromise:
    """One threshold: whether its promise holds, and the figures that say so."""

    name: str
    state: State
    said: str


def promise_of_beta(beta: Beta) -> ThresholdPromise:
    """At most `ERROR_BOUND` of the questions without a stored answer get a direct one."""
    if not beta.n or beta.error_rate is None or beta.upper_bound is None:
        return ThresholdPromise("beta", "nothing promised", "There is no FAQ to calibrate direct answers on.")
    said = f"{beta.error_rate:.3f} wrong of {beta.n}, at most {beta.upper_bound:.3f}; wanted at most {ERROR_BOUND}"
    if beta.upper_bound <= ERROR_BOUND:
        return ThresholdPromise("beta", "kept", said)
    return ThresholdPromise("beta", "nothing promised" if beta.error_rate <= ERROR_BOUND else "broken", said)


def promise_of_alpha(promise: CutPromise | None, verdicts: Mapping[str, CutVerdict]) -> ThresholdPromise:
    """At most the promised share of questions called chat are none. `verdicts`: what newer labels say, by length."""
    if promise is None:
        return ThresholdPromise("alpha", "nothing promised", "There is no calibrated intent model.")
    if broken := sorted(name for name, verdict in verdicts.items() if verdict.is_broken):
        worst = verdicts[broken[0]]
        said = f"newer labels ({', '.join(broken)}): at least {worst.lower_bound:.3f}, promised {worst.risk}"
        return ThresholdPromise("alpha", "broken", said)
    if promise.cut is None:
        return ThresholdPromise("alpha", "nothing promised", f"No cut keeps a risk of {promise.risk} on these labels.")
    return ThresholdPromise("alpha", "kept", f"risk at most {promise.upper_bound:.3f}, promised {promise.risk}")


def promise_of_answers(marks: Sequence[Mapping[str, Any]]) -> ThresholdPromise:
    """At most `BOUND_MISLEADING` of the students' questions unseen in development are answered misleadingly.

    `marks` are rows of `STUDENT_MARKS`.
    """
    wrong = [bool(row["misleading"]) for row in marks if row["split"] == "unseen"]
    if not wrong:
        return ThresholdPromise("answers", "nothing promised", "No course has students' questions that nobody read.")
    found = wilson(sum(wrong), len(wrong))
    low, high = found.low or 0.0, found.high or 0.0
    said = f"{found.value:.3f} misleading of {len(wrong)}, {low:.3f} to {high:.3f}; wanted at most "
    state: State = "broken" if low > BOUND_MISLEADING else "kept"
    if state == "kept" and high > BOUND_MISLEADING:
        state = "nothing promised"
    return ThresholdPromise("answers", state, f"{said}{BOUND_MISLEADING}")


def promises_of_references(calibration: Calibration) -> tuple[ThresholdPromise, ...]:
    """At its cut a scorer is right as often as its target says."""
    found = tuple(_of_scorer(one) for one in calibration.scorers if one.measured is not None)
    return found or (ThresholdPromise("references", "nothing promised", "No course has enough labelled answers."),)


def list_broken(promises: Sequence[ThresholdPromise]) -> tuple[str, ...]:
    """The broken ones, in a line each."""
    return tuple(f"{one.name}: {one.said}" for one in promises if one.state == "broken")


def _of_scorer(scorer: Scorer) -> ThresholdPromise:
    assert scorer.measured is not None
    name = f"references_{scorer.lang}_{'words' if scorer.embedder is None else 'meaning'}"
    found = scorer.measured
    said = f"precision {found.precision:.3f} of {found.accepted} shown, wanted {found.target}"
    return ThresholdPromise(name, "kept" if found.reaches_target else "broken", said)
