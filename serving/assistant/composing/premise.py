"""Questions that take something for granted which the material denies: by a negation, or by the opposite word. Pure."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence

from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.cues import ASKS_FOR_A_NAME, is_of_another_number, wording_of
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.lecture_places import lecture_evidence
from serving.assistant.composing.material import MaterialLine, safe
from serving.assistant.composing.missing import is_what_another_is_compared_with
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, known, terms_of
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.wording import wording
from serving.assistant.composing.yes_no import (
    SUBJECT,
    TOLD_APART,
    count_named,
    is_affirmed_as_nearly,
    settles,
    without_rejected,
)
from serving.assistant.grounding.negation import is_negated
from serving.assistant.understanding.question_kind import QuestionKind

MEANS, NAMES = 0.7, 0.6
"""How near in meaning, and what share of the question in words, a negated sentence must be to deny it. Choices."""

MEANS_THE_SAME = 0.85
"""How near in meaning a negated sentence must be that has fewer of the question's words. A choice."""

NEARLY_HALF = 0.45
"""Share of the question that such a sentence must speak of: its concepts, and little else. A choice."""

_HOW_TO = re.compile(
    r"\bhow (?:do|does|did|can|could|should|would|to)\b"
    r"|\bhow (?:is|are)\b.{3,60}\b(?:related|connected|linked|different)\b"
    r"|\bhow (?:is|are|was|were) [^?]{2,60}\b(?:\w{3,}ed|done|made|built|chosen|found|written|kept|held|sent|drawn"
    r"|given|taken|read|put|set)(?: \([^)]*\))?\W*$|怎么|怎样|如何",
    re.IGNORECASE,
)
"""Questions for a procedure, which take nothing for granted that a negated sentence would deny."""

_LOST = re.compile(
    r"\b(?:don'?t|do not|didn'?t|can'?t|cannot|never) (?:really |quite |fully )?(?:get|understand|follow|grasp"
    r"|see|know)\b"
    r"|\bconfus\w+|\bexplain\b|\blost\b|[不没](?:太|大)?(?:懂|明白|理解|清楚)|解释|讲讲|说说",
    re.IGNORECASE,
)
"""What asks for help in understanding and claims nothing."""

_SUPPOSES = re.compile(r"\bwhat (?:happens?|if)\b|\bhappens? (?:if|when)\b|会怎么?样|会怎样|会发生什么", re.IGNORECASE)
"""What asks what would be, and claims nothing."""

_WHAT_FOR = re.compile(
    r"还[要用学需].{1,12}(?:干嘛|干什么|做什么|有什么用)|何必|(?:为什么|为何|为啥|干嘛|干吗)(?:我们|人们|大家|程序员)?(?:还|仍)"
    r"|\bwhy (?:do|does|would|should|did) (?:\w+ ){1,3}(?:still|even|bother)\b|\bwhy (?:still|even|bother)\b",
    re.IGNORECASE,
)
"""What grants something of one thing, and asks what another is for."""

_WHETHER = re.compile(
    r"\bwhether\b|\b(?:tell(?: me)?|know|check|see|find out|test|decide|detect|determine|verify|wonder) if\b|是否"
    r"|(?:判断|知道|看出|检查|检测|确定)[^，。？]{0,12}(?:是不是|有没有)",
    re.IGNORECASE,
)
"""What asks if something is so, or how to tell, and claims neither."""

_EITHER = re.compile(r"(.{1,3})(?:还是)?不\1|\bor not\b")
"""What asks for one of two, and claims neither: 稳定不稳定."""

_OPEN = re.compile(
    r"\b(?:where|which|what|when|who|how (?:many|much|long|often|far))\b|什么|哪|谁|多少|几|何时"
    r"|\b(?:relation(?:ship)?|connection|link|role|effect|impact|influence|meaning|intuition|purpose)s? "
    r"(?:between|of|on|behind)\b|关系|联系|作用|影响|意义",
    re.IGNORECASE,
)
"""Words of a question that asks for a thing, a place, a number or how things are related, and claims nothing."""

_WHY_NOT = re.compile(
    r"\bwhy (?:not|(?:do|does|can|should|is|are|would|did)(?:n't|(?: \w+){0,2} not)|don't|can't)\b"
    r"|\b(?:instead of|rather than|(?:and|but) not|not just)\b"
    r"|为什么不|为何不|而不",
    re.IGNORECASE,
)
"""Questions that are negated themselves: an answer to them may be negated and deny nothing."""

