"""`Units`: what a question asks about, as parts of which each is spoken of in a text or not. Pure.

A named concept is one unit, covered by any of its names; every other content word is one of its own. How much of the
question a text covers is the covered weight (idf) over all of it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from knowledge_graph.graph.records import GraphConcept, Mention
from knowledge_graph.text.segmenter import chinese_segmenter, chinese_word_class, stands_as_words
from serving.assistant.composing.cues import find_numbers_of_things
from serving.assistant.composing.other_spellings import (
    spell_decimal,
    spell_number,
    spell_otherwise,
    spell_sign,
    spell_type,
)
from serving.assistant.understanding.spelling import is_rare
from serving.assistant.understanding.translation import english_names_in, synonyms, synonyms_in
from serving.index.analysis import content_words, terms
from serving.index.confidence import Weigh

_OF_QUESTIONS = (
    "etc approx who whom whose why how when where which what explain explained explanation describe define definition "
    "meaning mean difference "
    "differ different compare comparison versus vs similar similarity better best worse between instead rather "
    "lecture video lesson course chapter week class episode cover taught teach discuss mention talk introduce "
    "introduced find "
    "summary summarise summarize recap overview outline key main point idea brief briefly short shortly "
    "example give show know learn learning understand need before after next first later prerequisite "
    "kind type way list name many much reason because purpose happen work works study studied studying "
    "actually really exactly again "
    "prior simple simpler simply word detail more please thank help question answer ask asked want like "
    "use used using get got make made thing stuff still just also only good bad true false right wrong correct "
    "always ever never possible necessary step procedure process student professor lecturer he she say said "
    "does mean normally usually typically generally so not no yes or if but then than there "
    "invent invented inventor discover create propose design teh hte wat wht whats pls plz u r im "
    "take go come matter bother someone anybody people person one two three four several something anything topic "
    "subject concept term understood meant knew known shown told tell given found kept thought started begin began "
    "behind whose finished finish done covered watched missed confused stuck lost trouble pick anyone everyone would "
    "even once over respectively nobody maybe perhaps seriously every too already up now per put ok okay anymore "
    "whoever whatever kinda sorta basically literally honestly though gonna wanna gotta sent send lying "
    "able enough quite rather really ever again around yet else must might may let letting goes going "
    "gone came coming keep keeps been being tomorrow today yesterday tonight sick ill miss missed sum "
    "minute minutes timestamp cares matter matters mind sure idk btw tbh imo lot lots bit whole away back hard easy "
    "don't doesn't didn't can't won't isn't aren't shouldn't i'm it's what's avoid deal handle prevent"
)
OF_QUESTIONS = frozenset(terms(_OF_QUESTIONS))
"""Words that questions are made of: no sentence has to repeat them."""
OF_QUESTIONS_ZH = re.compile(
    r"您好?|才算|算不算|[使采利运作]用|用处|有关|怎么一?回事|怎么办|咋办|什么|啥|咋|干嘛|既然|大家|没去听?|捋一?捋?|帮我?|直接|每?(?:周|星期|礼拜)几|就行|一份|谢|东西|主题|玩意儿?|怎么样?|怎样|如何|为什么|为何|为啥|哪些|哪个|哪里|哪一?[讲节课集章种年天次]|多少|几[种个讲节级条类点步项]"
    r"|是不是|能不能|可不可以|会不会|有没有|区别|不同|比较|对比|相比|"
    r"(?:学|看|听|讲|读)(?:完|会|过|懂)了?|复习|重看|重温|回看|再看|再听|那一?段|那部分|一遍|来着|接着|下一步|下面|后面"
    r"|之间|讲解|解释|介绍|说明|总结|概括|例子|举例|举个|一下|简单|详细|具体|时候|讲[了过的]?|提到"
    r"|学习?(?![分期费号生位历校院科时籍])|理解|掌握|知道|(?<!为)了解|干(?=什么|啥|嘛)|之前|之后|以后|然后|接下来|"
    r"逐条|逐一|列举|列出来?|列一下|先|再|原因|步骤|过程|方法|种类|类型|请问|老师|课程|课里|视频|吗|呢|吧|啊|我|你|可以|应该|需要"
    r"|一般|通常|一些|本来|碰[上到]|带来|后果|区分|分别|各自|到底|究竟|还是|或者|和|与|跟|的|是|在|有|了|最|用|做|主要|内容|意思|定义"
    r"|概念|这门课|这个|那个|这|那|它|他|都|会|能|要|想|对|很|更(?![新换改正替名])|叫|为|把|被|给|谁|发明|提出|哪|第\S讲|几讲|工作"
)


def strike_words_of_questions(text: str) -> str:
    """A text with blanks for the Chinese words that questions are made of. What is only a part of a word that says
    something stays: there is no 会 in 会计, and no 要 in 要素."""
    struck = bytearray(len(text))
    for found in OF_QUESTIONS_ZH.finditer(text):
        struck[found.start() : found.end()] = b"\1" * len(found.group())
    if not any(struck):
        return text
    start = 0
    for word in chinese_segmenter().cut(text):
        of_word = slice(start, start + len(word))
        rest = "".join(char for char, is_struck in zip(word, struck[of_word], strict=True) if not is_struck)
        if 0 < len(rest) < len(word) and not _PARTICLES.issuperset(rest) and _names_something(word):
            struck[of_word] = bytes(len(word))
        start += len(word)
    return "".join(" " if is_struck else char for char, is_struck in zip(text, struck, strict=True))


def _names_something(word: str) -> bool:
    """Whether a Chinese word of the dictionary is one by its meaning: no pronoun (哪位) or time (现在), no degree of
    another word (最小), and no verb with what leads on behind it (放在)."""
    kind = chinese_word_class(word)
    return kind[:1] in TELLING_KINDS and not _OF_DEGREE.fullmatch(word) and not (kind == "v" and word[-1] in "在给了")


TELLING_KINDS = frozenset("navbiljsz")
"""What the dictionary calls nouns, verbs, adjectives and set phrases. A choice."""
_OF_DEGREE = re.compile(r"[最更很].")


@dataclass(frozen=True)
class QuestionUnit:
    """`names` are sets of terms, any of which covers it; `label` is how the question puts it; `weight` above 0."""

    label: str
    names: tuple[frozenset[str], ...]
    weight: float
    concept_id: str | None = None
    is_known: bool = True
    """Whether the index holds all terms of one of its names: no text can cover what none does."""

    def measure_coverage(self, found: Set[str]) -> float:
        """How much of its best covered name is among the terms of a text, 0..1; of a concept all or a half at most."""
        best = 0.0
        for name in self.names:
            if name <= found:
                return 1.0
            if len(name) > 1:
                best = max(best, len(name & found) / len(name))
        return best * 0.5


def as_asked(units: Iterable[QuestionUnit], question: str) -> list[QuestionUnit]:
    """Units in the order in which a question names them."""
    question = question.lower()
    return sorted(units, key=lambda unit: question.find(unit.label.lower()))


def is_of_concept(units: Iterable[QuestionUnit]) -> bool:
    """Whether any of what is asked about is a concept of the graph."""
    return any(unit.concept_id is not None for unit in units)


def units_of(
    text: str,
    mentions: Sequence[Mention],
    concept: Callable[[str], GraphConcept],
    weigh: Weigh,
    *,
    ignore: Collection[str] = (),
    keep: Collection[str] = (),
    called: Iterable[tuple[int, int]] = (),
) -> tuple[QuestionUnit, ...]:
    """The units of a text in which the graph found `mentions`; terms in `ignore` are left out, those in `keep` are not,
    though they are words that questions are made of. What stands at the places `called` is a name each.

    A word that the glossary knows has its other names too: an abbreviation stands for what it abbreviates.
    """
    rest, found, left_out = text, [], OF_QUESTIONS.union(ignore).difference(keep)
    for start, end in called:
        found.append(_unit(text[start:end], (text[start:end], *synonyms(text[start:end])), weigh))
        rest = f"{rest[:start]}{' ' * (end - start)}{rest[end:]}"
    for mention in sorted(mentions, key=lambda one: one.start, reverse=True):
        if (start := _start_of_lettered_name(text, mention)) < mention.start:
            rest = f"{rest[:start]} {rest[mention.end :]}"
            name = text[start : mention.end]
            found.append(_unit(name, (name, *spell_sign(name)), weigh))
            continue
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
        known = concept(mention.concept_id)
        names = [mention.surface, known.name, *known.aliases, *synonyms(mention.surface)]
        found.append(_unit(mention.surface, names, weigh, mention.concept_id))
    for start, end, others in (*english_names_in(rest), *synonyms_in(rest)):
        name = rest[start:end]
        if not (frozenset(terms(name)) <= left_out or OF_QUESTIONS_ZH.fullmatch(name)):
            found.append(_unit(name, (name, *others), weigh))
            rest = rest[:start] + " " * (end - start) + rest[end:]
    for name in dict.fromkeys(_OF_CAPITALS.findall(rest)):
        found.append(_unit(name, (name,), weigh))
        rest = rest.replace(name, " ")
    for typed in dict.fromkeys(_OF_ITS_OWN.findall(rest)):
        others = (typed.replace("-", ""),) if "-" in typed else spell_type(typed)
        found.append(_unit(typed, (typed, *others), weigh))
        rest = rest.replace(typed, " ")
    for number in dict.fromkeys(_DECIMAL.findall(rest)):
        found.append(_unit(number, (number, *spell_decimal(number)), weigh))
        rest = rest.replace(number, " ")
    rest = strike_words_of_questions(_HOW_MUCH.sub(" ", rest))
    numbers = find_numbers_of_things(text)
    single = [
        _unit(word, (word, *spell_otherwise(word), *(spell_number(word) if word in numbers else ())), weigh)
        for word in content_words(rest)
        if _says_something(word)
    ]
    single = [replace(one, weight=one.weight * SAYS_HOW) if _IN_WHICH_WAY.match(one.label) else one for one in single]
    asked = (
        *reversed(found),
        *(one for one in single if one.names and (_is_derived(one.label) or not one.names[0] <= left_out)),
    )
    return tuple({one.concept_id or one.label.lower(): one for one in reversed(asked)}.values())[::-1]


SAYS_HOW = 0.5
"""How much less a word weighs that only says in which way: what a thing means geometrically is said of that thing. A
choice."""
_IN_WHICH_WAY = re.compile(r"[a-z]+(?:al|iv|ous|ed|ing|[ae]nt|ful|less|[ai]b)e?ly$", re.IGNORECASE)


_OF_CAPITALS = re.compile(r"(?<![A-Za-z0-9-])[A-Z]{2,}(?:-[A-Z]{2,})+(?![A-Za-z0-9-])")
"""A name of capitals, "IS-LM", of which no part is one."""


_OF_ITS_OWN = re.compile(
    r"\btype (?:\d{1,2}|I{1,3}|one|two|three)\b(?! of\b)|(?<![\w-])[a-z]-[a-z]{3,}(?![\w-])", re.IGNORECASE
)
"""A name though each of its words is one that questions are made of, "type two", or with a letter of its own,
"p-hacking"."""


_DECIMAL = re.compile(r"(?<![\w.,:-])\d{1,2}\.\d{1,4}(?![\w.,:]\d|\w)")


def _is_derived(word: str) -> bool:
    """Whether a word is a term though its stem is a word that questions are made of: normalization is not "normal"."""
    return _DERIVED.search(word) is not None and word.lower() not in WORDS_OF_QUESTIONS


_DERIVED = re.compile(r"\w(?:i[sz](?:e[drs]?|ing|ations?)|ative|ators?|essors?)$|^missing$", re.IGNORECASE)
WORDS_OF_QUESTIONS = frozenset(_OF_QUESTIONS.split()) | {"summarized", "summarised", "summarizing", "summarising"}


def spelling_pattern(unit: QuestionUnit) -> re.Pattern[str] | None:
    """What finds a name with a letter of its own as it is spelled, "B-trees" for "B tree"; `None` for another unit."""
    found = _LETTERED.fullmatch(unit.label) if unit.concept_id is None else None
    if found is None:
        return None
    letter, name = re.escape(found[1]).replace(r"\*", r"(?:\*|[- ]star\b)"), re.escape(found[2].removesuffix("s"))
    name = "" if "*" in found[1] and found[2].lower() in _HEADS_OF_SIGNED else f"[- ]?{name}"
    return re.compile(rf"(?<![A-Za-z0-9+]){letter}{name}", re.IGNORECASE)


def spellings(unit: QuestionUnit) -> frozenset[str]:
    """How a text may spell a thing of one English word that is no concept of the course; empty for any other."""
    if unit.concept_id is not None or not _ONE_WORD.fullmatch(unit.label):
        return frozenset()
    word = unit.label.lower()
    return frozenset({word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es")})


def is_spelled_in(unit: QuestionUnit, text: str) -> bool:
    """Whether a text has a thing of one word as it is spelled, or by another name: a bag of words is no bagging."""
    spelled = spellings(unit)
    if not spelled or spelled & set(WORDS.findall(text.lower())):
        return True
    found = terms_of(text)
    return any(name <= found for name in unit.names[1:])


def is_written_in(unit: QuestionUnit, text: str) -> bool:
    """Whether a text has the last word of a name as the question spells it, of one or of several, or another name."""
    word, found = unit.label.lower().rpartition(" ")[2], terms_of(text)
    is_written = not {word, f"{word}s", word.removesuffix("s")}.isdisjoint(WORDS.findall(text.lower()))
    return is_written or any(name <= found for name in unit.names if name != frozenset(terms(unit.label)))


def is_doer(word: str) -> bool:
    """Whether an English word names what does something, which is not what is done, though both have one stem: a
    calculator, and how a grade is calculated; an interpreter, and how a result is interpreted."""
    return _IS_A_DOER.search(word) is not None


def is_of_another_word(unit: QuestionUnit, text: str) -> bool:
    """Whether a text has the stem of what makes something so and only words of what is so: normal, not normalize."""
    made = _MAKES_SO.fullmatch(unit.label)
    if made is None or len(unit.names) > 1:
        return False
    return not any(word.startswith((f"{made[1]}iz", f"{made[1]}is")) for word in WORDS.findall(text.lower()))


_MAKES_SO = re.compile(r"([a-z]{4,})i[sz]ations?", re.IGNORECASE)

_IS_A_DOER = re.compile(r"[a-z]{3}(?:at|is|iz|pret)(?:or|er)s?$", re.IGNORECASE)

_ONE_WORD, WORDS = re.compile(r"[A-Za-z]{3,}"), re.compile(r"[a-z]+")

_HEADS_OF_SIGNED = frozenset({"algorithm", "algorithms", "search", "method"})
"""What a name with a sign is called, and may be left out: the A* algorithm is A*."""

_LETTERED = re.compile(r"([A-Za-z][+*]?|\d(?:-\d)+)(?:[- ]|(?<=[+*])|(?=[\u4e00-\u9fff]))(\D+)")


def _start_of_lettered_name(text: str, mention: Mention) -> int:
    """Where a name begins that a letter or digits before a concept make another thing: a B-tree is no tree.

    A letter before several things counts them instead: K clusters; digits do not: 2-3 trees.
    """
    before = _LETTER.search(text[: mention.start])
    counts = before is not None and before.group().endswith(" ") and mention.surface.endswith("s")
    if before is None or (counts and not before.group()[0].isdigit()):
        return mention.start
    return before.start()


_LETTER = re.compile(
    r"(?<![\w+*-])(?:[B-HJ-Z]\+? |[A-Za-z]\+?-|[A-Za-z]\+ ?|[A-Z]\*[ -]?|\d(?:-\d)+[- ]?)$"
    r"|(?<![A-Za-z0-9])[A-Z]\+?(?=$)"
)
"""A letter or digits that begin a name: "B-", "B+ ", "A* ", "2-3 ", and in Chinese "B" right before it."""

_HOW_MUCH = re.compile(
    r"\bhow (?:many times|long|much|many|often|far|soon)\b|\bnext time\b|\b(?:at|in) the end\b(?! of\b)"
    r"|\bstands? for\b|\bshort for\b"
    r"|\b(?:in favou?r|on behalf|in spite|at the expense|by means|in terms|in (?:the )?light|with (?:regard|respect)"
    r"|for the sake) (?:of|to)\b"
    r"|\b(?:stop(?:ped)?|quit|no longer|give up|gave up) using\b"
    r"|(?<=\w )(?:argue|claim|maintain|contend)\W*$",
    re.IGNORECASE,
)
"""How much, and what somebody says: "what does Darwin argue"."""


def unit_of(label: str, weigh: Weigh) -> QuestionUnit:
    """One thing by its name alone."""
    return _unit(label, (label,), weigh)


def _unit(label: str, names: Iterable[str], weigh: Weigh, concept_id: str | None = None) -> QuestionUnit:
    sets = tuple(dict.fromkeys(found for name in names if (found := frozenset(terms(name)))))
    unseen = weigh(NEVER)
    is_known = any(all(weigh(term) < unseen for term in each) for each in sets)
    weight = sum(map(weigh, sets[0])) / len(sets[0]) if sets else 0.0
    return QuestionUnit(label, sets, weight * (_OF_A_CONCEPT if concept_id is not None else 1.0), concept_id, is_known)


@lru_cache(maxsize=1 << 14)
def terms_of(text: str) -> frozenset[str]:
    """The terms of a sentence; those of the last ones are kept, for the same are weighed question after question."""
    return frozenset(terms(text))


NEVER = "\N{MIDDLE DOT}"
"""A term that no text has."""
_OF_A_CONCEPT = 1.5
"""How much more a named concept weighs than another word as rare. A choice."""


_PARTICLES = frozenset(
    "得按嘛同才还就也又让从向往比来去等之其于及而且但因由以着过地所么些该每各某另呀哦哈啦咦诶咋课讲节那这先后上下说问到对吧吗呢啊没好个种条点们要会能不坏一里指长样看集无完多只出可第几搞弄拿太儿全求提早老呗使"
)
"""Chinese characters that carry no subject where they stand alone."""


_DENIED = re.compile(r"^\w+n['’]t$", re.IGNORECASE)


def _says_something(word: str) -> bool:
    """Not a letter, a denied verb ("wasn't") or a Chinese particle alone; a digit tells homework 3 from homework 7."""
    return not _DENIED.search(word) and (
        len(word) > 1 or (not word.isascii() and word not in _PARTICLES) or word.isdigit()
    )


def known(units: Iterable[QuestionUnit]) -> tuple[QuestionUnit, ...]:
    """The units that the material can speak of at all."""
    return tuple(unit for unit in units if unit.is_known)


def known_share(units: Sequence[QuestionUnit]) -> float:
    """The share of the units' weight that the material can speak of, 0..1; 1 without any."""
    total = sum(unit.weight for unit in units)
    return sum(unit.weight for unit in known(units)) / total if total else 1.0


