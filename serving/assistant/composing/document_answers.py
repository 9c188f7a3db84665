"""What a document lays out as an answer: a term with its meaning, a section that is headed by it, a list under what
leads to it, rows of a table. Pure.

Slides and handouts rarely say "X is a …": they write "X: …", or put X above what it is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from knowledge_graph.text.layout import CELLS
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.cues import COUNTS_NOTHING, find_counted_thing
from serving.assistant.composing.introduction import defining_patterns
from serving.assistant.composing.material import MaterialLine, MaterialPiece, join_material_lines, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, OF_QUESTIONS, QuestionUnit, coverage, phrases, terms_of
from serving.assistant.composing.whole_names import without_kind
from serving.assistant.composing.window import LENGTH, heading_of, is_slide, leads_away
from serving.assistant.grounding.negation import is_negated
from serving.index.analysis import content_terms, terms

SCORE = 0.75
"""How sure an answer is that a document itself lays out. A choice."""
TERM, SENTENCE, HEADED = 3.0, (2.4, 2.2, 1.7), 2.3
"""How plainly a term with its meaning, a sentence by its wording, and a section by its heading say what a thing is."""
UNDER_ITS_NAME = 0.7
"""What a sentence gains that stands under the name of the thing, where it says what it is and not only what it does:
the section begins with that. Choices."""
SAID_BEFORE_A_COLON = 2.2
"""The same of a sentence that is no item: "Pro tip: use examples" says less surely what a tip is. A choice."""
LEAST = 2.0
LEADS = 0.8
"""Share of the question that what leads to a list must speak of, for the list to answer. A choice."""
LONGEST_LIST = 2.4
"""Times the usual length of an answer that a list may have, to be shown whole. A choice."""

_TERM = re.compile(r"^(?P<term>[^:：|]{2,60}?)(?:\s*[:：]\s+|\s+[-–—]\s+|\s+\|\s+)(?P<meaning>\S.*)$")
_ASIDE = re.compile(r"\(([^()]{1,30})\)")
_STEPS = re.compile(
    r"\b(?:steps?|ways?|algorithms?|procedure|strategies|methods?|phases?|stages?|structured?|sections|parts)\b"
    r"|步骤|方法|阶段|结构",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"[’']s\b")
_QUOTED = ("“", '"', "'", "‘", "「", "《")
"""How the title of another work begins, which is no term."""
_GENERIC = frozenset(terms("analysis algorithm method technique approach model"))
"""Words that a name may have or leave out where things are compared."""
_PART_OF = re.compile(
    r"\b(?:is|are) (?:also )?(?:an?|the|one of the) (?:\w+ ){0,2}(?:components?|parts?|aspects?|features?|examples?"
    r"|reasons?|topics?) (?:of|for|in)\b",
    re.IGNORECASE,
)
"""Sentences that say what a thing belongs to, and not what it is."""
LESS = 1.0
"""What such a sentence loses. A choice."""


@dataclass(frozen=True)
class _Found:
    """Lines `start:stop` of a piece that say what a thing is, and how plainly."""

    strength: float
    piece: MaterialPiece
    start: int
    stop: int

    @property
    def statement(self) -> ComposedStatement:
        return quote_under_heading(self.piece, self.piece.lines[self.start : self.stop])


def quote_under_heading(piece: MaterialPiece, lines: Sequence[MaterialLine]) -> ComposedStatement:
    """Lines of a document with what they stand under, where they begin with an item of a list."""
    text, heading = join_material_lines(lines, piece.lang), heading_of(piece.entry)
    if heading and (not lines[0].is_sentence or is_slide(piece.entry)):
        text = f"**{safe(heading)}**\n{text}"
    return ComposedStatement(text, piece.evidence(lines))


def document_definition(request: Request, *, least: float = LEAST) -> Composed | None:
    """The plainest that a document says of the one thing that is asked about; `None` where none says it so plainly as
    `least`."""
    names = find_asked_names(request)
    bare = frozenset(short for name in names if (short := without_kind(name)))
    for tried in (names, bare):
        found = _plainest(tried | _expand_abbreviations(tried, request.pieces), request.pieces, is_loose=True)
        if found is not None and found.strength >= least:
            return Composed("definition", "partial", (found.statement,), score=SCORE, is_whole=True)
    return None


def _expand_abbreviations(names: frozenset[str], pieces: Sequence[MaterialPiece]) -> frozenset[str]:
    """What abbreviations stand for where documents say so: "Static Single Assignment (SSA)"."""
    texts = [f"{heading_of(one.entry)}\n{one.entry.text}" for one in pieces if one.entry.source == "document"]
    patterns = [_in_full(name) for name in names if _ABBREVIATION.fullmatch(name)]
    return frozenset(found[1] for one in patterns for text in texts if (found := one.search(text)) is not None)


_ABBREVIATION = re.compile(r"[A-Za-z]{2,6}")


@lru_cache(maxsize=256)
def _in_full(name: str) -> re.Pattern[str]:
    words = rf"[- ](?:(?:{_SMALL_WORDS})[- ])?".join(rf"{letter}[a-z]+" for letter in name)
    return re.compile(rf"\b({words})\s*\({name}s?\)", re.IGNORECASE)


_SMALL_WORDS = "of|for|and|in|the|to|on|by|with"
"""Words of a name that its abbreviation leaves out: Universal Design for Learning."""


def document_statement(names: frozenset[str], pieces: Iterable[MaterialPiece]) -> ComposedStatement | None:
    """The plainest that the pieces of documents say of one thing by its names."""
    found = _plainest(names, pieces, is_loose=True)
    return found.statement if found is not None and found.strength >= LEAST else None


def find_asked_names(request: Request) -> frozenset[str]:
    """What one thing that is asked about is called; none where several are."""
    labels = [unit.label for unit in request.units]
    named = phrases(labels, request.question)
    if len(named) != 1:
        return frozenset()
    if (whole := _with_plain_word(named[0], request) or _with_its_end(named[0], request)) is not None:
        return frozenset((whole,))
    concepts = [request.graph.concept(unit.concept_id) for unit in request.units if unit.concept_id is not None]
    if len(request.units) == 1 and concepts:
        return frozenset({*named, concepts[0].name, *concepts[0].aliases})
    return frozenset(named)


def _with_plain_word(name: str, request: Request) -> str | None:
    """The name with a word before it that questions are made of, where the material writes both together: a basic
    block is no block."""
    found = re.search(rf"\b(?:{'|'.join(PLAIN_WORDS)}) {re.escape(name)}", request.question, re.IGNORECASE)
    if found is None or not any(found.group().lower() in piece.entry.text.lower() for piece in request.pieces):
        return None
    return found.group()


def _with_its_end(name: str, request: Request) -> str | None:
    """The name with what the question has behind it, where the material writes it all: universal design for learning is
    no universal design."""
    found = re.search(rf"\b{re.escape(name)} (?:for|of|in|by) [\w-]+(?=\W*$)", request.question, re.IGNORECASE)
    if found is None or not any(found.group().lower() in piece.entry.text.lower() for piece in request.pieces):
        return None
    return found.group()


PLAIN_WORDS = ("basic", "simple", "general", "common", "main", "good", "best")


def _plainest(names: frozenset[str], pieces: Iterable[MaterialPiece], *, is_loose: bool = False) -> _Found | None:
    """Where it is said; `is_loose` where "Andersen's analysis" may stand under "Andersen's algorithm"."""
    keys = {key for name in names if (key := (_whole_key if name.lower().startswith(PLAIN_WORDS) else _key)(name))}
    if is_loose:
        keys |= {short for key in keys if (short := key - _GENERIC)}
    if not keys:
        return None
    best: _Found | None = None
    for piece in pieces:
        if piece.entry.source != "document":
            continue
        for found in _find_statements(keys, tuple(sorted(names)), piece, is_loose=is_loose):
            if best is None or found.strength > best.strength:
                best = found
    return best


def _find_statements(
    keys: set[frozenset[str]], names: tuple[str, ...], piece: MaterialPiece, *, is_loose: bool
) -> Iterator[_Found]:
    heading = heading_of(piece.entry)
    is_headed = _is_named(keys, heading, is_loose=is_loose)
    if is_headed:
        is_beside, is_strict = _BESIDE.search(heading) is not None, _is_named(keys, heading, is_loose=False)
        yield _Found(HEADED - (BESIDE if is_beside else LOOSELY * (not is_strict)), piece, 0, _end(piece, 0))
    patterns = (*zip(SENTENCE, defining_patterns(names), strict=False), (APART, _apposition(names)))
    for place, line in enumerate(piece.lines):
        if line.is_code:
            continue
        if (not line.is_sentence or _TERM.match(line.text)) and not _OF_LINKS.search(heading):
            yield from _term(keys, piece, place)
        if piece.wordings[place][2] or is_negated(line.text):
            continue
        for worth, pattern in patterns:
            if pattern.search(line.text):
                gained = UNDER_ITS_NAME * (is_headed and worth >= LEAST)
                strength = worth + gained - LESS * (_PART_OF.search(line.text) is not None)
                yield _Found(strength, piece, place, _end(piece, place))
                break


_BESIDE = re.compile(
    r"\b(?:examples?|summary|overview|outline|introduction|recap|revisited|conclusions?)\b", re.IGNORECASE
)
_OF_LINKS = re.compile(r"\b(?:resources?|references|links|further reading|bibliography|see also)\b", re.IGNORECASE)
"""The heading of a list of other works, whose items say where something is told and not what it is."""
BESIDE = 0.2
"""What a section loses whose heading names the thing and says that it is its example, or its summary. A choice."""
LOOSELY = 0.1
"""What a section loses whose heading names the thing with a common word, "Andersen's Algorithm". A choice."""
APART = 2.1
"""How plainly an apposition says what a thing is. A choice."""


@lru_cache(maxsize=256)
def _apposition(names: tuple[str, ...]) -> re.Pattern[str]:
    """What finds "neuroplasticity, or the ability of …", "“math anxiety,” a feeling of …"."""
    one = "|".join(map(re.escape, names))
    return re.compile(
        rf"\b(?:{one})(?:\s*[—–]+\s*|,?[”\"]? ?,? |\s*\()(?:(?:or|that is,?|i\.e\.,?|meaning) (?:an?|the)\b"
        rf"|(?<=[,”\"—–] )an? \w+ of\b)",
        re.IGNORECASE,
    )


def _term(keys: set[frozenset[str]], piece: MaterialPiece, place: int) -> Iterator[_Found]:
    """ "Lexer: turns characters into tokens", or an item that is the term alone, with items below it."""
    line = piece.lines[place]
    stop = _end_of_item(piece, place)
    if line.text.startswith(_QUOTED):
        return
    if (found := _TERM.match(line.text)) is not None and "\n" not in line.text:
        if keys & _keys(found["term"]):
            yield _Found(SAID_BEFORE_A_COLON if line.is_sentence else TERM, piece, place, stop)
    elif (
        line.is_item and stop > place + 1 and not _RELATES.search(line.text) and keys & _keys(line.text.rstrip(":： "))
    ):
        yield _Found(TERM, piece, place, stop)


_RELATES = re.compile(r"\b(?:for|to|with|from|by|on|at|when|if)\b", re.IGNORECASE)
"""What an item says of a thing that is no term alone: "Easy for a basic block"."""


def _end_of_item(piece: MaterialPiece, place: int) -> int:
    """Behind an item and those below it."""
    line, stop = piece.lines[place], place + 1
    if not line.is_item or line.block is None:
        return stop
    if line.text.rstrip().endswith((":", "：")) and stop < len(piece.lines) and piece.lines[stop].is_item:
        level = _level(piece.lines[stop])
        while stop < len(piece.lines) and piece.lines[stop].is_item and _level(piece.lines[stop]) >= level:
            stop += 1
        return stop
    while stop < len(piece.lines):
        below = piece.lines[stop]
        if not below.is_item or below.block is None or below.block.level <= line.block.level:
            break
        stop += 1
    return stop


def _level(line: MaterialLine) -> int:
    return line.block.level if line.block is not None else 0


def _end(piece: MaterialPiece, start: int) -> int:
    """As far as there is room; what is begun of a list is finished where that is near."""
    room, stop = LENGTH[piece.lang] * 1.3, start
    rest = LENGTH[piece.lang] * (LONGEST_LIST - 1.3)
    while stop < len(piece.lines):
        goes_on = stop > start and piece.lines[stop].is_item and piece.lines[stop - 1].is_item
        if stop > start and (room + rest * goes_on < piece.sizes[stop] or leads_away(piece, stop)):
            break
        room -= piece.sizes[stop]
        stop += 1
    return stop


def _keys(text: str) -> set[frozenset[str]]:
    """By what terms a heading or a term may be named: without an aside, by the aside alone, and behind a colon."""
    parts = [_ASIDE.sub(" ", text), *_ASIDE.findall(text), *(text.split(":") if text.count(":") == 1 else ())]
    return {key for part in parts for key in (_key(part), _whole_key(part)) if key}


def _is_named(keys: set[frozenset[str]], text: str, *, is_loose: bool) -> bool:
    found = _keys(text)
    return bool(keys & found) or (is_loose and bool(keys & {key - _GENERIC for key in found if key - _GENERIC}))


def _key(text: str) -> frozenset[str]:
    """The terms of a name without the words that questions are made of."""
    found = _whole_key(text)
    return found - OF_QUESTIONS or found


def _whole_key(text: str) -> frozenset[str]:
    return frozenset(content_terms(_POSSESSIVE.sub("", text), strict=True))


def document_section(request: Request) -> Composed | None:
    """The section whose heading has every word of the question, "Key ideas", "Wrap up"; `None` where there is none."""
    asked = frozenset(content_terms(request.question, strict=True)) - _OF_PARTS
    headed = [
        (len(words - asked), rank, piece)
        for rank, piece in enumerate(request.pieces if len(asked) > 1 else ())
        if piece.entry.source == "document" and asked <= (words := terms_of(heading_of(piece.entry)))
    ]
    if not headed:
        return None
    _, _, piece = min(headed)
    said = quote_under_heading(piece, piece.lines[: _end(piece, 0)])
    return Composed(request.kind, "partial", (said,), score=SCORE, is_whole=True)


_OF_PARTS = frozenset(
    terms("what which how summarise summarize course module lecture slides notebook page document material")
)


def document_list(request: Request) -> Composed | None:
    """The list to which a heading or a line leads that speaks of what is asked; `None` where none does."""
    if not request.units or any(one.key != "example" for one in request.aspects):
        return None
    best: tuple[float, int, _Found] | None = None
    for rank, piece in enumerate(request.pieces):
        if piece.entry.source != "document":
            continue
        for lead, start, stop in _lists(piece):
            if request.kind == "how" and not (_STEPS.search(lead) or piece.lines[stop - 1].text[:1].isdigit()):
                continue
            if all(line.text in request.seen for line in piece.lines[start:stop]):
                continue  # an example of what was listed just before is not that list again
            share = coverage(request.units, terms_of(lead))
            if share >= LEADS and (best is None or (share, -rank) > (best[0], -best[1])):
                best = share, rank, _Found(SCORE, piece, start, stop)
    if best is None:
        return None
    return Composed(request.kind, "partial", (best[2].statement,), score=SCORE, is_whole=True)


def _lists(piece: MaterialPiece) -> Iterator[tuple[str, int, int]]:
    """What leads to each list of a piece, and its lines with the line that leads to it."""
    lines, heading = piece.lines, heading_of(piece.entry)
    place = 0
    while place < len(lines):
        if not lines[place].is_item:
            place += 1
            continue
        stop = place
        while stop < len(lines) and lines[stop].is_item:
            stop += 1
        first = place - 1 if place and lines[place - 1].is_sentence else place
        lead = f"{heading} {lines[first].text}" if first < place else heading
        is_told = 2 * sum(piece.wordings[one][2] for one in range(place, stop)) < stop - place
        if stop - place > 1 and is_told and sum(piece.sizes[first:stop]) <= LENGTH[piece.lang] * LONGEST_LIST:
            yield lead, first, stop
        for item in range(place, stop):
            below = _end_of_item(piece, item)
            if below > item + 2:
                yield f"{heading} {lines[item].text}", item, below
        place = stop


def document_fact(request: Request, expected: re.Pattern[str] | None) -> Composed | None:
    """The item or row that is called what is asked about and holds a date or an amount where that is expected:
    "Project report: 9 December"."""
    units = [unit for unit in request.units if not any(name <= _OF_FACTS for name in unit.names)]
    if expected is None:
        return None
    asked = frozenset(content_terms(request.question, strict=True)) - _OF_FACTS
    counted = frozenset(terms(find_counted_thing(request.question) or "")) - _OF_FACTS
    is_of_shares = _ASKS_A_SHARE.search(request.question) is not None
    for piece in request.pieces:
        for place, line in enumerate(piece.lines if piece.entry.source == "document" else ()):
            if not expected.search(COUNTS_NOTHING.sub("", line.text)) or line.is_code:
                continue
            if not counted <= terms_of(f"{heading_of(piece.entry)} {line.text}"):
                continue
            found = None if line.is_sentence else _TERM.match(line.text)
            is_row = found is not None and bool(units) and expected.search(found["meaning"]) is not None
            is_called = is_row and found is not None and coverage(units, terms_of(found["term"])) >= ALL_OF_IT
            is_told = len(asked) > 1 or (bool(asked) and _SHARES.search(line.text) is not None and is_of_shares)
            if is_called or (line.is_sentence and is_told and asked <= terms_of(line.text)):
                said = quote_under_heading(piece, piece.lines[place : place + 1])
                return Composed("logistics", "partial", (said,), score=SCORE, is_whole=True)
    return None


_ASKS_A_SHARE = re.compile(r"\b(?:worth|weigh(?:s|t)?|counts?|percent\w*|how much of)\b|占", re.IGNORECASE)
_SHARES = re.compile(r"\d ?(?:%|percent\b|points?\b)", re.IGNORECASE)
"""What asks for the share of a grade, and what a line that says it has."""
_OF_FACTS = frozenset(
    terms(
        "due deadline date day count weigh weight worth cost percent percentage submit hand "
        "how long much many when what"
    )
)
"""Words of a question for a date or an amount that the line with it need not repeat."""


def document_comparison(request: Request, sides: Sequence[Sequence[QuestionUnit]]) -> Composed | None:
    """The rows or items of one list that are each about one of the things compared."""
    names = [frozenset({" ".join(unit.label for unit in side)}) for side in sides]
    keys = [
        {short for name in each for key in [_key(name)] for short in (key, key - _GENERIC) if short} for each in names
    ]
    for piece in request.pieces:
        if piece.entry.source != "document":
            continue
        for place, line in enumerate(piece.lines):
            rows = line.text.split("\n") if not line.is_item and CELLS in line.text else []
            if rows and all(any(each & _keys(row.partition(CELLS)[0]) for row in rows) for each in keys):
                return _compose_comparison(quote_under_heading(piece, piece.lines[place : place + 1]))
        found = [_first(each, piece) for each in keys]
        if all(one is not None for one in found):
            starts = sorted({(one.start, one.stop) for one in found if one is not None})
            if len(starts) == len(keys):
                lines = [line for start, stop in starts for line in piece.lines[start:stop]]
                return _compose_comparison(quote_under_heading(piece, lines))
    return None


def _first(keys: set[frozenset[str]], piece: MaterialPiece) -> _Found | None:
    return next((one for place in range(len(piece.lines)) for one in _term(keys, piece, place)), None)


def _compose_comparison(said: ComposedStatement) -> Composed:
    return Composed("comparison", "partial", (said,), score=SCORE, is_whole=True)
