"""How long the intent model of a home takes for one question, alone and in a batch, beside its tokenizer alone.

    .venv/bin/python benchmarks/intent.py [HOME]

The questions are the sample labels', after a previous turn and within a course. It runs as the gateway does: ONNX
Runtime and tokenizers, one thread; that no training library was loaded is checked. Where the model reads sentence
embeddings each question is asked twice: first, and when its vector is known. The look-up that follows in the gateway
finds the vector known, so that only one of the two embeds.
"""

import argparse
import csv
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from models.embedding.published import open_local
from models.intent.classifier import IntentClassifier

SAMPLES = Path(__file__).parents[1] / "examples" / "labels" / "intents"
MOST_MS, MOST_FIRST_MS = 4.0, 30.0
"""Of a question whose vector is known, and of a new one with its embedding."""
NOT_LOADED = ("torch", "sklearn", "scipy", "transformers")
_PREVIOUS, _COURSE = "What is the difference between a list and an array?", "Data Structures and Algorithms"


def milliseconds(work: Callable[[str], object], texts: list[str], warm: list[str] | None = None) -> list[float]:
    """Of each call, after a warm-up with some of the texts or with `warm`."""
    for text in texts[:50] if warm is None else warm:
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
    home = parser.parse_args().home / "models"
    opened = open_local(home / "embedding")
    model = IntentClassifier.open(home / "intent", embedder=None if opened is None else opened[1])
    texts = [row["question"] for path in sorted(SAMPLES.glob("*.csv")) for row in csv.DictReader(path.open())][:1000]
    first = milliseconds(lambda text: model.classify(text, previous=_PREVIOUS, course=_COURSE), texts, warm=texts[-1:])
    alone = milliseconds(lambda text: model.classify(text, previous=_PREVIOUS, course=_COURSE), texts)
    tokens = milliseconds(lambda text: model.encode(text, previous=_PREVIOUS, course=_COURSE), texts)
    started = time.perf_counter()
    model.classify_batch([(_PREVIOUS, _COURSE, text) for text in texts])
    batch = (time.perf_counter() - started) * 1000 / len(texts)
    loaded = [name for name in NOT_LOADED if name in sys.modules]
    middle, floor, new = statistics.median(alone), statistics.median(tokens), statistics.median(first)
    sys.stdout.write(
        f"{len(texts):,} questions: p50 {middle:.2f} ms, p95 {statistics.quantiles(alone, n=20)[-1]:.2f} ms "
        f"(bound {MOST_MS:.0f}); first asked p50 {new:.2f} ms, p95 "
        f"{statistics.quantiles(first, n=20)[-1]:.2f} ms (bound {MOST_FIRST_MS:.0f}); the tokenizer alone {floor:.2f}, "
        f"{middle / floor:.1f} times; "
        f"in one batch {batch:.2f} ms a question; loaded training libraries: {', '.join(loaded) or 'none'}\n"
    )
    return 0 if middle <= MOST_MS and new <= MOST_FIRST_MS and not loaded else 1


if __name__ == "__main__":
    sys.exit(main())
