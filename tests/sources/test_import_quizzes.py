"""Quizzes of Canvas and Moodle: those for practice are explained, those that count are left out unless asked for."""

import json
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from knowledge_graph.sources.importing.sources import import_courses

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"


def item(name: str, kind: str, asked: str, answers: str = "", right: str = "", feedback: str = "") -> str:
    """An item as Canvas writes it; `right` is what the condition holds that scores."""
    field = f"<fieldlabel>question_type</fieldlabel><fieldentry>{kind}_question</fieldentry>"
    return (
        f'<item ident="{name}"><itemmetadata><qtimetadata><qtimetadatafield>{field}</qtimetadatafield></qtimetadata>'
        f'</itemmetadata><presentation><material><mattext texttype="text/html">{asked}</mattext></material>{answers}'
        "</presentation><resprocessing>"
        '<respcondition><conditionvar><other/></conditionvar><displayfeedback linkrefid="general_fb"/></respcondition>'
        '<respcondition><conditionvar><varequal respident="r">2</varequal></conditionvar>'
        '<displayfeedback linkrefid="2_fb"/></respcondition>'
        f'<respcondition><conditionvar>{right}</conditionvar><setvar varname="SCORE">100</setvar></respcondition>'
        '<respcondition><conditionvar><other/></conditionvar><displayfeedback linkrefid="general_incorrect_fb"/>'
        f"</respcondition></resprocessing>{feedback}</item>"
    )


def options(*texts: str, cardinality: str = "Single") -> str:
    labels = "".join(
        f'<response_label ident="{place}"><material><mattext texttype="text/plain">{text}</mattext></material>'
        "</response_label>"
        for place, text in enumerate(texts, start=1)
    )
    return (
        f'<response_lid ident="r" rcardinality="{cardinality}"><render_choice>{labels}</render_choice></response_lid>'
    )


def said(name: str, text: str) -> str:
    words = f'<material><mattext texttype="text/html">{text}</mattext></material>'
    return f'<itemfeedback ident="{name}">{words}</itemfeedback>'


def equal(value: str) -> str:
    return f'<varequal respident="r">{value}</varequal>'


WHY = said("general_fb", "&lt;p&gt;The last one in is the first one out.&lt;/p&gt;")
FIRST = item(
    "q1",
    "multiple_choice",
    "&lt;p&gt;What does a stack give back first?&lt;/p&gt;",
    options("The newest", "The oldest"),
    equal("1"),
    WHY + said("2_fb", "That is a queue.") + said("general_incorrect_fb", "Too bad."),
)
SEVERAL = item(
    "q2",
    "multiple_answers",
    "Which are lists?",
    options("Stack", "Graph", "Queue", cardinality="Multiple"),
    f"<and>{equal('1')}<not>{equal('2')}</not>{equal('3')}</and>",
    WHY,
)
NUMBER = item(
    "q3",
    "numerical",
    "100 / 3?",
    "",
    f"<or>{equal('33.33')}<and><vargte>33.32</vargte><varlte>33.34</varlte></and></or>",
    WHY,
)
ESSAY = item("q4", "essay", "Why?", "", "", WHY)
SILENT = item("q5", "true_false", "A heap is a tree.", options("True", "False"), equal("1"))


def assessment(*items: str, bank: str = "") -> str:
    drawn = f"<section><selection><sourcebank_ref>{bank}</sourcebank_ref></selection></section>" if bank else ""
    inner = f'<assessment ident="a" title="Stacks"><section>{"".join(items)}</section>{drawn}</assessment>'
    return f'<questestinterop xmlns="{QTI}">{inner}</questestinterop>'


def meta(kind: str, *, available: str = "true", more: str = "") -> str:
    told = f"<quiz_type>{kind}</quiz_type><available>{available}</available>{more}"
    return f'<quiz xmlns="http://canvas.instructure.com/xsd/cccv1p0">{told}</quiz>'


