"""What only a multiple-choice question says, in English and Chinese (the pattern table of Course Hero 2.3).

"Which of the", a pattern of the paper, is narrowed to what is followed by a word for options: "Which of the two
algorithms is faster?" can be answered as it is, and to refuse a real question is worse than to let a strange one
through.
"""

import re

from serving.assistant.understanding.marks import GAP

_ONE = r"(?:one|ones|two|three|statements?|options?|answers?|choices?|items?|pairs?)"
_CLAIM = r"(?:statements?|answers?|descriptions?|assertions?|propositions?)"
_CHOICE = r"(?:options?|choices?|alternatives?|one)"
_SAID = (
    r"(?:statements?|options?|answers?|choices?|alternatives?|descriptions?|assertions?|propositions?|conclusions?|"
    r"expressions?)"
)
_RIGHT = (
    r"(?:in|not )?(?:correct|true|false|wrong|right|accurate|valid|invalid|untrue|best|appropriate|inaccurate|"
    r"inappropriate)"
)
_IS_RIGHT = rf"(?:is|are|is/are|is not|are not) (?:the )?(?:most )?{_RIGHT}"
_OF_THEM = (
    r"(?: (?:below|above|is|are|is\(are\)|is/are|here|would be|regarding|about|among)\b"
    r"(?! (?:in (?:terms|exercise|quiz))\b)|\s{0,5}[:：(（]|\s{0,5}$)"
)

_BELOW_ZH = r"(?:下列|以下|下面|下述|下边)"
_SAID_ZH = r"(?:选项|说法|叙述|描述|表述|陈述|论述|命题|结论|判断)"
_RIGHT_ZH = r"(?:不|最)?(?:正确|错误|准确|恰当|合理|合法|符合|成立|不当|有误|对|错)"
_IS_ZH = r"(?:是|有|为|选项|一项)"
_NOT_ASKED_OF_ZH = r"(?!是我|我们|代码|程序|链接|网址|该|要|讲)"
_NO_OPTION_ZH = r"(?!里|儿|行|来|句|怕|天|段|步|章|节|一[行章节])"

