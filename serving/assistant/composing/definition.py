"""What something is: the concept's definition, or the sentence that says it, with what is said next. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.text.time_code import time_code
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.cues import speaks_of_the_talk
from serving.assistant.composing.deeds import ASKS_FOR_DEEDS, TELLS_DEEDS, find_deeds
from serving.assistant.composing.defining_cues import APPOSED, OF_WHAT, defines, leans_on_before
from serving.assistant.composing.document_answers import TERM, document_definition
from serving.assistant.composing.explain import LIKELY, MOST_TRIED, UNLIKELY, compose_explanation
from serving.assistant.composing.introduction import ENDS_NAME, introduction, with_what_follows
from serving.assistant.composing.lecture_places import lecture_evidence
from serving.assistant.composing.material import join_material_lines, line_of
from serving.assistant.composing.quote_edges import complete_quotes
from serving.assistant.composing.reply_cues import is_taken_back
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, is_name, speaks_of_its_names, terms_of
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.spelling import is_rare
from serving.index.analysis import terms
from serving.index.evidence import from_definition


def compose_definition(request: Request) -> Composed | None:
    """What a thing does, where that is asked and said, or what it is; as documents define it before anything else."""
    if _has_unknown_head(request):
        return None
    return document_definition(request, least=TERM) or _compose_deeds(request) or _define(request)


def _define(request: Request) -> Composed | None:
    """The definition of the one concept that is asked about; without one, the sentences that speak of it."""
    concept = only_concept(request)
    introduced = introduce(request, [unit for unit in request.units if unit.label.lower() not in _MANNERS])
    if concept is not None and concept.definition:
        return _give_definition(request, concept, None if _is_own(request, concept) else introduced)
    if introduced is None and (written := document_definition(request)) is not None:
        return written
    stated = _by_sentence(request)
    found = stated or compose_explanation(request)
    if introduced is not None:
        return _lead_with(introduced, found)
    if stated is None and concept is not None and (kind := find_defined_kind(request, concept)) is not None:
        return _lead_with(ComposedStatement(kind.definition or "", replace(from_definition(0, kind), number=0)), found)
    if stated is None and concept is not None and (kinds := _kinds_of(request, concept)):
        names = {name for kind in kinds for name in (kind.name, *kind.aliases)}
        if (said := _quote_introduction(request, names, titled=())) is not None:
            return _lead_with(said, found)
    if found is not None:
        return found if stated is not None else _doubt(request, found)
    return None if concept is None else _introduce(request, concept)


def _compose_deeds(request: Request) -> Composed | None:
    """What a thing does as a lecture says it; what is said of it where its definition says only what it is. `None`
    where that is not asked."""
    if ASKS_FOR_DEEDS.search(request.question) is None:
        return None
    names = {name for unit in request.units for name in _spellings(request, unit.label, unit.concept_id)}
    if len(request.units) == 1 and names and (said := find_deeds(names, request.material.lectures)):
        return _lead_with(quote_sentences(request, said), compose_explanation(request))
    concept = only_concept(request)
    is_told = concept is None or not concept.definition or TELLS_DEEDS.search(concept.definition) is not None
    return None if is_told else compose_explanation(request)


def _give_in_context(request: Request, concept: GraphConcept) -> Composed | None:
    """A definition that leans on what is said before it, with that, and what else is said of it, under a doubt."""
    lectures, wanted = request.material.lectures, terms_of(concept.definition or "")
    naming = lectures.naming([[terms_of(name) for name in (concept.name, *concept.aliases)]]).values()
    defining = next((one for said in naming for one in said if wanted <= terms_of(one.text)), None)
    found = compose_explanation(request)
    if defining is None:
        return found
    lecture = lectures.by_id[defining.video_id]
    place = lecture.places[defining.position]
    told = quote_sentences(request, lecture.sentences[max(0, place - MOST_LEANT_ON) : place + 1])
    said = wording(request.spoken)
    return replace(_lead_with(told, found), note=said.not_direct, after=said.hand_off, score=UNLIKELY)


MOST_LEANT_ON = 2
"""Sentences before a definition that leans on them. A choice."""


_MANNERS = frozenset({"geometrically", "intuitively", "visually", "conceptually"})
"""How it is to be understood: what a thing means geometrically is what it means."""


def _doubt(request: Request, found: Composed) -> Composed:
    """What documents say of a thing that none of it defines, under a doubt: a slide may only name it."""
    labels = [unit.label for unit in request.units]
    places = [one.evidence for one in found.statements if one.evidence is not None]
    is_written = bool(places) and all(one.source == "document" for one in places)
    if found.note or not is_written or any(defines(one.text, labels) for one in found.statements):
        return found
    said = wording(request.spoken)
    return replace(found, note=said.not_direct, after=said.hand_off, score=UNLIKELY)


def _has_unknown_head(request: Request) -> bool:
    """Whether a term that no text of the course has is asked about: "the nullity of a matrix" is not what a matrix
    is, nor is "dropout in a neural network" what a network is."""
    return any(
        not unit.is_known
        and (found := re.search(_HEADS.format(name=re.escape(unit.label)), request.question, re.IGNORECASE)) is not None
        and (is_rare(unit.label.lower()) or found["bare"] is not None or found["doer"] is not None)
        for unit in request.units
        if unit.label.isascii() and unit.label.isalpha()
    )


_HEADS = (
    r"(?P<bare>\bwhat(?:'?s| is| are) )?\b{name} (?:of|in|for)\b"
    r"|(?P<doer>\bwhat (?:does|do|did) (?:an? |the )?){name}(?: \w+ly)? (?:do|mean)\b"
)
"""A name with what it is of, or whose doing is asked for. Without an article after "what is" it is a term, however
common its word is."""


def introduce(request: Request, units: Sequence[QuestionUnit]) -> ComposedStatement | None:
    """What the course's own lectures say of the one thing that `units` name when they introduce it."""
    names = {name for unit in units for name in _spellings(request, unit.label, unit.concept_id)}
    if len(units) != 1 or not names:
        return None
    lectures = request.material.lectures.lectures
    titled = [one.video_id for one in lectures if coverage(units, terms_of(one.title)) >= ALL_OF_IT]
    return _quote_introduction(request, names, titled=titled)