def cartridge(path: Path, quizzes: Mapping[str, tuple[str, str]], more: Mapping[str, str] | None = None) -> Path:
    """A cartridge with these quizzes: by name the assessment and what Canvas says of it."""
    resources = "".join(
        f'<resource identifier="{name}" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment">'
        f'<file href="{name}/assessment_qti.xml"/></resource>'
        for name in quizzes
    )
    title = "<metadata><lom><general><title><string>DS</string></title></general></lom></metadata>"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("imsmanifest.xml", f"<manifest>{title}<resources>{resources}</resources></manifest>")
        for name, (whole, told) in quizzes.items():
            package.writestr(f"{name}/assessment_qti.xml", whole)
            if told:
                package.writestr(f"{name}/assessment_meta.xml", told)
        for name, text in (more or {}).items():
            package.writestr(name, text)
    return path


def read(source: Path, *, with_graded: bool = False) -> tuple[list[dict[str, Any]], list[str]]:
    """The entries of the FAQ that came of it, and what was told."""
    found = import_courses(source, source.parent / "courses", with_graded=with_graded)
    faq = found.courses[0].folder / "faq.jsonl"
    rows = [json.loads(line) for line in faq.read_text().splitlines()] if faq.exists() else []
    return rows, [one.message for one in found.problems]


def test_a_practice_quiz_of_canvas_is_explained_with_its_options_and_feedback(tmp_path: Path) -> None:
    whole = assessment(FIRST, SEVERAL, NUMBER, ESSAY, SILENT)
    rows, told = read(cartridge(tmp_path / "c.imscc", {"quiz": (whole, meta("practice_quiz"))}))
    assert [(row["id"], row["question"], row["answer"]) for row in rows] == [
        (
            "q1",
            "What does a stack give back first?\nA) The newest\nB) The oldest",
            "Correct answer: A) The newest\n\nThe last one in is the first one out.\nB) The oldest: That is a queue.",
        ),
        (
            "q2",
            "Which are lists?\nA) Stack\nB) Graph\nC) Queue",
            "Correct answer: A) Stack; C) Queue\n\nThe last one in is the first one out.",
        ),
        (
            "q3",
            "100 / 3?",
            "Correct answer: 33.33 or between 33.32 and 33.34\n\nThe last one in is the first one out.",
        ),
    ]
    assert {row["author"] for row in rows} == {"Quiz: Stacks"}
    assert told == [
        "Left out, problems without a written solution: 1 ('Stacks, question 5').",
        "Left out, questions of the kind 'essay': 1 ('Stacks, question 4').",
    ]


@pytest.mark.parametrize("told_of", [meta("assignment"), meta("graded_survey"), ""], ids=["graded", "survey", "unsaid"])
def test_a_graded_quiz_of_canvas_is_left_out_unless_it_is_asked_for(tmp_path: Path, told_of: str) -> None:
    source = cartridge(tmp_path / "c.imscc", {"quiz": (assessment(FIRST), told_of)})
    rows, told = read(source)
    assert rows == []
    assert told == ["Left out, graded quizzes, whose solutions students would be told: 1 ('Stacks')."]


def test_a_graded_quiz_that_is_asked_for_is_told_to_be_one(tmp_path: Path) -> None:
    rows, told = read(
        cartridge(tmp_path / "c.imscc", {"quiz": (assessment(FIRST), meta("assignment"))}), with_graded=True
    )
    assert len(rows) == 1
    assert told == ["1 of the imported problems are graded: a student who asks is told their answer."]


def test_a_quiz_that_is_not_published_is_left_out_whatever_is_asked_for(tmp_path: Path) -> None:
    hidden = (assessment(FIRST), meta("practice_quiz", available="false"))
    rows, told = read(cartridge(tmp_path / "c.imscc", {"quiz": hidden}), with_graded=True)
    assert (rows, told) == ([], ["Left out, not published there: 1 ('Stacks')."])


@pytest.mark.parametrize(
    "never", ["<show_correct_answers>false</show_correct_answers>", "<hide_results>always</hide_results>"]
)
def test_a_practice_quiz_that_never_shows_its_answers_is_left_out(tmp_path: Path, never: str) -> None:
    rows, told = read(cartridge(tmp_path / "c.imscc", {"quiz": (assessment(FIRST), meta("survey", more=never))}))
    assert (rows, told) == ([], ["Left out, quizzes that never show their answers: 1 ('Stacks')."])


