"""Why, how, which kinds, an aspect, or anything else: the best sentences of the material for the question. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from re import Pattern

from knowledge_graph.text.segmenter import chinese_word_class
from knowledge_graph.text.sentences import has_cjk
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed
from serving.assistant.composing.continuation import read_announced, read_first_reason
from serving.assistant.composing.counted_runs import asks_for_run
from serving.assistant.composing.cues import (
    AMOUNT,
    ASKS_FOR_A_NAME,
    HOW_MANY,
    LIMITS,
    NAMES,
    PLAIN_CUES,
    WHICH_VALUE,
    amount_asked_for,
)
from serving.assistant.composing.defining_cues import defines
from serving.assistant.composing.document_answers import document_list
from serving.assistant.composing.found_units import kinds_not_taught, names_strange_doer, strange_names
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.missing import (
    MOST_WORDS,
    OF_ONE_THING,
    find_apart,
    find_listed_name,
    find_property,
    find_unspoken,
    lacks_whole_name,
    names_property,
    pieces_on_property,
)
from serving.assistant.composing.quote_edges import complete_quotes
from serving.assistant.composing.request import Request
from serving.assistant.composing.sufficiency import (
    PROBABLE,
    is_choice,
    is_said_opposite,
    is_silent,
    lacks_a_motive,
    lacks_a_number,
    lacks_what_is_done,
    lacks_what_is_doubted,
    likelihood,
    names_longer,
    sufficient,
    works_it_out,
)
from serving.assistant.composing.terms import (
    ALL_OF_IT,
    QuestionUnit,
    coverage,
    is_behind_than,
    is_name,
    is_of_concept,
    known,
    known_share,
    phrases,
    speaks_of_its_names,
    spelling_pattern,
    terms_of,
)
from serving.assistant.composing.window import (
    Window,
    join_neighbours,
    not_overlapping,
    with_announced_first,
    with_context,
)
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.assistant.grounding.negation import is_negated
from serving.assistant.understanding.aspects import Aspect
from serving.assistant.understanding.quantities import tells_amount
from serving.assistant.understanding.question_kind import QuestionKind
from serving.assistant.understanding.translation import is_term
from serving.index.analysis import terms

SECOND = 0.75
"""Another window is shown when it scores this share of the first. A choice."""
MOST_TRIED = 4
"""Windows of the nearest piece of which the first is shown that repeats nothing. A choice."""
SHOWN = 3
"""Windows that are shown at most: as many as can be cited. A choice."""
LIKELY, UNLIKELY = 0.6, 0.3
"""How sure an answer from sentences is that speaks of all that was asked, and one that does not: the shares of the
development questions that were right."""

LENGTHS: dict[QuestionKind, float] = {"how": 1.6, "list": 1.6, "aspect": 1.3, "why": 1.2}
"""How much longer than usual an answer of a kind is: steps and lists need room. Choices."""


def compose_explanation(request: Request) -> Composed | None:
    """The best windows; `None` when nothing is near.

    Never given as sure: no cut over what is known of a window keeps the promise of `sufficiency`
    (`benchmarks/sufficiency.py`).
    One that speaks of all that was asked stands without a note, any other under what is missing.
    """
    if request.kind in _LISTED and (listed := document_list(request)) is not None:
        return listed
    if request.kind in ("definition", "aspect") and request.units and known_share(request.units) < LEAST_KNOWN:
        return None
    if _asks_of_the_unknown(request):
        return None
    windows = find_windows(request, most=SHOWN)
    if not windows:
        return None
    if request.kind == "definition":
        named = [one for one in windows if speaks_of_its_names(request.units, f"{one.piece.entry.title} {one.text}")]
        windows = named or windows
    if not (request.aspects or works_it_out(windows[0], request) or _gives_amount(windows[0], request)):
        near = (one for one in windows if one.score >= windows[0].score - MOST_BEHIND)
        full = next((one for one in near if sufficient(one, request) == "full"), windows[0])
        windows = [full, *(one for one in windows if one is not full)]
    covers = sufficient(windows[0], request)
    if covers == "full" and (
        kinds_not_taught(request)
        or names_strange_doer(request)
        or _is_only_named(request)
        or find_listed_name(request, windows[0].piece.entry)
        or lacks_a_motive(windows[0], request)
        or (request.kind == "how" and _hardly_named(request, windows[0]))
    ):
        covers = "partial"
    if covers == "none" or (
        covers != "full" and (is_silent(windows, request) or _is_of_what_is_not_there(windows, request))
    ):
        return None
    speaks_of_all = covers == "full"
    lectures = request.material.lectures
    first = with_context(read_first_reason(windows[0], lectures), request.question)
    in_context = not_overlapping([first, *windows[1:]], SHOWN)
    chosen = in_context if len(in_context) == len(windows) else windows
    chosen = not_overlapping([read_announced(window, lectures) for window in chosen], SHOWN)
    is_of_several = request.kind in _OF_SEVERAL_SENTENCES or asks_for_run(request.question)
    windows = with_announced_first(join_neighbours(complete_quotes(chosen, lectures, whole_runs=is_of_several)))
    note = "" if speaks_of_all else doubt(request, *windows)
    return Composed(
        request.kind,
        "partial",
        tuple(window.statement for window in mark_best(windows, note, request)),
        note=note,
        after="" if speaks_of_all else wording(request.spoken).hand_off,
        score=LIKELY if speaks_of_all else UNLIKELY,
    )


_WHO_IS = re.compile(r"\W*(?:(?:and|so) )?who(?:['’]?s| is| are| was| were) \w|\w{2,8}(?:是|又是)谁", re.IGNORECASE)


def mark_best(windows: Sequence[Window], note: str, request: Request) -> list[Window]:
    """The windows, the sentence that answers best in bold in the first alone: of 895 development answers it says some
    of what must be said in .56 of the first ones, and in .33 of the others, as any sentence does."""
    best, *others = windows
    is_bold = best.marked and _may_be_bold(best, note, request)
    return [replace(best, marked=is_bold), *(replace(one, marked=False) for one in others)]


def _may_be_bold(window: Window, note: str, request: Request) -> bool:
    """Whether the sentence that answers best may be shown in bold: no one sentence is a list or the steps of something,
    nothing is the answer under more than a mild doubt, and to who somebody is none that only names them."""
    if request.kind in _OF_SEVERAL_SENTENCES or note not in ("", wording(request.spoken).probably):
        return False
    if len(request.units) != 1 or _WHO_IS.match(request.question) is None:
        return True
    is_somebody = _IS_SOMEBODY.format(re.escape(request.units[0].label))
    return re.search(is_somebody, window.piece.lines[window.key].text, re.IGNORECASE) is not None


_OF_SEVERAL_SENTENCES = frozenset({"how", "list", "calculation"})

_IS_SOMEBODY = r"{0}\b(?:,? (?:is|was|are|were|became)\b|, (?:an?|the|who|whose)\b)|{0}(?:是|，)"


def _asks_of_the_unknown(request: Request) -> bool:
    """Whether all that a Chinese question asks about are things that no text has: sentences of one subject all mean
    nearly the same."""
    units = request.units
    if not units or known(units) or request.kind not in ("why", "how", "list", "other"):
        return False
    return all(has_cjk(unit.label) and chinese_word_class(unit.label)[:1] in ("n", "l") for unit in units)


def _gives_amount(window: Window, request: Request) -> bool:
    """Whether a window says how many there are of what the question counts: no other answers it better."""
    amount = amount_asked_for(request.question)
    return amount is not None and any(amount.search(line.text) for line in window.own_lines)


def _is_only_named(request: Request) -> bool:
    """Whether the one thing of which is asked how it works, or which is to be explained, is named in hardly any
    sentence of the lectures; in one more where none seems to say what it is: Gaussian elimination, in a course that
    tells where to learn it."""
    lectures = request.material.lectures
    things = [unit for unit in request.units if unit.label.lower() not in _OF_STEPS]
    is_of_words = 1 < len(things) <= MOST_WORDS and OF_ONE_THING.search(request.question) is not None
    is_one = is_of_words or (len(things) == 1 and request.kind == "how")
    if not is_one or not lectures.lectures:
        return False
    naming = [one for said in lectures.naming([unit.names for unit in things]).values() for one in said]
    name = " ".join(unit.label for unit in things)
    is_said = any(defines(one.text, [name]) for one in naming)
    return len(naming) <= (HARDLY if is_said else SELDOM)


_OF_STEPS = frozenset("step steps detail details process procedure exactly practice".split())
"""Words of how closely it is to be told."""


HARDLY, SELDOM = 2, 3
"""Sentences of a course that name a thing it does not explain. Choices."""

_LISTED = frozenset({"aspect", "how", "other"})
"""Kinds beside `list` that a list under its heading may answer: examples, steps, "which plots are there"."""

MOST_BEHIND = 1.0
"""What the score of a window that likely answers may lack of the best one's, which it is shown before. A choice."""

