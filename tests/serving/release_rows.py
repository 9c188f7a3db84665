"""A course of sixty opening hours: enough questions to judge a release on, and indexed at once."""

import course_rows as rows

from serving.evaluation.sets.evaluation_sets import EvaluationQuestion

PLACES = (
    "library archive cinema harbour museum gallery theatre garden kitchen laboratory workshop stadium orchard bakery "
    "pharmacy chapel studio aquarium planetarium observatory nursery stable vineyard brewery foundry quarry sawmill "
    "lighthouse windmill greenhouse ballroom gymnasium sauna canteen reactor furnace printery bindery tannery smithy "
    "dairy cellar attic courtyard terrace balcony hangar runway platform ferry tramway depot warehouse silo reservoir "
    "aqueduct canal tunnel bridge tower"
).split()

QUESTIONS = tuple(
    EvaluationQuestion(
        set="ds",
        question_id=f"q{number:02d}",
        course_id="ds",
        lang="en",
        question=f"Could you please tell me, when does the {place} open?",
        kind="simple",
        gold=(f"faq#{place}",),
        reference=f"The {place} opens at {number} minutes past eight.",
        section="course",
    )
    for number, place in enumerate(PLACES)
)


def pairs(*, without: range = range(0), mixed_up: bool = False) -> list[rows.Row]:
    """The course's QA pairs, but for those of the places numbered `without`; or all with each other's answers."""
    shift = 7 if mixed_up else 0
    said = [f"The {place} opens at {number} minutes past eight." for number, place in enumerate(PLACES)]
    return [
        rows.pair(
            f"p{number:02d}",
            "faq",
            f"When does the {place} open?",
            said[(number + shift) % len(PLACES)],
            origin_id=f"faq#{place}",
            content_hash=f"{place} {shift}",
        )
        for number, place in enumerate(PLACES)
        if number not in without
    ]
