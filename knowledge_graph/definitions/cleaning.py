"""Spoken sentences made fit to be read: false starts, fillers, stumbles and questions to the audience go.

Belongs here: what may be left out of a sentence without changing what it says. Which sentence is worth showing is
decided in `wordings.py` and `define.py`.
"""

import re
from functools import lru_cache

from knowledge_graph.lake.records import Lang

_NOISE = (
    r"okay|ok|well|um|uh|ah|oh|hey(?: (?:everyone|everybody|folks|guys|there|all))?|alright|all right(?! angles?\b)|"
    r"right(?=[,.])|anyway|basically|actually|see(?=,)|you know(?=,)|you see(?=,)|i mean(?=,)|let's see(?=[,.])|"
    r"yeah|yes(?=[,.])|great(?=[,.])|by the way|of course|as you know|as you can see|as we said|as i said|as usual|"
    r"just to be clear|to (?:summarize|recap|reiterate|repeat|sum up)(?: a bit| a little| briefly)?(?=[,:])|"
    r"in summary|"
    r"turns out(?: that)?(?! to\b)|(?:just )?to remind you|just as a reminder|just to give (?:this|it) another name|"
    r"as a reminder|remember(?=[,:])|recall(?=[,:])|notice(?=[,:])|note(?=[,:])|one more thing|we said|"
    r"for those of you that don't know|what i mean(?: by (?:that|this))? is(?: that)?|"
    r"(?:just )?to (?:introduce|define|use|give|explain)(?: \w+){0,5} (?:terminology|terms?|names?|jargon|vocabulary)|"
    r"for those of you (?:who|that) (?:\w+ ){1,8}\w+(?=,)"
)
_CONNECTIVES = (
    r"so(?! (?:long|far|that|as|much|many|few|called|on)\b)|now(?! (?:for|comes?|is|was)\b)|and(?! (?:gates?|so on)\b)|"
    r"but|or(?! gates?\b)|then(?! comes?\b)|again|in fact|also|first(?=,)|firstly|second(?=,)|finally|lastly|"
    r"instead(?! of\b)|in other words|(?:more )?formally|concretely|specifically|in particular|therefore|thus|hence|"
    r"importantly|interestingly|fortunately|unfortunately|to be precise|technically|roughly speaking|more generally|"
    r"once again|similarly(?! to\b)|likewise|indeed|essentially|obviously|clearly|in this case|"
    r"that is(?=, (?!by the way))|whereas|(?:in|by) contrast(?! (?:to|with)\b)|conversely|as an aside"
)
_OPENING_CLAUSES = (
    r"(?:(?:it turns out|remember|recall|note|notice|it's important to (?:note|know)|what this means is|that means|"
    r"this means|the point is|the thing is|the fact is|you (?:may )?(?:remember|recall)|let me just say|i should say|"
    r"what's important is|you can see|we (?:know|said|saw)|the way the terminology goes is|the idea here is|"
    r"one way to think about it is|i want to (?:mention|say|point out)|i'll just mention) that(?: that)?"
    r"|(?:remember|recall) from (?:\w+ ){1,4}that)"
)
_GAP = r"(?:[,.:…]+\s*|\s+)(?:[-–—]+\s+)?"
LEADS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        rf"^(?:(?>(?:{_NOISE}|{_CONNECTIVES})\b{_GAP}|{_OPENING_CLAUSES},? |it turns out,? (?!to\b)))+(?=\S)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^(?:(?:好[的了吧]?(?=[，,、\s])|(?:那|接下来|最后|现在|同时|另外)(?=[，,、\s]|我们|你们?)|那么|所以|嗯|呃|啊|哦|然后|"
        r"其实|首先|而且?|但是?|不过|因此|因而|我们知道|也就是说|换句话说|简而言之|总之|并且|于是|事实上|实际上|简单来说|简单地说|一般来说|当然|"
        r"大家知道|我们说)[，,、\s]*)+"
    ),
}
"""False starts of spoken sentences, with words that only join a sentence to the one before ("But", "Then")."""

_NOISE_LEADS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        rf"^(?:(?>(?:{_NOISE})\b{_GAP}|{_OPENING_CLAUSES},? |it turns out,? (?!to\b)))+(?=\S)", re.IGNORECASE
    ),
    "zh": re.compile(r"^(?:(?:好[的了吧]?(?=[，,、\s])|嗯|呃|啊|哦|我们知道|大家知道|我们说)[，,、\s]*)+"),
}
"""False starts alone."""

