"""Form of published questions: whole choices recognised, free questions kept, choices without their options asked back.

    python benchmarks/question_form.py --csbench FOLDER [--questions FILE.csv …]

FOLDER holds `EN-valid.json` and `CN-valid.json` of CS-Bench, each FILE has students' questions in a column `question`.
`labels/question_form.tsv` names, by their IDs, the multiple-choice questions of CS-Bench that nobody can answer without
the options, and by how it was seen: `wording` ("which of the following") or `open`, labelled by one reader who had seen
what the rules found. Prints JSON.
"""

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from serving.assistant.understanding.form import question_form

LABELS = Path(__file__).resolve().parent / "labels" / "question_form.tsv"
LETTERS = "ABCD"
CHOICE = "Multiple-choice"


def published(folder: Path) -> list[dict[str, Any]]:
    """The questions of both languages."""
    return [
        row for name in ("EN", "CN") for row in json.loads((folder / f"{name}-valid.json").read_text(encoding="utf-8"))
    ]


def with_options(row: dict[str, Any]) -> str:
    """A choice as a student pastes it."""
    return "\n".join([row["Question"], *(f"{letter}. {row[letter]}" for letter in LETTERS)])


def asked_back(question: str) -> bool:
    """Whether it is taken for a choice whose options are missing."""
    return not question_form(question).is_whole


def students_questions(files: list[Path]) -> Iterator[str]:
    """Each question once, in order."""
    rows = (row for file in files for row in csv.DictReader(file.open(encoding="utf-8-sig", newline="")))
    yield from dict.fromkeys(row["question"] for row in rows if row["question"])


def measure(rows: list[dict[str, Any]], needed: set[int], students: list[str]) -> dict[str, list[int]]:
    """For each line of the report: how many, and of how many."""
    choices = [row for row in rows if row["Format"] == CHOICE]
    free = [row["Question"] for row in rows if row["Format"] != CHOICE]
    free += [row["Question"] for row in choices if row["ID"] not in needed]
    bare = [row["Question"] for row in choices if row["ID"] in needed]
    whole = [form for row in choices if (form := question_form(with_options(row))).is_whole]
    return {
        "choices with their options recognised": [
            sum(form.form == "mcq" and len(form.options) == len(LETTERS) for form in whole),
            len(choices),
        ],
        "choices that need their options asked back": [sum(map(asked_back, bare)), len(bare)],
        "questions that can be answered as they are kept": [sum(not asked_back(one) for one in free), len(free)],
        "students' questions kept": [sum(not asked_back(one) for one in students), len(students)],
    }


def main() -> None:
    """Read, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--csbench", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    needed = {int(line.partition("\t")[0]) for line in LABELS.read_text(encoding="utf-8").splitlines()}
    report = measure(published(options.csbench), needed, list(students_questions(options.questions)))
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
