"""What the units of a question are by what was found for it: a name that no text has is not known. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from knowledge_graph.text.segmenter import chinese_word_class, stands_as_words
from knowledge_graph.text.sentences import has_cjk
from serving.assistant.composing.defining_cues import defines
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.opposites import says_opposite
from serving.assistant.composing.request import FindPieces, FindTexts, Request
from serving.assistant.composing.terms import (
    WORDS,
    QuestionUnit,
    is_name,
    is_of_concept,
    is_spelled_in,
    phrases,
    spelling_pattern,
    spellings,
    stands_as_verb,
    terms_of,
    with_adjoining,
)
from serving.assistant.composing.whole_names import (
    GENERIC,
    KINDS,
    OF_KINDS,
    says_in_order,
    says_whole,
    says_with_one,
    stands_alone,
    without_kind,
)
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.understanding.aspects import ASPECTS
from serving.assistant.understanding.spelling import is_rare
from serving.assistant.understanding.translation import synonyms, things_in
from serving.index.analysis import content_terms, terms


def spells(piece: MaterialPiece, literal: re.Pattern[str]) -> bool:
    return any(literal.search(text) for text in (piece.entry.title, *(line.text for line in piece.lines)))


def pieces_as_spelled(units: Sequence[QuestionUnit], find_pieces: FindPieces) -> tuple[MaterialPiece, ...]:
    """The passages that spell the one word to be defined, where any does: a transform is no transformer."""
    found = find_pieces()
    if len(units) != 1:
        return found
    kept = tuple(one for one in found if is_spelled_in(units[0], f"{one.entry.title} {one.entry.text}"))
    return kept or found


def home_of(piece: MaterialPiece, homes: Mapping[str, float]) -> float:
    at = piece.entry.locator
    return homes.get(at.video_id, 0.0) if at is not None and at.video_id is not None else 0.0


def unit_as_named(unit: QuestionUnit, find_texts: FindTexts, lectures: CourseLectures) -> QuestionUnit:
    """A name of several words that no sentence has is not known, though the course uses each of its words; nor is a
    rare word of another course's texts alone."""
    if unit.concept_id is not None or not unit.is_known:
        return unit
    if all(len(name) == 1 for name in unit.names):
        if not is_rare(unit.label.lower()):
            return unit
        named = _texts_naming(unit.names, find_texts, lectures)
        return (
            unit if any(unit.measure_coverage(terms_of(one)) == 1.0 for one in named) else replace(unit, is_known=False)
        )
    if (literal := spelling_pattern(unit)) is not None:
        texts = [one.text for said in lectures.naming([unit.names]).values() for one in said]
        texts += find_texts()
        return unit if any(literal.search(text) for text in texts) else replace(unit, is_known=False)
    said = any(_names_it(unit, text) for text in _texts_naming(unit.names, find_texts, lectures))
    return unit if said or _is_told_of_owner(unit.label, lectures) else replace(unit, is_known=False)


def _has_lecture_on_it(name: str, lectures: CourseLectures) -> bool:
    """Whether a lecture has the last word of an English name in its title and says there that what it tells of is as
    the word before it has it: "the relation is linear", of linear regression."""
    found = _AS_IT_IS.fullmatch(name)
    if found is None:
        return False
    head, is_so = frozenset(terms(found["head"])), re.compile(_IS_SO.format(found["how"]), re.IGNORECASE)
    titled = {one.video_id for one in lectures.lectures if head <= terms_of(one.title)}
    said = lectures.naming([[frozenset(terms(found["how"]))]]) if titled else {}
    return any(is_so.search(one.text) for video in titled.intersection(said) for one in said[video])


_AS_IT_IS = re.compile(r"(?P<how>[a-z]{3,}(?:[ai]l|ar|ic|ive|ous)) (?P<head>[a-z]{4,})", re.IGNORECASE)
_IS_SO = r"\b(?:is|are|be|was|were|stays?|looks?|becomes?) (?:\w+ly )?{}\b"


