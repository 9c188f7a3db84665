"""The graders as a whole: grounded or not, resolved or not, and a finite verdict for any text at all."""

import math
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from grounding_rows import CHINESE, ENGLISH, Row, evidence
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from serving.assistant.grounding.grading import (
    GROUNDED_CUT,
    Grounding,
    Record,
    grade_grounding,
    grade_record,
)
from serving.assistant.grounding.negation import contradicts
from serving.assistant.grounding.questions import find_expected
from serving.assistant.grounding.resolution import grade_resolution
from serving.assistant.grounding.sentences import MOST_READ
from serving.assistant.grounding.verdict import GroundingVerdict
from serving.index.evidence import Evidence


class Letters:
    """Stands in for a sentence model of English: letter counts, unit length."""

    name = "letters"
    dimension = 26
    languages = ("en",)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


@pytest.mark.parametrize("row", ENGLISH + CHINESE)
def test_what_the_evidence_says_scores_above_what_is_invented(row: Row) -> None:
    grounded = grade_grounding(row.question, row.grounded, evidence(row.evidence))
    invented = grade_grounding(row.question, row.invented, evidence(row.evidence))
    assert grounded.score > 0.35 > invented.score
    assert not invented.grounded
    assert grounded.missing == ()
    assert [sentence.evidence_id for sentence in grounded.sentences] == ["e1"]


def test_most_answers_in_other_words_are_grounded() -> None:
    grades = [grade_grounding(row.question, row.grounded, evidence(row.evidence)) for row in ENGLISH + CHINESE]
    assert sum(grade.grounded for grade in grades) >= 10


@pytest.mark.parametrize("row", ENGLISH + CHINESE)
def test_an_answer_copied_from_evidence_scores_high(row: Row) -> None:
    grade = grade_grounding(row.question, row.evidence, evidence(row.evidence))
    assert grade.score > GROUNDED_CUT
    assert grade.grounded
    assert grade.certain


def test_words_repeated_from_the_question_are_no_support() -> None:
    source = evidence("The heap was proposed by Williams in 1964 for sorting.")
    told = grade_grounding("Who proposed the heap for sorting?", "Williams proposed the heap for sorting.", source)
    other = grade_grounding("Who proposed the heap for sorting?", "Floyd proposed the heap for sorting.", source)
    assert told.score > 0.8 > 0.4 > other.score


def test_one_invented_sentence_weighs_on_the_whole_answer() -> None:
    source = evidence("A stack is last in, first out. Push and pop take constant time.")
    good = "Push and pop take constant time."
    bad = "The Zuse company sold 4,000 of them in Bavaria."
    whole, mixed = (grade_grounding("How fast is a stack?", text, source) for text in (good, f"{good} {bad}"))
    assert whole.grounded
    assert not mixed.grounded
    assert [sentence.is_supported for sentence in mixed.sentences] == [True, False]
    assert [fact.text for fact in mixed.missing] == ["Zuse", "4,000", "Bavaria"]
    assert all(f"{good} {bad}"[fact.start : fact.end] == fact.text for fact in mixed.missing)


def test_the_best_evidence_of_each_sentence_is_named() -> None:
    source = evidence("A queue is first in, first out.", "A stack is last in, first out.")
    found = grade_grounding("Compare them.", "A stack is last in, first out. A queue is first in, first out.", source)
    assert [sentence.evidence_id for sentence in found.sentences] == ["e2", "e1"]


NEGATIONS = [
    ("Merge sort is stable.", "Merge sort is not stable.", True),
    ("Merge sort isn't in place.", "Merge sort is not in place.", False),
    ("It is not only fast but small.", "It is fast and small.", False),
    ("快速排序不稳定。", "快速排序稳定。", True),
    ("它们不同，而且不仅快。", "它们不一样快。", True),
    ("非常重要，是无穷级数。", "重要的无穷级数。", False),
]


@pytest.mark.parametrize(("sentence", "said", "differs"), NEGATIONS)
def test_a_negation_on_one_side_is_a_contradiction(sentence: str, said: str, differs: bool) -> None:
    assert contradicts(sentence, said) is differs


def test_denied_evidence_is_never_certainly_grounded() -> None:
    found = grade_grounding("Is it stable?", "Merge sort is not stable.", evidence("Merge sort is stable."))
    assert found.sentences[0].denied
    assert not found.grounded