LEAST_KNOWN = 0.2
"""Share of a question to be known: a course on compilers says nothing of a quantum compiler. A choice."""


def find_windows(request: Request, *, most: int = 2) -> list[Window]:
    """The windows that are shown, best first, but before them one in which it is worked out, and behind them those that
    name a longer concept alone, a binary search tree for binary search; the last is of the
    nearest piece, where no other is."""
    found = _windows(request, pieces_on_property(request), most)
    found = _lead_with_the_case(found, request)
    shown = [window for window in found if window.score >= SECOND * found[0].score]
    shown.sort(
        key=lambda window: (
            not works_it_out(window, request),
            names_longer(window, request),
            _is_of_another(window, request),
        )
    )
    nearest = pieces_on_property(request)[:1]
    if most > 1 and shown and not any(window.piece in nearest for window in shown):
        shown = not_overlapping([*shown[: most - 1], *_windows(request, nearest, MOST_TRIED)], most)
    return [window for window in shown if window is shown[0] or not _leaves_subject(window, shown[0], request)]


def _lead_with_the_case(windows: list[Window], request: Request) -> list[Window]:
    """The windows, first one that names what it is asked whether something applies to: "does it apply to letters?" is
    answered by no rule that names none."""
    asked = _APPLIES_TO.search(request.question)
    named = (asked["case"] or asked["zh"]).lower() if asked is not None else ""
    case = [unit for unit in known(request.units) if unit.label.lower() in named]
    if not windows or not case or coverage(case, terms_of(windows[0].text)) >= ALL_OF_IT:
        return windows
    found = best_windows(request.pieces, case, kind=request.kind, most=1)
    naming = [replace(one, score=windows[0].score) for one in found if coverage(case, terms_of(one.text)) >= ALL_OF_IT]
    return not_overlapping([*naming, *windows], SHOWN)