CUES: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for name, pattern in {
        "which of the following": rf"\b(?:which|what|who|whom|whose)(?: {_ONE})?,? (?:of|among|amongst|from|in|out of) "
        r"(?:all )?(?:the )?(?:\w+ )?(?:following|below|options?|statements?|answers?|choices?|alternatives?)\b",
        "which following": r"\b(?:which|what)(?: of)? (?:the )?following\b"
        r"(?! (?:code|program|snippet|query|script|error|command)\b)",
        "which of these": r"\b(?:which|what)(?: (?:one|ones))? of (?:these|those)\b",
        "of the following, which": r"(?:^|[.,;:?!(] ?)(?:of|among|amongst|from|out of) (?:all )?(?:the |these )?"
        r"(?:following|options|statements|choices|alternatives)\b",
        "one of the following": r"\b(?:one|any|none|some|all|either|except|but one|not) (?:of|among) the following\b"
        r"(?! (?:questions?|problems?|tasks?)\b)",
        "the following … is correct": r"\bfollowing (?:[\w/-]+ ){0,8}(?:is|are|is/are|is\(are\)) (?:the )?(?:most )?"
        rf"{_RIGHT}\b",
        "the following … ( )": rf"\bfollowing\b[^?!\n]{{0,150}}{GAP}",
        "the following statement": rf"\b(?:the|which) following {_SAID} "
        r"(?:is|are|does|do|can|cannot|best|most|correctly)\b",
        "which statement is true": rf"\bwhich (?:\w+ )?{_CLAIM} (?:[\w-]+ ){{0,6}}"
        rf"(?:{_IS_RIGHT}|describes?|correctly|best)\b",
        "which option is correct": rf"\bwhich (?:\w+ )?{_CHOICE} (?:is|are|best|correctly) (?:not )?"
        rf"(?:{_RIGHT}|describes?|explains?|completes?)\b(?! (?:for|practice|way|to)\b)",
        "the correct statement": rf"\bthe (?:{_RIGHT}|most (?:accurate|appropriate|suitable)) "
        rf"(?:(?!expressions?\b){_SAID}|one)(?:\(s\))?{_OF_THEM}",
        "the correct order is ( )": rf"\bcorrect (?:\w+ )?(?:order|sequence|combination|match|pairing)\b"
        rf"[^.?!\n]{{0,60}}{GAP}",
        "select the correct answer": r"\b(?:select|choose|pick|mark|circle|tick|check|identify|indicate) (?:\w+ ){0,3}?"
        rf"(?:{_RIGHT}|most|suitable|single|two|three|all|every|any) ?(?:\w+ ){{0,3}}?"
        rf"(?:{_SAID}|ones?|apply|that|which|following|term|word)\b",
        "select one": r"\b(?:select|choose|pick|mark|tick) (?:"
        r"(?:only )?one(?: of the (?:following|options|answers|choices))?\s*(?:[.:)(]|$)"
        rf"|(?:(?:only )?one|an?|the) {_SAID}\b"
        r"|(?:from |among |(?:only )?one of |any of )?the following\b|all that apply)",
        "what is the correct answer": r"\b(?:what|which)(?:'s| is| are| would be)? (?:the )?(?:correct|right|best) "
        r"(?:answer|option|choice|one)s?\b(?=\W*$|\W*[.?]|\s+(?:here|below|from|among)\b)",
        "none of the above": r"\b(?:none|all|both|any|neither) of (?:the )?"
        r"(?:above|below|these (?:options|answers|choices))\b"
        r"(?! (?:work\w*|help\w*|\w*algorithms?|methods?|steps?|run)\b)",
        "does not include ( )": r"\b(?:not|n't|never) (?:includ\w+|contain\w*|belong\w*|count\w*|(?:an?|one)\b)"
        rf"[^.?!\n]{{0,40}}\??\s{{0,3}}{GAP}",
        "when it is full, ( )": rf"[,，]\s{{0,3}}(?:(?:then|it|they)\b)?\s{{0,3}}{GAP}\W{{0,3}}\Z",
        "multiple choice:": r"\A\W{0,5}(?:mcq|(?:multiple|single)[- ]choice(?: question)?)\b\s{0,3}[\])】:.]"
        r"\s{0,3}(?!how\b|is\b|are\b|when\b|do\b)",
        "下列……哪": rf"{_BELOW_ZH}{_NOT_ASKED_OF_ZH}[^。？?！!\n]{{0,60}}?"
        rf"(?:哪{_NO_OPTION_ZH}|不?属于|[正错]确?误?的|[对错]的|不?(?:正确|错误|恰当|合理|符合|合法|准确)的?"
        r"(?:是|有|一项)|的(?:是|有|为)\s{0,5}(?:[(（【]|[?？:：。]|$))",
        "下列……（ ）": rf"{_BELOW_ZH}(?!程序|代码|算法的)[^。？?！!\n]{{0,100}}{GAP}",
        "下列各项": rf"{_BELOW_ZH}(?:各|几|四|三|五|的|给出的|所列)?(?:个|种|组|条)?(?:{_SAID_ZH}|项(?!目)|选择)",
        "哪个选项": rf"哪(?:一|几|些|两|个)?(?:个|项|种|条|组)?{_SAID_ZH}(?!可以|能)"
        r"|哪(?:一|几|两)?项(?!技术|目|任务|作业)|哪些项(?!目)",
        "说法正确的是": rf"(?:{_SAID_ZH}|理解)[^。？?！!\n]{{0,30}}?{_RIGHT_ZH}的{_IS_ZH}",
        "正确的是（ ）": rf"{_RIGHT_ZH}的{_IS_ZH}\s{{0,5}}(?:[(（【_?？:：]|$)",
        "正确顺序是（ ）": rf"正确的?\w{{0,4}}(?:顺序|次序|步骤|组合|匹配|搭配)(?:是|为)\s{{0,3}}{GAP}",
        "不包括（ ）": rf"(?:不包括|不包含|不属于|不具备|不具有)[^。？?！!\n]{{0,20}}{GAP}",
        "满了之后，它（ ）": rf"[,，]\s{{0,3}}(?:则|它们?|那么|其|就|会|将)?\s{{0,3}}{GAP}\W{{0,3}}\Z",
        "选择正确答案": r"(?:选择|选出|选取|挑选|请选)[^。？?！!\n]{0,12}?(?:正确|错误|合适|恰当|最佳|最优|符合)"
        r"[^。？?！!\n]{0,6}?(?:答案|选项|一项|的是|说法|项)|正确(?:的)?(?:答案|选项)(?:是|为|有|应)(?!什么时候|多少|.{0,3}[A-Ja-j])",
        "以上都不对": r"以上(?:选项|答案|说法)?(?:都|均|皆|全)(?:不|非|对|正确|错)(?!.{0,4}(?:吗|怎|时候))"
        r"|以上(?:都|均)是\W*$",
        "（单选）": r"[(（【\[]\s{0,3}(?:单选|多选|单项选择|多项选择|不定项选择|不定项|选择)题?\s{0,3}[)）】\]]|"
        r"^\s{0,5}(?:单选|多选|单项选择|多项选择)题?\s{0,3}[:：]",
    }.items()
}
"""By what is found: a pattern each."""

_ENGLISH = {name: pattern for name, pattern in CUES.items() if not re.search(r"[\u4e00-\u9fff]", name)}
"""Those that may be found in ASCII: the others, with Chinese names, all want a Chinese character."""

_OWN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^\W*(?:(?:hi|hello|thanks|thank you|so|and|but|ok|okay|sorry)\b\W*)*"
        r"(?:how (?:do|does|can|could|to|should|would)\b|(?:explain )?why\b|prove\b|should (?:i|we)\b|do(?:es)?\b|"
        r"can (?:i|we)\b|can you (?:explain|help|show|give)\b|is (?:this|it|that) an?\b)",
        r"\bI (?:don't|do not|didn't|get|got|have(?! a question)|tried|only|cannot|can't)\b|\bworked for me\b",
        r"\b(?:to|in|of) (?:exercise|question|homework|quiz|assignment)\b",
        r"^(?:老师|请问|那么?|[，, ])*(?:为什么|为何|怎么|如何|怎样)|(?:为什么|为何)选",
        r"我(?!国|军|党|想问|想请教|问一下)|必修|要考|作业|题的正确答案",
    )
)
"""What asks how or why, tells of oneself or names an exercise: no multiple-choice question, whatever else it holds."""

POINTING = frozenset({"which of these"})
"""Cues that may point to what was said in the turn before."""


LONGEST_CUED = 1500
"""Characters at the end of a text in which wording is looked for; a choice, which bounds the time."""


def is_ones_own(text: str) -> bool:
    """Whether the wording is that of a student with a question of their own, whatever else it holds."""
    return any(pattern.search(text) for pattern in _OWN)


def has_cue(text: str, *, pointing: bool = True) -> bool:
    """Whether the wording is that of a multiple-choice question; with `pointing` false cues of `POINTING` are none."""
    end = text[-LONGEST_CUED:]
    cues = _ENGLISH if end.isascii() else CUES
    return any(pattern.search(end) for name, pattern in cues.items() if pointing or name not in POINTING)
