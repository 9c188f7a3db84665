"""How many tokens the prompts of one question leave for passages. Pure.

Belongs here: the prompt of a question with nothing in it but what always stays. What is put into the rest is a
retrieval strategy's (Tulane 2.VI).
"""

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.generation.chain_of_teach import TokenCount, teach
from serving.assistant.generation.policy import policy_of
from serving.assistant.generation.xml_context import context_prompt
from serving.assistant.understanding.understand import Understanding
from serving.index.schema import Entry

RESERVE = 16
"""Tokens kept free, a choice: the parts of a prompt counted one by one may come to fewer than the prompt has."""

_NOTHING = Entry("", "qa", "catalog", None, "en", "", "")
"""A passage without words: with it the prompt has the instructions and the tags that passages bring."""


def room_for_material(
    asked: Understanding, course_id: str | None, *, graph: ConceptGraph, budget: int, count: TokenCount
) -> int:
    """What is left of `budget` tokens, 0 or more, by the longer of the two prompts that a question may get.

    Instructions, the policy of the course, the question and its concepts' definitions stay. Demonstrations and earlier
    questions do not count: they make way for passages.
    """
    card = graph.course(course_id) if course_id else None
    policy, title = (policy_of(card), card.title) if card else (None, None)
    bare = teach(
        asked,
        graph=graph,
        snippets=[_NOTHING],
        demonstrations=(),
        course_title=title,
        budget=budget,
        count=count,
        policy=policy,
    )
    structured = context_prompt(
        asked.question,
        evidence=bare.evidence,
        lang=asked.lang,
        budget=budget,
        policy=policy,
        course_title=title,
        count=count,
    )
    prompts = (bare.messages, structured.messages)
    longest = max(sum(count(message.content) for message in messages) for messages in prompts)
    return max(0, budget - longest - RESERVE)
