"""Small folders of human ratings, written row by row. A row's scores are its six aspects, in order."""

from collections.abc import Iterable, Sequence
from pathlib import Path

HEADER = "category,course,query,answer,coherence,informativeness,hallucination,humanness,helpfulness,instructiveness"
CHINESE = "origin_id,category,course,question,answer,一致性,信息性,幻觉性,人格性,有效性,启发性"
CAPITALS = "Category,Course,Query,Answer,Coherence,Informativeness,Hallucination,Humanness,Helpfulness,Instructiveness"

Scores = Sequence[object]


def write_ratings(
    path: Path, rows: Iterable[Scores], *, header: str = HEADER, course: str = "heaps", before: Sequence[str] = ()
) -> Path:
    """A file of answers q0, q1, ... to the header's columns; the first column is unnamed, as pandas writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f",{header}"]
    for number, scores in enumerate(rows):
        texts = [*before, "工", course, f"q{number}", f"a{number}"]
        lines.append(",".join([str(number), *texts, *map(str, scores)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def six(*values: int) -> list[list[int]]:
    """Rows whose six aspects all have the same value."""
    return [[value] * 6 for value in values]
