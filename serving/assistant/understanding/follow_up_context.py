"""A short message that leans on the turn before it in a wording that no rule of follow-ups foresees: what that turn was
about is put behind it, so that it is looked for together with it. Pure."""

import re
from itertools import pairwise

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import language_of
from serving.assistant.understanding.chat import is_small_talk
from serving.assistant.understanding.comparison_terms import find_compared
from serving.assistant.understanding.focus import Focus, find_subjects
from serving.assistant.understanding.follow_up_parts import CLASS_CODE
from serving.assistant.understanding.follow_up_question import Resolved, names_of
from serving.assistant.understanding.follow_up_words import WORDS
from serving.assistant.understanding.options import find_labelled_lists
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.translation import things_in
from serving.assistant.understanding.wishes import wish_of
from serving.index.analysis import content_terms, terms

LONGEST = 90
"""Characters, and `FEW` words, of a message that may lean. Choices."""
FEW = 4

_CONTINUES = re.compile(
    r"^\W*(?:(?:ok|okay|yes|right|hmm),? )?(?:and|or|but|so|also|then|what about|how about|what if|why not|for)\b"
    r"|^\W*(?:那|还有|如果)|呢\W*$",
    re.I,
)
_POINTS = re.compile(
    r"\b(?:it|its|that|this|they|them|their|these|those|ones?|which ones?|each|both|either|neither|instead|else|others?"
    r"|another|there|same)\b|它|[这那哪][个些种里]|两者|两个|其中|别的|其他|怎么办|有哪些",
    re.IGNORECASE,
)
_ACTS = (
    r"\b(?:does|do|did|will|would|can|could|should) (?:that|this) (?:also |still |always |ever )?(?:keep|go|work|hold"
    r"|apply|mean|make|help|change|affect|happen|cost|take|matter|have|need|use|depend|give|solve|guarantee|hurt"
    r"|break|fail|stay|count)\b"
)
"""How a question says of all that was asked before what it does: "does that keep the tree balanced?"."""
_POINTS_PAST = re.compile(
    r"\b(?:which ones?|which of (?:them|these|those|the two)|instead|the two|(?:each|both) of them)\b"
    rf"|{_ACTS}|哪[个一种]",
    re.IGNORECASE,
)
"""Words that point past the concept that the message names itself."""
_STANDS_ALONE = re.compile(
    r"\b(?:what(?:'s| is| are)|define|explain|who|when|where) (?:(?:is|are|does|do) )?(?:an? |the )?(?!(?:it"
    r"|that|this|they|"
    r"them|these|those|there)\b)\w+",
    re.IGNORECASE,
)


_NAMES_ITS_OWN = re.compile(
    r"^(?:那么?|还有)?[，, ]*[^，。？?它这那其]{2,16}? ?又(?:到底|究竟)?是(?:个|一种)?(?:什么|啥)"
    r"|^(?:那么?|还有)?[，, ]*(?:数学|编程|英语)(?:知识|能力)?(?:要|得|需要)?[^，。？?]{0,6}(?:程度|水平|基础)"
)
"""What asks in Chinese for another thing by its name (那API又是什么), or for what one has to know for the course."""


