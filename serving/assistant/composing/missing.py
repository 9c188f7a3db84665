"""What a question asks for and nothing that was found speaks of, or only names. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache

from knowledge_graph.text.segmenter import chinese_word_class
from knowledge_graph.text.sentences import has_cjk
from serving.assistant.composing.found_units import OF_ANY
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import (
    ALL_OF_IT,
    WORDS,
    QuestionUnit,
    as_asked,
    coverage,
    is_behind_than,
    is_name,
    known,
    phrases,
    terms_of,
)
from serving.assistant.composing.whole_names import GENERIC
from serving.assistant.composing.window import Window
from serving.index.analysis import terms
from serving.index.schema import Entry

_TWO_WORDS = r"(?:(?:a|an|the) )?[\w'’-]+ [\w'’-]+"
OF_ONE_THING = re.compile(
    rf"^\W*(?:so )?(?:how (?:do|does|did) {_TWO_WORDS} (?:actually |really |exactly |even )?works?"
    rf"|what are the steps (?:of|in|for) {_TWO_WORDS}"
    rf"|(?:(?:can|could) (?:you|someone) )?(?:please )?explain {_TWO_WORDS}(?: [\w'’-]+)?(?: to me)?)(?: please)?\W*$",
    re.IGNORECASE,
)
"""A question on one thing whose name has two words or three."""
MOST_WORDS = 3


def find_listed_name(request: Request, first: Entry) -> str:
    """The one thing of which is asked how it works or what it is, where the documents name it in the items of their
    lists and no line says more of it than its name; empty for any other. `first` is what would be shown first."""
    is_asked = request.kind in ("how", "definition") or OF_ONE_THING.search(request.question) is not None
    if not is_asked or first.source != "document" or not 0 < len(request.units) <= MOST_WORDS:
        return ""
    lines = [(terms_of(line.text), line.is_item) for piece in request.pieces for line in piece.lines]
    is_whole = any(coverage(request.units, said) >= ALL_OF_IT for said, _ in lines)
    thing = request.units if is_whole else (max(request.units, key=lambda unit: unit.weight),)
    naming = [(said, is_item) for said, is_item in lines if coverage(thing, said) >= ALL_OF_IT]
    own = frozenset(term for unit in request.units for name in unit.names for term in name)
    is_told = any(not is_item or said - own for said, is_item in naming)
    titles = (terms_of(f"{one.entry.title} {one.entry.section or ''}") for one in request.pieces)
    if not naming or is_told or any(coverage(thing, title) >= ALL_OF_IT for title in titles):
        return ""
    return " ".join(phrases([unit.label for unit in request.units], request.question))


def find_missing_thing(request: Request) -> str:
    """What is asked for in the material, "is there a minor in music", where some of what was found speaks of a minor,
    some of music and nothing of both, or no text has a word of it; empty for any other."""
    question = request.asked or request.question
    if made_of := _find_parts_not_spoken_of(request, question):
        return made_of
    unknown = [unit.label for unit in request.units if not unit.is_known and len(unit.label) > 1]
    if has_cjk(question) and (wanted := [one for one in unknown if _asks_leave_for(one, question)]):
        return wanted[0]
    asked = _IS_THERE.match(question)
    if asked is None or not request.units:
        return ""
    said = [terms_of(f"{one.entry.title} {one.entry.section or ''} {one.entry.text}") for one in request.pieces]
    units = [unit for unit in request.units if not _OF_A_CATALOGUE.fullmatch(unit.label)]
    strange = [unit.label for unit in units if not unit.is_known]
    is_apart = all(any(unit.measure_coverage(each) == 1.0 for each in said) for unit in units)
    is_together = any(coverage(units, each) >= ALL_OF_IT for each in said)
    if strange and not is_together:
        return phrases(strange, question)[0]
    return (asked["what"] or asked["zh"]).strip() if is_apart and not is_together else ""


def _find_parts_not_spoken_of(request: Request, question: str) -> str:
    """The several things of which something is to be made, "a queue out of two stacks", where no text speaks of so many
    of them; empty for any other question."""
    made = _MADE_OF.search(question)
    if made is None:
        return ""
    what = made["what"] or made["zh"]
    count, thing = re.split(r" |个|条|种", what, maxsplit=1)
    counts = next(one for one in _COUNTS if count.lower() in one.split())
    said = re.compile(
        rf"(?:{'|'.join(counts.split())})[- ]?[个条种]? ?{re.escape(thing.removesuffix('s'))}", re.IGNORECASE
    )
    found = (*request.pieces, *request.material.pieces(what, None, lang=request.lang))
    return "" if any(said.search(one.entry.text) for one in found) else what


_COUNTS = ("two 2 两 二 pair", "three 3 三", "four 4 四")
_MADE_OF = re.compile(
    r"\b(?:mak(?:e|ing)|buil(?:d|t|ding)|implement\w*|simulat\w+|creat\w+|construct\w*)\b.{0,40}?"
    r" (?:out of|from|with|using|by) (?P<what>(?:two|three|four|[2-4]) [a-z]{3,}s)\b"
    r"|用(?P<zh>[两二三四2-4](?:个|条|种)[\u4e00-\u9fff]{1,4}?)(?:来|去|能|可以|可不可以|能不能|怎么|如何){0,2}"
    r"(?:实现|做|构造|模拟|搭|拼|组成|造)",
    re.IGNORECASE,
)
"""What asks whether, or how, something is made of several others."""

_IS_THERE = re.compile(
    r"^\W*(?:(?:so|and|but|ok|hi),? )?(?:is|are) there (?:an? |any |some )?"
    r"(?!.*\b(?:them|it|that|this|those|these|my|you|i)\b)"
    r"(?!(?:\w+ )?(?:ways?|reasons?|differences?|limits?|maximum|minimum|rules?|relations?\w*|points?|need|"
    r"chances?|examples?|more|no)\b)(?P<what>(?:[\w'’-]+ ?){1,6})\W*$"
    r"|^(?:请问)?(?:这里|学校|课程)?有没有(?P<zh>[^，。？?]{2,16}?)[吗呢]?\W*$",
    re.IGNORECASE,
)


_OF_A_CATALOGUE = re.compile(r"program(?:me)?s?|class(?:es)?|courses?|课程?|项目", re.IGNORECASE)
"""What a record of a catalogue is, whether it says so or not."""


def _asks_leave_for(word: str, question: str) -> bool:
    """Whether a Chinese question is for leave to do what a word of the dictionary says."""
    return re.search(_MAY_I.format(re.escape(word)), question) is not None and chinese_word_class(word) != ""


_MAY_I = r"(?:可以|可不可以|能不能|能){}(?:吗|么)?\W*$"
"""How a Chinese question for leave ends, before and behind what is to be done."""


def find_unspoken(request: Request, shown: Sequence[str]) -> list[str]:
    """The names and concepts of a question that nothing of what is shown speaks of."""
    said = frozenset[str]().union(*map(terms_of, shown))
    unspoken = [unit.label for unit in _find_named(request) if not _is_spoken_of(unit.names, said)]
    return phrases(unspoken, request.question)


def find_apart(request: Request, shown: Sequence[str]) -> list[str]:
    """The names and concepts of a question, where it has several and no part of what is shown speaks of any two."""
    named = _find_named(request)
    said = [terms_of(one) for one in shown]
    most = max((sum(_is_spoken_of(unit.names, each) for unit in named) for each in said), default=0)
    return [unit.label for unit in as_asked(named, request.question)] if len(named) > 1 and most < TOGETHER else []


def lacks_whole_name(request: Request, windows: Sequence[Window]) -> bool:
    """Whether an English question is for little else than a name of two things, and no sentence that is shown speaks of
    both, "rolling resistance", and no quote, "the escape velocity of Mars"."""
    question = request.asked or request.question
    units = as_asked(request.units, question)
    if not 1 < len(units) <= MOST_OF_A_NAME:
        return False
    one, other = units[-2:]
    ends = _ENDS_IN_NAME.format(re.escape(one.label), re.escape(other.label))
    named = re.search(ends, question, re.IGNORECASE)
    if (
        named is None
        or one.label.lower() in OF_ANY
        or one.label[0].isdigit()
        or _HAPPENS.fullmatch(other.label)
        or (named["of"] is None and _DOES.search(question) is not None)
    ):
        return False
    titles = (f"{window.piece.entry.title} {window.piece.entry.section or ''}" for window in windows)
    texts = [window.text if "of" in named["joint"] else line.text for window in windows for line in window.lines]
    shown = map(terms_of, (*titles, *texts))
    return not any(one.measure_coverage(said) == other.measure_coverage(said) == 1.0 for said in shown)


MOST_OF_A_NAME = 3
"""Units of a question that is for little else than one name. A choice."""
_ENDS_IN_NAME = (
    r"(?:\b(?P<of>about|of|for|on|with) (?:(?:an?|the) )?(?:\w+ )?)?\b{0}(?P<joint> of (?:an? |the )?| |-){1}\W*$"
)
_DOES = re.compile(r"\b(?:do|does|did|can|could|will|would|should|i|we|you|they|to)\b", re.IGNORECASE)
"""What makes of the last words of a question what somebody does."""
_HAPPENS = re.compile(r"(?:exist|occur|happen|appear|matter|apply|hold|differ|change)s?", re.IGNORECASE)
"""What a question may end in behind a name: "what orders of tree traversal exist"."""

TOGETHER = 2
"""Things of a question from which a text speaks of them together."""


def _find_named(request: Request) -> list[QuestionUnit]:
    """The concepts of a question, and the rare words that it writes as the names of somebody or something."""
    asked = request.asked or request.question
    return [
        unit
        for unit in known(request.units)
        if unit.concept_id is not None or (is_name(unit.label) and _is_written_as_name(unit.label, asked))
    ]


def _is_written_as_name(label: str, question: str) -> bool:
    return re.search(rf"(?<!^)\b{re.escape(label)}\b", question) is not None and label[0].isupper()


def _is_spoken_of(names: Sequence[frozenset[str]], said: frozenset[str]) -> bool:
    """Whether a text has any term of a name that tells it from others: of Dijkstra's algorithm not "algorithm"."""
    return any(name <= said or (name - _GENERIC_TERMS) & said for name in names)