_UM, _ER = r"(?-i:[Uu]m|[Uu]h|[Uu]hm|[Hh]mm)", r"(?-i:[Ee]rm?)"
"""Hesitations. In capitals they are names: proteins are made at the ER."""

_FILLERS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        rf",? ?\b{_UM}\b,?|(?:^|, ?)\b{_ER}\b,?|,? ?\b{_ER}\b,"
        r"|(?:^|, ?|(?<=\bthen) |(?<=\bso) |(?<=\band) |(?<=\bbut) |(?<=\bis) |(?<=\bthe) |(?<=\bbecause) )"
        r"(?:you know|i mean|i guess|i think|if you will|if you like|in some sense|sort of like),(?= )"
        r"|, by the way,?|(?-i:,? of course,)(?= )"
        r"|,(?: like| right| okay| ok| sort of| kind of)(?=,)"
        r"|(?<!\bthat)(?<!\bnow)(?<!\bif)(?<!\bdo)(?<!\bdid)(?<!\bsure)(?<!\bwhat)(?<!\bonce)(?<!\bwhen)(?<!\bhow)(?<!\bas)"
        r"(?<!\bso)(?<!\bthing)(?<!\bcause)(?<!\bthings)(?<!\bwhether)(?<!\bproviding)(?<!\bprovided)(?<!\bunless)"
        r"(?<!\buntil)(?<!\bassuming)(?<!\bonly) you know(?= (?:the|an?|some|is|are|to|this)\b)"
        r"|(?:(?<=is)|(?<=re)|(?<=ll)) (?:sort|kind) of(?= (?:like|just|the|an?|\w+ing)\b)"
        r"|(?:(?<=can)|(?<=ll)) (?:sort|kind) of(?= \w)"
        r"| (?:actually|basically)(?= (?-i:[a-z\d]))",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"[嗯呃]+[，,、]?|(?:^|(?<=[，,、。 ]))啊+[，,、]?"),
}
_TAGS: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:(?:[,.]? (?:yeah|(?<!what )(?<!how )(?<!who )(?<!all )(?<!than )(?<!that )you know"
        r"|and(?: so(?: on)?)?|for example|if you will|of course|like so)"
        r"|[,.] (?:so|okay|ok|alright|all right|right|as well|like (?:this|that))"
        r"| (?:okay|ok|alright|all right)(?=\?))){1,8}"
        r"[?.,!]*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:[，,]?(?:对吧|是吧|好吧)|[，,](?:对不对|是不是|好不好)){1,8}[？?。]*$|(?<![啊吧呢])[啊吧呢]++(?=。*$)|(?<![啊吧呢])[啊吧]++(?=[。？?]*$)"
    ),
}
_SMALL = (
    r"an?|the|of|to|in|on|at|for|from|by|with|and|or|but|so|this|these|those|it|its|is|are|was|were|be|been|has|"
    r"have|do|does|can|could|will|would|we|you|they|he|she|i|my|your|our|their|if|then|as|which|who|what|how|very|"
    r"really|just|some|any|more|there|it's|that's|we're|you're|i'm|they're|going"
)
NUMBERS = (
    r"zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thir(?:teen|ty)|fourteen|fif(?:teen|ty)"
    r"|(?:six|seven|eigh|nine)(?:teen|ty)|twenty|forty|hundred|thousand|million|billion"
)
"""Numbers in words."""
_PART = rf"\d[\d.,]*|{NUMBERS}|point|half|quarter|third|(?:ten|hundred|thousand|million)th"
_PART_ZH = "零一二两三四五六七八九十百千万亿点半\\d"
_AMOUNT: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        rf"\b(?:(?:about|around|roughly|an?) ){{0,2}}(?:{_PART})\b(?:(?: |-| and a |(?<=d) and )(?:{_PART})\b)*+",
        re.IGNORECASE,
    ),
    "zh": re.compile(rf"(?:大约|大概|约)?[{_PART_ZH}]+"),
}
_CORRECTION: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(
        r", (?:(?:um+|uh+|er|hmm+|well|wait|let me see|let's see),? ){0,3}"
        r"(?:no|sorry|excuse me|pardon me|or rather)(?:,? (?:no|sorry|wait)){0,2}, "
        rf"(?=(?:about |around |roughly |an? ){{0,2}}(?:{_PART})\b)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        rf"[，,](?:[呃嗯啊哦][，,]?)?(?:不对|说错了|错了|不)[，,](?:应该)?是?(?=(?:大约|大概|约)?[{_PART_ZH}])"
    ),
}
"""What takes an amount back and is followed by the right one: "a gram, no, about four grams", 五个，不对，六个."""
_OF_FORMULAS = re.compile(rf"\b(?:{NUMBERS}|per|not|squared|cubed|[b-hj-z])\b|\d", re.IGNORECASE)
"""What a formula, a number or a unit is read with: said twice it stands there twice ("metres per second, per second",
"one one zero", "m a, m a is not a force")."""
_REPEATED = re.compile(rf"\b({_SMALL}),? (?:\1,? )*\1\b(?!['’])", re.IGNORECASE)
_LETTER_BEFORE = re.compile(r"\b[b-hj-z],? $", re.IGNORECASE)
_LETTER_BEHIND = re.compile(r",? [b-hj-z]\b|[.,;:?!]|$| (?:and|or|is|are|has)\b", re.IGNORECASE)
"""What stands before and behind letters that are spelled: no article and no "I" does."""
_OF_TWO_CLAUSES = re.compile(
    r"(?<![,;:.]) (?!(?:and|but|so|or|if|when|that|because|then|as|is|are) )[a-z]+ "
    r"(?:it|this|that|these|those|you|here|there), ?$",
    re.IGNORECASE,
)
"""What ends in a pronoun that is no stumble before the same one: "protons flow through it, it turns"."""
_REPEATED_ACROSS_COMMA = re.compile(
    rf"\b(?!(?:lg|log|ln|exp|sin|cos|{NUMBERS}|{_SMALL})\b)([a-z]{{2,30}}), \1\b"
    rf"(?!['’]|(?<!that),| (?:and|or|\d+|{NUMBERS})\b| (?:\w+ ){{0,2}}(?:is|are|was|were|has|have|had|can|will|does)\b"
    rf"|(?<=[a-rt-z]s) (?!(?:{_SMALL})\b))",
    re.IGNORECASE,
)
"""A word that is said again, but for a number, what is told by a number behind it ("heavy nitrogen, nitrogen fifteen"),
the items of a list ("extra small, small, medium") and several that begin a clause ("heat the gases, gases expand")."""
_REPEATED_PHRASE = re.compile(
    r"\b([\w'’]{1,20}(?: [\w'’]{1,20}){1,3})(?<! and)(?<! or)(?<! by),? \1\b(?!['’])", re.IGNORECASE
)
_UNFINISHED = re.compile(
    rf"\b(?:{_SMALL}|and)$|^(?:to|of|in|on|at|for|from|by|with|without|is|are|was|were|can|will)\b",
    re.IGNORECASE,
)
"""A phrase that its speaker did not finish before saying it again. A whole one begins the next clause, or is meant
twice: "if I pull the cart, the cart pulls me"."""
_BROKEN_OFF = re.compile(r"\b(an?|the|of|to)(?:,| -+) (?=(?:an?|the|this|that|in|of|to) )", re.IGNORECASE)
_SECOND_LIMB = re.compile(r"(?:[,;]|\b(?:and|or)) b,? ", re.IGNORECASE)
"""What makes an "a" before it the label of a limb: "if, a, the price is fixed or, b, it can be reckoned"."""
_CUT_WORD = re.compile(r"\b[a-z]{1,6}-,? (?!(?:and|or|to|through|versus|vs)\b)(?=[a-z])", re.IGNORECASE)
_POINTING = re.compile(
    r"(?:,| -+) (?:this|that|these) (?:\w+ )?(?:right |over |up |down )?here(?:,| -+)(?= )"
    r"|,?(?<!\bthe)(?<!\bto)(?<!\bfrom)(?<!\bin) (?:(?:right|over|up|down) here|(?:over|up|down) there"
    r"|right there(?!\.?$))(?: on (?:the|my) \w+)?(?=[ ,.])",
    re.IGNORECASE,
)
_OF_NO_FIGURE = re.compile(
    r"\b(?:is|are|was|were|be|been|'s|stays?|stayed|remains?|lives?|goes?|and|or|than)$", re.IGNORECASE
)
_OF_THIS = re.compile(r"\b(?:th[eo]se|this|that|the)\b(?: [^\s,]+){0,4}$", re.IGNORECASE)
"""What a place is said of, and no figure pointed at: the ball that "would stay up there"; and what is shown in one."""
_THIS_HERE = re.compile(r"\b((?:this|that) [a-z]{1,20}),? here(?= (?:is|are)\b)", re.IGNORECASE)
_KIND_NAMED = re.compile(
    r"^this (?=(?:\w+ )?(?:process|idea|setting|procedure|problem|case|task|method|step|phenomenon|technique|notion|"
    r"concept) "
    r"(?:of|where|when|in which)\b)",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(r"^what (?P<what>[^,.?]{3,50}?) is,? is(?:,? is)? ", re.IGNORECASE)
_SPACES = re.compile(r"(?<! ) ++([,;:!?]|\.(?!\d))")
_COMMAS = re.compile(r",(?: ?,)+")
_CAPTION_JOINT = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3400-\u9fff])")
_NOTHING_SAID = re.compile(
    r"(?:okay|ok|all right|alright|right|well|yes|yeah|great|good|cool|now|so)?[.,!?…]*", re.IGNORECASE
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]+")