_POINTS_AT_IT = re.compile(
    r"\b(?:that|this|it)\b(?= (?:in|from|taught|covered|explained|said|shown)\b)|\b(?:is|was) (?:that|this|it)\b"
)
_GOES_INTO = re.compile(
    r"\b(?:there|here|instead|(?:that|this) (?:case|situation)|would it help|if (?:i|you|we) (?:do|don['’]?t))\b"
    r"|(?:when|where|(?:which|what) (?:year|month|day|date|century)) (?:was|were|did) (?:that|this|it)\b"
    r"|^(?:and|(?:and )?(?:what|how) about) the (?:[\w-]+ ){1,3}one$|\b(?:that|this|it) called$"
    r"|[这那].{0,3}叫(?:什么|啥)"
    rf"|{_ACTS}|那里|其中|[这那]种情况|[这那]样的情况|^[那这]?[是在]?(?:哪一?年|什么时候|何时)(?:发生)?的?事?\W*$",
    re.IGNORECASE,
)
"""Words that point at all that was asked before, and not only at its concept: in which year "that" was."""
_LEAVES_OUT = re.compile(
    r"\b(?:help(?: me| at all| here)?|hurt|suffice|be enough|make (?:it|things) (?:better|worse)"
    r"|make (?:a|any) difference)\W*$"
    r"|(?<!什么)(?:有用|有帮助|管用|够用?|行得通)[吗么不]\W*$",
    re.IGNORECASE,
)
"""How a question ends that leaves out what something is good against: "would more data help?"."""
_COMPARES = re.compile(r"\b(?:vs\.?|versus|than|compare\w*|differen\w+)(?!\w)|比|区别|不同", re.IGNORECASE)
_LETTER = re.compile(
    r"(?<![\w'’-])(?!(?:a|i)\b)[b-z](?![\w'’-])|\b(?:alpha|beta|gamma|delta|epsilon|lambda|theta|sigma|mu|eta|rho)\b",
    re.IGNORECASE,
)
FEW_WITH_A_LETTER = 8
"""The letter of a formula, which means nothing alone, and the words of a message with one that leans. A choice."""
_OF_A_CLASS = re.compile(
    r"\b(?:sections?|seats?|spots?|room|credits?|pre-?req\w*|taught|teaches|meets?|offered|full)\b|名额|学分|先修|教室|谁教",
    re.IGNORECASE,
)
_TERM = re.compile(r"\b(?:spring|summer|fall|autumn|winter) 20\d\d\b|\b20\d\d\b|20\d\d年?[春夏秋冬]季?", re.IGNORECASE)
"""What is asked of a class of a catalogue, and the term that it was asked for."""


def goes_on(text: str) -> bool:
    """Whether a message says itself that it goes on: "and …", "so …", 那…, …呢."""
    return _CONTINUES.search(text) is not None


def points_back(text: str) -> bool:
    """Whether a message points at what was spoken of: it, that, the former."""
    return _POINTS.search(text) is not None


def stands_alone(text: str) -> bool:
    """Whether a message asks what, who, when or where something is that it names."""
    return _STANDS_ALONE.search(text) is not None