def _quote_introduction(request: Request, names: set[str], *, titled: Sequence[str]) -> ComposedStatement | None:
    """The sentences with which the course's lectures introduce one of the names."""
    said = introduction(names, request.material.lectures, titled=titled)
    return quote_sentences(request, said) if said else None


def _is_own(request: Request, concept: GraphConcept) -> bool:
    """Whether a concept's definition is the course's own and not of another course or of the web."""
    evidence = from_definition(0, concept)
    return request.course_id is None or evidence.course_id == request.course_id


def find_defined_kind(request: Request, concept: GraphConcept) -> GraphConcept | None:
    """The kind of a thing that the course defines, where it does not define the thing: a binary heap for a heap."""
    kinds = _kinds_of(request, concept)
    defined = [one for one in kinds if one.definition and one.definition_kind == "subtitle"]
    return max(defined, key=lambda one: (one.mention_count, one.score, one.concept_id), default=None)


def _kinds_of(request: Request, concept: GraphConcept) -> list[GraphConcept]:
    """The course's concepts whose names end with that of the concept."""
    ending = f" {concept.name.lower()}"
    listed = request.graph.concepts_of(request.course_id)
    return [request.graph.concept(concept_id) for concept_id, name in listed if name.lower().endswith(ending)]


def _lead_with(introduced: ComposedStatement, found: Composed | None) -> Composed:
    """The introduction, then what else was found without what it says already."""
    others = () if found is None else found.statements
    beside = tuple(one for one in others if not _repeats(one.text, introduced.text))
    return Composed("definition", "partial", (introduced, *beside[:2]), score=LIKELY)


def only_concept(request: Request) -> GraphConcept | None:
    """The concept, when the question is about one and nothing else."""
    is_alone = len(request.units) == 1 and request.units[0].concept_id is not None
    return request.graph.concept(request.units[0].concept_id or "") if is_alone else None