def _texts_naming(names: Collection[frozenset[str]], find_texts: FindTexts, lectures: CourseLectures) -> Iterator[str]:
    """The sentences of the lectures that have all terms of a name, then what was found: it is looked up only then."""
    for said in lectures.naming([names]).values():
        yield from (one.text for one in said)
    yield from find_texts()


def list_found_texts(pieces: Sequence[MaterialPiece], stored: Sequence[PairCandidate]) -> tuple[str, ...]:
    """What was found, text by text: the passages' titles and sentences, the questions and answers of the FAQ."""
    said = [text for piece in pieces for text in (piece.entry.title, *(line.text for line in piece.lines))]
    faq = (one.entry for one in stored if one.entry.source == "faq")
    return (*said, *(text for entry in faq for text in (entry.title, *entry.text.splitlines())))


def kinds_of_concepts(
    units: Sequence[QuestionUnit], question: str, find_texts: FindTexts, lectures: CourseLectures
) -> tuple[QuestionUnit, ...]:
    """The units, with each kind of a concept that no text of the course has as one unknown unit: the course may teach
    sorts, and no Shell sort (希尔排序). A kind is what the glossary knows as one thing, or a concept with the word
    right before it that makes another thing of it; or what is called after somebody: Dijkstra's shortest path algorithm
    is none where the course has another of Dijkstra's."""
    found = list(units)
    for name in things_in(question):
        within = [one for one in found if one.label.lower() in name.lower()]
        is_whole = any(one.label.lower() == name.lower() for one in within)
        is_apart = not any(lectures.naming([one.names for one in within]).values())
        may_be_another = len(within) > 1 and not is_whole and is_apart
        if may_be_another and not _is_said([name, *synonyms(name)], find_texts, lectures):
            found[found.index(within[0])] = _unknown(name, within)
            found = [one for one in found if one not in within]
    for name in _NAMED_AFTER.findall(question):
        within = [one for one in found if re.search(rf"(?<!\w){re.escape(one.label)}(?!\w)", name, re.IGNORECASE)]
        telling = [one for one in within if one.label.lower() not in GENERIC]
        is_apart = not any(lectures.naming([one.names for one in telling]).values())
        if len(telling) > 1 and is_apart and not _is_told_of_owner(name, lectures):
            texts = map(terms_of, find_texts())
            if not any(all(one.measure_coverage(each) == 1.0 for one in telling) for each in texts):
                found[found.index(within[0])] = _unknown(name, within)
                found = [one for one in found if one not in within]
    for concept in units:
        if concept.concept_id is None or concept not in found:
            continue
        before = next((one for one in found if _makes_another(one, concept, question, find_texts, lectures)), None)
        if before is not None:
            label = f"{before.label}{'' if has_cjk(concept.label) else ' '}{concept.label}"
            found[found.index(before)] = _unknown(label, (before, concept))
            found.remove(concept)
    return tuple(found)


_NAMED_AFTER = re.compile(
    r"\b(?!(?:it|that|what|let|there|here|how|who|where|when|he|she|one|today|everyone|somebody)['’])[a-z]{3,}['’]s "
    r"(?:[\w-]+ ){1,3}(?:algorithm|method|theorem|rule|law|formula|technique|procedure)s?\b",
    re.IGNORECASE,
)
"""What is called after somebody and by what it is for: of several such things a course may have another."""


def _is_told_of_owner(name: str, lectures: CourseLectures) -> bool:
    """Whether a lecture names somebody and soon after that, or under a title with the name, what is called after them:
    who tells of Kepler's laws says "the second law"."""
    found = _OWNED.search(name)
    if found is None:
        return False
    owner, owned = ([frozenset(terms(one))] for one in (found["owner"], found["what"]))
    told = lectures.naming([owned])
    titled = (one.video_id for one in lectures.lectures if owner[0] <= terms_of(one.title))
    if any(video in told for video in titled):
        return True
    said = lectures.naming([owner])
    return any(
        0 <= what.position - who.position <= SOON
        for video in said
        for who in said[video]
        for what in told.get(video, ())
    )