def coverage(units: Iterable[QuestionUnit], found: Set[str]) -> float:
    """The covered share of the units' weight, 0..1; 1 where there is nothing to cover."""
    total = covered = 0.0
    for unit in units:
        total += unit.weight
        covered += unit.weight * unit.measure_coverage(found)
    return covered / total if total else 1.0


def is_behind_than(units: Sequence[QuestionUnit], sentence: str) -> bool:
    """Whether a sentence names one of these behind "than" alone."""
    before, than, behind = sentence.partition(" than ")
    return bool(than) and any(
        unit.measure_coverage(terms_of(behind)) == 1.0 and unit.measure_coverage(terms_of(before)) < 1.0
        for unit in units
    )


ALL_OF_IT = 0.99
"""Coverage from which nothing is left out: shares of weights add up to a little less than 1."""


class Coverage:
    """`coverage` of the same units by many texts: each set of the units' terms is weighed once, whoever says it."""

    def __init__(self, units: Iterable[QuestionUnit]) -> None:
        self._units = tuple(units)
        self._own = frozenset(term for unit in self._units for name in unit.names for term in name)
        named = {term for unit in self._units if unit.concept_id is not None for name in unit.names for term in name}
        single = (term for term in self._own if len(term) == 1 and not term.isascii())
        self._single = frozenset(term for term in single if term in named or chinese_word_class(term)[:1] == "n")
        self._known: dict[frozenset[str], float] = {}

    def find_terms_in(self, text: str) -> frozenset[str]:
        """Those of the terms of a text that can cover a unit, no other counts; a Chinese concept or noun of one
        character, which is no term by itself beside others, where it is a word."""
        single = (one for one in self._single if one in text and stands_as_words(text, one))
        return (self._own & terms_of(text)).union(single)

    def of(self, own: frozenset[str]) -> float:
        """The covered share, 0..1, of terms that `find_terms_in` gave."""
        share = self._known.get(own)
        if share is None:
            share = self._known[own] = coverage(self._units, own)
        return share

    def names_concepts(self, own: frozenset[str]) -> bool:
        """Whether terms that `find_terms_in` gave cover every unit that is a concept."""
        return all(unit.measure_coverage(own) == 1.0 for unit in self._units if unit.concept_id is not None)

    def says_more(self, own: frozenset[str]) -> bool:
        """Whether terms that `find_terms_in` gave have any of what is asked beside the concepts, where something is."""
        others = [unit for unit in self._units if unit.concept_id is None]
        return not others or any(unit.measure_coverage(own) > 0.0 for unit in others)