_APPLIES_TO = re.compile(
    r"\b(?:appl(?:y|ies)|extends?|holds?|counts?) (?:to|for|in|with) (?P<case>[^?.,]{3,60})"
    r"|适用于?(?P<zh>[^，。？]{2,20})",
    re.IGNORECASE,
)
"""What asks whether a rule holds of a case."""


def _leaves_subject(window: Window, first: Window, request: Request) -> bool:
    """Whether a further window, of another lecture or text and less near in meaning, says nothing of the concepts that
    are asked about, and the first one does: it shares a common word with the question."""
    if window.piece.entry.title == first.piece.entry.title:
        return False
    subject = known([unit for unit in request.units if unit.concept_id is not None])
    said, said_first = (terms_of(f"{one.piece.entry.title} {one.text}") for one in (window, first))
    nearest, nearest_first = (max(line.meaning for line in one.lines) for one in (window, first))
    return coverage(subject, said) == 0.0 < coverage(subject, said_first) and nearest < nearest_first


def _is_of_another(window: Window, request: Request) -> bool:
    """Whether a window that is to tell an aspect of a thing has that behind "than" alone, in no title and no other
    sentence: a slide that is "less precise than Andersen's" gives the complexity of another algorithm."""
    names = [unit for unit in request.units if unit.concept_id is not None or is_name(unit.label)]
    title = terms_of(f"{window.piece.entry.title} {window.piece.entry.section or ''}")
    if not request.aspects or not names or coverage(names, title) > 0.0:
        return False
    naming = [line.text for line in window.lines if coverage(names, terms_of(line.text)) > 0.0]
    return bool(naming) and all(is_behind_than(names, one) for one in naming)


def _windows(request: Request, pieces: Sequence[MaterialPiece], most: int) -> list[Window]:
    return best_windows(
        pieces,
        request.units,
        kind=request.kind,
        aspects=request.aspects,
        cue=_cue_of(request),
        most=most,
        length=LENGTHS.get(request.kind, 1.0),
        seen=request.seen,
        asked=request.names if is_choice(request) else request.question,
    )