_ANY_FILLER = re.compile(r"\b(?:u[mh]|uhm|erm?|hmm|you know|i mean|i guess|(?:sort|kind) of)\b", re.IGNORECASE)


def without_fillers(text: str) -> str:
    """An English sentence without "um" and "you know", which part a term from its verb."""
    if not _ANY_FILLER.search(text):
        return text
    return _COMMAS.sub(",", _FILLERS["en"].sub(_drop_filler, text)).strip(" ,") or text


@lru_cache(maxsize=256)
def clean_spoken(text: str, lang: Lang) -> str:
    """The sentence as it reads alone: without false starts ("So, okay, …"), fillers, stumbles and tags ("…, right?"),
    closed."""
    return _clean(text, lang, LEADS[lang])


def clean_continued(text: str, lang: Lang) -> str:
    """The same as it reads after the sentence before: what joins it to that one ("But", "Then", "Second") stays."""
    return _clean(text, lang, _NOISE_LEADS[lang])


def _clean(text: str, lang: Lang, leads: re.Pattern[str]) -> str:
    shown = _without_corrected(" ".join(_CONTROL.sub(" ", text).split()), lang)
    shown = _TAGS[lang].sub("", _FILLERS[lang].sub(_drop_filler, leads.sub("", shown)))
    shown = _without_stumbles(shown) if lang == "en" else _join_captions(shown)
    shown = _SPACES.sub(r"\1", _COMMAS.sub(",", " ".join(shown.split()))).strip(" ,;:-–；，：、")
    shown = leads.sub("", shown)
    if not shown or _NOTHING_SAID.fullmatch(shown):
        return ""
    closed = shown if _CLOSED.search(shown) else shown + ("。" if lang == "zh" else ".")
    return closed if _WRITTEN_SMALL.match(closed) else closed[0].upper() + closed[1:]