@pytest.mark.parametrize("drawn", [False, True], ids=["asked", "drawn from a bank"])
def test_what_a_graded_quiz_asks_too_is_not_explained_as_practice(tmp_path: Path, drawn: bool) -> None:
    graded = assessment(bank="bank") if drawn else assessment(FIRST)
    quizzes = {"quiz": (assessment(FIRST, NUMBER), meta("practice_quiz")), "exam": (graded, meta("assignment"))}
    more = {"non_cc_assessments/bank.xml.qti": assessment(FIRST)}
    rows, told = read(cartridge(tmp_path / "c.imscc", quizzes, more))
    assert [row["id"] for row in rows] == ["q3"]
    assert "Left out, problems for practice that a graded quiz asks, too: 1 ('Stacks, question 1')." in told


def test_a_quiz_that_is_no_xml_is_told_with_its_file_and_place(tmp_path: Path) -> None:
    rows, told = read(cartridge(tmp_path / "c.imscc", {"quiz": ("<questestinterop>\n<item", meta("practice_quiz"))}))
    assert rows == []
    assert any("quiz/assessment_qti.xml is not valid XML" in one and "line 2" in one for one in told)
    assert "Left out, quizzes whose file is not there or cannot be read: 1 ('assessment qti')." in told


def moodle_question(number: int, kind: str, asked: str, answers: str, more: str = "", general: str = "") -> str:
    return (
        f'<question id="{number}"><questiontext>{asked}</questiontext><questiontextformat>1</questiontextformat>'
        f"<generalfeedback>{general}</generalfeedback><qtype>{kind}</qtype><plugin_qtype_{kind}_question>"
        f"<answers>{answers}</answers>{more}</plugin_qtype_{kind}_question></question>"
    )


def answer(number: int, text: str, fraction: str, feedback: str = "") -> str:
    told = f"<answertext>{text}</answertext><fraction>{fraction}</fraction><feedback>{feedback}</feedback>"
    return f'<answer id="{number}">{told}</answer>'


QUESTIONS = (
    moodle_question(
        1,
        "multichoice",
        "&lt;p&gt;What is a root?&lt;/p&gt;",
        answer(11, "The node without a parent", "1.0", "It is on top.")
        + answer(12, "A leaf", "0.0", "It has no child."),
        "<multichoice><single>1</single></multichoice>",
    ),
    moodle_question(
        2, "truefalse", "A tree has a root.", answer(21, "True", "1") + answer(22, "False", "0"), "", "Always."
    ),
    moodle_question(
        3,
        "numerical",
        "How high is it?",
        answer(31, "3", "1.0"),
        "<numerical_records><numerical_record><answer>31</answer><tolerance>0.5</tolerance></numerical_record>"
        "</numerical_records>",
        "Count the edges.",
    ),
    moodle_question(
        4, "shortanswer", "What is below?", answer(41, "a leaf", "1") + answer(42, "*", "0"), "", "Look down."
    ),
    moodle_question(5, "match", "Match.", "", "", "No."),
    moodle_question(6, "random", "Random (Trees)", ""),
)
_CATEGORY = f"<question_category><questions>{''.join(QUESTIONS)}</questions></question_category>"
BANK_3 = f"<question_categories>{_CATEGORY}</question_categories>"


def slots(*numbers: int) -> str:
    return "".join(f"<question_instance><questionid>{number}</questionid></question_instance>" for number in numbers)


def backup(folder: Path, quizzes: Mapping[str, tuple[str, str]], bank: str = BANK_3) -> Path:
    """A backup with these quizzes: by number the highest grade and the slots."""
    listed = "".join(
        f"<activity><sectionid>1</sectionid><modulename>quiz</modulename><title>Quiz {number}</title>"
        f"<directory>activities/quiz_{number}</directory></activity>"
        for number in quizzes
    )
    known = "<original_course_shortname>DS</original_course_shortname>"
    contents = f"<contents><activities>{listed}</activities></contents>"
    files = {
        "moodle_backup.xml": f"<moodle_backup><information>{known}{contents}</information></moodle_backup>",
        "questions.xml": bank,
    }
    for number, (grade, asked) in quizzes.items():
        held = f"<quiz><grade>{grade}</grade><question_instances>{asked}</question_instances></quiz>"
        files[f"activities/quiz_{number}/quiz.xml"] = f"<activity>{held}</activity>"
        files[f"activities/quiz_{number}/module.xml"] = "<module><visible>1</visible></module>"
    for name, text in files.items():
        (folder / "packed" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "packed" / name).write_text(text)
    with tarfile.open(folder / "b.mbz", "w:gz") as tar:
        for place in sorted((folder / "packed").iterdir()):
            tar.add(place, place.name)
    return folder / "b.mbz"