def _cue_of(request: Request) -> Pattern[str] | None:
    """The wording that a sentence which answers has beside that of its kind."""
    amount = amount_asked_for(request.question)
    if amount is not None and any(amount.search(line.text) for piece in request.pieces for line in piece.lines):
        return amount
    if HOW_MANY.search(request.question) or WHICH_VALUE.search(request.question):
        return AMOUNT
    if ASKS_FOR_A_NAME.search(request.question):
        return NAMES
    return LIMITS if request.kind == "why" and is_negated(request.question) else PLAIN_CUES.get(request.kind)


def doubt(request: Request, *windows: Window) -> str:
    """What is missing of the question in all that is shown, as far as it can be named; else that the answer is only
    the nearest."""
    said = wording(request.spoken)
    missing = [one for one in request.aspects if not any(_tells(window, one, request) for window in windows)]
    if missing and request.names:
        aspect = missing[0]
        if aspect.key in _TOLD_WITHOUT_A_WORD:
            return said.not_direct
        return said.no_aspect.format(names=request.names, aspect=aspect.zh if request.spoken == "zh" else aspect.en)
    shown = [terms_of(_write_with_title(window)) for window in windows]
    strange = [one for one in strange_names(request) if not any(terms_of(one) <= said_here for said_here in shown)]
    is_property = bool(strange) and strange == [find_property(request.asked or request.question)]
    if is_property and any(names_property(strange[0], window.text) for window in windows):
        return said.probably
    if is_property:
        return said.none_such.format(what=strange[0])  # that it is so may be said in other words
    if strange:
        return said.nothing_of_part.format(names=said.join(strange))
    if name := _hardly_named(request, windows[0]):
        return said.hardly_named.format(name=name)
    if name := find_listed_name(request, windows[0].piece.entry):
        return said.only_named.format(name=name)
    if (
        _is_only_named(request)
        or is_said_opposite(windows[0], request)
        or lacks_a_number(windows[0], request)
        or _is_of_an_unknown_deed(request)
    ):
        return said.not_direct
    is_of_no_concept = not is_of_concept(request.units)
    if lacks_what_is_done(windows[0], request) or (
        is_of_no_concept and all(lacks_what_is_doubted(one, request) for one in windows)
    ):
        return said.not_direct
    is_spoken = windows[0].piece.entry.source == "subtitle"  # three quarters of what the score was fitted to
    is_probable = is_spoken and likelihood(windows[0], request) >= PROBABLE and not lacks_whole_name(request, windows)
    return said.probably if is_probable else _name_what_is_missing(request, [_write_with_title(one) for one in windows])


_TOLD_WITHOUT_A_WORD = frozenset({"example", "application"})
"""Aspects that a text may tell in no words of their own: "it's the line in front of the café"."""


def _is_of_an_unknown_deed(request: Request) -> bool:
    """Whether it is asked who did something by a word that no text has: who succeeded a king is not who is named."""
    asked = _WHO_DID.match(request.question)
    return asked is not None and any(not one.is_known and one.label.lower() == asked[1] for one in request.units)


_WHO_DID = re.compile(r"\W*(?:(?:and|so|but) )?who (?:(?:first|else|also|then) )?([a-z]+)", re.IGNORECASE)


def _tells(window: Window, aspect: Aspect, request: Request) -> bool:
    """Whether a window speaks of an aspect; what a thing is for is told by what it is: "an algorithm that finds …"."""
    labels = [*(unit.label for unit in request.units), *(concept.name for concept in request.concepts)]
    is_defined = aspect.key == "purpose" and any(defines(line.text, labels) for line in window.lines)
    return is_defined or aspect.said.search(window.text) is not None


def _name_what_is_missing(request: Request, shown: Sequence[str]) -> str:
    """That what is shown is only the nearest, with the names and concepts of the question that it does not speak of, or
    of which it speaks one by one."""
    said = wording(request.spoken)
    if unspoken := find_unspoken(request, shown):
        return said.not_spoken_of.format(names=said.join(unspoken))
    if apart := find_apart(request, shown):
        return said.not_together.format(names=said.and_.join(apart))
    return said.not_direct


def _write_with_title(window: Window) -> str:
    return f"{window.piece.entry.title} {window.piece.entry.section or ''} {window.text}"