def phrases(labels: Iterable[str], question: str) -> list[str]:
    """Labels of units as a question says them: those beside each other, with "of" or "the" between them at most, are
    one phrase: "change of basis". In Chinese those that follow each other are. A particle that ends a name is of it."""
    placed = []
    for label in dict.fromkeys(labels):
        whole = rf"(?a:(?<!\w){re.escape(label)}(?!\w))" if label.isascii() else re.escape(label)
        at = re.search(f"{whole}{_PARTICLE}" if label.endswith("ing") else whole, question, re.IGNORECASE)
        placed.append((at.start() if at else len(question), at.end() if at else len(question), at[0] if at else label))
    found: list[tuple[int, int, str]] = []
    for start, end, label in sorted(placed):
        if found and end > start >= found[-1][1] and _BETWEEN.fullmatch(question[found[-1][1] : start]):
            found[-1] = (found[-1][0], end, question[found[-1][0] : end])
        else:
            found.append((start, end, label))
    return [label for _, _, label in found]


def with_adjoining(names: Sequence[str], units: Iterable[QuestionUnit], question: str) -> list[str]:
    """Names, and the unknown Chinese words that are of one name with them in a question: 索洛 beside 模型."""
    beside = (
        unit.label
        for unit in units
        if not unit.is_known
        and any(f"{unit.label}{name}" in question or f"{name}{unit.label}" in question for name in names)
    )
    return list(dict.fromkeys((*names, *beside)))