def test_a_moodle_quiz_that_counts_for_no_grade_is_explained(tmp_path: Path) -> None:
    rows, told = read(backup(tmp_path, {"1": ("0.00000", slots(1, 2, 3, 4, 5, 6, 9))}))
    assert [(row["id"], row["question"], row["answer"]) for row in rows] == [
        (
            "question-1",
            "What is a root?\nA) The node without a parent\nB) A leaf",
            "Correct answer: A) The node without a parent\n\nIt is on top.\nB) A leaf: It has no child.",
        ),
        ("question-2", "A tree has a root.\nA) True\nB) False", "Correct answer: A) True\n\nAlways."),
        ("question-3", "How high is it?", "Correct answer: 3 (tolerance 0.5)\n\nCount the edges."),
        ("question-4", "What is below?", "Correct answer: a leaf\n\nLook down."),
    ]
    assert told == [
        "Left out, questions of the kind 'match': 1 ('Quiz 1, question 5').",
        "Left out, questions that are drawn at random: 1 ('Quiz 1, question 6').",
        "Left out, questions that are not in the backup: 1 ('Quiz 1, question 7').",
    ]


def test_a_moodle_quiz_that_never_shows_its_answers_is_left_out(tmp_path: Path) -> None:
    source = backup(tmp_path, {"1": ("0</grade><reviewrightanswer>0</reviewrightanswer><grade>", slots(1))})
    rows, told = read(source)
    assert (rows, told) == ([], ["Left out, quizzes that never show their answers: 1 ('Quiz 1')."])


@pytest.mark.parametrize("with_graded", [False, True])
def test_a_graded_moodle_quiz_is_left_out_unless_it_is_asked_for(tmp_path: Path, with_graded: bool) -> None:
    rows, told = read(backup(tmp_path, {"1": ("10.0", slots(1, 2))}), with_graded=with_graded)
    assert len(rows) == (2 if with_graded else 0)
    reason = "Left out, graded quizzes, whose solutions students would be told: 1 ('Quiz 1')."
    graded = "2 of the imported problems are graded: a student who asks is told their answer."
    assert told == [graded if with_graded else reason]


@pytest.mark.parametrize(("asked", "left"), [((1,), ["question-2"]), ((6,), [])], ids=["asked", "drawn at random"])
def test_what_a_graded_moodle_quiz_may_ask_is_not_explained_as_practice(
    tmp_path: Path, asked: tuple[int, ...], left: list[str]
) -> None:
    rows, _ = read(backup(tmp_path, {"1": ("0", slots(1, 2)), "2": ("5", slots(*asked))}))
    assert [row["id"] for row in rows] == left


def test_of_a_question_with_versions_the_one_that_the_quiz_names_or_the_newest_is_read(tmp_path: Path) -> None:
    older, newer = (
        moodle_question(number, "shortanswer", f"Version {number}?", answer(number, "x", "1"), "", "So.")
        for number in (7, 8)
    )
    versions = "".join(
        f"<question_versions><version>{number}</version><questions>{text}</questions></question_versions>"
        for number, text in ((2, newer), (1, older))
    )
    bank = f'<question_bank_entry id="70"><question_version>{versions}</question_version></question_bank_entry>'

    def slot(version: str) -> str:
        named = f"<questionbankentryid>70</questionbankentryid><version>{version}</version>"
        return f"<question_instance><question_reference>{named}</question_reference></question_instance>"

    whole = f"<question_categories>{bank}</question_categories>"
    rows, _ = read(backup(tmp_path, {"1": ("0", slot("$@NULL@$") + slot("1"))}, whole))
    assert [row["question"] for row in rows] == ["Version 8?", "Version 7?"]


def test_a_bank_that_is_no_xml_is_told_with_its_file_and_place(tmp_path: Path) -> None:
    rows, told = read(backup(tmp_path, {"1": ("0", slots(1))}, "<question_categories>\n<question"))
    assert rows == []
    assert any("questions.xml is not valid XML" in one and "line 2" in one for one in told)
    assert "Left out, questions that are not in the backup: 1 ('Quiz 1, question 1')." in told