SOON = 40
"""Sentences behind somebody's name in which what is called after them is told. A choice."""
_OWNED = re.compile(
    r"\b(?P<owner>[a-z]{3,}?)(?:['’]s?|s|s['’]) (?P<what>(?:[\w-]+ ){0,2}"
    r"(?:laws?|principles?|theorems?|rules?|equations?|formulas?|postulates?|axioms?|paradox|models?|theor(?:y|ies)"
    r"|hypothes[ie]s|effects?|experiments?|maxims?|tasks?|fallacy))\b",
    re.IGNORECASE,
)
"""What is called after somebody and counted, or told one by one."""


def _unknown(label: str, units: Sequence[QuestionUnit]) -> QuestionUnit:
    """A thing of several words, of which no text of the course has the whole."""
    weight = max(unit.weight for unit in units)
    return QuestionUnit(label, (frozenset(terms(label)),), weight, is_known=False)


def _is_said(names: Sequence[str], find_texts: FindTexts, lectures: CourseLectures) -> bool:
    """Whether any text has one of the names of a thing, whole."""
    texts = _texts_naming([terms_of(name) for name in names], find_texts, lectures)
    is_whole = any(says_whole(text, name) for text in texts for name in names)
    return is_whole or any(_is_told_of_owner(name, lectures) or _has_lecture_on_it(name, lectures) for name in names)


def _is_said_alone(name: str, find_texts: FindTexts, lectures: CourseLectures) -> bool:
    """Whether a text has an English name without another noun behind it."""
    return any(stands_alone(text, name) for text in _texts_naming([terms_of(name)], find_texts, lectures))


def _makes_another(
    unit: QuestionUnit, concept: QuestionUnit, question: str, find_texts: FindTexts, lectures: CourseLectures
) -> bool:
    """Whether a word makes another thing of the concept behind it: in Chinese a noun that no text has; in English one
    that no sentence has beside the concept, and that does not only say how large or how good it is."""
    if unit.concept_id is not None or not unit.names:
        return False
    if has_cjk(concept.label):
        is_name = len(unit.label) > 1 and not unit.is_known and _is_noun(unit.label, concept.label)
        return is_name and f"{unit.label}{concept.label}" in question
    name = unit.label.lower()
    if not any(f"{name}{sign}{concept.label}".lower() in question.lower() for sign in " -"):
        return False
    named = re.search(rf"{_BEFORE_A_NAME} {re.escape(name)}[ -]{re.escape(concept.label)}", question, re.IGNORECASE)
    if re.search(_DOES_IT.format(re.escape(name), re.escape(concept.label)), question, re.IGNORECASE) is not None:
        return False
    if named is None or name in OF_ANY or name.endswith(("ed", "ing", "ly")) or name[0].isdigit():
        return False
    if any(lectures.naming([unit.names, concept.names]).values()) or _is_told_apart(
        unit, concept, find_texts, lectures
    ):
        return False
    said = map(terms_of, find_texts())
    return not any(unit.measure_coverage(each) == 1.0 and concept.measure_coverage(each) == 1.0 for each in said)


def _is_told_apart(unit: QuestionUnit, concept: QuestionUnit, find_texts: FindTexts, lectures: CourseLectures) -> bool:
    """Whether texts tell of an English thing of two words without both in one sentence."""
    name = f"{unit.label.lower()} {concept.label}"
    if _is_told_of_owner(name, lectures) or _has_lecture_on_it(name, lectures):
        return True
    told = (one.text for each in lectures.naming([concept.names]).values() for one in each)
    if any(says_opposite(unit.label.lower(), text) for text in told):
        return True  # there is a positive one where there is a negative one
    if any(says_with_one(text, name) for text in find_texts()):
        return True
    return _is_told_near_its_kind(unit.label, concept.label, lectures)


def _is_told_near_its_kind(name: str, kind: str, lectures: CourseLectures) -> bool:
    """Whether a lecture has an English word for a thing with no noun behind it, and near it what kind of thing that is:
    "And finally ratio, with a real zero", of a ratio variable."""
    if kind.lower().rpartition(" ")[2].removesuffix("s") not in KINDS or name.lower() in OF_ANY:
        return False
    named, told = (lectures.naming([[frozenset(terms(one))]]) for one in (name, kind))
    return any(
        abs(one.position - other.position) <= NEAR and stands_alone(one.text, name)
        for video in named
        for one in named[video]
        for other in told.get(video, ())
    )


