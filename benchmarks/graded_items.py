"""How often items of graded work are recognised, and how often an ordinary question is taken for one.

    python benchmarks/graded_items.py --embedder HOME/models/embedding

Items and what students make of them are `labels/graded_items.yaml`; ordinary questions are those of the sample courses'
gold sets and of `students/`, development parts alone. Both are cut in two: thresholds (`ALIKE`, `ALIKE_ACROSS` and
`WORK` of `recognition.py`) were chosen on the first halves, `--choose` tries others on them. What other writers wrote
later and last, with `labels/graded_ordinary.tsv`, stands for itself.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path
from unittest.mock import patch

import yaml

from knowledge_graph.lake.records import GradedItem
from models.embedding.published import open_embedder
from serving.assistant.graded_work import recognition
from serving.assistant.graded_work.recognition import (
    Encode,
    Fingerprint,
    KnownItem,
    best_match,
    fingerprints,
    marks_of,
)
from serving.assistant.graded_work.rules import encode_by

PROJECT = Path(__file__).resolve().parents[1]
LABELS = PROJECT / "benchmarks" / "labels" / "graded_items.yaml"
ORDINARY = LABELS.with_name("graded_ordinary.tsv")
HALVES = ("chosen", "measured", "later", "last")
BY_OTHERS = HALVES[2:]
KINDS = ("pasted", "padded", "part", "reworded", "translated")
MOST_FALSE_ALARMS = 0.02
"""Share of ordinary questions of the half that chooses that may be taken for an item: what is wanted of both."""

AROUND = {
    "en": "I have been watching the lectures all week and I liked the one about trees. My laptop broke yesterday so I "
    "could not try it. {} I would also like to know when the next live session is. Thank you so much for your help!",
    "zh": "这周我一直在看视频，上一讲我觉得讲得很好。昨天电脑坏了没法试。{}另外想问下次答疑是什么时候。非常感谢！",
}

Case = tuple[str, str, int]
"""Half, kind (empty for an ordinary question) and number of the item."""
Marked = tuple[Case, list[Fingerprint]]


def ordinary_questions() -> Iterator[tuple[str, str]]:
    """Half and text of each question, sorted; the half is drawn by its digest."""
    courses, students = PROJECT / "examples" / "courses", PROJECT / "benchmarks" / "students"
    paths = [*courses.glob("*/gold/questions.jsonl"), *courses.glob("*/gold/students.dev.jsonl")]
    found = {
        json.loads(line)["question"]
        for path in (*paths, *students.glob("*.dev.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    for text in sorted(found):
        yield ("chosen" if int(sha256(text.encode()).hexdigest(), 16) % 2 else "measured"), text
    for line in ORDINARY.read_text(encoding="utf-8").splitlines():
        half, _, text = line.partition("\t")
        yield half, text


def marked(encode: Encode | None) -> tuple[list[KnownItem], list[Marked]]:
    """The items, each of the assessment called by its half, and every text with its fingerprints."""
    rows = yaml.safe_load(LABELS.read_text(encoding="utf-8"))
    texts: list[tuple[Case, str]] = []
    for number, row in enumerate(rows):
        row["padded"] = [AROUND[row["lang"]].format(row["item"])]
        texts += [((row["half"], kind, number), text) for kind in KINDS for text in row.get(kind, [])]
    texts += [((half, "", -1), text) for half, text in ordinary_questions()]
    marks = fingerprints([row["item"] for row in rows], encode)
    known = [
        KnownItem(GradedItem("c", row["half"], number, row["item"], row["lang"], "hints", None, None), mark)
        for number, (row, mark) in enumerate(zip(rows, marks, strict=True))
    ]
    return known, [(case, marks_of(text, known, encode)) for case, text in texts]


def counted(known: list[KnownItem], texts: Iterable[Marked]) -> dict[tuple[str, str, str], list[bool]]:
    """By half, kind and language whether each text was taken for its own item, or, ordinary, for any of those in force
    with it: what others wrote is in force alone."""
    writers = {half: half if half in BY_OTHERS else "" for half in HALVES}
    in_force = {half: [one for one in known if writers[one.item.assessment] == writers[half]] for half in HALVES}
    found: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for (half, kind, number), marks in texts:
        match = best_match(marks, in_force[half] if number < 0 else known[number : number + 1])
        found[half, kind, marks[0].lang].append(match is not None and match.is_item)
    return found


def share(found: dict[tuple[str, str, str], list[bool]], half: str, *, is_ordinary: bool) -> tuple[int, int]:
    """How many of how many."""
    each = [one for (of, kind, _), ones in found.items() if of == half and (not kind) == is_ordinary for one in ones]
    return sum(each), len(each)


def choose(known: list[KnownItem], texts: list[Marked]) -> None:
    """The thresholds that recognise most of the first half at few enough false alarms, best first."""
    own = [one for one in texts if one[0][0] == "chosen"]
    rows = []
    grid = product((0.74, 0.78, 0.82, 0.86), (0.66, 0.7, 0.74, 0.78), (0.42, 0.46, 0.5), (0.08, 0.12, 0.16))
    for english, chinese, across, work in grid:
        alike = {"en": english, "zh": chinese}
        with patch.multiple(recognition, ALIKE=alike, ALIKE_ACROSS=across, WORK=work):
            found = counted(known, own)
        (alarms, of), (right, among) = (share(found, "chosen", is_ordinary=one) for one in (True, False))
        if alarms <= MOST_FALSE_ALARMS * of:
            rows.append((right / among, -alarms / of, alike, across, work))
    for recall, quiet, *chosen in sorted(rows, key=lambda row: row[:2], reverse=True)[:10]:
        thresholds = ", ".join(
            f"{name} {value}" for name, value in zip(("ALIKE", "ALIKE_ACROSS", "WORK"), chosen, strict=True)
        )
        say(f"recognised {recall:.3f}, false alarms {-quiet:.3f}: {thresholds}")


def report(known: list[KnownItem], texts: list[Marked]) -> None:
    found = counted(known, texts)
    for half in HALVES:
        right, among = share(found, half, is_ordinary=False)
        alarms, of = share(found, half, is_ordinary=True)
        say(f"{half}: recognised {right}/{among} ({right / among:.1%}), false alarms {alarms}/{of} ({alarms / of:.1%})")
        for kind in (*KINDS, ""):
            for lang in ("en", "zh"):
                if each := found.get((half, kind, lang)):
                    say(f"  {kind or 'ordinary':<10} {lang} {sum(each)}/{len(each)}")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--embedder", type=Path, help="the published embedder of a home; without it by wording alone")
    parser.add_argument("--choose", action="store_true", help="try thresholds on the half that chooses")
    options = parser.parse_args()
    known, texts = marked(None if options.embedder is None else encode_by(open_embedder(options.embedder)))
    if options.choose:
        choose(known, texts)
    report(known, texts)


if __name__ == "__main__":
    main()