_BLAMES = re.compile(
    r"\b(?:bad|wrong|poor|unsuitable|inefficient|slow|useless|fails?|problem(?:s|atic)?|avoid\w*|discouraged|dangerous"
    r"|terrible|worse|not (?:an? |the |very |so |really )*(?:good|great|right|suitable|ideal|useful|recommended|enough"
    r"|appropriate|wise|advisable))\b|不好|不行|不适合|不该|差|坏处|糟|避免|太慢|有问题",
    re.IGNORECASE,
)
"""Questions for what is wrong with something: a sentence that denies it says the same."""

_GRANTED = re.compile(r"\b(?:if|even though|although|when) \w+(?: \S+){1,8}\W*$|(?:既然|虽然|如果)", re.IGNORECASE)
"""A why that grants something itself: a sentence that denies may say just what is granted."""

_SELDOM = re.compile(
    r"\b(?:not|no|never|nothing|hardly|barely|rarely|seldom|(?:make|makes|made) (?:\w+ )?little"
    r"|negative|impossible|hard|difficult|tough|tricky|unable|un(?:known|clear|certain|likely|necessary|balanced)|fewer?|less)\b|n['’]t\b|很少|几乎不|从不|不|没",
    re.IGNORECASE,
)
"""A why that denies something itself: a sentence that says so denies nothing of it, nor does one that denies it too."""
_OWN = re.compile(r"^\W*(?:(?:but|so|and|ok|hi|hey),? )*(?:why|how come)(?: [\w'’]+)? my\b|^为什么我的", re.IGNORECASE)
"""A why about what the student sees: no material knows their cost."""
_CLAIMED = re.compile(r"\b[a-z]{5,}\b|稳定|有序|有向|平衡|线性|连续|递归|唯一|完全|对称|可逆", re.IGNORECASE)
_LONGEST = 300

_NEGATIONS = re.compile(
    r"\b(?:not|never|no|none|nor|neither|cannot|without)\b|n't\b|\bnon-?[a-z]{3,}|不|没|非|无", re.IGNORECASE
)


def negations(text: str) -> int:
    """How often a sentence denies. One with two denials may say what the question says: "non-zero, so space is not
    squished"."""
    return len(_NEGATIONS.findall(text))


def deny_premise(request: Request) -> Composed | None:
    """The sentence that says the opposite of what a question claims; `None` when none does."""
    if _claims_nothing(request.kind, request.question) or _is_affirmed(request):
        return None
    if (opposite := next(_opposites(request), None)) is not None:
        named, said = opposite
        is_alone = said is named or wording_of(named.text)[2]  # a question before it is no part of what is said
        text = said.text if is_alone else f"{named.text}{'' if request.lang == 'zh' else ' '}{said.text}"
        return _deny(request, ComposedStatement(safe(text), lecture_evidence(named, request.course_id, text)))
    if (denied := _find_outright_denial(request) or _find_denied_cure(request)) is not None:
        return denied
    if request.kind == "yes_no" or len(request.units) < 2 or _HOW_TO.search(request.question):
        return None
    for window in best_windows(request.pieces, request.units, kind="other", most=4):
        line = window.piece.lines[window.anchor]
        if _is_of_something_else(request, line.text) or negations(line.text) > 1 or _denies_nothing(line.text):
            continue
        if is_affirmed_as_nearly(request, line):
            continue
        if _count_named_in_denials(line.text, request) < TOLD_APART:
            continue
        is_denial = settles(request, line.text) is False or _denies(request, line)
        if is_denial and _denies_what_is_claimed(line.text, request):
            return _deny(request, window.statement)
    return _nearly_said(request) if request.kind == "why" else None


def _find_outright_denial(request: Request) -> Composed | None:
    """The sentence that says that one does not do what a question takes for granted that one does: why do we also
    regularize theta 0, and "we don't regularize theta 0"."""
    if _DO_WE.search(request.question) is None or len(known(request.units)) < max(TOLD_APART, len(request.units)):
        return None
    for piece in request.pieces:
        for line in piece.lines:
            denial = _WE_DO_NOT.match(line.text)
            if denial is None or _denies_nothing(line.text) or is_of_another_number(request.question, line.text):
                continue
            denied = _ENDS_A_DENIAL.split(line.text[denial.end() :], maxsplit=1)[0]
            if not negations(denied) and coverage(request.units, terms_of(denied)) >= ALL_OF_IT:
                return _deny(request, ComposedStatement(line.text, piece.evidence((line,))))
    return None


