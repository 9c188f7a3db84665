"""What the material only names, counts nothing of, or says of other numbers is no answer without a doubt."""

from dataclasses import is_dataclass, replace
from types import SimpleNamespace
from typing import cast

import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from spoken_rows import one_lecture

from serving.assistant.composing import contrast, where
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.composer import ComposerInput, _vector_of, weaken_rejected
from serving.assistant.composing.composers import compose
from serving.assistant.composing.cues import COUNTS_NOTHING, HOW_MANY
from serving.assistant.composing.explain import _is_of_another, _is_only_named, compose_explanation, doubt
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import CourseMaterialIndex, MaterialPiece, split_written_lines
from serving.assistant.composing.sufficiency import _is_said_of_it, sufficient
from serving.assistant.composing.terms import NEVER, QuestionUnit, unit_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import all_windows, best_windows
from serving.assistant.composing.yes_no import _without_compared
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.index.analysis import terms
from serving.index.schema import Entry

GRAPH = SimpleNamespace(mentions=lambda *_: (), concept=None)


def weigh(term: str) -> float:
    return 2.0 if term == NEVER else 1.0


def lecture(*texts: str) -> CourseLectures:
    return CourseLectures((one_lecture(*texts, title="Sorting"),))


def doubt_of(
    unit: QuestionUnit, course: CourseLectures, said: str, *, kind: QuestionKind = "how", question: str = "q"
) -> str:
    window = best_windows([spoken((said, 0.9))], [unit], kind=kind)[0]
    request = asking(
        question,
        unit,
        kind=kind,
        asked="",
        spoken="en",
        names="",
        graph=GRAPH,
        material=SimpleNamespace(lectures=course),
    )
    return doubt(request, window)


def test_what_is_named_in_one_sentence_is_said_to_be_hardly_spoken_of() -> None:
    heapsort = unit_of("heapsort", weigh)
    once = lecture("We have no time for heapsort.", "Trees are next.")
    assert "hardly speak of heapsort" in doubt_of(heapsort, once, "We have no time for heapsort.")
    often = lecture("Heapsort swaps.", "Heapsort sinks.", "Heapsort ends.")
    assert "hardly" not in doubt_of(heapsort, often, "Heapsort swaps.")
    defined = lecture("Heapsort is a sorting algorithm that uses a heap.")
    assert "hardly" not in doubt_of(heapsort, defined, "Heapsort is a sorting algorithm that uses a heap.")
    assert "hardly" not in doubt_of(heapsort, once, "We have no time for heapsort.", kind="definition")


def test_what_is_somebodys_is_spoken_of_by_its_owner() -> None:
    name = replace(unit_of("Turing's bead machine", weigh), concept_id="en:bead")
    named = "Here is Turing's bead machine."
    course = lecture(named, "Turing's machine has a tape.", "Run Turing's machine.", "So Turing was right.")
    assert "hardly" not in doubt_of(name, course, named)
    assert "hardly speak of Turing's bead machine, so" in doubt_of(name, lecture(named), named)


def test_what_is_named_once_with_the_amount_that_is_asked_for_is_spoken_of() -> None:
    glacier, said = unit_of("jakobshavn", weigh), "Jakobshavn moves forty metres each day."
    course = lecture(said, "Others are slow.")
    assert "hardly" not in doubt_of(glacier, course, said, question="how fast is jakobshavn")
    assert "hardly" in doubt_of(glacier, course, said, question="how does jakobshavn melt")


