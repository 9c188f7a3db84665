"""What is said of one thing must be supported by what the evidence says of that thing."""

import time

import pytest

from serving.assistant.grounding.attribution import check_sentence
from serving.index.evidence import Evidence

CONCEPTS = (
    "hash table", "stack", "queue", "merge sort", "quicksort", "linked list", "array", "heap", "binary search tree",
    "AVL tree", "red-black tree", "breadth-first search", "depth-first search", "Dijkstra's algorithm",
    "栈", "队列", "归并排序", "快速排序", "哈希表", "链表", "数组", "二叉搜索树", "广度优先搜索", "深度优先搜索",
)  # fmt: skip
ENGLISH = (
    "With a good hash function the expected time of a lookup in a hash table is O(1).",
    "A stack removes the item that was inserted last (LIFO), a queue removes the item that was inserted first (FIFO).",
    "Merge sort guarantees O(n log n) and is stable, but needs an extra array of length n. Quicksort sorts in place "
    "and is usually faster in practice, but its worst case is O(n^2).",
    "The quizzes count 20%, the five programming assignments 40%, the midterm 15% and the final exam 25%.",
    "Dijkstra's algorithm does not work with negative edge weights.",
    "Register for the resit within ten days after the results are published.",
)
CHINESE = (
    "栈是后进先出的线性表，只能在一端插入和删除。队列是先进先出的线性表，在队尾插入，在队头删除。",
    "归并排序最坏情况也是 O(n log n)，稳定，需要 O(n) 的额外空间。快速排序平均 O(n log n)，最坏 O(n²)，不稳定。",
    "迟交三天以内，得分按百分之八十计算；超过三天不再计分。",
)
RIGHT = (
    "A lookup in a hash table takes O(1) on average.",
    "A stack removes the item that was inserted last.",
    "While a queue removes the item inserted first, a stack removes the item inserted last.",
    "Merge sort is stable.",
    "The worst case of quicksort is quadratic.",
    "Quicksort is usually faster in practice.",
    "The midterm counts 15 percent.",
    "Dijkstra's algorithm doesn't work with negative edge weights.",
    "Register within 10 days after the results are published.",
    "队列在队尾插入，在队头删除。",
    "归并排序是稳定的。",
    "迟交三天以内按80%计算得分。",
)
WRONG = (
    ("A lookup in a hash table takes O(log n).", "number"),
    ("A queue removes the item that was inserted last.", "direction"),
    ("Merge sort is not stable.", "denial"),
    ("Merge sort's worst case is quadratic, and it sorts in place.", "subject"),
    ("Merge sort is usually faster in practice.", "subject"),
    ("Quicksort is usually slower in practice.", "direction"),
    ("The midterm counts 20%.", "subject"),
    ("Dijkstra's algorithm works with negative edge weights.", "denial"),
    ("Register within ten weeks after the results are published.", "number"),
    ("Register within ten days before the results are published.", "direction"),
    ("队列在队头插入，在队尾删除。", "direction"),
    ("归并排序是不稳定的。", "denial"),
    ("归并排序最坏情况是 O(n²)。", "number"),
    ("迟交五天以内，得分按百分之八十计算。", "number"),
)


def evidence(*texts: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(number, f"e{number}", "faq", None, "", text) for number, text in enumerate(texts, 1))


EVIDENCE = evidence(*ENGLISH, *CHINESE)


@pytest.mark.parametrize("sentence", RIGHT)
def test_what_the_evidence_says_of_it_may_stand(sentence: str) -> None:
    found = check_sentence(sentence, EVIDENCE, concepts=CONCEPTS)
    assert found.may_stand, found


@pytest.mark.parametrize(("sentence", "reason"), WRONG)
def test_what_the_evidence_says_otherwise_is_contradicted_for_its_reason(sentence: str, reason: str) -> None:
    found = check_sentence(sentence, EVIDENCE, concepts=CONCEPTS)
    assert (found.ruling, found.reason) == ("contradicted", reason), found