NEAR = 12
"""Sentences within which a thing and its kind are told. A choice."""


_BEFORE_A_NAME = (
    r"\b(?:an?|the|of|is|are|does|do|in|with|for|about|vs|and|or|than|between|by|from|every|what|use|using)"
)
OF_ANY = frozenset(
    "ordinary plain original complete simple little big small large new old whole normal standard basic usual regular "
    "typical given certain other same similar different single entire actual real fake good bad better best worse "
    "worst main general specific particular full empty fast slow long short high low random local global huge tiny "
    "top bottom left right wide narrow first second third last next previous final current any some more most less "
    "least hundred thousand million one two three four five six seven eight nine ten against within without through "
    "during like near via per into onto upon versus than beyond among besides since whether "
    "extra additional missing remaining spare excess total poor heavy ancient "
    "higher lower faster slower larger smaller bigger longer shorter deeper wider greater fewer newer older".split()
)
"""Words that say of a thing how large, how good, which or where it is, and make no other of it."""

_DOES_IT = (
    r"\b(?:do|does|did|can|will|would|could|should|must)(?:n['’]t)? (?:(?:an?|the|my|our|your|every|each|any) )?"
    r"(?:\w+ )?{0} {1}(?=\W*$| (?:in|on|at|to|from|into|onto|with|without|when|while|if|for|after|before|by|down|up|out"
    r"|off|back|so|as|more|less|than|a|an|the|it|its|them|this|that|\w+er|\w+ly)\b)"
)
"""How a question asks what a thing does by a word that may name a thing, too: "does a stone fall"."""


_WHICH = "整全每某各这那哪几一两"
"""Characters that begin which, or how many, of a thing."""


def _is_noun(label: str, concept: str) -> bool:
    """Whether a word before a Chinese concept names a thing with it, by the dictionary: it is a noun, foreign, or in it
    with the concept."""
    if label[0] in _WHICH:
        return False
    is_foreign = label.isascii() and label.isalpha()
    return is_foreign or chinese_word_class(label).startswith("n") or chinese_word_class(f"{label}{concept}") != ""


def _names_it(unit: QuestionUnit, text: str) -> bool:
    """Whether a text has a thing by one of its names, by its own in that order where that is English: what is deep and
    learns is no deep learning."""
    found = terms_of(text)
    own = frozenset(terms(unit.label))
    is_own = own <= found and (not unit.label.isascii() or says_in_order(text, unit.label))
    is_other = any(name <= found for name in unit.names if name != own)
    if is_other and not is_own and has_cjk(unit.label):  # 快排 is not in 更快排序
        return any(stands_as_words(text, name) for name in synonyms(unit.label))
    return is_own or is_other