_DO_WE = re.compile(r"\bdo (?:we|you|i|they) \w", re.IGNORECASE)
_WE_DO_NOT = re.compile(
    r"^\W*(?:(?:so|and|but|now),? )?(?:we|you|i|they) (?:usually |normally )?do(?:n['’]t| not) ", re.I
)


def _find_denied_cure(request: Request) -> Composed | None:
    """The sentence that names what a question says to help against what, with the next one, which says that it does
    not: "Suppose the pump is too weak and you add a pipe. That doesn't help you much."."""
    things = known([unit for unit in request.units if _CURES.match(unit.label) is None])
    if len(things) < TOLD_APART or _CURES.search(request.question) is None or is_negated(request.question):
        return None
    concepts = [unit for unit in things if unit.concept_id is not None]
    for piece in request.pieces:
        for pair in itertools.pairwise(piece.lines):
            text, said = pair[0].text, terms_of(pair[0].text)
            is_named = coverage(things, said) >= NAMES and coverage(concepts, said) >= ALL_OF_IT
            if is_named and not is_negated(text) and _HELPS_NOT.match(pair[1].text) is not None:
                found = piece.evidence(pair)
                return _deny(request, ComposedStatement(found.text, found))
    return None


_CURES = re.compile(
    r"\b(?:fix|help|solve|improve|cure|reduce|prevent|lower|remove|avoid)(?:s|es|ed|ing)?\b|解决|改善|降低|减少|避免|治好"
    r"|(?<!没)有用|(?<!没)有帮助",
    re.IGNORECASE,
)
"""What a question says that one thing does against another."""
_HELPS_NOT = re.compile(
    r"^(?:(?:and|but|well|so|unfortunately),? )?(?:that|this|it)(?: (?:does|will|is|would)(?:n['’]t| not)|['’]s not|"
    r"['’]ll not| won['’]t) (?:\w+ ){0,2}?(?:help|work|fix|solve|improve|change|do (?:much|any))"
    r"|^(?:但是?)?[这那它]+(?:样|么做)?(?:其实|并|也|根本|完全)*(?:没有?(?:用|帮助|效果)|不(?:管用|起作用|能解决|会有(?:用|帮助)))",
    re.IGNORECASE,
)
"""What says of the sentence before it that it does no good."""


def _claims_nothing(kind: QuestionKind, question: str) -> bool:
    """Whether a question takes nothing for granted that a negated sentence would deny."""
    if kind not in ("why", "how", "other", "yes_no"):
        return True
    if kind == "other" and _has_no_verb(question):
        return True
    wordings = [_WHAT_MAKES, _WHY_NOT, _LOST, _SUPPOSES, _WHAT_FOR, ASKS_FOR_A_NAME, _EITHER]
    wordings += [] if kind == "yes_no" else [_WHETHER]
    wordings += [_BLAMES, _GRANTED, _SELDOM, _OWN] if kind == "why" else [_OPEN] if kind == "other" else []
    return any(one.search(question) for one in wordings)