def test_the_sentence_that_decides_is_named() -> None:
    found = check_sentence("Merge sort is not stable.", EVIDENCE, concepts=CONCEPTS)
    assert (found.evidence_id, found.said) == ("e3", "not")
    assert "is stable" in found.evidence


def test_a_sentence_about_something_else_is_unsupported() -> None:
    found = check_sentence("Photosynthesis converts sunlight into chemical energy.", EVIDENCE, concepts=CONCEPTS)
    assert (found.ruling, found.reason) == ("unsupported", "unknown")


@pytest.mark.parametrize("sentence", ["", "...", "What do you want to know?", "好的。"])
def test_a_sentence_that_says_nothing_of_the_subject_claims_nothing(sentence: str) -> None:
    assert check_sentence(sentence, EVIDENCE, concepts=CONCEPTS).ruling == "no_claim"


def test_a_pronoun_speaks_of_the_sentence_before() -> None:
    said = "It is usually faster in practice."
    right = check_sentence(said, EVIDENCE, concepts=CONCEPTS, before="Quicksort sorts in place.")
    wrong = check_sentence(said, EVIDENCE, concepts=CONCEPTS, before="Merge sort is stable.")
    assert (right.may_stand, wrong.reason) == (True, "subject")


LATE = (
    "Every participant has five late days for the whole run. At most two late days can be used for the same "
    "assignment. There are no late days for quizzes, the midterm and the final exam."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "There are no late days for quizzes, the midterm and the final exam.",
        "There are no late days for the final exam, the midterm or the quizzes.",
        "No, there are no late days for the midterm.",
    ],
)
def test_what_there_is_for_some_is_said_of_them_and_a_denial_reaches_all_of_a_list(sentence: str) -> None:
    evidence = [Evidence(1, "1", "document", None, "", LATE)]
    found = check_sentence(sentence, evidence, question="Do late days count for the final exam?")
    assert found.may_stand, found


@pytest.mark.parametrize(
    "sentence",
    [
        "There are no late days for the assignments.",
        "There are late days for quizzes.",
        "There are late days for the midterm.",
        "There are five late days for the final exam.",
        "Late days can be used for quizzes, the midterm and the final exam.",
    ],
)
def test_what_there_is_for_some_is_not_said_of_others_nor_without_its_denial(sentence: str) -> None:
    evidence = [Evidence(1, "1", "document", None, "", LATE)]
    assert check_sentence(sentence, evidence).ruling == "contradicted"


def test_the_title_says_of_whom_its_text_speaks() -> None:
    source = (Evidence(1, "e", "faq", None, "Merge sort", "It is stable and needs extra space."),)
    assert check_sentence("Merge sort is stable.", source, concepts=CONCEPTS).may_stand
    assert check_sentence("Quicksort is stable.", source, concepts=CONCEPTS).reason == "subject"


def test_any_text_gets_a_verdict() -> None:
    for text in ("\ud800", "a" * 5000, "not " * 200, "O(" * 50, "哈希表" * 300, "\n\n\t"):
        assert check_sentence(text, EVIDENCE, concepts=CONCEPTS).ruling
        assert check_sentence("Merge sort is stable.", evidence(text), concepts=CONCEPTS).ruling


def test_without_evidence_nothing_is_supported() -> None:
    assert check_sentence("Merge sort is stable.", (), concepts=CONCEPTS).ruling == "unsupported"


def test_a_sentence_takes_less_than_five_milliseconds_once_the_evidence_is_read() -> None:
    check_sentence(WRONG[0][0], EVIDENCE, concepts=CONCEPTS)
    started = time.process_time()
    for _ in range(10):
        for sentence in RIGHT:
            check_sentence(sentence, EVIDENCE, concepts=CONCEPTS)
    assert (time.process_time() - started) / (10 * len(RIGHT)) < 0.005
