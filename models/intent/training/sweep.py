"""A sweep: the intent model with every combination of some settings, each by cross-validation on the same parts.

The test questions take no part: what is chosen here is judged on them later. Belongs here: which combinations there are
and what each says. What is written down of them is `models/tracking/sweeps.py`'s.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

import yaml

from models.albert import Encoder
from models.intent.labels.categories import Floats
from models.intent.labels.examples import IntentExample
from models.intent.question_vectors import QuestionVectors
from models.intent.release.system_choice import SystemChoice, choose
from models.intent.settings import IntentSettings
from models.intent.settings_file import SettingsUnusable, set_fields
from models.intent.training.cross_validation import cross_validate, keep_in, repeat_rounds
from models.intent.training.systems import fit_network
from models.progress import OnProgress

AS_SET = "as set"
"""The name of the settings without a change."""

MOST = 64
"""Combinations of one sweep. A choice: with five parts they are 320 trainings."""

_WHERE = "The sweep"

Tracked = Callable[[str, IntentSettings, Callable[[], Floats]], Floats]
"""Answers of one combination by its name, made inside a run of its own."""


@dataclass(frozen=True)
class SweepResult:
    """`choice` compares the combinations by name; `settings` are theirs."""

    choice: SystemChoice
    settings: Mapping[str, IntentSettings]
    questions: int

    def change(self, name: str) -> str:
        """What `intent.yaml` would have to say for a combination."""
        return "" if name == AS_SET else name.replace("=", ": ").replace(", ", "\n")


def combinations(settings: IntentSettings, asked: Sequence[str]) -> dict[str, IntentSettings]:
    """Every combination of `asked`, each like `dropout=0.1,0.2`, by name; the settings as they are first.

    Raises `SettingsUnusable` for what is no setting, a value that cannot be one, or more than `MOST` combinations.
    """
    values = {name: values for name, values in map(_values, asked)}
    if others := sorted({"languages", "categories"} & values.keys()):
        raise SettingsUnusable(f"{_WHERE} changes {others[0]}: every combination must be asked the same questions.")
    found = {AS_SET: settings}
    for chosen in product(*values.values()):
        fields: dict[object, object] = dict(zip(values, chosen, strict=True))
        made = set_fields(settings, fields, where=_WHERE)
        if made not in found.values():
            found[", ".join(f"{name}={value}" for name, value in fields.items())] = made
        if len(found) > MOST:
            raise SettingsUnusable(f"{_WHERE} has more than {MOST} combinations. Try fewer values at a time.")
    if len(found) < 2:
        raise SettingsUnusable(f"{_WHERE} changes nothing. Name values, like learning_rate=0.0002,0.0005.")
    return found


def sweep(
    examples: Sequence[IntentExample],
    settings: Mapping[str, IntentSettings],
    *,
    encoder_of: Callable[[IntentSettings], Encoder],
    vectors: QuestionVectors | None = None,
    folder: Path,
    seed: int,
    number: int,
    rounds: int = 1,
    tracked: Tracked,
    reuse: bool = True,
    on_progress: OnProgress,
) -> SweepResult:
    """Compare combinations on the labelled questions that are not held out for tests, in `number` parts, dealt `rounds`
    times.

    `encoder_of` gives the encoder that settings name. `vectors` are those of the questions, by the home's embedder.
    What each says is kept in `folder`, so that a sweep that was stopped goes on there. Raises
    `ValueError` when the questions are too few for the parts.
    """
    asked = [one for one in examples if one.split != "test"]

    def say_round(settings_of: IntentSettings, place: int) -> Mapping[str, Floats]:
        own, dealt = replace(settings_of, seed=settings_of.seed + place), seed + place
        kept = keep_in(
            folder,
            asked,
            encoder=encoder_of(own),
            embedder=None if vectors is None else vectors.name,
            settings=own,
            seed=dealt,
            number=number,
            reuse=reuse,
        )
        fits = {"sweep": fit_network(encoder_of(own), own, vectors)}
        return cross_validate(asked, fits, seed=dealt, number=number, kept=kept, on_progress=on_progress)

    def answers(own: IntentSettings) -> Floats:
        return repeat_rounds(asked, rounds, partial(say_round, own))[1]["sweep"]

    found = {name: tracked(name, own, partial(answers, own)) for name, own in settings.items()}
    return SweepResult(choose(asked * rounds, found), settings, len(asked))


def _values(asked: str) -> tuple[str, list[object]]:
    name, sign, listed = asked.partition("=")
    values = [yaml.safe_load(each) for each in listed.split(",") if each.strip()]
    if not sign or not values:
        raise SettingsUnusable(f"{_WHERE} was given {asked!r}; expected a setting and values, like dropout=0.1,0.2.")
    return name.strip(), values
