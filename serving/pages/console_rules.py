"""The rules of a course as its TAs read them: its policy, and what students get of graded work. Read only: they are
written in `course.yaml`."""

from dataclasses import dataclass

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.policy import Policy, policy_of
from serving.assistant.graded_work.assessments import Assessment
from serving.assistant.graded_work.wording import day_and_time
from serving.pages.parts import block, chip, heading, text
from serving.pages.visits import Visit
from serving.pages.words import PageTexts

MOST_ITEMS_SHOWN = 30
"""Items of one assessment that are shown. A choice: a whole sheet; all are in `course.yaml`."""


@dataclass(frozen=True)
class CourseRules:
    policy: Policy | None
    assessments: tuple[Assessment, ...]


async def rules_of(visit: Visit, course_id: str | None) -> CourseRules | None:
    """What holds in a course, as it was built last; `None` for a course that there is not."""
    knowledge = await visit.service.knowledge()
    card = next((one for one in knowledge.courses if one.course_id == course_id), None)
    if card is None:
        return None
    return CourseRules(policy_of(card), knowledge.graded_work.assessments_of(card.course_id))


def show_rules(rules: CourseRules, say: PageTexts) -> None:
    """Everything, for who looks for it."""
    policy = rules.policy
    with block("course-rules"):
        text(say("rules_hint"), "small muted")
        heading(say("graded_work"), 2, "small-heading")
        _show_assessments(rules.assessments, say)
        heading(say("policy", version=policy.version) if policy else say("no_policy"), 2, "small-heading")
        if policy is not None:
            text(policy.text, "small prose")


def fold_rules(rules: CourseRules, say: PageTexts) -> None:
    """The same folded, beside a question; nothing where the course has no rule."""
    if rules.policy is not None:
        with block("folded", tag="details"):
            text(say("policy", version=rules.policy.version), "small", tag="summary")
            text(rules.policy.text, "small prose")
    if rules.assessments:
        holding = sum(one.state == "in_force" for one in rules.assessments)
        with block("folded", tag="details"):
            text(say("graded_work_now", n=holding, of=len(rules.assessments)), "small", tag="summary")
            _show_assessments(rules.assessments, say)


def _show_assessments(assessments: tuple[Assessment, ...], say: PageTexts) -> None:
    if not assessments:
        text(say("no_graded_work"), "small")
        return
    with block("rules", tag="ul"):
        for one in assessments:
            with block("rule", tag="li"):
                _show_assessment(one, say)


def _show_assessment(one: Assessment, say: PageTexts) -> None:
    with block("line"):
        text(one.name, "name", tag="strong")
        chip(say(f"rule_{one.state}"), "good" if one.state == "in_force" else "")
    text(say(f"allows_{one.allows}"), "small")
    text(window_of(one, say), "small muted")
    with block("folded", tag="details"):
        text(say("rule_items", n=len(one.items)), "small", tag="summary")
        text(say("rule_items_hint"), "small muted")
        with block(tag="ol"):
            for item in one.items[:MOST_ITEMS_SHOWN]:
                text(item, "small prose", tag="li")
        if len(one.items) > MOST_ITEMS_SHOWN:
            text(say("rule_items_more", n=len(one.items) - MOST_ITEMS_SHOWN), "small muted")


def window_of(one: Assessment, say: PageTexts) -> str:
    """When the rule holds, in words."""
    lang: Lang = "zh" if say.lang == "zh" else "en"
    opens = None if one.opens is None else day_and_time(one.opens, lang)
    closes = None if one.closes is None else day_and_time(one.closes, lang)
    if opens is not None and closes is not None:
        return say("rule_between", opens=opens, closes=closes)
    if closes is not None:
        return say("rule_until", closes=closes)
    return say("rule_always") if opens is None else say("rule_from", opens=opens)