def test_without_evidence_or_answer_nothing_is_grounded() -> None:
    for answer, source in (("", evidence("Text.")), ("Paris.", []), ("Paris.", evidence("")), (" \n", evidence("a"))):
        found = grade_grounding("Where?", answer, source)
        assert (found.score, found.grounded, found.certain) == (0.0, False, True)


def test_other_words_alone_make_no_certain_verdict() -> None:
    source = evidence("When the load factor exceeds a limit, the table is doubled and every key is hashed again.")
    found = grade_grounding("Why grow?", "Crowded tables get slow; therefore they become bigger.", source)
    assert not found.grounded
    assert not found.certain


def test_meaning_is_measured_in_the_languages_of_the_embedder_only() -> None:
    for row, measured in ((ENGLISH[3], True), (CHINESE[1], False)):
        found = grade_grounding(row.question, row.grounded, evidence(row.evidence), embedder=Letters())
        assert (found.sentences[0].meaning is not None) is measured


def test_an_embedder_that_fails_to_give_numbers_does_no_harm() -> None:
    class Broken(Letters):
        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.full((len(texts), 26), np.nan, dtype=np.float32)

    row = ENGLISH[3]
    assert math.isfinite(grade_grounding(row.question, row.grounded, evidence(row.evidence), embedder=Broken()).score)
    assert math.isfinite(grade_resolution(row.question, row.grounded, embedder=Broken()).score)


def test_rare_words_can_weigh_more() -> None:
    source = evidence("Insertion sort is fast for short lists.")
    answer = "Insertion sort is fast for Fibonacci lists."
    plain = grade_grounding("What is fast?", answer, source)
    weighed = grade_grounding("What is fast?", answer, source, weigh=lambda term: 9.0 if term == "fibonacci" else 1.0)
    assert weighed.score < plain.score


RESOLUTIONS = [
    ("When was it built?", "In 1931.", True),
    ("When was it built?", "It is a large and well known building.", False),
    ("How many nodes are there?", "There are 12 nodes.", True),
    ("Who wrote it?", "I don't know.", False),
    ("Who wrote it?", "Donald Knuth", True),
    ("Is merge sort stable?", "Yes, it is stable.", True),
    ("What is a heap?", "What is a heap?", False),
    ("What is a heap?", "A heap is a tree in which no child is larger than its parent.", True),
    ("What is a heap?", "", False),
    ("谁发明了快速排序？", "托尼·霍尔发明了快速排序。", True),
    ("什么时候考试？", "请参加考试。", False),
    ("什么时候考试？", "十二月十日。", True),
    ("什么是堆？", "材料没有提到。", False),
]


@pytest.mark.parametrize(("question", "answer", "resolved"), RESOLUTIONS)
def test_an_answer_resolves_a_question_when_it_holds_what_was_asked_for(
    question: str, answer: str, resolved: bool
) -> None:
    assert grade_resolution(question, answer).has_passed is resolved


KINDS = [
    ("When is the exam?", "number"),
    ("考试有几题？", "number"),
    ("Who is he?", "name"),
    ("谁发明的？", "name"),
    ("Is it stable?", "yes_no"),
    ("它稳定吗？", "yes_no"),
    ("Which is faster, quicksort or heapsort?", "choice"),
    ("数组还是链表快？", "choice"),
    ("Explain heaps.", "open"),
    ("解释几何。", "open"),
]


@pytest.mark.parametrize(("question", "kind"), KINDS)
def test_questions_tell_what_they_ask_for(question: str, kind: str) -> None:
    assert find_expected(question) == kind


def test_a_language_model_settles_what_is_uncertain_and_nothing_else() -> None:
    doubt, sure = GroundingVerdict(0.4, 0.5, certain=False), GroundingVerdict(0.1, 0.5, certain=True)
    assert doubt.settle(0.9) == GroundingVerdict(0.65, 0.5, certain=True)
    assert sure.settle(0.9) == sure
    for nothing in (None, math.nan, math.inf, -1.0):
        assert doubt.settle(nothing) == doubt


def test_a_verdict_without_a_number_cannot_be_made() -> None:
    for score in (math.nan, -0.1, 1.1):
        with pytest.raises(ValueError, match="between 0 and 1"):
            GroundingVerdict(score, 0.5, certain=True)