_CLOSED = re.compile(r"[.!?。！？…][\"”’」』]?$")
_WRITTEN_SMALL = re.compile(
    r"[a-z]+[A-Z]|[a-z]\d|[b-hj-z](?![\w'’.-])|[ai] (?:is|equals?|squared|cubed|over|times|plus|minus|[b-hj-z])\b"
)
"""A name that begins with a small letter wherever it stands: mRNA, pH, p53, and g, which is not G."""


def _without_corrected(text: str, lang: Lang) -> str:
    """The sentence without an amount that its speaker takes back at once; what it is of stays, if not repeated."""
    taken_back = _CORRECTION[lang].search(text)
    *_, wrong = None, *_AMOUNT[lang].finditer(text, 0, taken_back.start() if taken_back else 0)
    if taken_back is None or wrong is None or _NEGATED.search(text[: wrong.start()]):
        return text
    unit, behind = text[wrong.end() : taken_back.start()], text[taken_back.end() :]
    right = _AMOUNT[lang].match(behind)
    if right is None or not _UNIT.fullmatch(unit) or _NO.search(behind):
        return text
    is_bare = right.end() == len(behind) or behind[right.end()] in ".,;!?。，；！？"
    return text[: wrong.start()] + right.group() + (unit if is_bare else "") + behind[right.end() :]


