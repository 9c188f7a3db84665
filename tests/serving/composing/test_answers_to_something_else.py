"""Answers that share the words of a question and answer another one: faults that 124 new questions found."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from asker import Asker

from knowledge_graph.graph.records import GraphConcept, Mention
from knowledge_graph.lake.records import Locator
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.course_kinds import find_defined_thing, kind_of
from serving.assistant.composing.cues import PLAIN_CUES
from serving.assistant.composing.introduction import introduction
from serving.assistant.composing.lecture_places import find_nearest
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.material import CourseMaterialIndex, MaterialLine, MaterialPiece, join_material_lines
from serving.assistant.composing.people import _DATED, _INVENTED, _unknown, maker_at
from serving.assistant.composing.premise import _denies_nothing, _is_affirmed, _is_said_of_another
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.names import is_short_for
from serving.assistant.composing.small_talk import occasion_of
from serving.assistant.composing.stored import _asks_something_else, asks_otherwise
from serving.assistant.composing.stored_match import STORED_FULL, StoredMatch, is_answer, match_stored
from serving.assistant.composing.terms import QuestionUnit, known_share, spelling_pattern, unit_of, units_of
from serving.assistant.composing.windows import best_windows
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.comparison_terms import find_compared
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.assistant.understanding.translation import synonyms
from serving.index.analysis import terms
from serving.index.schema import Entry
from serving.index.search import SearchIndex


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("I've been sick all week, can I get more time for assignment 2?", "logistics"),
        ("can we get an extension for the homework", "logistics"),
        ("作业能不能宽限几天", "logistics"),
        ("give me the code for assignment 2, I need more time", "task"),
        ("where can I read the rules about cheating", "logistics"),
        ("where do I submit my homework", "logistics"),
        ("in which lecture is the exam discussed", "where"),
        ("which lecture covers deadlines", "where"),
        ("what will be asked in the midterm, which lectures", "logistics"),
        ("which lectures does the final exam cover", "logistics"),
        ("I repeat the course. Do the programming assignments that I already did still count?", "logistics"),
        ("do my programming assignment", "task"),
        ("which prior topics for change of basis", "before"),
        ("晶体管是谁搞出来的？", "people"),
        ("跷跷板实验是谁做的", "people"),
        ("这二十集从头到尾讲了一条什么线？", "summary"),
        ("什么叫除留余数法", "definition"),
    ],
)
def test_what_is_asked_of_graded_work_and_rules(question: str, kind: str) -> None:
    assert kind_of(question)[0] == kind


@pytest.mark.parametrize(
    ("question", "aspects"),
    [
        ("which algorithm is used for spam detection", []),
        ("what is a stack used for?", ["purpose"]),
        ("what do I need a stack for", ["purpose"]),
        ("what do we use hash tables for?", ["purpose"]),
        ("what do I need for a stack", []),
        ("how does a stack evaluate an expression", []),
        ("栈有什么用", ["purpose"]),
        ("栈的应用有哪些", ["application"]),
        ("what are heaps used for in practice", ["application"]),
        ("applications of stacks", ["application"]),
    ],
)
def test_what_is_used_for_something_is_no_question_for_its_applications(question: str, aspects: list[str]) -> None:
    assert [one.key for one in find_aspects(question)] == aspects


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("what is big o", "big o"),
        ("what is time complexity?", "time complexity"),
        ("大O是什么", "大O"),
        ("what is the complexity of quicksort", ""),
        ("why is the worst case bad", ""),
    ],
)
def test_an_aspect_that_is_all_that_is_asked_is_itself_to_be_defined(question: str, thing: str) -> None:
    assert find_defined_thing(question, find_aspects(question)) == thing


def tree(text: str) -> tuple[QuestionUnit, ...]:
    """The units of a text in which "tree" or "trees" is a concept."""
    found = re.search(r"trees?|树|clusters?", text)
    assert found is not None
    mention = Mention("tree", "tree", found.group(), found.start(), found.end())
    concept = GraphConcept("tree", "tree", (), "en", 1.0, None, "none", None, None, (), ("ds",))
    return units_of(text, [mention], lambda _: concept, lambda term: 1.0)


@pytest.mark.parametrize(
    "text", ["what is a B-tree", "what is a B+ tree", "is this an A* tree", "B树是什么", "what is a 2-3 tree"]
)
def test_a_letter_before_a_concept_names_another_thing(text: str) -> None:
    units = tree(text)
    assert [unit.concept_id for unit in units] == [None]
    assert spelling_pattern(units[0]) is not None


@pytest.mark.parametrize("text", ["what is a tree", "A tree is what?", "how do I choose K clusters", "树是什么"])
def test_an_article_or_a_count_before_a_concept_does_not(text: str) -> None:
    assert "tree" in [unit.concept_id for unit in tree(text)]


@pytest.mark.parametrize(
    ("label", "text", "is_spelled"),
    [
        ("B-trees", "a B-tree has many keys", True),
        ("B tree", "B-trees, for instance", True),
        ("B树", "一般用B树", True),
        ("B+ tree", "a B tree", False),
        ("A* search", "the A*-search of games", True),
        ("A* search", "a search", False),
        ("B tree", "node B of the tree", False),
    ],
)
def test_a_name_with_a_letter_is_found_only_as_it_is_spelled(label: str, text: str, is_spelled: bool) -> None:
    pattern = spelling_pattern(QuestionUnit(label, (), 1.0))
    assert pattern is not None
    assert (pattern.search(text) is not None) == is_spelled


@pytest.mark.parametrize("label", ["music", "time complexity", "big O", "AVL树"])
def test_a_name_of_words_has_no_letter_of_its_own(label: str) -> None:
    assert spelling_pattern(QuestionUnit(label, (), 1.0)) is None


def test_is_it_the_same_compares_two_things() -> None:
    assert find_compared("Is amortized time the same as average-case time?") == ("amortized time", "average-case time")


@pytest.mark.parametrize(
    ("prefix", "subject", "is_short"),
    [
        ("HIST", "history", True),
        ("MUSC", "music", True),
        ("MBIO", "marine biology", True),
        ("COMP", "interesting computing", True),
        ("MUSC", "mathematics", False),
        ("HIST", "the", False),
    ],
)
def test_a_code_is_short_for_a_subject(prefix: str, subject: str, is_short: bool) -> None:
    assert is_short_for(prefix, subject) == is_short


def test_who_teaches_a_class_is_not_said_by_a_record_without_a_teacher(composed_by: Asker) -> None:
    assert "did not find its teacher" in composed_by("who teaches COMP 5400?").text


def test_what_is_wrong_with_something_is_not_denied_by_a_sentence_that_advises_against_it(composed_by: Asker) -> None:
    assert "says otherwise" not in composed_by("Why is a stack a bad waiting line?").text


class NamedThings:
    """A graph that knows stacks and queues."""

    def mentions(self, text: str, _: str) -> tuple[Mention, ...]:
        found = re.finditer(r"queue|stack", text)
        return tuple(Mention(*3 * (one.group(),), one.start(), one.end()) for one in found)


def claim(*says: str) -> Request:
    """Why a queue is stable, asked of what `says`."""
    entry = Entry("p", "passage", "subtitle", "ds", "en", "Queues", " ".join(says), locator=None)
    piece = MaterialPiece(entry, tuple(MaterialLine(one) for one in says), words=1.0)
    unit = QuestionUnit("queue", (frozenset({"queue"}),), 1.0, "queue")
    asked = SimpleNamespace(
        question="Why is a queue stable?", units=(unit,), pieces=(piece,), graph=NamedThings(), lang="en"
    )
    return cast(Request, asked)


@pytest.mark.parametrize(
    ("says", "is_affirmed"),
    [
        ("A queue is stable, unlike a stack.", True),
        ("A queue is unstable.", False),
        ("A queue is not what a stack is, and not both are stable.", False),
        ("A queue beside a stack is stable.", False),
        ("Is a queue, as they say, what is stable?", False),
    ],
)
def test_a_claim_that_the_material_makes_itself_is_affirmed(says: str, is_affirmed: bool) -> None:
    assert _is_affirmed(claim("A queue is unstable.", says)) is is_affirmed


@pytest.mark.parametrize(
    ("says", "is_of_another"),
    [
        ("A queue is stable but not a stack.", True),
        ("On the other hand it's not stable, so people use a queue rather than a stack.", True),
        ("A queue is not stable, and a stack is.", False),
        ("It is not stable, this queue.", False),
    ],
)
def test_a_denial_of_an_it_or_behind_but_not_is_one_of_another_thing(says: str, is_of_another: bool) -> None:
    assert _is_said_of_another(claim(says), says) is is_of_another


@pytest.mark.parametrize(
    ("says", "is_nothing"),
    [
        ("Quicksort doesn't do that.", True),
        ("A stack is not that, it is the other.", True),
        ("快速排序不会这样。", True),
        ("Quicksort does not move that item twice.", False),
        ("A queue is not stable.", False),
    ],
)
def test_a_denial_that_only_points_at_something_denies_nothing(says: str, is_nothing: bool) -> None:
    assert _denies_nothing(says) is is_nothing


def sentence(text: str, place: int) -> LectureSentence:
    start = 5_000 * place
    return LectureSentence(f"s{place}", "ds", "v", "Trees", 0, place, 0, "en", start, start + 5_000, text, 0.5)


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["A tree.", "It was invented by Rudolf Bayer."], 1),
        (["Across the ocean Alan Turing found his own way.", "Proposed an imaginary machine."], 0),
        (["在大西洋另一边阿兰·图灵想出了办法。", "提出了一种假想的计算机。"], 0),
        (["设计师不用知道它。", "设计的时候要小心。"], None),
        (["Tony Hoare knew.", "Jon Bentley led to its development."], None),
        (["The mathematician Alonzo Church solved it.", "He developed Lambda Calculus for it."], 0),
    ],
)
def test_who_made_it_is_named_in_the_sentence_or_right_before_what_was_done(
    texts: list[str], first: int | None
) -> None:
    said = [sentence(text, place) for place, text in enumerate(texts)]
    assert maker_at(said, 1) == first


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["The fission of uranium.", "Hahn and Meitner, nineteen thirty-eight, at a kitchen table."], 1),
        (["The planet Neptune.", "It was first seen by Johann Galle at night."], 1),
        (["The steam engine.", "And then James Watt worked it out on a walk."], 1),
        (["The rent.", "It was paid in May, 1952, and it was high."], None),
        (["看下一个。", "林戈和他的同事一九七二年做了跷跷板实验。"], 1),
        (["看下一个。", "一九五八年林戈写了篇文章，叫两条河。"], 1),
        (["看下一个。", "林戈，七二年，在平原上做的跷跷板。"], 1),
        (["看下一个。", "这个词不是林戈说的，是奥布里他们后来说的。"], 1),
        (["看下一个。", "我们一九九〇年做了一次，没做出来。"], None),
        (["看下一个。", "那一年大家都做了这道题。"], None),
    ],
)
def test_who_found_it_out_is_named_with_a_year_or_by_what_they_did(texts: list[str], first: int | None) -> None:
    said = [sentence(text, place) for place, text in enumerate(texts)]
    assert maker_at(said, 1, said_so=_DATED) == first


def test_after_whom_another_version_is_named_made_none_of_the_thing_itself() -> None:
    said = [
        sentence(text, 0) for text in ("There is Brook's lamp, too.", "Take it.", "Alma Brook, nineteen forty-seven.")
    ]
    assert maker_at(said, 2, frozenset(terms("lamp")), _DATED) is None
    assert maker_at(said, 2, frozenset(terms("chair")), _DATED) == 2


def test_who_worked_something_out_may_be_named_some_sentences_before() -> None:
    texts = (
        "Ada Frost was a chemist.",
        "She had few lamps.",
        "So she worked out the right shade, in nineteen oh eight.",
    )
    said = [sentence(text, place) for place, text in enumerate(texts)]
    assert maker_at(said, 2, frozenset(terms("lamp")), _DATED) == 0


def test_who_made_another_thing_made_none_of_what_is_asked_about() -> None:
    said = [sentence(text, 0) for text in ("阿里·林戈提出长河说：一条河。", "阿里·林戈提出了一个新的想法。")]
    about = frozenset(terms("短河说"))
    assert [maker_at([one], 0, about, _INVENTED) for one in said] == [None, 0]
    assert maker_at(said[:1], 0, frozenset(terms("长河说")), _INVENTED) == 0


def test_what_is_said_to_be_somebodys_is_the_thing_that_is_named_there() -> None:
    said = [sentence("脚手架这个词是布鲁纳他们后来说的。", 0)]
    assert maker_at(said, 0, frozenset(terms("脚手架")), _DATED) == 0
    assert maker_at(said, 0, frozenset(terms("浮力区")), _DATED) is None


def test_the_thing_that_is_asked_about_is_nobodys_name() -> None:
    said = [sentence("Maybe somebody will have invented that, then use Quicksort partitioning.", 0)]
    assert maker_at(said, 0) == 0
    assert maker_at(said, 0, frozenset(terms("quicksort"))) is None


def test_kinds_that_a_yes_does_not_answer_are_told_by_wording() -> None:
    assert question_kind("二叉树的遍历有哪几种？") == "list"
    assert question_kind("给出先序和后序遍历，能唯一确定一棵二叉树吗？") == "yes_no"


RULE = ("There is no resit of the midterm.", "Who missed it has its weight added to that of the final exam.")


@pytest.mark.parametrize(("source", "shown"), [("document", RULE), ("subtitle", RULE[1:])])
def test_a_short_article_is_shown_whole_for_one_sentence_says_when_the_other_holds(
    source: str, shown: tuple[str, ...]
) -> None:
    entry = Entry(
        "r", "passage", source, "ds", "en", "Rules 5.2", " ".join(RULE), locator=Locator(document="rules.pdf")
    )
    piece = MaterialPiece(entry, tuple(MaterialLine(text) for text in RULE), words=1.0)
    asked = [QuestionUnit("weight", (frozenset(terms("weight")),), 1.0)]
    (window,) = best_windows([piece], asked, kind="logistics")
    assert tuple(line.text for line in window.lines) == shown


SPOKEN = ("What is a stack good for?", "With a stack you undo.", "Is a stack fast?", "The stack is a pile.")


def test_no_answer_begins_with_a_question_and_one_that_is_replied_to_stays_within() -> None:
    entry = Entry("p", "passage", "subtitle", "ds", "en", "Stacks", " ".join(SPOKEN), locator=None)
    piece = MaterialPiece(entry, tuple(MaterialLine(text) for text in SPOKEN), words=1.0)
    asked = [QuestionUnit("stack", (frozenset(terms("stack")),), 1.0)]
    for window in best_windows([piece], asked, kind="definition", most=3):
        shown = [line.text for line in window.lines]
        assert shown[0] not in (SPOKEN[0], SPOKEN[2])
        assert SPOKEN[2] not in shown, "nothing replies to it"


@pytest.mark.parametrize(
    ("kind", "said", "asked", "first"),
    [
        (
            "why",
            ("后面讲推力。", "四个里最快的是推力。", "钟摆为什么停不下来？", "就是它。", "别的以后讲。"),
            ("钟摆", "停不下来"),
            1,
        ),
        (
            "yes_no",
            ("讲完了。", "先后次序要紧吗？", "铃要在食物前面一点点，半秒左右最好。", "别的。"),
            ("次序", "要紧"),
            1,
        ),
    ],
)
def test_what_replies_to_the_very_question_is_read_with_it(
    kind: QuestionKind, said: tuple[str, ...], asked: tuple[str, ...], first: int
) -> None:
    entry = Entry("p", "passage", "subtitle", "ds", "zh", "摆", "".join(said), locator=None)
    piece = MaterialPiece(entry, tuple(MaterialLine(text) for text in said), words=1.0)
    units = [replace(unit_of(one, lambda _: 1.0), is_known=True) for one in asked]
    (window,) = best_windows([piece], units, kind=kind)
    shown = [line.text for line in window.lines]
    assert shown[0] in said[: first + 1]
    assert said[first + 2] in shown


def test_no_window_ends_with_the_number_of_an_item_that_is_cut_from_it() -> None:
    spoken = (
        "The stack has two limits, 1.",
        f"The stack cannot grow {'any further ' * 40}and 2.",
        "Each push costs a copy.",
        "Goodbye.",
    )
    entry = Entry("p", "passage", "subtitle", "ds", "en", "Stacks", " ".join(spoken), locator=None)
    piece = MaterialPiece(entry, tuple(MaterialLine(text) for text in spoken), words=1.0)
    asked = [QuestionUnit("stack", (frozenset(terms("stack")),), 1.0)]
    (window,) = best_windows([piece], asked, kind="definition")
    assert window.text.endswith("and 2. Each push costs a copy.")


@pytest.mark.parametrize(("kind", "end"), [("why", "and so no entry is lost."), ("how", "more. ")])
def test_a_reason_right_behind_a_window_is_not_cut_off(kind: QuestionKind, end: str) -> None:
    spoken = (
        f"The stack is copied {'once more and ' * 60}once more. ".strip(),
        "Otherwise pushes fail, because there is no room, and so no entry is lost.",
        "Goodbye for today.",
    )
    entry = Entry("p", "passage", "subtitle", "ds", "en", "Stacks", " ".join(spoken), locator=None)
    piece = MaterialPiece(entry, tuple(MaterialLine(text) for text in spoken), words=1.0)
    asked = [QuestionUnit("stack", (frozenset(terms("stack")),), 1.0)]
    (window,) = best_windows([piece], asked, kind=kind)
    assert window.text.endswith(end.strip())


def test_a_sentence_reads_on_from_the_one_before_it_and_alone_without_what_joins_them() -> None:
    lines = (MaterialLine("The array is full."), MaterialLine("It doubles.", continued="So then it doubles."))
    assert join_material_lines(lines, "en") == "The array is full. So then it doubles."
    assert join_material_lines(lines[1:], "en") == "It doubles."


def test_a_term_that_no_text_has_is_not_answered_by_what_it_is_of(composed_by: Asker) -> None:
    answer = composed_by("What is the nullity of a stack?")
    assert answer.coverage == "none"
    assert "says nothing about nullity" in answer.text


def test_nor_is_a_common_word_for_a_term_that_the_course_does_not_have(composed_by: Asker) -> None:
    answer = composed_by("What is dropout in a stack?")
    assert answer.coverage == "none"
    assert "says nothing about dropout" in answer.text


def test_several_of_a_thing_have_its_other_names() -> None:
    assert "homework" in synonyms("assignments")
    assert synonyms("homework") == synonyms("Homework")


def test_the_rule_of_the_final_is_not_shown_for_the_midterm(composed_by: Asker) -> None:
    assert "How is the final grade made up?" in composed_by("how does the final grade get made up").text
    assert "How is the final grade made up?" not in composed_by("how does the midterm grade get made up").text


@pytest.mark.parametrize(
    ("question", "occasion"),
    [("跟我聊天的是真人老师吗？还是机器人", "identity"), ("可以找真人老师吗", None), ("队列好还是栈好", None)],
)
def test_whether_a_person_answers_is_asked_in_chinese_too(question: str, occasion: str | None) -> None:
    assert occasion_of(question) == occasion


def test_a_word_that_only_shares_its_stem_with_a_lecture_is_taught_nowhere(composed_by: Asker) -> None:
    assert composed_by("which lecture covers calling").coverage == "none"


def test_what_a_thing_is_may_be_said_by_the_sentence_after_it() -> None:
    said = [sentence("A relay is like a water tap.", 0), sentence("It is a switch that a current opens.", 1)]
    lectures = CourseLectures((SpokenLecture(tuple(said)),))
    assert [one.text for one in introduction({"relay"}, lectures, titled=["v"])] == [one.text for one in said]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("why", "That is because the root moves."),
        ("why", "这样做是因为它稳定。"),
        ("list", "There are three kinds of trees."),
        ("list", "有三种：先序、中序、后序。"),
        ("list", "AND，OR，NOT 都是。"),
    ],
)
def test_a_wording_that_next_to_nothing_else_has_is_told_from_any_other(kind: QuestionKind, text: str) -> None:
    assert PLAIN_CUES[kind].search(text)
    assert not PLAIN_CUES[kind].search("A stack is a list.")


@pytest.mark.parametrize("question", ["为什么计算机使用二进制？", "栈的作用"])
def test_to_use_is_no_subject_of_a_chinese_question(question: str) -> None:
    labels = [unit.label for unit in units_of(question, (), lambda _: pytest.fail("no concept"), lambda term: 1.0)]
    assert not {"使", "作", "使用", "作用"} & set(labels)


def test_a_latin_name_is_found_within_chinese_words() -> None:
    unit = QuestionUnit("avl", (frozenset({"avl"}),), 1.0)
    said = [sentence("今天讲AVL树和旋转。", 0)]
    assert [one.lecture.title for one in find_nearest([unit], CourseLectures((SpokenLecture(tuple(said)),)))] == [
        "Trees"
    ]


def test_what_a_second_passage_says_is_not_said_to_be_missing(composed_by: Asker) -> None:
    answer = composed_by("what is the complexity of a stack")
    assert "constant time" in answer.text
    assert "did not find" not in answer.text


def test_a_passage_that_leans_on_the_sentence_before_it_is_read_from_there() -> None:
    said = [sentence("The field flips.", 0), sentence("So it stores a bit.", 1), sentence("The grid has rows.", 2)]
    at = Locator(video_id="v", start_ms=5_000, end_ms=10_000)
    entry = Entry("p", "passage", "subtitle", "ds", "en", "Trees", "So it stores a bit.", locator=at)
    material = CourseMaterialIndex(cast(SearchIndex, None), None, CourseLectures((SpokenLecture(tuple(said)),)), "ds")
    assert [one.text for one in material._find_sentences(entry)] == [one.text for one in said]


def test_a_passage_knows_what_its_first_sentence_leans_on() -> None:
    """It is said in the passage before, which may not have been found."""
    texts = (
        "A break.",
        "A copy differs from the real one.",
        "This has to be recorded.",
        "For this purpose it has a bit.",
    )
    said = [sentence(text, place) for place, text in enumerate(texts)]
    material = CourseMaterialIndex(cast(SearchIndex, None), None, CourseLectures((SpokenLecture(tuple(said)),)), "ds")
    assert [one.text for one in material._find_leant_on(said[3:])] == list(texts[1:3])
    assert material._find_leant_on(said[1:]) == ()
    assert material._find_leant_on(()) == ()


def test_where_no_lecture_speaks_of_it_the_document_is_named(composed_by: Asker) -> None:
    answer = composed_by("which video explains percent per submission?")
    assert answer.references, answer.text
    assert all(one.source == "document" for one in answer.references)


@pytest.mark.parametrize(("by_title", "back", "is_sure"), [(0.44, 0.37, False), (0.44, 0.8, True), (0.8, 0.37, True)])
def test_an_entry_is_not_given_as_sure_where_each_question_leaves_out_half_of_the_other(
    index: SearchIndex, by_title: float, back: float, is_sure: bool
) -> None:
    """Why the height of a heap is log n is not why it is built in linear time, though that answer tells of heights."""
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    found = PairCandidate(hit.entry, 5.0, 1.0)
    match = StoredMatch(found, by_title, 1.0, back, meaning=0.95, lead=0.5, is_same=True, is_of_concept=True)
    assert match.score >= STORED_FULL
    assert is_answer(match) is is_sure


@pytest.mark.parametrize(
    ("by_entry", "is_plain", "is_sure"), [(1.0, False, True), (0.6, False, False), (1.0, True, False)]
)
def test_of_no_concept_the_answer_may_speak_of_what_its_question_leaves_out(
    index: SearchIndex, by_entry: float, is_plain: bool, is_sure: bool
) -> None:
    """An error is told in many words, and the entry's question is another error's name; of a GPU alone many speak."""
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    found = PairCandidate(hit.entry, 5.0, 1.0)
    match = StoredMatch(found, 0.44, by_entry, 0.37, meaning=0.95, lead=0.5, is_same=True, is_plain=is_plain)
    assert match.score >= STORED_FULL
    assert is_answer(match) is is_sure


@pytest.mark.parametrize(
    ("question", "is_same"),
    [
        ("can i join two runs of the course at once", False),
        ("can i join two runs of the course", False),
        ("can i join a past run of the course", True),
    ],
)
def test_an_entry_that_says_nothing_of_a_count_is_about_something_else(
    index: SearchIndex, question: str, is_same: bool
) -> None:
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    entry = replace(hit.entry, title="Can I join a past run of the course?", text="It stays open as an archive.")
    found = match_stored(PairCandidate(entry, 5.0), (), question, index.idf, lead=0.0)
    assert found.is_same is is_same


@pytest.mark.parametrize(
    ("title", "things", "is_whole"),
    [
        ("Can I use Mathilda for the essay?", ("mathilda", "allowed"), True),
        ("Who is Mathilda?", ("mathilda", "allowed"), False),
        ("Can I use Mathilda for the essay?", ("mathilda", "allowed", "exam"), False),
    ],
)
def test_an_entry_that_asks_leave_is_on_what_is_allowed(
    index: SearchIndex, title: str, things: tuple[str, ...], is_whole: bool
) -> None:
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    entry = replace(hit.entry, title=title, text="It depends.")
    units = [unit_of(one, lambda _: 1.0) for one in things]
    found = match_stored(PairCandidate(entry, 5.0), units, " ".join(things), index.idf, lead=0.0)
    assert (found.is_same and found.by_title == pytest.approx(1.0)) is is_whole


@pytest.mark.parametrize(("thing", "is_same"), [("report", False), ("sheet", True)])
def test_a_report_is_no_sheet(index: SearchIndex, thing: str, *, is_same: bool) -> None:
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    entry = replace(hit.entry, title="What happens if I hand in a sheet late?", text="It depends.")
    units = [unit_of(one, lambda _: 1.0) for one in ("late", thing)]
    found = match_stored(PairCandidate(entry, 5.0), units, f"can my {thing} be late", index.idf, lead=0.0)
    assert found.is_same is is_same


@pytest.mark.parametrize(
    ("title", "by_entry", "answers"),
    [
        ("What is the difference between a stack and a queue?", 0.7, False),
        ("What is the difference between a stack and a queue?", 1.0, True),
        ("Can a queue be made of two stacks?", 0.7, True),
    ],
)
def test_what_two_things_differ_in_does_not_say_whether_one_can_be_made_of_the_other(
    index: SearchIndex, title: str, by_entry: float, answers: bool
) -> None:
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    found = PairCandidate(replace(hit.entry, title=title), 5.0)
    match = StoredMatch(found, 0.7, by_entry, 0.6, meaning=0.95, lead=0.5, is_same=True)
    question = SimpleNamespace(
        kind="yes_no", units=(), question="can a queue be implemented with one stack", aspects=()
    )
    assert asks_otherwise(cast(Request, question), match) is not answers


@pytest.mark.parametrize("is_known", [True, False])
def test_of_a_maker_who_is_not_named_the_thing_is_shown_and_nothing_where_it_is_unknown(is_known: bool) -> None:
    entry = Entry("p", "passage", "document", "ds", "en", "Slide 47", "Propagate constants.", locator=None)
    piece = MaterialPiece(entry, (MaterialLine("Propagate the constants of llvm."),), words=1.0)
    unit = QuestionUnit("llvm", (frozenset({"llvm"}),), 6.4, is_known=is_known)
    request = SimpleNamespace(units=(unit,), pieces=(piece,), names="llvm", spoken="en")
    assert (_unknown(cast(Request, request)) is not None) is is_known


def test_it_is_not_said_that_nobody_is_found_above_a_text_that_names_persons() -> None:
    unit = QuestionUnit("radium", (frozenset({"radium"}),), 6.4)
    for text, is_denied in (("The radium of Marie and Pierre shone at night.", False), ("Radium is a metal.", True)):
        entry = Entry("p", "passage", "document", "chem", "en", "Metals", text, locator=None)
        piece = MaterialPiece(entry, (MaterialLine(text),), words=1.0)
        request = SimpleNamespace(units=(unit,), pieces=(piece,), names="radium", spoken="en")
        found = _unknown(cast(Request, request))
        assert found is not None
        assert ("who is behind" in found.note) is is_denied


def test_the_share_that_is_known_is_that_of_the_weight() -> None:
    known_one = QuestionUnit(names=(frozenset({"compil"}),), label="compiler", weight=0.5)
    unknown = QuestionUnit(names=(frozenset({"quantum"}),), label="quantum", weight=4.5, is_known=False)
    assert known_share([known_one, unknown]) == pytest.approx(0.1)
    assert known_share([]) == 1.0


def test_what_is_calculated_is_no_calculator(index: SearchIndex) -> None:
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    title = "How is the final grade calculated?"
    found = PairCandidate(replace(hit.entry, title=title, text="The final exam counts 25%."), 5.0)
    match = StoredMatch(found, 0.7, 1.0, 0.6, meaning=0.95, lead=0.5, is_same=True)
    stem = (frozenset(terms("calculated")),)
    asked = [
        SimpleNamespace(kind="yes_no", units=(QuestionUnit(label, stem, 1.0),), question=f"{label}?", aspects=())
        for label in ("calculators", "calculated")
    ]
    assert [asks_otherwise(cast(Request, one), match) for one in asked] == [True, False]


@pytest.mark.parametrize(
    ("question", "concepts", "others", "kind", "title", "is_other"),
    [
        (
            "how do you traverse a binary tree",
            ["binary tree"],
            ["traverse"],
            "how",
            "How do I check a binary tree?",
            True,
        ),
        ("how do i check a binary tree", ["binary tree"], ["check"], "how", "How do I check a binary tree?", False),
        ("what is big o", ["big o"], [], "definition", "Why does big O ignore constant factors of machines?", True),
        ("big o?", ["big o"], [], "other", "Why does big O ignore constant factors of machines?", False),
        ("is chatgpt ok", [], ["chatgpt"], "yes_no", "Am I allowed to use ChatGPT for the homework?", False),
        ("为什么用哈希表", ["哈希表"], [], "why", "开放定址法的哈希表为什么不能清空被删除的位置？", True),
        ("哈希表的长度为啥取质数", ["哈希表"], ["长度", "质数"], "why", "哈希表的长度为什么常取质数？", False),
        ("二叉树怎么遍历", ["二叉树", "遍历"], [], "how", "给出先序和后序遍历，能唯一确定一棵二叉树吗？", True),
    ],
)
def test_an_entry_on_the_concept_may_ask_something_else_of_it(
    index: SearchIndex, question: str, concepts: list[str], others: list[str], kind: str, title: str, is_other: bool
) -> None:
    [hit] = index.search("grade", kind="qa", course_id="ds", k=1)
    units = [replace(unit_of(one, lambda _: 1.0), concept_id=one) for one in concepts]
    units += [unit_of(one, lambda _: 1.0) for one in others]
    found = PairCandidate(replace(hit.entry, title=title, text="An answer."), 5.0, 0.0, {"cosine": 0.9})
    match = match_stored(found, units, question, lambda _: 1.0, lead=0.3)
    request = SimpleNamespace(question=question, units=units, kind=kind, lang="en" if question.isascii() else "zh")
    assert _asks_something_else(cast(Request, request), match) is is_other


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Each unit has been designed using the Bright Steps (BS) framework.", False),
        ("The bridge was designed by Ada Moreau.", True),
        ("In 1951 Ada Moreau designed the bridge.", True),
        ("The scale is named after Ada Moreau.", True),
    ],
)
def test_what_is_made_with_a_thing_does_not_say_who_made_it(text: str, *, is_told: bool) -> None:
    assert (maker_at([sentence(text, 0)], 0) is not None) is is_told
