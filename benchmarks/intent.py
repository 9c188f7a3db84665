"""How long the intent model of a home takes for one question, alone and in a batch, beside its tokenizer alone.

    .venv/bin/python benchmarks/intent.py [HOME]

The questions are the sample labels', after a previous turn and within a course. It runs as the gateway does: ONNX
Runtime and tokenizers, one thread; that no training library was loaded is checked.
"""

import argparse
import csv
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from models.intent.classifier import IntentClassifier

SAMPLES = Path(__file__).parents[1] / "examples" / "labels" / "intents"
MOST_MS = 4.0
NOT_LOADED = ("torch", "sklearn", "scipy", "transformers")
_PREVIOUS, _COURSE = "What is the difference between a list and an array?", "Data Structures and Algorithms"


def milliseconds(work: Callable[[str], object], texts: list[str]) -> list[float]:
    """Of each call, after a warm-up."""
    for text in texts[:50]:
        work(text)
    found = []
    for text in texts:
        started = time.perf_counter()
        work(text)
        found.append((time.perf_counter() - started) * 1000)
    return found


def main() -> int:
    """Print the figures; return 1 when one is beyond its bound."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("home", type=Path, nargs="?", default=Path("data"))
    model = IntentClassifier.open(parser.parse_args().home / "models" / "intent")
    texts = [row["question"] for path in sorted(SAMPLES.glob("*.csv")) for row in csv.DictReader(path.open())][:1000]
    alone = milliseconds(lambda text: model.classify(text, previous=_PREVIOUS, course=_COURSE), texts)
    tokens = milliseconds(lambda text: model.encode(text, previous=_PREVIOUS, course=_COURSE), texts)
    started = time.perf_counter()
    model.classify_batch([(_PREVIOUS, _COURSE, text) for text in texts])
    batch = (time.perf_counter() - started) * 1000 / len(texts)
    loaded = [name for name in NOT_LOADED if name in sys.modules]
    middle, floor = statistics.median(alone), statistics.median(tokens)
    sys.stdout.write(
        f"{len(texts):,} questions: p50 {middle:.2f} ms, p95 {statistics.quantiles(alone, n=20)[-1]:.2f} ms "
        f"(bound {MOST_MS:.0f}); the tokenizer alone {floor:.2f} ms, {middle / floor:.1f} times; "
        f"in one batch {batch:.2f} ms a question; loaded training libraries: {', '.join(loaded) or 'none'}\n"
    )
    return 0 if middle <= MOST_MS and not loaded else 1


if __name__ == "__main__":
    sys.exit(main())