def _give_definition(request: Request, concept: GraphConcept, introduced: ComposedStatement | None) -> Composed:
    """The definition, one that leans on what is said before it with that; beside one of another course what this
    course says of it."""
    if leans_on_before(concept.definition or "") and (told := _give_in_context(request, concept)) is not None:
        return told
    stated = ComposedStatement(concept.definition or "", replace(from_definition(0, concept), number=0))
    windows = best_windows(request.pieces, request.units, kind="definition", most=2)
    more = [window.statement for window in complete_quotes(windows, request.material.lectures)]
    found = [*([introduced] if introduced is not None else []), *more]
    beside = [one for one in found if not _repeats(one.text, stated.text)][:1]
    note = wording(request.spoken).from_web if concept.definition_kind == "search" else ""
    return Composed("definition", "full", (stated, *beside), note=note, stored=stated.evidence, score=1.0)


def _by_sentence(request: Request) -> Composed | None:
    """The window whose sentence says what the thing is."""
    names = {name for unit in request.units for name in _spellings(request, unit.label, unit.concept_id)}
    head = {unit.label for unit in request.units if len(request.units) > 1 and _is_head(unit, request.question)}
    words = head or {unit.label for unit in request.units if len(request.units) == 1}
    if not (names or words):
        return None
    words |= {longer for word in words for longer in _with_next_word(word, request.question)}
    if (head or not names) and (named := _find_naming_sentence(request, words)) is not None:
        return Composed("definition", "partial", (named,), score=LIKELY)
    by_name = bool(names) and not head
    pattern = defining_pattern(names) if by_name else naming_pattern(words)
    windows = best_windows(
        request.pieces, request.units, kind="definition", cue=pattern, most=1 if by_name else MOST_TRIED
    )
    said = [one.piece.lines[one.anchor].text for one in windows]
    windows = [one for one, text in zip(windows, said, strict=True) if pattern.search(text) and not is_taken_back(text)]
    windows = [one for one in windows if speaks_of_its_names(request.units, f"{one.piece.entry.title} {one.text}")][:1]
    if not windows:
        return None
    lectures = request.material.lectures
    statements = tuple(window.statement for window in complete_quotes(windows, lectures))
    return Composed("definition", "partial", statements, score=LIKELY)


def _with_next_word(word: str, question: str) -> list[str]:
    """A word with the one behind it in a question, which may be a name of both: "a dirty bit"."""
    return [found.group() for found in re.finditer(rf"\b{re.escape(word)} [\w-]+", question, re.IGNORECASE)]


def _find_naming_sentence(request: Request, words: set[str]) -> ComposedStatement | None:
    """The sentence of a lecture that says what a word stands for, with what goes on."""
    lectures = request.material.lectures
    said = lectures.naming([[terms_of(word) for word in words]]).values()
    naming = [one for sentences in said for one in sentences if not speaks_of_the_talk(one.text)]
    owners = [unit.label for unit in request.units]
    for each in ([_definition_pattern(words)], [naming_pattern(words), _owner_pattern(words, owners)]):
        for sentence in naming:
            if any(pattern.search(sentence.text) for pattern in each):
                return quote_sentences(request, with_what_follows(sentence, lectures))
    return None


def _definition_pattern(words: set[str]) -> re.Pattern[str]:
    """What finds a sentence that calls itself the definition: "the technical definition of a basis of a space is …"."""
    any_word = "|".join(map(re.escape, sorted(words)))
    return re.compile(rf"\bdefinition of (?:the |an? )?(?:{any_word})s?{OF_WHAT} is\b", re.IGNORECASE)


def quote_sentences(request: Request, said: Sequence[LectureSentence]) -> ComposedStatement:
    """Neighbouring sentences of a lecture."""
    text = join_material_lines([line_of(one) for one in said], said[0].lang)
    return ComposedStatement(text, lecture_evidence(said[0], request.course_id, text))


