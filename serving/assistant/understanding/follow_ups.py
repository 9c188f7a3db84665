"""Follow-ups: a question that leans on the turns before it, or on the video, made to stand alone (R016, R131).

Belongs here: the order of the rules, and following a session turn by turn. The rules are in `follow_up_references.py`
(pronouns), `follow_up_fragments.py`, `follow_up_parts.py` and `follow_up_plans.py`; what a session is about is in
`focus.py`.

The rules go by wording, so a question of a wording that no rule foresees may be left as it is, or changed wrongly:
what was put in is said. Without a focus, or with two concepts that are equally recent, a question stays and says so.
"""

from collections.abc import Sequence
from dataclasses import replace

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import language_of
from serving.assistant.understanding.answered_subject import name_answered
from serving.assistant.understanding.chat import is_small_talk
from serving.assistant.understanding.comparison_terms import find_compared
from serving.assistant.understanding.focus import Focus, Position, Topic, find_listed, find_subjects
from serving.assistant.understanding.follow_up_context import goes_on, lean_on, points_back
from serving.assistant.understanding.follow_up_fragments import FRAGMENTS
from serving.assistant.understanding.follow_up_parts import COURSEWORK, PARTS
from serving.assistant.understanding.follow_up_plans import PLANS
from serving.assistant.understanding.follow_up_question import LONGEST_FOLLOW_UP, FollowUpQuestion, Resolved
from serving.assistant.understanding.follow_up_references import POINTING, PRONOUNS
from serving.assistant.understanding.follow_up_words import WORDS
from serving.assistant.understanding.gibberish import is_gibberish
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.unfinished_questions import is_cut_off
from serving.llm.messages import Message

MOST_TURNS = 12
"""Messages of a session that are looked at, and the first `MOST_READ` characters of each. Choices."""
MOST_READ = 1000

_RULES = (*PLANS, *PARTS, *POINTING, *FRAGMENTS, *PRONOUNS)


def resolve(question: str, *, focus: Focus, graph: ConceptGraph, lang: Lang | None = None) -> Resolved:
    """The question with what it leaves out. `lang` is by default the question's own. Raises nothing."""
    text = question.strip()
    if not text or len(text) > LONGEST_FOLLOW_UP:
        return Resolved(question)
    spoken = lang or language_of(text)
    lead = match.group() if (match := WORDS[spoken].lead.match(text)) else ""
    core = text[len(lead) :].strip().rstrip("?？!！.。…~ ")
    names = find_subjects(" " * len(lead) + text[len(lead) :], graph, spoken)
    asked = FollowUpQuestion(text, core, lead, spoken, names, focus, graph)
    found = next((answer for rule in _RULES if (answer := rule(asked)) is not None), Resolved(question))
    return found if found.is_changed else replace(found, question=question)


def focus_of(
    history: Sequence[Message],
    *,
    graph: ConceptGraph,
    position: Position | None = None,
) -> Focus:
    """What a session is about: the user's turns in their order, each resolved by those before it, and the position.

    The concepts of an answer count only when the question before it named none, and compared no two things. Thanks,
    small talk and fragments change nothing; a question that stands alone and names no concept ends the subject, unless
    the answer to it speaks of that.
    """
    focus = _at(position, graph)
    for turn in history[-MOST_TURNS:]:
        text = turn.content[:MOST_READ]
        if turn.role == "user":
            focus = _after_question(text, focus, graph)
        elif turn.role == "assistant":
            focus = _after_answer(text, focus, graph)
    return focus


def _at(position: Position | None, graph: ConceptGraph) -> Focus:
    if position is None:
        return Focus()
    concepts = graph.concepts_at(position.course_id, position.video_id, position.at_ms)
    return Focus(here=Topic(concepts, "position") if concepts else None, video_title=position.title)


def _after_question(text: str, focus: Focus, graph: ConceptGraph) -> Focus:
    if not text.strip() or WORDS[language_of(text)].acknowledges.fullmatch(text):
        return focus
    resolved = resolve(text, focus=focus, graph=graph)
    whole = resolved.question
    ids = find_subjects(whole, graph).ids
    if not ids and (is_small_talk(whole) or is_gibberish(whole) or is_cut_off(whole)):
        return focus
    if (
        not (ids or resolved.is_changed)
        and (goes_on(text) or points_back(text))
        and (leant := lean_on(text, focus=focus, graph=graph)) is not None
    ):
        return replace(focus, previous=leant.question, context=leant.context, listed=())
    answered = focus.answered if focus.answered and focus.answered in whole else ""
    focus = replace(focus, previous=whole.strip(), context="", answered=answered, listed=())
    if not ids:
        ended = focus.topics[0] if focus.topics else focus.ended
        return replace(focus, topics=(), ended=ended)
    return replace(focus, topics=(Topic(ids, "question"), *focus.topics))


def _after_answer(text: str, focus: Focus, graph: ConceptGraph) -> Focus:
    topics = focus.topics
    asked = say_plainly(focus.context or focus.previous)
    is_named = COURSEWORK.search(focus.previous) is not None or bool(find_compared(asked))
    if not topics and focus.previous and not is_named and (ids := find_subjects(text, graph).ids):
        is_still_on_it = focus.ended is not None and len(focus.ended.concepts) == 1 and focus.ended.concepts[0] in ids
        topics = (focus.ended if is_still_on_it and focus.ended is not None else Topic(ids, "answer"),)
    answered = focus.answered or name_answered(focus.previous, text)
    return replace(focus, topics=topics, answered=answered, listed=find_listed(text))