def units_to_define(
    units: Sequence[QuestionUnit], whole: QuestionUnit | None, find_texts: FindTexts, lectures: CourseLectures
) -> tuple[QuestionUnit, ...]:
    """The units of a thing to be defined, whose `whole` name may say more than they do; the name alone, as unknown,
    where no text has it: a confusion matrix is no matrix, and who learns to transfer does no transfer learning. Of a
    concept's own thing that is defined without its name, that thing: an AVL tree rotation is a rotation. Of a name
    whose last word says only what kind of thing it is, the rest, where texts have that alone. A Chinese name is always
    one thing. More units than `MOST_DEFINED` that are no one name are left as they are."""
    if whole is None and len(units) > MOST_DEFINED:
        return tuple(units)
    if whole is not None and _is_told_of_owner(whole.label, lectures):
        return tuple(units)
    units = tuple(_as_spelled(unit, find_texts, lectures) for unit in units)
    if whole is None:
        return units
    if has_cjk(whole.label):
        is_said = _is_said([whole.label, *synonyms(whole.label)], find_texts, lectures)
        if not is_said and (bare := without_kind(whole.label)) and _is_said([bare], find_texts, lectures):
            return (QuestionUnit(bare, (frozenset(terms(bare)),), whole.weight),)
        heads = [one.label for one in units if one.concept_id is not None and whole.label.endswith(one.label)]
        is_of_a_place = any(chinese_word_class(whole.label.removesuffix(one)).startswith("n") for one in heads)
        return tuple(units) if is_of_a_place and not is_said else (replace(whole, is_known=is_said),)
    name = frozenset(content_terms(whole.label)) or whole.names[0]
    texts = list(_texts_naming([name], find_texts, lectures))
    said = [text for text in texts if name <= terms_of(text)]
    is_whole = any(says_in_order(text, whole.label) for text in said) or _has_lecture_on_it(whole.label, lectures)
    if is_whole or any(says_with_one(text, whole.label) for text in find_texts()):
        return units
    if (rest := _name_without_kind(whole.label, find_texts, lectures)) is not None:
        named = frozenset(terms(rest))
        return tuple(one for one in units if one.names[0] <= named) or (replace(whole, label=rest, names=(named,)),)
    if (head := _head_of(whole.label, units)) is not None and any(defines(text, [head.label]) for text in texts):
        return (head,)
    if whole.label.lower().split()[0] in OF_KINDS:
        return (replace(whole, is_known=False),)
    is_in_units = name <= {term for unit in units for each in unit.names for term in each}
    return units if said and is_in_units else (replace(whole, is_known=False),)


def _name_without_kind(name: str, find_texts: FindTexts, lectures: CourseLectures) -> str | None:
    """An English name without the last word, which says only what kind of thing it is, where texts have that alone."""
    bare, (rest, _, kind) = without_kind(name), name.rpartition(" ")
    if bare and _is_said_alone(bare, find_texts, lectures):
        return bare
    return rest if rest and " " not in rest and _is_told_near_its_kind(rest, kind, lectures) else None


MOST_DEFINED = 4
"""Units of a question for what one thing is; one of more tells a story, and its words need not be spelled so. A
choice."""


def _head_of(name: str, units: Sequence[QuestionUnit]) -> QuestionUnit | None:
    """The unit that ends a name which begins with a concept."""
    concepts = [one.label.lower() for one in units if one.concept_id is not None]
    rest = next((name[len(one) :].strip() for one in concepts if name.lower().startswith(f"{one} ")), "")
    return next((one for one in units if one.label.lower() == rest.lower()), None)


def _as_spelled(unit: QuestionUnit, find_texts: FindTexts, lectures: CourseLectures) -> QuestionUnit:
    """A word to be defined that nothing found spells so is not known: a transformer is no log transform."""
    spelled = spellings(unit)
    if not spelled or not unit.is_known:
        return unit
    if spelled & lectures.words.counts.keys() or len(unit.names) > 1:
        return unit
    said = " ".join(find_texts()).lower()
    return unit if spelled & set(WORDS.findall(said)) else replace(unit, is_known=False)


def strange_names(request: Request) -> list[str]:
    """The things that a question names and no text of the course does, as it names them, a Chinese one with the word
    that begins it (索洛模型); empty where there are none, or so many that they are words of the student's story."""
    asked = request.asked or request.question
    strange = [
        one.label
        for one in request.units
        if one.concept_id is None and not one.is_known
        if is_name(one.label)
        or _is_wanted(one.label, asked)
        or _has_words(one, request)
        or _does_something(one.label, asked)
        if not (stands_as_verb(one.label, asked) or _is_of_the_student(one, request))
        if not any(each.asked.search(one.label) for each in ASPECTS)
        if f"{one.label}[" not in asked.lower()  # a line of code
    ]
    if len(strange) > MOST_STRANGE or request.kind == "logistics":
        return []
    return phrases(with_adjoining(strange, request.units, asked), asked)


def _is_of_the_student(unit: QuestionUnit, request: Request) -> bool:
    """Whether a thing stands in the student's story about a concept: "my web server", of hash functions."""
    mine = rf"\b(?:my|our|someone['’]s|their) (?:\w+ )?{re.escape(unit.label)}(?!\w)"
    return (
        is_of_concept(request.units) and re.search(mine, request.asked or request.question, re.IGNORECASE) is not None
    )


