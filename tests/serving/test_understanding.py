"""Intent, concepts and complexity of a question."""

from dataclasses import dataclass

import pytest

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.understanding.complexity import complexity
from serving.assistant.understanding.form import question_form
from serving.assistant.understanding.understand import Understanding, understand


@dataclass(frozen=True)
class Scores:
    """Scores of the rule-made intent model below."""

    category: str = "simple"
    h: float = 0.0
    complex: float = 0.0


@dataclass(frozen=True)
class FixedIntent:
    """An intent model that always says the same, and remembers nothing."""

    scores: Scores
    version: str = "fixed"

    def alpha_for(self, question: str) -> float:
        return 0.5

    def classify(self, question: str, *, previous: str = "", course: str = "") -> Scores:
        return self.scores


@pytest.mark.parametrize(("h", "chat"), [(0.49, False), (0.5, False), (0.51, True)])
def test_only_more_than_alpha_is_chat(graph: ConceptGraph, h: float, chat: bool) -> None:
    asked = understand("anything", graph=graph, intent=FixedIntent(Scores(h=h)))
    assert asked.is_chat is chat


def test_an_alpha_from_the_settings_replaces_the_calibrated_one(graph: ConceptGraph) -> None:
    assert understand("x", graph=graph, intent=FixedIntent(Scores(h=0.6)), alpha=0.7).is_chat is False


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the difference between a stack and a queue?", "comparison"),
        ("栈和队列有什么区别？", "comparison"),
        ("Why is a hash table fast?", "reason"),
        ("为什么要用栈？", "reason"),
        ("How do I implement a queue?", "method"),
        ("怎么实现队列？", "method"),
        ("Give me an example of a stack", "instance"),
        ("举个栈的例子", "instance"),
        ("Which book do you recommend?", "recommendation"),
        ("有什么推荐的书？", "recommendation"),
        ("What is a stack?", None),
        ("什么是栈？", None),
    ],
)
def test_the_wording_tells_the_kind_of_a_complex_question(question: str, kind: str | None) -> None:
    assert complexity(question, is_complex=False) == kind


def test_a_complex_question_of_no_known_wording_is_other() -> None:
    assert complexity("Derive the amortised bound.", is_complex=True) == "other"


def test_concepts_are_found_once_each_in_order(graph: ConceptGraph) -> None:
    asked = understand("Is a queue a stack, or are stacks queues?", graph=graph, intent=None)
    assert [concept.concept_id for concept in asked.concepts] == ["en:queue", "en:stack"]


@pytest.mark.parametrize("text", ["hello", "Hi there!", "thanks a lot", "你好", "谢谢老师"])
def test_greetings_are_chat_without_an_intent_model(graph: ConceptGraph, text: str) -> None:
    assert understand(text, graph=graph, intent=None).is_chat


@pytest.mark.parametrize("text", ["I feel so stressed today", "最近压力好大", "压力太大怎么办"])
def test_a_cry_for_comfort_is_told_from_small_talk(graph: ConceptGraph, text: str) -> None:
    asked = understand(text, graph=graph, intent=None)
    assert asked.is_chat
    assert asked.is_emotional


@pytest.mark.parametrize(
    "text",
    [
        "I'm tired of the stack, can you explain it again?",
        "压力好大，考试怎么复习",
        "Linux 内核崩溃的原因",
        "管道压力很大时流速如何",
    ],
)
def test_a_question_asked_in_distress_is_a_question(graph: ConceptGraph, text: str) -> None:
    asked = understand(text, graph=graph, intent=None)
    assert (asked.is_chat, asked.category) == (False, "simple")
    assert not understand(text, graph=graph, intent=FixedIntent(Scores("simple", h=0.0))).is_chat


def test_a_form_that_is_known_already_is_not_made_again(graph: ConceptGraph) -> None:
    form = question_form("Is it linear?\nA. yes\nB. no\nC. sometimes")
    assert understand("What is a stack?", graph=graph, intent=None, form=form).options == form.options


@pytest.mark.parametrize(
    "text", ["high queue", "hello world in C: what is a stack", "thanks to what does a queue work"]
)
def test_a_question_that_begins_like_a_greeting_is_a_question(graph: ConceptGraph, text: str) -> None:
    assert not understand(text, graph=graph, intent=None).is_chat


@pytest.mark.parametrize("question", ["who teaches this course?", "老师是谁", "When is the exam?"])
def test_a_question_about_the_course_is_no_small_talk_whatever_the_model_says(question: str) -> None:
    asked = Understanding(question, "en", h=0.99, alpha=0.5, category="general_chat", kind=None, concepts=())
    assert not asked.is_chat


@pytest.mark.parametrize("question", ["What a lovely day", "Are you a robot?", "hello", "I am so tired of it"])
def test_small_talk_and_distress_stay_chat(question: str) -> None:
    asked = Understanding(question, "en", h=0.99, alpha=0.5, category="general_chat", kind=None, concepts=())
    assert asked.is_chat


def test_the_options_of_a_multiple_choice_question_are_told_from_its_stem(graph: ConceptGraph) -> None:
    asked = understand("Why is a stack used?\nA. to compare\nB. to undo\nC. to sort", graph=graph, intent=None)
    assert (asked.form, asked.stem, asked.refusal) == ("mcq", "Why is a stack used?", None)
    assert asked.options == (("A", "to compare"), ("B", "to undo"), ("C", "to sort"))
    assert asked.kind == "reason"
    assert asked.for_search.question == "Why is a stack used?\nto compare\nto undo\nto sort"


def test_the_definition_alone_does_not_answer_a_multiple_choice_question(graph: ConceptGraph) -> None:
    assert understand("What is a stack?", graph=graph, intent=None).defines is not None
    assert understand("What is a stack?\nA. a list\nB. a tree\nC. a set", graph=graph, intent=None).defines is None


def test_missing_options_are_no_small_talk_whatever_the_model_says(graph: ConceptGraph) -> None:
    chatty = FixedIntent(Scores("general_chat", h=0.99))
    asked = understand("Which of the following is right?", graph=graph, intent=chatty)
    assert (asked.refusal, asked.is_chat) == ("missing_options", False)


@pytest.mark.parametrize("text", ["lol", "haha", "哈哈", "ok"])
def test_an_exclamation_is_chat_and_not_nonsense(graph: ConceptGraph, text: str) -> None:
    asked = understand(text, graph=graph, intent=None)
    assert (asked.is_chat, asked.refusal) == (True, None)


@pytest.mark.parametrize("text", ["", "\x00\x07", "a" * 100_000, "\u202eما هي المكدس", "\ud800"])
def test_any_text_is_understood(graph: ConceptGraph, text: str) -> None:
    assert understand(text, graph=graph, intent=None).form == "frq"