_WHAT_MAKES = re.compile(r"^\W*(?:(?:so|and|but|ok),? )?what makes\b", re.IGNORECASE)
"""What asks by which it is so, and is answered by what is so."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|do|does|did|can|could|will|would|should|must|has|have|had|why|\w+n['’]t)\b|[\u4e00-\u9fff]",
    re.IGNORECASE,
)


def _has_no_verb(question: str) -> bool:
    """Whether an English question is but a name, which claims nothing: "eigenvectors of a shear"."""
    return _VERB.search(question) is None


def _nearly_said(request: Request) -> Composed | None:
    """A negated sentence that means nearly what a "why" takes for granted, of the same concepts and of two things that
    it names at least, wherever it stands: "Quicksort not stable." denies nothing of why we shuffle before quicksort."""
    concepts = [unit for unit in request.units if unit.concept_id is not None]
    if not concepts or is_negated(request.question):
        return None
    lines = ((line, piece) for piece in request.pieces for line in piece.lines if line.meaning >= MEANS_THE_SAME)
    for line, piece in sorted(lines, key=lambda one: -one[0].meaning):
        said = terms_of(line.text)
        if (
            negations(line.text) == 1
            and not _denies_nothing(line.text)
            and not is_affirmed_as_nearly(request, line)
            and not _is_of_something_else(request, line.text)
            and is_negated(line.text)
            and coverage(concepts, said) >= ALL_OF_IT
            and coverage(request.units, said) >= NEARLY_HALF
            and _count_named_in_denials(line.text, request) >= TOLD_APART
            and _denies_what_is_claimed(line.text, request)
        ):
            return _deny(request, ComposedStatement(line.text, piece.evidence((line,))))
    return None


def _denies_what_is_claimed(text: str, request: Request) -> bool:
    """Whether what a sentence denies is a thing that the question names, or that something is as good as it claims:
    that quicksort "doesn't take any extra space" denies nothing of why Java sorts numbers with it."""
    denial = _NEGATIONS.search(text)
    if denial is None:
        return False
    denied = _ENDS_A_DENIAL.split(text[denial.end() :], maxsplit=1)[0]
    denied = _OF_A_KIND.sub("", denied) if denial.group().lower() in ("no", "without") else denied
    names_it = any(unit.measure_coverage(terms_of(denied)) == 1.0 for unit in request.units)
    return names_it or (_PRAISES.search(request.question) is not None and _PRAISES.search(denied) is not None)


_ENDS_A_DENIAL = re.compile(r"[,;:，；：]|\b(?:and|but|because|since)\b")
"""Behind which a sentence denies nothing more."""
_OF_A_KIND = re.compile(r"^ (?:any )?\w+(?:ing|ed) (?=\w)")
"""What "no" is said of a kind by: who has no moving parts has no parts of that kind, and may move."""
_PRAISES = re.compile(
    r"\b(?:best|better|good|great|right|ideal|optimal|suitable|useful|safe|recommend\w*|appropriate)\b|最好|更好|适合|推荐|合适|好",
    re.IGNORECASE,
)
"""What calls something good for something."""


def _count_named_in_denials(text: str, request: Request) -> int:
    """How many of the things that a question names the clause speaks of that denies something: that tubes weren't
    perfect, "they were a big improvement over relays", denies nothing of how they replaced these."""
    clauses = [one for one in _CLAUSE.split(without_rejected(text, request)) if is_negated(one)]
    return max((count_named(one, request) for one in clauses), default=0)


_CLAUSE = re.compile(
    r"\s[-–—]+\s|[;；:：，]|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])"
    r"|,? \b(?:but|although|though|because|since|whereas)\b|(?:但|虽然|因为|由于|所以)"
)


def _deny(request: Request, statement: ComposedStatement) -> Composed:
    said = wording(request.spoken)
    note = said.no if request.kind == "yes_no" else said.premise
    return Composed(request.kind, "partial", (statement,), note=note, score=LIKELY)


def _denies(request: Request, line: MaterialLine) -> bool:
    """Whether a sentence near to the question in words and meaning plainly denies what the question does not."""
    concepts = [unit for unit in request.units if unit.concept_id is not None]
    least = MEANS_THE_SAME if len(concepts) == len(request.units) else MEANS  # what is said of them is in no unit
    if line.meaning < least or is_negated(request.question) or not is_negated(line.text):
        return False
    said = terms_of(line.text)
    if _is_of_another(request, line.text, concepts):
        return False
    return coverage(request.units, said) >= NAMES and coverage(concepts, said) >= ALL_OF_IT


def _is_of_another(request: Request, text: str, concepts: Sequence[QuestionUnit]) -> bool:
    """Whether a sentence has the name of a concept only within the name of another: stochastic gradient descent is not
    gradient descent."""
    mentions = request.graph.mentions(text, request.lang)
    named = {mention.concept_id for mention in mentions}
    within = [terms_of(mention.surface) for mention in mentions]
    return any(
        unit.concept_id not in named and any(name < surface for name in unit.names for surface in within)
        for unit in concepts
    )


def _is_of_something_else(request: Request, text: str) -> bool:
    """Whether what a sentence denies is said of a thing or a case that the question does not name."""
    return (
        is_what_another_is_compared_with(request, text)
        or is_of_another_number(request.question, text)
        or _is_of_a_case(request, text)
        or _is_said_of_another(request, text)
    )


def _is_of_a_case(request: Request, text: str) -> bool:
    """Whether a sentence says it of a case that the question does not name: binary search on a linked list."""
    asked = {unit.concept_id for unit in request.units}
    others = (one for one in request.graph.mentions(text, request.lang) if one.concept_id not in asked)
    return any(_OF_A_CASE.search(text[: one.start]) is not None for one in others)


def _is_said_of_another(request: Request, text: str) -> bool:
    """Whether what is denied first is said of what the question does not name: "mergesort is stable but not selection
    sort", or of an "it" beside another thing: "it's not stable, people use mergesort but heapsort …"."""
    denial = _NEGATIONS.search(text)
    if denial is None:
        return False
    asked = {unit.concept_id for unit in request.units}
    mentions = request.graph.mentions(text, request.lang)
    others = [one for one in mentions if one.concept_id not in asked]
    if any(one.start < denial.start() for one in mentions if one.concept_id in asked):
        return any(_BUT_NOT.search(text[: one.start]) is not None for one in others)
    return bool(others) and _OF_AN_IT.search(text[: denial.start()]) is not None


