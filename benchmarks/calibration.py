"""Whether the promise of a calibrated cut holds, and what it costs: labels drawn again and again from a known truth.

    .venv/bin/python benchmarks/calibration.py [--resamples 1000] [--labels FOLDER]

For each truth, number of labels and promised risk: the share of resamples in which the true risk of the chosen cut is
at most the promised one (no cut accepts nothing and counts as kept), how often there was a cut, and the mean share of
all questions it accepts, where no cut is a share of 0. `--labels` takes `intents/*.csv` with labelled questions: the
linear baseline scores each by a model that has not seen its text or session, and resamples are drawn from its distinct
texts, without a temperature and with one fitted anew on every resample.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.intent.labels.categories import CATEGORIES, CHAT, chat_scores
from models.intent.labels.examples import IntentExample, read_intent_examples, split
from models.intent.thresholds import temper
from models.intent.training.baselines import Linear
from models.intent.training.calibration import LOWEST_ALPHA, distinct
from models.statistics.calibration import CUTS, Bools, Floats, RiskPromise, choose_cut
from models.statistics.temperature import fit_temperature

SEED = 7
DELTA = 0.1
RISKS = (0.05, 0.1, 0.2)
SIZES = (100, 200, 400, 1000, 4000)
_POPULATION = 400_000
_SPLITS = 20

Draw = Callable[[np.random.Generator, int], tuple[RiskPromise, float, float]]
"""A resample of so many labels: the promise, and the true risk and coverage of its cut."""


@dataclass(frozen=True)
class Measured:
    """Of all resamples: how often the promise was kept, how often there was a cut, and its mean coverage."""

    kept: float
    cut: float
    coverage: float


def truths() -> dict[str, Callable[[Floats], Floats]]:
    """How often a score is wrong. The last breaks what the test's proof assumes: its highest scores are the worst."""
    return {
        "as the score says: 1 - s": lambda scores: 1 - scores,
        "surer than right: (1 - s) / 2 + .05": lambda scores: (1 - scores) / 2 + 0.05,
        "the same for every score: .09": lambda scores: np.full_like(scores, 0.09),
        "worst at the top: .5 above .97": lambda scores: np.where(
            scores > 0.97, 0.5, np.where(scores > 0.7, 0.02, 0.5)
        ),
    }


def drawing(wrong_rate: Callable[[Floats], Floats], risk: float) -> Draw:
    """Scores of many questions with a known rate of errors: most low, a tail up to 1, as h of real questions."""
    scores = np.sort(np.random.default_rng(SEED).beta(0.5, 1.2, _POPULATION))
    rates = wrong_rate(scores)
    below = np.searchsorted(scores, CUTS, side="right")
    sums = np.concatenate([[0.0], np.cumsum(rates)])
    risks, coverages = (sums[-1] - sums[below]) / (_POPULATION - below), 1 - below / _POPULATION

    def draw(source: np.random.Generator, labels: int) -> tuple[RiskPromise, float, float]:
        chosen = source.integers(0, _POPULATION, labels)
        promise = choose_cut(scores[chosen], source.random(labels) < rates[chosen], risk=risk, delta=DELTA)
        place = None if promise.cut is None else int(np.searchsorted(CUTS, promise.cut))
        return (promise, 0.0, 0.0) if place is None else (promise, risks[place], coverages[place])

    return draw


def drawing_labels(probabilities: Floats, examples: list[IntentExample], risk: float, *, fit: bool) -> Draw:
    """Resamples of real labelled questions, all of which together are the truth."""
    labels = np.array([CATEGORIES.index(one.category) for one in examples], dtype=np.int64)
    wrong: Bools = np.array([one.category not in CHAT for one in examples], dtype=np.bool_)

    def draw(source: np.random.Generator, number: int) -> tuple[RiskPromise, float, float]:
        chosen = source.integers(0, len(examples), number)
        value = fit_temperature(probabilities[chosen], labels[chosen]).value if fit else 1.0
        h = chat_scores(temper(probabilities, value))
        promise = choose_cut(h[chosen], wrong[chosen], risk=risk, delta=DELTA, lowest=LOWEST_ALPHA)
        called = h > (np.inf if promise.cut is None else promise.cut)
        return promise, float(wrong[called].mean()) if called.any() else 0.0, float(called.mean())

    return draw


def measure(draw: Draw, *, labels: int, risk: float, resamples: int) -> Measured:
    source = np.random.default_rng(SEED)
    found = [draw(source, labels) for _ in range(resamples)]
    return Measured(
        kept=float(np.mean([true <= risk + 1e-12 for _, true, _ in found])),
        cut=float(np.mean([promise.cut is not None for promise, _, _ in found])),
        coverage=float(np.mean([coverage for _, _, coverage in found])),
    )


def out_of_fold(examples: list[IntentExample]) -> Floats:
    """Each example scored by a linear model of the others: no session and no text on both sides.

    `_SPLITS` splits of the project's own, each of which holds out its test part; what was in none is a row of NaN.
    """
    scores = np.full((len(examples), len(CATEGORIES)), np.nan)
    for seed in range(_SPLITS):
        dealt = split(examples, seed=seed)
        test = [number for number, one in enumerate(dealt) if one.split == "test" and np.isnan(scores[number, 0])]
        if test:
            model = Linear([one for one in dealt if one.split != "test"])
            scores[test] = model.predict_proba([dealt[number] for number in test])
    return scores


def tables(resamples: int, folder: Path | None) -> Iterator[tuple[str, dict[tuple[int, float], Measured]]]:
    for name, rate in truths().items():
        yield (
            name,
            {
                (labels, risk): measure(drawing(rate, risk), labels=labels, risk=risk, resamples=resamples)
                for labels in SIZES
                for risk in RISKS
            },
        )
    if folder is None:
        return
    read, _ = read_intent_examples(folder)
    everything = [read[number] for number in distinct(read)]
    scores = out_of_fold(everything)
    known = ~np.isnan(scores[:, 0])
    examples = [one for one, is_known in zip(everything, known, strict=True) if is_known]
    for fit in (False, True):
        yield (
            f"{len(examples)} distinct labelled questions, temperature {'fitted on each resample' if fit else '1'}",
            {
                (labels, risk): measure(
                    drawing_labels(scores[known], examples, risk, fit=fit),
                    labels=labels,
                    risk=risk,
                    resamples=resamples,
                )
                for labels in (200, 400, 1000, 2000)
                for risk in (0.1, 0.2, 0.3)
            },
        )


def main() -> int:
    """Print the tables; return 1 when a promise was kept less often than promised."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--resamples", type=int, default=1000)
    options.add_argument("--labels", type=Path, default=None)
    chosen = options.parse_args()
    failed = False
    for name, found in tables(chosen.resamples, chosen.labels):
        sys.stdout.write(f"\n{name}; promised {1 - DELTA:.0%}\n\n")
        sys.stdout.write("| labels | risk | kept | with a cut | mean coverage |\n|--:|--:|--:|--:|--:|\n")
        for (labels, risk), one in found.items():
            sys.stdout.write(f"| {labels} | {risk} | {one.kept:.3f} | {one.cut:.3f} | {one.coverage:.3f} |\n")
            failed = failed or one.kept < 1 - DELTA
        sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
