"""The card of a trained intent model, for people: what it is for, learnt from, worth, and not to be used for.

In the form of Mitchell et al. 2019 (*Model Cards for Model Reporting*). What programs read of it is `card.json`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from models.intent.labels.categories import CATEGORIES
from models.intent.labels.examples import SHARES, IntentExample
from models.intent.release.promotion import PromotionDecision, describe_contest
from models.intent.settings import IntentSettings
from models.intent.training.candidate import (
    JudgedModel,
    TrainedCandidate,
    examples_digest,
    figures,
    list_measured_models,
    part,
)

_SHOWN = {"accuracy": "accuracy", "macro_f1": "macro-F1", "chat_f1": "chat F1", "chat_auc": "chat AUC", "ece": "ECE"}
_NAMES = {
    "calibrated": "the model as it serves",
    "albert": "the same without temperature",
    "bag": "its n-gram bag alone",
    "rehearsal": "the refit, rehearsed",
}


def model_card(candidate: TrainedCandidate, calibrated: JudgedModel, decision: PromotionDecision) -> str:
    """The card as Markdown: the same training gives the same card."""
    heading = f"# Intent model `{decision.version}`"
    return "\n\n".join(
        (
            heading,
            f"## What it is\n\nIt says which of six categories a student's question has (LittleMu 3.2.1): "
            f"{', '.join(CATEGORIES)}. ALBERT ({candidate.encoder.origin}: {candidate.encoder.name}) with an n-gram "
            f"bag, fine-tuned. {candidate.serving_note}",
            f"## What it learnt from\n\n{_data(candidate.examples)}",
            f"## How good it is\n\n{_figures(candidate, calibrated)}\n\n{_contests(decision)}",
            f"## Settings\n\n{_settings(candidate)}",
            "## What it is not for\n\nQuestions in other languages than those above; judging or grading people. Its "
            "score is calibrated on questions like the labels: on other students' questions temperature and "
            "thresholds may not hold, which the check `newer_labels_keep_the_promise` tells once there are labels of "
            "theirs.",
        )
    )


def _data(examples: Sequence[IntentExample]) -> str:
    human = [one for one in examples if one.label_kind == "human"]
    sides = ", ".join(f"{len(part(examples, name))} {name}" for name in SHARES)
    languages = ", ".join(f"{lang} {count}" for lang, count in sorted(Counter(one.lang for one in examples).items()))
    counts = Counter(one.category for one in examples)
    return (
        f"{len(examples)} questions (`{examples_digest(examples)[:12]}`): {len(human)} labelled by people, "
        f"{len(examples) - len(human)} by rules; {sides}; by language: {languages}; by category: "
        f"{', '.join(f'{name} {counts[name]}' for name in CATEGORIES)}."
    )


def _figures(candidate: TrainedCandidate, calibrated: JudgedModel) -> str:
    found = {"calibrated": calibrated, **list_measured_models(candidate)}
    if candidate.ablated is not None:
        found["without previous turn and course"] = candidate.ablated
    lines = [f"| on {len(candidate.labels)} held-out questions | {' | '.join(_SHOWN.values())} |"]
    lines.append(f"|---|{'--:|' * len(_SHOWN)}")
    for name, one in found.items():
        values = figures(one.metrics)
        cells = (f"{values[figure]:.3f}" if figure in values else "–" for figure in _SHOWN)
        lines.append(f"| {_NAMES.get(name, name)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _contests(decision: PromotionDecision) -> str:
    lines = [] if decision.test_set is None else [decision.test_set.description]
    linear = describe_contest(decision.linear)
    if linear not in decision.reason:
        lines.append(f"It is {linear}.")
    return " ".join([*lines, decision.reason])


def _settings(candidate: TrainedCandidate) -> str:
    usual, own = asdict(IntentSettings()), asdict(candidate.chosen.settings)
    changed = [f"{name} {value}" for name, value in own.items() if value != usual[name]]
    return "As usual." if not changed else f"Other than usual: {', '.join(changed)}."