def test_the_evidence_of_a_record_is_numbered() -> None:
    right = Record("a", "Who?", ("It was Tony Hoare.", "In 1959."), "Tony Hoare")
    assert grade_record(right).sentences[0].evidence_id == "1"


def is_sound(found: Grounding, answer: str) -> bool:
    spans = all(answer[each.start : each.end] == each.text for each in found.sentences)
    scores = [found.score, *(each.score for each in found.sentences)]
    return spans and all(0 <= score <= 1 for score in scores) and found.grounded == (found.score >= GROUNDED_CUT)


NOISE = st.text(max_size=80) | st.text(alphabet="aA1 .,%“”《》《\"`[]不无一二十百万亿点·\n-_'()", max_size=80)


@settings(deadline=None)
@given(NOISE, NOISE, NOISE)
def test_any_texts_give_a_finite_verdict(question: str, answer: str, source: str) -> None:
    assert is_sound(grade_grounding(question, answer, evidence(source)), answer)
    assert 0 <= grade_resolution(question, answer).score <= 1


@settings(deadline=None)  # the first Chinese word loads a dictionary
@given(
    st.lists(
        st.sampled_from("stack heap grows sorted 1959 Hoare not 栈 哈希表 稳定 16 “top”".split()),
        min_size=1,
        max_size=12,
    )
)
def test_an_answer_identical_to_its_evidence_scores_high(words: list[str]) -> None:
    text = " ".join(words)
    assert grade_grounding("What is it?", text, evidence(text)).score > GROUNDED_CUT


STRANGE = [
    "😀" * 1000,
    "\x00\x07\x1b" * 500,
    "\ud800 half",
    "a" * 100_000,
    "a " * 50_000,
    "." * 100_000,
    "两" * 30_000,
    "1,234 " * 16_000,
    "“" * 100_000,
    "A." * 50_000,
    "\n" * 100_000,
]


@pytest.mark.parametrize("answer", STRANGE, ids=lambda text: repr(text[:6]))
def test_strange_and_endless_answers_are_graded_too(answer: str) -> None:
    found = grade_grounding("What is 2?", answer, evidence("A hash table is 2.", answer[:2000]))
    assert all(0 <= score <= 1 for score in (found.score, grade_resolution("What is 2?", answer).score))
    assert all(sentence.end <= MOST_READ for sentence in found.sentences)


def test_graders_load_no_heavy_library() -> None:
    code = (
        "import sys;"
        "from serving.assistant.grounding import grading, marking, resolution;"
        "print(sorted({'torch', 'sklearn', 'scipy', 'spacy', 'jieba', 'transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


QUEUES = (
    Evidence(1, "adt", "concept", "ds", "abstract data type", "An abstract data type says nothing about storage."),
    Evidence(
        2, "pq", "concept", "ds", "priority queue", "A priority queue removes the item with the highest priority."
    ),
)


def test_an_answer_on_another_subject_of_the_evidence_scores_lower() -> None:
    asked = "What is an abstract data type?"
    on, off = (grade_grounding(asked, one.text, QUEUES).score for one in QUEUES)
    assert on > GROUNDED_CUT
    assert off < on - 0.1
    assert grade_grounding("What is a priority queue?", QUEUES[1].text, QUEUES).score > GROUNDED_CUT


def test_a_sentence_beside_the_subject_is_no_worse_by_itself() -> None:
    both = grade_grounding("What is an abstract data type?", f"{QUEUES[0].text} {QUEUES[1].text}", QUEUES)
    assert all(one.is_supported for one in both.sentences)


def test_notes_said_as_they_stand_in_the_prompt_score_lower() -> None:
    asked, said = "What is an abstract data type?", QUEUES[0].text
    copied = f"{said}\n[2] priority queue: {QUEUES[1].text}\npriority queue belongs to the domain computer science."
    assert grade_grounding(asked, copied, QUEUES).score < grade_grounding(asked, said, QUEUES).score


def test_a_bare_yes_or_no_is_graded_by_what_was_asked() -> None:
    rule = [Evidence(1, "resit", "faq", "ds", "Resits", "There is no resit of the midterm.")]
    asked = "Is there a resit of the midterm?"
    no, yes = (grade_grounding(asked, f"The answer is {one}.", rule).score for one in ("no", "yes"))
    assert no > GROUNDED_CUT > yes
