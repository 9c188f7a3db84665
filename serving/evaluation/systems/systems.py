"""`SYSTEMS`: the ways to answer that are compared, each as settings of the assistant that differ from the home's own.

Belongs here: which there are, and which of them is watched. How they are asked is `system_answers`'.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from serving.evaluation.sets.evaluation_sets import EvaluationQuestion

Asked = Literal["all", "sample"]

PER_LANGUAGE = 24
"""Questions of a sample, for each language that the model speaks. A choice: the default 135M model takes some seconds
for an answer on two cores."""

SEED = 8
"""Seed of the sample. A choice; nobody looks at the sample beforehand."""

NO_MODEL = ""
"""No language is one that a model speaks: every answer is then stored text or assembled material, and none is
degraded."""


@dataclass(frozen=True)
class System:
    """A way to answer. `settings` are those of `serving.settings.Settings` that differ; `questions` which are asked."""

    name: str
    about: str
    settings: Mapping[str, object] = field(default_factory=dict)
    needs_model: bool = False
    retrieves: bool = True
    """Whether anything is looked up; a model that is asked without is `ModelAlone`."""

    @property
    def questions(self) -> Asked:
        """A model is asked a sample, for every answer takes it seconds."""
        return "sample" if self.needs_model else "all"

    @property
    def overrides(self) -> dict[str, object]:
        """What is changed in the home's settings. The systems of the papers ask their model unexamined."""
        own = {"model_admission": "always", **self.settings}
        return own if self.needs_model else {"languages": NO_MODEL, **own}


DEFAULT = "retrieval_only"
"""The system that a release is held against: it answers every question, and the same way each time."""

SYSTEMS: Mapping[str, System] = {
    one.name: one
    for one in (
        System(DEFAULT, "no model; what is found is ranked by words and meaning (hybrid)", {"strategy": "hybrid"}),
        System("composed", "the product without a model: composed from the material", {"model_admission": "never"}),
        System("concept_aware", "no model; ranked by words and concepts (LittleMu 3.2)", {"strategy": "concept_aware"}),
        System("catalog_expert", "no model; ranked by TF-IDF and title words (Tulane)", {"strategy": "catalog_expert"}),
        System("fused", "no model, so no rewording; words and meaning by rank (Maastricht)", {"strategy": "fused"}),
        System(
            "without_intent_context",
            "retrieval_only, the intent model reading the question alone",
            {"strategy": "hybrid", "intent_context": False},
        ),
        System(
            "chain_of_teach",
            "Chain of Teach for complex questions, written by a model that nobody examined",
            needs_model=True,
        ),
        System(
            "model_alone",
            "the tutor's prompt without any material: what the model knows by itself (LittleMu 4.1)",
            needs_model=True,
            retrieves=False,
        ),
        System(
            "plain_prompt",
            "the structured prompt for complex questions too, no Chain of Teach",
            {"simple_prompt": "context", "complex_prompt": "context"},
            needs_model=True,
        ),
        System(
            "tutor_prompt",
            "the tutor's prompt with its safeguards for all questions (Course Hero 2.1)",
            {"simple_prompt": "tutor", "complex_prompt": "tutor"},
            needs_model=True,
        ),
        System(
            "without_safeguards",
            "nobody looks at a draft, and no question is declined",
            {"graders": "none", "refusals": False},
            needs_model=True,
        ),
        System(
            "without_reflection",
            "drafts are looked at once; none is written again, no question reworded",
            {"regenerations": 0, "rewrites": 0},
            needs_model=True,
        ),
        System("reworded", "questions reworded by the model, ranks fused (Maastricht)", {"strategy": "fused"}, True),
    )
}


def questions_for(
    system: System, questions: Sequence[EvaluationQuestion], *, languages: Collection[str], per_language: int
) -> tuple[EvaluationQuestion, ...]:
    """What a system is asked: everything, or `sample`."""
    if system.questions == "all":
        return tuple(questions)
    return sample(questions, languages=languages, per_language=per_language)


def sample(
    questions: Sequence[EvaluationQuestion], *, languages: Collection[str], per_language: int
) -> tuple[EvaluationQuestion, ...]:
    """Up to `per_language` of the courses' questions in each language, half of them complex where there are so many.

    Those with a reference answer come first; among equals a digest draws, so that a question added elsewhere changes
    nothing. In the order of `questions`.
    """
    chosen: set[str] = set()
    for lang in sorted(set(languages)):
        pool = sorted((one for one in questions if one.section == "course" and one.lang == lang), key=_drawn)
        complex_first = [one for one in pool if one.kind == "complex"][: per_language // 2]
        simple = [one for one in pool if one.kind == "simple"][: per_language - len(complex_first)]
        taken = {one.question_id for one in (*complex_first, *simple)}
        left = [one.question_id for one in pool if one.question_id not in taken]
        chosen |= taken | set(left[: per_language - len(taken)])
    return tuple(one for one in questions if one.question_id in chosen)


def _drawn(question: EvaluationQuestion) -> tuple[bool, str]:
    return not question.reference, hashlib.sha256(f"{SEED}\n{question.question_id}".encode()).hexdigest()