@pytest.mark.parametrize(
    ("said", "covers"),
    [
        ("Merge sort in place takes six moves.", "full"),
        ("Merge sort in place takes long, and was heard of for the first time (Knuth, 1973).", "partial"),
    ],
)
def test_how_many_is_answered_by_a_number_alone(said: str, covers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serving.assistant.composing.sufficiency.likelihood", lambda *_: 1.0)
    window = best_windows([spoken((said, 1.0))], [MERGE_SORT, IN_PLACE], kind="other")[0]
    request = asking("how many moves does merge sort make", MERGE_SORT, IN_PLACE, kind="other", graph=GRAPH)
    assert sufficient(window, request) == covers


@pytest.mark.parametrize(
    ("said", "covers"),
    [
        ("The crust is the outermost shell, and it is five to seventy kilometres thick.", "full"),
        ("The mantle below is nearly three thousand kilometres thick.", "partial"),
        ("The crust is the outermost shell, and it is thick.", "partial"),
    ],
)
def test_how_thick_a_thing_is_is_told_where_its_name_and_an_amount_stand_together(
    said: str, covers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.assistant.composing.sufficiency.likelihood", lambda *_: 1.0)
    crust, question = unit_of("crust", lambda _: 0.5), "how thick is the crust"
    piece = spoken(("The crust floats.", 1.0), (said, 0.9))
    window = next(one for one in all_windows([piece], [crust], kind="aspect") if one.anchor == 0)
    request = asking(question, crust, kind="aspect", graph=GRAPH)
    assert sufficient(replace(window, has_aspect=False), request) == covers


def test_the_year_of_a_source_counts_nothing() -> None:
    assert COUNTS_NOTHING.sub("", "Eleven percent do (DuPaul et al., 2013).") == "Eleven percent do ."


@pytest.mark.parametrize(
    ("question", "is_of_amount"),
    [
        ("How many compares does quicksort need?", True),
        ("how many clusters do we need", False),
        ("how many clusters should I choose", False),
    ],
)
def test_what_an_algorithm_needs_is_an_amount_that_somebody_says(question: str, is_of_amount: bool) -> None:
    assert (HOW_MANY.search(question) is not None) is is_of_amount


@pytest.mark.parametrize(
    ("said", "covers"),
    [("Merge sort in place sends (1, 3) to -1, 4.", "full"), ("Merge sort in place sends -1, 2 to -4, 1.", "partial")],
)
def test_coordinates_that_no_sentence_has_are_not_answered_by_others(
    said: str, covers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.assistant.composing.sufficiency.likelihood", lambda *_: 1.0)
    window = best_windows([spoken((said, 1.0))], [MERGE_SORT, IN_PLACE], kind="other")[0]
    request = asking("where does merge sort in place send (1, 3)?", MERGE_SORT, IN_PLACE, kind="other", graph=GRAPH)
    assert sufficient(window, request) == covers


@pytest.mark.parametrize(
    ("question", "weights"),
    [
        ("why merge sort rather than place", [1.0, 0.3]),
        ("why merge sort in place", [1.0, 1.0]),
    ],
)
def test_what_a_thing_is_only_set_apart_from_weighs_less(question: str, weights: list[float]) -> None:
    assert [unit.weight for unit in weaken_rejected([MERGE_SORT, IN_PLACE], question)] == weights


def test_what_is_set_apart_in_chinese_weighs_less_too() -> None:
    units = [QuestionUnit(name, (frozenset({name}),), 1.0) for name in ("二进制", "十进制")]
    for question in (
        "为什么计算机用二进制而不用十进制？",
        "计算机为什么不用十进制，要用二进制？",
        "为什么不用十进制而用二进制",
    ):
        assert [unit.weight for unit in weaken_rejected(units, question)] == [1.0, 0.3]
    assert [unit.weight for unit in weaken_rejected(units, "为什么十进制不是二进制")] == [1.0, 1.0]


def test_sentences_are_compared_with_a_chinese_question_without_what_it_only_sets_apart() -> None:
    whole, words = "为什么用二进制而不用十进制", "为什么用二进制"
    sought = SimpleNamespace(question=whole, lang="zh")
    asked = cast(ComposerInput, SimpleNamespace(sought=sought, retrieved=SimpleNamespace(vector="of the question")))
    material = cast(CourseMaterialIndex, SimpleNamespace(vector_of=lambda text: text))
    assert _vector_of(words, asked, "zh", material) == words
    assert _vector_of(whole, asked, "zh", material) == "of the question"
    assert _vector_of(words, asked, "en", material) is None


@pytest.mark.parametrize(
    ("text", "is_contrast"),
    [
        ("Dyscalculia is about numbers, while dyslexia is about words.", True),
        ("Adults hear of dyslexia or dyscalculia. While some are at work, many learn.", False),
    ],
)
def test_a_page_contrasts_two_things_in_a_sentence_on_both(text: str, is_contrast: bool) -> None:
    entry = Entry("d", "passage", "document", "ds", "en", "Scaffolds", text)
    sides = [(unit_of(name, weigh),) for name in ("dyscalculia", "dyslexia")]
    (window, *_) = best_windows(
        [MaterialPiece(entry, split_written_lines(entry), 1.0, 1.0)],
        [one for (one,) in sides],
        kind="comparison",
        length=3.0,
    )
    assert contrast.contrasts_in_a_sentence(window, sides) is is_contrast


@pytest.mark.parametrize(
    ("said", "contrasts"), [("比如栈", False), ("而且快", False), ("栈比队列快", True), ("而队列慢", True)]
)
def test_for_example_and_moreover_contrast_nothing_in_chinese(said: str, contrasts: bool) -> None:
    assert (contrast.CONTRASTS.search(said) is not None) is contrasts


def test_things_that_are_taught_one_after_the_other_are_found_each(monkeypatch: pytest.MonkeyPatch) -> None:
    said = ["半加器有输入。", "半加器很小。", "半加器输出和。", "全加器有输入。", "全加器更大。", "全加器很常用。"]
    course = CourseLectures((one_lecture(*said, title="算术逻辑单元"),))
    units = [QuestionUnit(name, (frozenset(terms(name)),), 1.0) for name in ("半加器", "全加器")]
    request = asking(
        "哪一集讲了半加器和全加器？", *units, lang="zh", spoken="zh", material=SimpleNamespace(lectures=course)
    )
    monkeypatch.setattr(where, "_item", lambda _, place: ComposedStatement(place.first.text, is_item=True))
    monkeypatch.setattr(
        where, "replace", lambda one, **new: replace(one, **new) if is_dataclass(one) else asking(**(vars(one) | new))
    )
    found = where._of_each(request)
    assert found is not None
    assert [one.text for one in found.statements if one.is_item] == [said[0], said[3]]
    assert where._of_each(asking("半加器怎么用全加器", *units)) is None


def test_things_that_no_lecture_speaks_of_together_are_looked_for_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    each = Composed("where", "partial", (), score=0.8)
    monkeypatch.setattr(where, "_places", lambda _: [])
    monkeypatch.setattr(where, "_of_each", lambda _: each)
    assert where.compose_where(asking("where are heaps and graphs explained", MERGE_SORT, spoken="en")) is each


@pytest.mark.parametrize(
    "question",
    ["What is a pairing heap? I saw the name next to binary heaps", "where is the button next to the video"],
)
def test_next_to_something_is_no_next_lecture(question: str) -> None:
    assert question_kind(question) != "after"


@pytest.mark.parametrize(
    ("question", "is_summary"),
    [
        ("What does the course say about convolutional neural networks?", False),
        ("What is lecture 3 about?", True),
        ("What does the course cover?", True),
        ("what does this lecture teach", True),
    ],
)
def test_what_the_course_says_about_a_thing_is_asked_of_the_thing(question: str, is_summary: bool) -> None:
    assert (question_kind(question) == "summary") is is_summary


@pytest.mark.parametrize(
    ("said", "is_of_it"),
    [
        (["Merge sort is fast.", "It works in place."], True),
        (["Merge sort works in place."], True),
        (["Merge sort is fast.", "Heapsort works in place."], False),
        (["Merge sort is fast.", "A list is long.", "A sort in place needs no list."], False),
    ],
)
def test_what_is_doubted_of_one_thing_is_not_said_of_another(said: list[str], is_of_it: bool) -> None:
    graph = SimpleNamespace(mentions=lambda text, *_: [one for one in ("Heapsort", "list") if one in text])
    piece = spoken(*((one, 0.5) for one in said))
    window = Window(piece, 0, len(said), 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True)
    request = asking("is merge sort in place", MERGE_SORT, IN_PLACE, graph=graph)
    assert _is_said_of_it(window, request, [IN_PLACE]) is is_of_it


def test_what_is_marked_and_compares_another_thing_is_left_out() -> None:
    request = asking("is merge sort in place", MERGE_SORT, IN_PLACE)
    own, other = ComposedStatement("Merge sort merges."), ComposedStatement("**It is slower than merge sort.** So.")
    assert _without_compared((own, other), request) == (own,)
    assert _without_compared((other,), request) == (other,)
    compared = asking("is a list slower than merge sort", MERGE_SORT)
    assert _without_compared((own, other), compared) == (own, other)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What is a pairing heap? I saw the name next to binary heaps", "What is a pairing heap?"),
        ("what is a sentinel? Daniel mentioned it in the video.", "what is a sentinel?"),
        ("什么是哨兵？我在一本书上见过", "什么是哨兵？"),
        ("What is a heap? And a stack?", "What is a heap? And a stack?"),
        ("What is a heap, I wonder", "What is a heap, I wonder"),
        ("what is a heap? explain it simply", "what is a heap? explain it simply"),
    ],
)
def test_where_a_student_met_a_name_is_no_part_of_it(question: str, asked: str) -> None:
    assert say_plainly(question) == asked


@pytest.mark.parametrize(
    ("question", "kind", "note"),
    [
        ("how does radix sort work", "how", "hardly speak of radix sort"),
        ("why is radix sort stable", "why", ""),
        ("how do you do radix sort step by step", "how", "hardly speak of radix sort"),
    ],
)
def test_how_a_thing_works_that_one_sentence_names_is_doubted(
    question: str, kind: QuestionKind, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serving.assistant.composing.sufficiency.likelihood", lambda *_: 1.0)
    said = "There are quicksort and radix sort."
    request = asking(
        question,
        *(unit_of(word, weigh) for word in ("radix", "sort")),
        kind=kind,
        asked="",
        spoken="en",
        names="",
        seen="",
        graph=GRAPH,
        pieces=(spoken((said, 0.9)),),
        catalogue=SimpleNamespace(classes={}),
        material=SimpleNamespace(lectures=lecture(said, "Sorting is old.", "A sort is stable.", "We sort.")),
    )
    found = compose_explanation(request)
    assert found is not None
    assert (note in found.note) if note else found.note == ""


def test_a_name_of_two_words_that_three_sentences_name_is_not_explained_by_them() -> None:
    """Gaussian elimination, which "will always be faster"; what a sentence defines is explained."""
    units = [unit_of("cuckoo", weigh), unit_of("hashing", weigh)]
    often = ["We had cuckoo hashing.", "I leave cuckoo hashing for the forum.", "Hashing is next, not cuckoo hashing."]

    def is_only_named(question: str, *said: str) -> bool:
        request = asking(question, *units, kind="how", material=SimpleNamespace(lectures=lecture(*said)))
        return _is_only_named(request)

    assert is_only_named("how does cuckoo hashing work", *often)
    assert is_only_named("what are the steps of cuckoo hashing", *often)
    assert is_only_named("can you explain cuckoo hashing to me?", *often)
    assert not is_only_named("what are the steps of moving an entry in cuckoo hashing", *often)
    assert not is_only_named("how does cuckoo hashing work", *often, "Then cuckoo hashing moves the entry.")
    assert not is_only_named("how does cuckoo hashing move an entry", *often)
    defined = "Cuckoo hashing is a method that moves entries."
    assert is_only_named("how does cuckoo hashing work", defined)
    assert not is_only_named("how does cuckoo hashing work", defined, *often[:2])


@pytest.mark.parametrize(
    ("said", "is_doubted"), [("The final exam takes two hours.", True), ("The final exam is hard.", False)]
)
def test_how_hard_an_exam_is_is_no_fact_on_exams(said: str, is_doubted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "serving.assistant.composing.composers._compose",
        lambda _: Composed("logistics", "partial", (ComposedStatement(said),), score=0.7),
    )
    final = unit_of("final", weigh)
    found = compose(asking("is the final hard", final, kind="logistics", spoken="en", asked=""))
    assert ("not sure" in found.note) is is_doubted
    assert compose(asking("when is the final", final, kind="logistics", spoken="en", asked="")).note == ""


def test_how_hard_a_course_is_that_nothing_says_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    books = Composed("yes_no", "partial", (ComposedStatement("The notes can be read alone."),), note="A close one.")
    monkeypatch.setattr("serving.assistant.composing.composers._compose", lambda _: books)
    request = asking(
        "is this course hard", spoken="en", asked="", pieces=(), stored=(), names="", catalogue=None, graph=GRAPH
    )
    assert compose(request).coverage == "none"


def test_the_complexity_of_what_is_less_precise_than_another_comes_behind_that_of_the_other() -> None:
    other = spoken(("The worst case is linear.", 0.9), ("It is less precise than Andersen's algorithm.", 0.9))
    own = spoken(("The worst case is cubic.", 0.9), ("Andersen's algorithm goes on until nothing changes.", 0.9))
    units = [unit_of("andersen's", weigh), unit_of("algorithm", weigh)]
    request = asking("andersens algorithm complexity", *units, kind="aspect", aspects=("complexity",))
    both = [Window(one, 0, 2, 0, 1.0, 1.0, 1.0, is_cued=True, has_aspect=True) for one in (other, own)]
    assert [_is_of_another(one, request) for one in both] == [True, False]
    assert not _is_of_another(both[0], asking("what comes before andersens algorithm", *units))