_GENERIC_TERMS = frozenset(terms(" ".join(sorted(GENERIC))))


_ASKS_IF_SO = re.compile(
    r"^\W*(?:(?:so|and|but),? )?(?:(?:why|how come) )?(?:is|are|was|were)(?:n['’]t)? "
    r"(?!.*\b(?:in|of|for|with|on|to|an?|the) \w+\W*$)[^?]*?([a-z]{5,})\W*$",
    re.IGNORECASE,
)
_IS_SO = re.compile(r"\b(?:is|are|be|was|were) (?:(?:not|also|always|indeed) )?([a-z]{5,})\b", re.IGNORECASE)
SAME_ENDING = 5
"""Letters at their end that two words for what something is, of one kind, have alike: commutative, associative. A
choice."""


@lru_cache(maxsize=64)  # one question is read beside one sentence after another
def find_property(asked: str) -> str:
    """What an English question asks of something whether it is so, or why: "is the product commutative"."""
    found = _ASKS_IF_SO.match(asked)
    return found[1].lower() if found is not None else ""


def names_property(wanted: str, text: str) -> bool:
    """Whether a text has a word of the family of what something is said to be: accuracy, of accurate."""
    return any(word.startswith(wanted[: max(SAME_BEGINNING, len(wanted) - 3)]) for word in WORDS.findall(text.lower()))