MOST_STRANGE = 2
"""Words that are named as never spoken of; more of them are the student's story. A choice."""


def names_strange_doer(request: Request) -> bool:
    """Whether a question asks what a thing does, why or how, that no text of the course names."""
    asked = request.asked or request.question
    return any(
        not one.is_known and one.concept_id is None and _does_something(one.label, asked) for one in request.units
    )


def _does_something(label: str, question: str) -> bool:
    """Whether an English question asks what a thing of this name does, why or how: "how does dropout prevent that", or
    why it is more so than another. A name behind it is the rest of a longer one."""
    begins = r"^\W*(?:(?:so|and|but) )?(?:(?:what|how|why|when) )?(?:does|do|did|can|will)"
    does = rf"{begins} {re.escape(label)} (?!\w+ (?:{_DOES}))[a-z]"
    more = r"(?:(?:so|much|always|usually|often|generally) )*(?:more|less|worse|\w+er)\b[^?]*\bthan\b"
    is_more = rf"^\W*(?:(?:so|and|but) )?(?:why |how come )(?:is|are|was|were) {re.escape(label)} {more}"
    asked = rf"{does}|{is_more}"
    return label.isascii() and not _IS_DOING.search(label) and re.search(asked, question, re.IGNORECASE) is not None


_DOES = r"(?:make|work|get|find|do|use|compute|solve|help|give|produce|turn|keep|know|handle|choose|pick|stop|need)\b"
"""What shows that the word before it ends a name."""

_IS_DOING = re.compile(r"(?:ing|ly)$|^(?:some|any|every)\w+$", re.IGNORECASE)
"""What is done, how or by whomever, and no thing of its own."""


def _is_wanted(label: str, question: str) -> bool:
    """Whether an English question is for the thing of this name, whatever word it is ("what scholarships are there"),
    or whether something is so ("is matrix multiplication commutative")."""
    name = re.escape(label)
    wanted = rf"(?<!\bin )\b(?:what|which|(?:is|are) there(?: an?| any)?) {name}{_BEHIND_A_NAME}"
    is_so = rf"^\W*(?:is|are|was|were)(?:n['’]t)? [^?]*{_BEHIND_NO_PREPOSITION} {name}\W*$"
    if _IS_A_VIEW.search(label) and not is_rare(label.lower()):
        return False
    if has_cjk(label) and len(label) > 1:
        return re.search(_TO_BE_EXPLAINED.format(re.escape(label)), question) is not None
    return label.isascii() and re.search(rf"{wanted}|{is_so}", question, re.IGNORECASE) is not None


_TO_BE_EXPLAINED = r"{}(?:[和与跟、及][^，。？?和与]{{1,8}})?(?:(?:分别|都)?(?:是|指的?是?)(?:个)?(?:什么|啥)|什么意思)"
"""A name, or several of which it is one, of which a Chinese question asks what it is."""

_IS_A_VIEW = re.compile(r"(?:ous|ful|less)$", re.IGNORECASE)
"""How words end that say what somebody thinks of a thing: a course need not have "dangerous" to say so."""


_BEHIND_NO_PREPOSITION = r"(?<!\bin)(?<!\bof)(?<!\bfor)(?<!\bwith)(?<!\bon)(?<!\bto)"
_BEHIND_A_NAME = r"(?= (?:do|does|did|is|are|can|could|should|must|will|for|in|at|of|on|near|i|we|you)\b|\W*$)"


def kinds_not_taught(request: Request) -> list[QuestionUnit]:
    """The things of several words that a question names and no text of the course does: the Gram-Schmidt process,
    希尔排序 where it has other sorts."""
    unknown = (unit for unit in request.units if unit.concept_id is None and not unit.is_known)
    return [unit for unit in unknown if _has_words(unit, request)]


def _has_words(unit: QuestionUnit, request: Request) -> bool:
    """Whether a name has several words: an English one a space, a Chinese one a concept within."""
    if unit.label.isascii():
        return " " in unit.label
    return unit.label[0] not in _WHICH and bool(request.graph.mentions(unit.label, "zh"))
