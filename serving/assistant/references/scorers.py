"""Every scorer of a home, from the labelled answers of all its courses. Needs scikit-learn, as fitting.py does, which
is imported where there are any: most homes have none, and it takes 0.8 s.

Answers of one language are calibrated together: by words, and by words and meaning where an embedder knows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from serving.assistant.references.calibration import Calibration, Scorer
from serving.assistant.references.labelled import LabelledAnswer
from serving.assistant.references.semantic import Semantics
from serving.index.search import SearchIndex

if TYPE_CHECKING:
    from serving.assistant.references.fitting import JudgedPair


@dataclass(frozen=True)
class LabelledCourse:
    """A course's labelled answers, in the language of the course."""

    course_id: str
    lang: str
    answers: tuple[LabelledAnswer, ...]


@dataclass(frozen=True)
class Calibrated:
    """The scorers found, and languages whose labels were too few for any."""

    calibration: Calibration
    too_few: tuple[str, ...]


def calibrate_references(
    courses: Sequence[LabelledCourse], index: SearchIndex, *, semantics: Semantics | None
) -> Calibrated:
    """A scorer by words for each language with labels enough, and one by meaning where `semantics` knows it."""
    scorers: list[Scorer] = []
    too_few = []
    for lang in sorted({course.lang for course in courses if course.answers}):
        from serving.assistant.references.fitting import fit_scorer  # noqa: PLC0415

        of_lang = [course for course in courses if course.lang == lang]
        meant = semantics if semantics is not None and semantics.knows(lang) else None
        pairs = _pairs(of_lang, index, meant)
        by_words = fit_scorer(pairs, lang=lang, embedder=None)
        by_meaning = fit_scorer(pairs, lang=lang, embedder=meant.embedder.name) if meant is not None else None
        scorers += [one for one in (by_words, by_meaning) if one is not None]
        too_few += [lang] if by_words is None else []
    return Calibrated(Calibration(tuple(scorers)), tuple(too_few))


def _pairs(courses: Sequence[LabelledCourse], index: SearchIndex, semantics: Semantics | None) -> "list[JudgedPair]":
    from serving.assistant.references.fitting import find_labelled_pairs  # noqa: PLC0415

    pairs: list[JudgedPair] = []
    first = 0
    for course in courses:
        pairs += find_labelled_pairs(
            course.answers, index, course_id=course.course_id, semantics=semantics, first=first
        )
        first += len(course.answers)
    return pairs