SAME_BEGINNING = 5
"""Letters at their beginning that words of one family have alike at least. A choice."""


def is_of_another_property(asked: str, text: str) -> bool:
    """Whether a sentence says of something that it is so in another way than is asked, by a word of the same kind:
    associative, and not commutative."""
    wanted = find_property(asked)
    if not wanted or wanted in text.lower():
        return False
    return any(
        one.endswith(wanted[-SAME_ENDING:]) and not wanted.endswith(one) for one in map(str.lower, _IS_SO.findall(text))
    )


def pieces_on_property(request: Request) -> Sequence[MaterialPiece]:
    """The passages, where it is asked if something is so and no text has that word without those that say that it is so
    in another way, where there are others: that a product is associative is near in meaning to commutative."""
    wanted = find_property(request.question)
    if not any(unit.label.lower() == wanted and not unit.is_known for unit in request.units):
        return request.pieces
    kept = [
        piece
        for piece in request.pieces
        if not any(is_of_another_property(request.question, line.text) for line in piece.lines)
    ]
    return kept or request.pieces


def is_what_another_is_compared_with(request: Request, sentence: str) -> bool:
    """Whether a concept that is asked about stands behind "than" alone: that something is slower than quicksort says
    nothing of how slow that is."""
    return is_behind_than([unit for unit in request.units if unit.concept_id is not None], sentence)