_BUT_NOT = re.compile(
    r"\b(?:but|and|though) not (?:for |of |in |on )?(?:an? |the )?$|但(?:不是|不包括|除了)$", re.IGNORECASE
)

_OF_AN_IT = re.compile(
    r"\b(?:it|they|this|that)(?:['’](?:s|re)| (?:is|are|was|were|does|do|did|will|can|could|would|should))?\s*$"
    r"|[它这那]们?(?:是|就|并|也|都)*$",
    re.IGNORECASE,
)

_OF_A_CASE = re.compile(r"\b(?:on|with|for|in) (?:an?|the)? ?$", re.IGNORECASE)


def _denies_nothing(text: str) -> bool:
    """Whether a sentence asks, leaves open, bounds, tells one thing from another ("an SVM without a kernel"), says
    that something is not the only thing, or only points at what it denies ("quicksort doesn't do that")."""
    if text.rstrip().endswith(("?", "？")) or _NOT_ALONE.search(text) is not None:
        return True
    denial = _NEGATIONS.search(text)
    return (
        denial is not None
        and _OPENS_A_PART.search(text[max(0, denial.start() - LONGEST_PART) : denial.start()]) is not None
    )


LONGEST_PART = 90
"""Characters before a denial in which the part of a sentence begins that it belongs to. A choice."""

_OPENS_A_PART = re.compile(
    r"\b(?:if|unless|while|when(?:ever)?|in case|suppos\w+|in that case)\b[^,;]*$"
    r"|\b(?:an?|any|one|the|those|some)(?: [\w-]+){1,4} (?:that|which|who|whose)\b[^,;]*$"
    r"|(?:如果|假如|要是|若是|除非)[^，；]*$",
    re.IGNORECASE,
)
"""What begins a condition, or what only tells a thing from others: "an algorithm that never takes it back"."""

_NOT_ALONE = re.compile(
    r"(?:\bnot|n['’]t) (?:only|just|simply|merely)\b|\b(?:whether|if) or not\b|\bor not\W*$"
    r"|\bor (?:is|are|was|were|do|does|did|can|will)(?:n['’]t| not)\b"
    r"|\b(?:no|not) (?:more|less|fewer|greater|larger|smaller) than\b|(?:\bnot|n['’]t) (?:\w+ )?matter\b"
    r"|(?:\bnot|n['’]t|\bnever)(?: \w+){0,4}? too \w+|n['’]t take (?:you |us )?(?:\w+ )?long\b"
    r"|^\W*(?:often |many |most |some )?people (?:often )?do(?:n['’]t| not)\b|\b(?:may not|without|non-?[a-z]{3,})\b"
    r"|(?:\bnot|n['’]t) (?:\w+ )?(?:that|this|it|so|these|those|them|either)(?= *(?:[.,;:!]|$))"
    r"|\b(?:imagine|suppose|pretend|assume)\b.{0,40}n['’]t\b|(?:\bnot|n['’]t) (?:\w+ )?(?:know|remember|need|have to)\b"
    r"|不(?:是|会|能)?(?:这|那)(?:样|么做?)"
    r"|是不是|有没有|不[超大小少多低高][过于]|不(?:怎么|用|必|需|只|仅|但|同|过|断|管|论)",
    re.IGNORECASE,
)


def _is_affirmed(request: Request) -> bool:
    """Whether a sentence near to the question says of its concept what it claims: one that says the opposite is then of
    another case, or misheard."""
    named = [unit for unit in request.units if unit.concept_id is not None]
    claimed = {word for word in _find_claims(request.question, named) if not word.endswith("ing")}  # "PCA is doing …"
    if not named or not claimed:
        return False
    asked = {unit.concept_id for unit in named}
    says = re.compile(rf"(?:\b(?:is|are) |是)(?:{'|'.join(map(re.escape, sorted(claimed)))})(?![a-z])", re.IGNORECASE)
    for text in {line.text for piece in request.pieces for line in piece.lines}:
        said = says.search(text)
        if said is None or text.rstrip().endswith(("?", "？")):
            continue
        mention = next(reversed(request.graph.mentions(text[: said.start()], request.lang)), None)
        if mention and mention.concept_id in asked and not _NEGATIONS.search(text[mention.end : said.end()]):
            return True
    return False