_UNIT = re.compile(r"(?: [a-z%°]+){0,6}|[\u3400-\u9fff]{0,4}", re.IGNORECASE)
_NO = re.compile(r"\bno\b", re.IGNORECASE)
"""What goes on with a "no" counts off: "in place five, no, six no, seven no"."""
_NEGATED = re.compile(r"(?:\bnot|n't|\bthan|不是|不止) ?$", re.IGNORECASE)


def _drop_filler(found: re.Match[str]) -> str:
    """Nothing in place of a filler, or the comma of the clauses that it stands between: "where it is, I mean, it …".
    What one knows under a condition is none."""
    said, before = found.group(), found.string[: found.start()]
    if said == " you know" and before.endswith(",") and _CONDITION.match(before):
        return said
    parts = said.startswith(",") and _SUBJECT.match(found.string, found.end()) is not None
    return "," if parts and found.end() - found.start() > LEAST_BETWEEN else ""


_SUBJECT = re.compile(r" (?:they|it|we|you|he|she|i|this|that|there|these|those|then|so|but)\b", re.IGNORECASE)
_CONDITION = re.compile(r"\W*(?:(?:so|and|but) )?(?:if|when|once|unless|until)\b", re.IGNORECASE)
LEAST_BETWEEN = 6
"""Characters of a filler of several words. A choice."""


def _without_stumbles(text: str) -> str:
    text = _THIS_HERE.sub(r"\1", text)
    text = _ANNOUNCED.sub(r"\g<what> is ", _KIND_NAMED.sub("the ", _POINTING.sub(_drop_pointing, text)))
    text = _CUT_WORD.sub("", text) if "- " in text or "-," in text else text
    text = _REPEATED_PHRASE.sub(_drop_phrase, text)
    text = _REPEATED_ACROSS_COMMA.sub(r"\1", _REPEATED.sub(_drop_stumble, text))
    return _BROKEN_OFF.sub(_drop_broken_off, text)


def _drop_broken_off(found: re.Match[str]) -> str:
    """Nothing in place of a word that was not gone on with."""
    return found.group() if _is_label(found) else ""


def _drop_pointing(found: re.Match[str]) -> str:
    """Nothing in place of what points at a figure; a place far off is one only where this or that is there."""
    before = found.string[max(0, found.start() - LONGEST_BEFORE) : found.start()]
    is_far = found.group().rstrip(" ,-").endswith("there")
    is_place = _OF_NO_FIGURE.search(before) is not None or (is_far and _OF_THIS.search(before) is None)
    return found.group() if is_place else ""


def _drop_phrase(found: re.Match[str]) -> str:
    """A phrase said twice once, where it was begun again: no formula and no whole phrase is."""
    is_stumble = _UNFINISHED.search(found[1]) is not None and _OF_FORMULAS.search(found[1]) is None
    return found[1] if is_stumble else found.group()


def _drop_stumble(found: re.Match[str]) -> str:
    """A small word said twice once, unless a clause ends in it and the next begins with it, or it is a letter."""
    before, behind = found.string[: found.start()], found.string[found.end() :]
    if len(found[1]) == 1 and (_is_label(found) or _LETTER_BEFORE.search(before) or _LETTER_BEHIND.match(behind)):
        return found.group()
    said = found.string[max(0, found.start() - LONGEST_BEFORE) : found.start()] + found[1] + ","
    is_twice = found.group().lower() == f"{found[1]}, {found[1]}".lower()
    return found.group() if is_twice and _OF_TWO_CLAUSES.search(said) else found[1]


def _is_label(found: re.Match[str]) -> bool:
    """Whether an "a" names something: written large inside a sentence, before a small one, or followed by a "b"."""
    inside = found.start() > 0 and found.string[found.start() - 2] not in ".!?"
    is_large = found[1] == "A" and inside and not found.group().endswith("A")
    return is_large or (found[1].lower() == "a" and _SECOND_LIMB.search(found.string, found.end()) is not None)


LONGEST_BEFORE = 40
"""Characters before a word in which the one before it stands. A choice."""


def _join_captions(text: str) -> str:
    """Caption lines of a Chinese sentence run together where punctuation shows the sentence's own shape."""
    return _CAPTION_JOINT.sub("", text) if text[-1:] in set("。！？；") else text
