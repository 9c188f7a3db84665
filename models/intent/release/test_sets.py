"""The versions of the frozen test set: a number that grows whenever its questions or their labels do.

A figure is of one test set; over two of them no figures can be compared. Sessions are dealt to it by a keyed hash, so
that it grows by what is appended to the labels. The numbers are a home's own; the digest is the same in every home.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_text_atomic
from models.intent.labels.examples import IntentExample
from models.intent.release.seen_questions import mark
from models.intent.training.candidate import examples_digest

_RECORD = "test_sets.jsonl"
_DIGITS = 16


@dataclass(frozen=True)
class FrozenTestSet:
    """One version of the test questions."""

    version: int
    """1 for the first one of a home, then one more with each change."""
    digest: str
    questions: int
    added: int
    """Texts that the version before did not have."""
    removed: int
    """Texts that only the version before had: labels were deleted or moved to another session, and figures before and
    after are of different questions."""

    @property
    def description(self) -> str:
        """In words, for people who read figures of it."""
        change = f", {self.added} texts more and {self.removed} fewer than version {self.version - 1}"
        return (
            f"Test set {self.version} ({self.digest}): {self.questions} questions{change if self.version > 1 else ''}."
        )


def digest_of_test_set(examples: Sequence[IntentExample]) -> str:
    """The name of the test questions among `examples` by content: texts, context and labels."""
    return examples_digest([one for one in examples if one.split == "test"])[:_DIGITS]


def version_test_set(examples: Sequence[IntentExample], *, data_dir: DataDir) -> FrozenTestSet:
    """The version of the test questions among `examples`: the one that has just these, or a new one, recorded."""
    test = [one for one in examples if one.split == "test"]
    digest, marks = digest_of_test_set(test), {mark(one) for one in test}
    path = data_dir.intent / _RECORD
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    known = [json.loads(line) for line in text.splitlines()]
    before: set[str] = set()
    for line in known:
        if line["digest"] == digest:
            gone = before - set(line["texts"])
            return FrozenTestSet(line["version"], digest, len(test), len(set(line["texts"]) - before), len(gone))
        before = set(line["texts"])
    found = FrozenTestSet(len(known) + 1, digest, len(test), len(marks - before), len(before - marks))
    new = json.dumps({"version": found.version, "digest": digest, "questions": len(test), "texts": sorted(marks)})
    data_dir.intent.mkdir(parents=True, exist_ok=True)
    write_text_atomic(path, f"{text}{new}\n")
    return found