def with_articles(names: Iterable[str], question: str) -> list[str]:
    """Names with the article that an English question writes before each that nothing else of it belongs to: "the
    simplex method"."""
    return [
        f"{found[1].lower()} {name}"
        if (found := re.search(rf"\b(the|an?) {re.escape(name)}{_ENDS_NAME}", question, re.IGNORECASE)) is not None
        else name
        for name in names
    ]


_ENDS_NAME = r"(?=\W*$| ?[?.,;!]| (?:and|or|is|are|does|do|did|works?|used|mean|in|here)\b)"
"""What stands behind a whole name."""

_PARTICLE = (
    r"(?: (?:over|up|out|off|down|away|back|through)(?=\W*$|[?.,;!]| (?:is|are|was|were|taught|explained|covered"
    r"|discussed|introduced|mentioned|described|defined|happens?|takes?|works?|and|or|in)\b))?"
)
"""The particle with which a name ends: "crossing over"."""

_BETWEEN = re.compile(r"(?:[ -](?:(?:of|the|an?|in|to|for) ){0,2})?", re.IGNORECASE)
"""What may stand between two words of one phrase."""


def stands_as_verb(label: str, question: str) -> bool:
    """Whether a word is what somebody or something does in an English question, and so names no thing: "to fetch",
    "before it restarts"."""
    before = (
        rf"\b(?:{_DOER}|(?:how|have|has|had|want|need|able|like|try|going|supposed|allowed) to)(?: {_ADVERB}){{0,2}}"
    )
    return re.search(rf"{before} {re.escape(label)}(?!\w)", question, re.IGNORECASE) is not None


