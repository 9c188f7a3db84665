"""Label files in a language that the model is not made for are told."""

import pytest

from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.files import LabelRow
from models.intent.labels.languages import is_foreign, tell_languages

GERMAN = (
    "Was ist ein binärer Suchbaum?",
    "Warum ist die Laufzeit in diesem Fall so hoch?",
    "Wann ist die Klausur und wo finde ich die Noten?",
    "Können Sie mir bitte das noch mal erklären?",
    "Ich verstehe den Beweis auf Folie drei nicht",
)
FRENCH = (
    "Qu'est-ce que c'est un arbre binaire ?",
    "Pourquoi la pile est plus rapide que la file ?",
    "Quand est-ce que l'examen a lieu ?",
    "Je ne comprends pas la preuve du cours",
    "Donnez-moi un exemple de graphe pondéré",
)
ENGLISH = (
    "What is a heap?",
    "why does quicksort need a pivot",
    "explain tail recursion to me",
    "hello, my friend there",
)
CHINESE = ("什么是二叉树", "为什么 quick sort 比 bubble sort 快", "考试在哪天", "你好呀")


def told_of(*questions: str, file: str = "intents/a.csv") -> list[str]:
    told = BoundedTold()
    rows = [LabelRow(f"a/{n}", one, "", "", "", "simple", "en", file, n + 2) for n, one in enumerate(questions)]
    tell_languages(rows, told)
    return [f"{one.file}:{one.line}: {one.message}" for one in told.problems]


@pytest.mark.parametrize("questions", [GERMAN, FRENCH], ids=["german", "french"])
def test_a_file_in_another_language_is_told_once_with_its_first_question(questions: tuple[str, ...]) -> None:
    (message,) = told_of(*ENGLISH, *questions)
    assert message.startswith(f"intents/a.csv:6: 5 questions, '{questions[0]}'")
    assert message.endswith("they count as English.")


@pytest.mark.parametrize(
    "question", ["Что такое двоичное дерево?", "ما هي الكومة؟", "이진 트리가 뭐예요?", "二分木とは"]
)
def test_another_script_is_another_language_however_short(question: str) -> None:
    assert is_foreign(question)


@pytest.mark.parametrize("question", [*ENGLISH, *CHINESE])
def test_english_and_chinese_are_known(question: str) -> None:
    assert not is_foreign(question)


@pytest.mark.parametrize("question", ["heap sort", "O(n log n)?", "", "∑ α β = γ", "LU vs QR"])
def test_what_is_too_short_tells_no_language(question: str) -> None:
    assert not is_foreign(question)


def test_a_few_strange_questions_among_many_are_not_told() -> None:
    assert told_of(*GERMAN[:4]) == []
    assert told_of(*GERMAN, *ENGLISH * 5) == []