def _owner_pattern(words: set[str], owners: Sequence[str]) -> re.Pattern[str]:
    """What finds a sentence that says what a word is of its owner: "the height of a tree is …"."""
    things, of = ("|".join(map(re.escape, each)) for each in (sorted(words), sorted(owners)))
    return re.compile(
        rf"(?:^|[,;:] |\b(?:so|and|now|well|then) )the (?:{things}) of (?:an?|any|the|each) (?:{of}),? (?:is|means)\b",
        re.I,
    )


def _is_head(unit: QuestionUnit, question: str) -> bool:
    """Whether a word that is no concept is what is asked for of something: the rank of a matrix."""
    return (
        unit.concept_id is None and re.search(rf"\b{re.escape(unit.label)} of\b", question, re.IGNORECASE) is not None
    )


_POINTED_AT = r"(?<!\bthat )(?<!\bthis )(?<!\bthese )(?<!\bthose )(?<!\bour )(?<!\byour )(?<!\bmy )"
"""Not behind these: "that heap is a seven node heap" says what one of them is."""


def defining_pattern(names: set[str]) -> re.Pattern[str]:
    """What finds a sentence that says what one of these names stands for, in English and Chinese."""
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"{_POINTED_AT}\b(?:{any_name})(?:s|es)?{APPOSED},? "
        rf"(?:(?:is|are) (?:an?|the|simply|just|basically|really|one|when|where"
        rf"|that|defined|called|essentially|some|any|what|nothing|all|our|used to)\b|means?\b|refers? to|consists? of"
        rf"|stands? for)"
        rf"|\b(?:called|known as|name for|term for|by|as) (?:an? |the )?(?:{any_name})\b|\bwhat (?:an? "
        rf"|the )?(?:{any_name})s? (?:is|does|means)"
        rf"|(?:{any_name})(?:就?是|指的?是|是指|即|叫做|表示|的意思)|(?:叫做?|称为|称作|就是"
        rf"|所谓的?)[“”\"]?(?:{any_name})",
        re.IGNORECASE,
    )


def naming_pattern(words: set[str]) -> re.Pattern[str]:
    """What finds a sentence that says what a word stands for: a word alone may be any word, so it must be named as one
    ("the word rank means")."""
    any_word = "|".join(re.escape(word) for word in sorted(words))
    return re.compile(
        rf"\b(?:word|term|name|notion|concept of) [\"“']?(?:an? |the )?(?:{any_word})[\"”']?s? (?:means?|is"
        rf"|refers|stands|describes)\b"
        rf"|\b(?:called|known as|term for|name for) (?:an? |the |its )?[\"“']?(?:{any_word})s?{ENDS_NAME}"
        rf"|(?:叫做?|称为|称作|所谓的?)[“”\"「]?(?:{any_word})",
        re.IGNORECASE,
    )


def _spellings(request: Request, label: str, concept_id: str | None) -> list[str]:
    if concept_id is None:  # a common short word alone may be any word; a name of several is itself
        is_itself = label.isascii() and (len(label) >= LONG_WORD or is_name(label))
        return [label] if len(terms(label)) > 1 or is_itself else []
    concept = request.graph.concept(concept_id)
    return [label, concept.name, *concept.aliases]


LONG_WORD = 8
"""Letters of an English word that names a thing where it is asked about, though it is no concept. A choice."""


def _introduce(request: Request, concept: GraphConcept) -> Composed | None:
    """Where the concept is spoken of, for one that nothing defines."""
    own = [one for one in concept.evidence if one.course_id == request.course_id and one.span.video_id is not None]
    if not own:
        return None
    span = own[0].span
    lectures = request.material.lectures
    lecture = lectures.by_id.get(span.video_id or "")
    title = lectures.name_of(lecture) if lecture is not None else span.video_id or ""
    text = wording(request.spoken).introduced.format(
        concept=concept.name, title=title, time=time_code(span.start_ms or 0)
    )
    evidence = replace(from_definition(0, concept), text=span.text)
    return Composed("definition", "partial", (ComposedStatement(text, evidence),), score=0.3)


def _repeats(text: str, said: str) -> bool:
    """Whether a text says next to nothing that was not said."""
    left, right = set(terms(text)), set(terms(said))
    return len(left & right) >= 0.8 * min(len(left), len(right)) if left and right else True
