"""Which way to tell what a question is serves best on labelled questions: systems asked what they have not learnt.

The asset `intent_systems` and `benchmarks/intent_systems.py` compare by this one function.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from models.albert import Encoder
from models.embedding.embedder import Embedder
from models.intent.labels.categories import Floats
from models.intent.labels.examples import IntentExample
from models.intent.release.system_choice import SystemChoice, choose
from models.intent.settings import IntentSettings
from models.intent.training.cross_validation import PARTS, cross_validate, keep_in, repeat_rounds
from models.intent.training.systems import LINEAR, SERVED, systems, with_stacked
from models.progress import OnProgress, ignore_progress

SEED = 7
"""By which questions are dealt into parts; every round adds its number."""


@dataclass(frozen=True)
class CrossValidationPlan:
    """How often questions are dealt, where answers are kept, and which systems are asked."""

    folder: Path
    """What systems said is kept here, so that a comparison that was stopped goes on."""
    parts: int = PARTS
    rounds: int = 1
    reuse: bool = True
    only: Collection[str] | None = None
    """Systems to ask, by name; stacks follow from theirs. None: all that there is what they need for."""


def choose_by_cross_validation(
    examples: Sequence[IntentExample],
    *,
    encoder: Encoder | None,
    embedder: Embedder | None,
    settings: IntentSettings,
    plan: CrossValidationPlan,
    on_progress: OnProgress = ignore_progress,
) -> SystemChoice:
    """Ask every system what it has not learnt and apply the rule; each is laid beside the linear baseline, too.

    Without an encoder nothing that can be served is compared. Raises `ValueError` where the questions are too few for
    the parts.
    """

    def say(number: int) -> Mapping[str, Floats]:
        own, seed = replace(settings, seed=settings.seed + number), SEED + number
        kept = keep_in(
            plan.folder,
            examples,
            encoder=encoder,
            embedder=None if embedder is None else embedder.name,
            settings=own,
            seed=seed,
            number=plan.parts,
            reuse=plan.reuse,
        )
        found = systems(examples, encoder=encoder, settings=own, embedder=embedder)
        asked = {name: fit for name, fit in found.items() if plan.only is None or name in plan.only}
        answers = cross_validate(examples, asked, seed=seed, number=plan.parts, kept=kept, on_progress=on_progress)
        return with_stacked(examples, answers, languages=() if embedder is None else embedder.languages)

    return choose(*repeat_rounds(examples, plan.rounds, say), servable=list(SERVED), baseline=LINEAR)
