"""How long a training of the intent model takes for few and for many labels, and how often it tells how far it is.

    .venv/bin/python benchmarks/intent_training.py [--labels 33,50,64,200,4000,50000] [--minutes 15]

Labels are the sample ones; beyond their number questions are joined with words of others. Each size is a whole release
in a home of its own: judged training, rehearsal and refit, export, calibration, contest, MLflow. The encoder has the
default size and next to no pre-training, which changes no time. It returns 1 when a training took more than the minutes
that `max_minutes` allows and a fifth, or was silent for more than a minute.
"""

import argparse
import csv
import random
import sys
import tempfile
import time
from dataclasses import replace
from itertools import count
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from models.albert import AlbertSettings, pretrain_albert, resolve_encoder
from models.intent.labels.categories import CATEGORIES
from models.intent.labels.examples import IntentExample, split
from models.intent.release.release import TrainingPlan, train_intent
from models.intent.settings import IntentSettings
from models.masked_language import MaskedSettings
from models.progress import TrainingProgress

SAMPLES = Path(__file__).parents[1] / "examples" / "labels" / "intents"
MOST_OVER = 1.2
MOST_SILENT = 60.0
SEED = 7
_ALBERT = AlbertSettings(masked=MaskedSettings(steps=20))


class Watch:
    """The longest silence between two signs of life, in seconds."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self.longest, self.signs = 0.0, 0

    def __call__(self, _: TrainingProgress) -> None:
        now = time.monotonic()
        self.longest, self._last, self.signs = max(self.longest, now - self._last), now, self.signs + 1


def labelled(number: int) -> list[IntentExample]:
    """`number` labelled questions with texts of their own, dealt to the splits; the same ones each time."""
    rows = [row for path in sorted(SAMPLES.glob("*.csv")) for row in csv.DictReader(path.open(encoding="utf-8"))]
    source = random.Random(SEED)
    source.shuffle(rows)
    words = sorted({word for row in rows for word in row["question"].split()})
    found = []
    for place in count():
        row = rows[place % len(rows)]
        added = "" if place < len(rows) else " " + " ".join(source.choices(words, k=3))
        category = next((one for one in CATEGORIES if one == row["category"]), None)
        if category is not None:
            lang = "zh" if not row["question"].isascii() else "en"
            found.append(IntentExample(f"b/{place}", row["question"] + added, "", "", "", category, lang))  # type: ignore[arg-type]
        if len(found) == number:
            return list(split(found, seed=SEED))
    raise AssertionError


def measure(number: int, minutes: float) -> bool:
    """Train on so many labels and print what it took; whether that is within the bounds."""
    examples = labelled(number)
    with tempfile.TemporaryDirectory() as folder:
        data_dir = DataDir(Path(folder))
        pretrain_albert([one.question for one in examples[:2000]], data_dir=data_dir, settings=_ALBERT)
        encoder, watch = resolve_encoder(None, data_dir=data_dir), Watch()
        settings = replace(IntentSettings(), max_minutes=minutes)
        started, processor = time.monotonic(), time.process_time()
        try:
            report = train_intent(
                examples,
                data_dir=data_dir,
                encoder=encoder,
                settings=settings,
                plan=TrainingPlan(ablation=False),
                on_progress=watch,
            )
        except ValueError as error:
            sys.stdout.write(f"{number:>7,} labels: refused, {error}\n")
            return False
        took, used = time.monotonic() - started, time.process_time() - processor
        sys.stdout.write(
            f"{number:>7,} labels: {took:6.1f} s, {used:6.1f} s of processor, {report.epochs} epochs, "
            f"{'refitted' if report.refitted else 'no refit'}, {watch.signs} signs of life, at most "
            f"{watch.longest:.0f} s apart\n"
        )
        sys.stdout.flush()
        return took <= minutes * 60 * MOST_OVER + 30 and watch.longest <= MOST_SILENT


def main() -> int:
    """Measure every size; return 1 when one is beyond its bound."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--labels", default="33,50,64,200,4000,50000")
    parser.add_argument("--minutes", type=float, default=IntentSettings().max_minutes)
    asked = parser.parse_args()
    within = [measure(int(number), asked.minutes) for number in asked.labels.split(",")]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