def _hardly_named(request: Request, window: Window) -> str:
    """The thing that is asked about, where a window has one of the few sentences of the lectures that name it, and none
    of them says what it is: "red-black trees, which we have no time for". Empty where it is named more often, or asked
    about in passing."""
    lectures = request.material.lectures
    things = [unit for unit in request.units if unit.concept_id is not None or _is_thing(unit)]
    subject = max(things, key=lambda unit: unit.weight, default=None)
    if subject is None or request.kind not in _EXPLAINED or not lectures.lectures:
        return ""
    spelled = spelling_pattern(subject)
    naming = [one for said in lectures.naming([subject.names]).values() for one in said]
    naming = [one for one in naming if spelled is None or spelled.search(one.text)]
    is_here = subject.measure_coverage(terms_of(window.text)) == 1.0
    is_told = any(defines(one.text, [subject.label]) or tells_amount(request.question, one.text) for one in naming)
    is_told = is_told or _names_much(window, request, things)
    if not 0 < len(naming) <= HARDLY or not is_here or is_told:
        return ""
    if any(len(_naming_its_owner(subject, lectures, one.video_id)) > HARDLY for one in naming):
        return ""
    return _as_named(subject.label, request) if subject.concept_id is None else subject.label


def _names_much(window: Window, request: Request, things: Sequence[QuestionUnit]) -> bool:
    """Whether a window has all that is asked about, and that is much: three words of their own, or two things."""
    asked = known(request.units)
    own = phrases([unit.label for unit in asked], request.question)
    is_much = len(own) >= MUCH or (len(own) > 1 and all(one in things for one in asked))
    return is_much and coverage(asked, terms_of(window.text)) >= ALL_OF_IT


MUCH = 3
"""Words of a question of which a text that has them all says more than a name. A choice."""


def _naming_its_owner(unit: QuestionUnit, lectures: CourseLectures, video_id: str) -> list[LectureSentence]:
    """The sentences of a lecture that name whose a thing is: "Dijkstra's two-stack algorithm" is Dijkstra's algorithm
    from there on."""
    owner = _OWNER.match(unit.label)
    return lectures.naming([[frozenset(terms(owner[1]))]]).get(video_id, []) if owner is not None else []


_OWNER = re.compile(r"([A-Za-z]{3,})['’]s ")


def _as_named(label: str, request: Request) -> str:
    """A word as the question writes it, with the one behind it that is named with it: radix sort, not radix; a triode
    that is asked to turn is a triode."""
    written = re.search(rf"\b({re.escape(label)})(?: ([\w'’-]+))?", request.question, re.IGNORECASE)
    if written is None:
        return label
    behind = (written[2] or "").lower()
    names_a_thing = behind.isdigit() or is_term(behind) or is_term(f"{behind}ing")
    is_of_name = names_a_thing and behind in {unit.label.lower() for unit in request.units}
    return written.group() if is_of_name else written[1]


_EXPLAINED: frozenset[QuestionKind] = frozenset({"how", "why", "aspect", "list"})
"""Kinds of question on a thing that one sentence which names it does not answer."""


def _is_thing(unit: QuestionUnit) -> bool:
    """Whether a word is a name: an English one that is next to never written, a Chinese one with a concept's length."""
    is_signed = (spelled := spelling_pattern(unit)) is not None and "*" in spelled.pattern
    return is_name(unit.label) or is_signed or (not unit.label.isascii() and len(unit.label) >= SHORTEST_NAME)


SHORTEST_NAME = 3
"""Characters from which a Chinese word is taken for a name: 红黑树, and not 插入. A choice."""


def _is_of_what_is_not_there(windows: Sequence[Window], request: Request) -> bool:
    """Whether a question is about a thing that no text of the course names, and nothing that was found means nearly
    what is asked: what is near to a question on ReLU is about something else."""
    if not request.is_compared or request.catalogue.classes or not strange_names(request):
        return False
    nearest = max((line.meaning for window in windows for line in window.lines), default=0.0)
    return 0.0 < nearest < (NEARLY_OF_IT if is_of_concept(request.units) else NEARLY)


NEARLY, NEARLY_OF_IT = 0.7, 0.65
"""Meaning (stretched cosine) from which a sentence is shown though no text names the thing that is asked about, and
that where a concept of the course is named beside it. Choices: of 25 development questions with such a thing ten are
declined so, nine that the material does not answer and one whose answer was wrong."""