def speaks_of_its_names(units: Sequence[QuestionUnit], text: str) -> bool:
    """Whether a text has the words of a question that tell its thing from others and are no words of everyday English:
    of Kruskal's algorithm Kruskal."""
    said = terms_of(text)
    return all(
        unit.measure_coverage(said) > 0.0 for unit in known(units) if unit.concept_id is None and is_name(unit.label)
    )


def is_name(label: str) -> bool:
    """Whether an English word that is next to never written names a thing, "Kruskal's": it is no way of speaking, and
    does not say in which way."""
    name = label.lower().removesuffix("'s")
    is_word = label.isascii() and name.isalpha() and len(name) > SHORT_NAME
    return is_word and is_rare(name) and not _IN_WHICH_WAY.match(name)


SHORT_NAME = 2
"""Letters of an English word that is too short to be told from others. A choice."""


def stands_as_noun(label: str, question: str) -> bool:
    """Whether an English question names a thing by this word alone: "which textbook do they use", and not "a foreign
    language"."""
    behind = (
        r"(?: (?:do|does|did|is|are|was|for|in|to|at|of|on|and|or|with|by|as|can|should|must|will|i|we|you)\b|[?,.;!]"
        r"|\W*$)"
    )
    before = r"\b(?:an?|the|any|which|what|my|no|some|your|how (?:much|many)"
    before += r"|uses?|needs?|ha(?:ve|s)|requires?|offers?|about|learns?|teach(?:es)?|covers?)"
    return re.search(rf"{before} {re.escape(label)}{behind}", question, re.IGNORECASE) is not None


_DOER = r"(?:i|you|we|they|he|she|it|can|could|should|would|will|may|must|might)"
_ADVERB = r"(?:often|always|never|still|also|just|only|ever|really|even|already|then|\w+ly)"


def drop_general_owner(question: str, units: Sequence[QuestionUnit]) -> tuple[QuestionUnit, ...]:
    """The concept alone that is asked for of any owner: the determinant of a matrix is the determinant. As they are
    where the owner is a certain one, or the thing is no concept. What kind of thing it is is no part of it: 吊桥 in
    "吊桥是什么实验"."""
    units = [one for one in units if not re.search(rf"是(?:个|一种)?什么{re.escape(one.label)}\W*$", question)] or units
    concepts = [one for one in units if one.concept_id is not None]
    if len(concepts) != 2 or len(units) != 2:
        return tuple(units)
    thing, owner = (re.escape(one.label) for one in concepts)
    is_of_any = re.search(rf"\b{thing}s? of (?:an?|any) {owner}\b", question, re.IGNORECASE) is not None
    return (concepts[0],) if is_of_any else tuple(units)