_ANOTHER = re.compile(
    r"^\W*(?:(?:and|ok|so),? )?(?:what|how) about (?P<name>[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,3})\W*$"
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,3}")
_ANOTHER_OF_THEIRS = re.compile(
    r"^\W*(?:(?:and|ok|so|but),? )?(?:what|how) about (?:his|her) (?P<who>[\w'’-]+(?: [\w'’-]+)?)\W*$"
    r"|^(?:那|那么)?[他她]的(?P<zh>[^，。？?的]{1,8})呢\W*$",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\bhow many (?P<does>(?:did|do|does|was|were|are|is|had|has|have|will|can|could)\b)"
    r"(?P<who> (?:he|she|it|they)\b)?",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bhow many (?P<what>(?:[\w'’-]+ ){1,3}?)(?:(?:was|were|are|is)\b"
    r"|(?:did|do|does|had|has|have|will|can|could)\b"
    r"(?P<who> (?!(?:i|we|you|there|it|they|he|she)\b)(?:an? |the )?[\w'’-]+)?)",
    re.IGNORECASE,
)


def _with_another_name(text: str, previous: str) -> str | None:
    """The previous question asked of another person or thing: "and what about Babbage?" behind one on Ada Lovelace;
    `None` where it names none, or several."""
    asked, named_before = _ANOTHER.match(text), _NAME.findall(previous)
    if asked is None or len(named_before) != 1:
        return None
    return previous.replace(named_before[0], asked["name"])


_ARTICLE = re.compile(r"\b(?:an?|the) $", re.IGNORECASE)


def _with_one_of_theirs(text: str, previous: str, graph: ConceptGraph) -> str | None:
    """The previous question asked of somebody of the one that it is about: "and what about his brother?" behind why a
    man was killed. `None` where it names nobody, or several apart."""
    asked = _ANOTHER_OF_THEIRS.match(text)
    spans = [(one.start, one.end) for one in find_subjects(previous, graph).subjects]
    spans = sorted(spans or [found.span() for found in _NAME.finditer(previous)])
    if asked is None or not spans or any(previous[end:start].strip() for (_, end), (start, _) in pairwise(spans)):
        return None
    start, end = len(_ARTICLE.sub("", previous[: spans[0][0]])), spans[-1][1]
    name = previous[start:end]
    theirs = f"{name}的{asked['zh']}" if asked["zh"] else f"the {asked['who']} of {name}"
    return f"{previous[:start]}{theirs}{previous[end:]}"


def _with_counted(text: str, previous: str) -> str:
    """A question of how many with what the previous one counts, and of whom: "and how many did he keep?"."""
    counts, counted = _COUNTS.search(text), _COUNTED.search(previous)
    if counts is None or counted is None:
        return text
    who = (counted["who"] or counts["who"]) if counts["who"] else ""
    return f"{text[: counts.start()]}how many {counted['what']}{counts['does']}{who}{text[counts.end() :]}"


def lean_on(question: str, *, focus: Focus, graph: ConceptGraph) -> Resolved | None:
    """The message with what the previous question was about behind it; `None` for one that stands alone."""
    text, previous = question.strip().rstrip("?？。.! "), focus.previous.rstrip("?？。.! ")
    if not previous or not text or len(text) > LONGEST or is_small_talk(question) or find_labelled_lists(text):
        return None
    lang, text = language_of(text), _with_counted(text, previous)
    swapped = _with_another_name(text, previous) or _with_one_of_theirs(text, previous, graph)
    if swapped is not None:
        return Resolved(swapped, (f"{text} -> {swapped} (the previous question)",), "same_question")
    if _NAMES_ITS_OWN.match(text) or _compares_its_own(text, graph):
        return None
    wish = wish_of(question)
    is_of_the_course = WORDS[lang].elsewhere.search(text) is not None and not (wish or _POINTS_AT_IT.search(text))
    if is_of_the_course and WORDS[language_of(previous)].elsewhere.search(previous) is None:
        return None
    if (
        _OF_A_CLASS.search(text)
        and not CLASS_CODE.search(text)
        and (named_class := CLASS_CODE.search(previous)) is not None
    ):
        about = " ".join([named_class.group(), *_TERM.findall(previous)])
        return _put_behind(text, about)
    if wish in ("more", "simpler"):
        return Resolved(previous, (f"{text} -> {previous} (the previous question)",), "same_question")
    names_concept = bool(find_subjects(text, graph, lang).subjects)
    points = (_POINTS_PAST if names_concept else _POINTS).search(text) is not None
    is_of_formula = not names_concept and _LETTER.search(text) is not None and _LETTER.search(previous) is None
    leaves_out = _LEAVES_OUT.search(text) is not None
    is_counting = text != question.strip().rstrip("?？。.! ")
    leans = (
        points
        or leaves_out
        or is_counting
        or goes_on(text)
        or (is_of_formula and len(text.split()) <= FEW_WITH_A_LETTER)
    )
    is_short = len(text.split()) <= FEW and len(text) <= LONGEST // 3
    if not wish and not leans and (names_concept or not is_short or stands_alone(text)):
        return None
    subjects = tuple(dict.fromkeys(one.concept_id for one in find_subjects(previous, graph).subjects))
    names = names_of(subjects, graph)
    is_all = len(content_terms(previous, strict=True)) <= len({term for name in names for term in terms(name)})
    is_named_closer = any(map(str.isdigit, previous)) and not any(map(str.isdigit, "".join(names)))  # a 2-3 tree
    is_enough = is_all or not (leaves_out or _GOES_INTO.search(text) or is_named_closer)
    about = focus.answered or (", ".join(names) if names and is_enough else _two_compared(focus, lang) or previous)
    return _put_behind(text, about)


def _put_behind(text: str, about: str) -> Resolved:
    added = f"{text} -> {about} (from the previous question)"
    return Resolved(f"{text} ({about})", (added,), "fragment", context=about)


def _two_compared(focus: Focus, lang: Lang) -> str:
    """The two things that the previous question compared, or leaned on; empty where it did neither."""
    return (" 和 " if lang == "zh" else " vs ").join(find_compared(say_plainly(focus.context or focus.previous)))


def _compares_its_own(text: str, graph: ConceptGraph) -> bool:
    """Whether a message compares two things that it names, and points at nothing else."""
    if points_back(text) or _COMPARES.search(text) is None:
        return False
    return len({*things_in(text), *(one.surface for one in graph.mentions(text))}) > 1


def own_part(question: str) -> str:
    """A question without the brackets at its end, in which `lean_on` puts what it leans on."""
    whole, depth = question.rstrip("?？ "), 0
    for at in range(len(whole) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(whole[at], 0)
        if depth <= 0:
            return whole[:at].rstrip() if at < len(whole) - 1 and at > 0 else question
    return question