def _find_claims(question: str, named: Sequence[QuestionUnit]) -> set[str]:
    """Words of a question that may claim something of the concepts that it names."""
    own = frozenset[str]().union(*(name for unit in named for name in unit.names))
    return {word.lower() for word in _CLAIMED.findall(question) if not terms_of(word) & own}


def _opposites(request: Request) -> Iterator[tuple[LectureSentence, LectureSentence]]:
    """Short sentences that say "un-" of what the question claims of its concept, each after the one that names that."""
    named = [unit for unit in request.units if unit.concept_id is not None]
    if len(named) != 1:
        return
    claimed = _find_claims(request.question, named)
    if not claimed:
        return
    pattern = opposite_of(claimed)
    if pattern.search(request.question) or is_negated(request.question):
        return

    def is_opposite(one: LectureSentence) -> bool:
        opposite = pattern.search(one.text) if len(one.text) <= _LONGEST else None
        if opposite is None or (request.lang == "en" and SUBJECT.match(one.text) is None):
            return False  # "linear, quadratic, and place unstable": one word of captions says too little
        if not _is_said_of_concept(one.text[: opposite.start()], request, named[0]):
            return False
        return not is_negated_twice(one.text) and not _is_of_a_case(request, one.text)

    others = [one.names for one in request.units if one.concept_id is None and not claimed & {one.label.lower()}]
    for spoken in request.material.lectures.naming([named[0].names, *others]).values():
        yield from _with_what_leans(spoken, request, is_opposite)


def _is_said_of_concept(before: str, request: Request, concept: QuestionUnit) -> bool:
    """Whether what stands before a word has that said of a concept: it names the concept last, or nothing, and in
    English says that something is so: "a graph with nonnegative weights" is not called nonnegative."""
    mention = next(reversed(request.graph.mentions(before, request.lang)), None)
    if mention is not None and mention.concept_id != concept.concept_id:
        return False
    behind = before if mention is None else before[mention.end :]
    return request.lang != "en" or _SAYS_SO.search(behind) is not None


_SAYS_SO = re.compile(r"\b(?:is|are|was|were|be|becomes?|remains?|stays?|called)\b|['’](?:s|re)\b", re.IGNORECASE)


def _with_what_leans(
    spoken: Sequence[LectureSentence], request: Request, is_wanted: Callable[[LectureSentence], bool]
) -> Iterator[tuple[LectureSentence, LectureSentence]]:
    """The wanted ones of the sentences that name a thing, and of those soon after each that begin with "it", where
    nothing else is named; each with the sentence that names it.

    What else a sentence names is looked up last: of hundreds that name a thing few are followed by a wanted one.
    """
    for sentence in spoken:
        if is_wanted(sentence):
            yield sentence, sentence
        lecture = request.material.lectures.by_id[sentence.video_id]
        at = lecture.places[sentence.position]
        soon = lecture.sentences[at + 1 : at + 1 + SOON]
        leaning = [one for one in soon if _IT.match(one.text) and is_wanted(one)]
        if leaning and len({one.concept_id for one in request.graph.mentions(sentence.text, request.lang)}) <= 1:
            yield from ((sentence, one) for one in leaning)


SOON = 3
"""Sentences after one that names a thing in which "it" is still taken for that thing. A choice."""

_IT = re.compile(r"(?:it|they|it's|they're)\b|它|他们", re.IGNORECASE)


def opposite_of(words: set[str]) -> re.Pattern[str]:
    """What finds the opposite of one of the words, made with a prefix: unsupervised, non-linear, 不稳定."""
    latin = "|".join(re.escape(word) for word in sorted(words) if word.isascii()) or r"(?!)"
    chinese = "|".join(re.escape(word) for word in sorted(words) if not word.isascii()) or r"(?!)"
    return re.compile(rf"\b(?:un|non-?|in|dis|im)(?:{latin})\b|(?:不|非|无|不是)(?:{chinese})", re.IGNORECASE)


def is_negated_twice(text: str) -> bool:
    """Whether the sentence denies the opposite too: "it is not unstable"."""
    return re.search(r"\b(?:not|never|no)\b|n't\b|不是不|并非不", text, re.IGNORECASE) is not None
