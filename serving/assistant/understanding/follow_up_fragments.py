"""What a fragment leaves out: "why?", "and its complexity?", "and of merge sort?", 举个例子.

Belongs here: rules for a question that is cut short. What a pronoun stands for is in `follow_up_references.py`.
"""

import re
from collections.abc import Sequence

from knowledge_graph.graph.records import Mention
from serving.assistant.understanding.comparison_terms import find_compared
from serving.assistant.understanding.focus import aspect_head, find_subjects
from serving.assistant.understanding.follow_up_question import (
    LONGEST_FOLLOW_UP,
    FollowUpQuestion,
    Resolved,
    Rule,
    Subject,
    put_in,
)
from serving.assistant.understanding.follow_up_references import find_asked_term
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.question_kind import question_kind
from serving.assistant.understanding.translation import synonyms, synonyms_in

LEAST_ASKED = 2
"""Characters beside a concept's name that make a question that can be asked of another. A choice."""

_ONESELF = re.compile(r"\b(?:i|my|we|you)\b|我|你", re.IGNORECASE)
_CASE = re.compile(r"\b(?:worst|best|average)(?=[ -]case\b)|最坏|最好|平均", re.IGNORECASE)
"""A case of which a question speaks: another one takes its place, it is not added."""


def _fragment(asked: FollowUpQuestion) -> Resolved | None:
    """Why? How? For example? Say more: the concept is added, or the yes-or-no question that it follows."""
    words, core = asked.words, asked.core
    previous, zh = asked.focus.previous, asked.is_zh
    if asked.names.subjects or asked.is_elsewhere:
        return None
    is_why, is_how = bool(words.why.fullmatch(core)), bool(words.how.fullmatch(core))
    if (is_why or is_how) and len(previous) <= LONGEST_FOLLOW_UP and words.yes_or_no.fullmatch(previous):
        stem = _stem(previous)
        whole = f"{stem}？{core}？" if zh else f"{stem}? {core.capitalize()}?"
        return Resolved(whole, (f"{core} -> {whole} (the previous question)",), "fragment")
    if is_why or is_how:
        return _or_again(asked, put_in(asked, lambda subject: _why_or_how(subject.name, zh=zh, why=is_why)))
    if words.example.fullmatch(core):
        if (first := _first_compared(asked)) is not None:
            whole = _example(core, first, zh=zh)
            return Resolved(whole, (f"{core} -> {first} (from the previous question)",), "fragment")
        term = find_asked_term(previous)
        return _or_again(asked, put_in(asked, lambda subject: _example(core, _longer(term, subject.name), zh=zh)))
    if words.more.fullmatch(core):
        return put_in(asked, lambda one: f"请详细解释{one.name}。" if zh else f"Explain {one.name} in more detail.")
    if words.predicate.fullmatch(core):
        return put_in(asked, lambda subject: f"{subject.name}{core.rstrip('呢啊')}？")
    return None


def _aspect(asked: FollowUpQuestion) -> Resolved | None:
    """Its complexity, the advantages, 优点呢: asked of the focus; the fuller name where the graph knows one."""
    match = asked.words.aspect.fullmatch(asked.core)
    if match is None or asked.names.subjects or not _is_open(match, asked):
        return None
    if asked.is_continued and (same := _same_aspect(asked)) is not None:
        return same
    owner = match["det"] or ""
    return put_in(
        asked,
        lambda subject: _aspect_of(match, subject, asked),
        what=f"{owner}{match['aspect']}",
        plural=asked.words.many.search(owner) is not None,
        reason="aspect",
        aspect=match["aspect"],
    )


def _is_open(match: re.Match[str], asked: FollowUpQuestion) -> bool:
    """Whether an aspect waits for what has it, and is no question about the aspect itself ("what is complexity?")."""
    if asked.is_continued or re.match(r"its|their|它|其|有", (match["det"] or ""), re.IGNORECASE):
        return True
    if asked.is_zh:
        return not asked.names.aspects or re.search("多少|怎么算|怎么求|怎么计算", match["tail"]) is not None
    return not asked.names.aspects and (match["det"] is not None or match["ask"] is None)


def _same_aspect(asked: FollowUpQuestion) -> Resolved | None:
    """The previous question with another aspect: time complexity, "and the space complexity?"."""
    before = find_subjects(asked.focus.previous, asked.graph).aspects
    if len(before) != 1 or len(asked.names.aspects) != 1 or asked.previous_subject is None:
        return None
    old, new = before[0], asked.names.aspects[0]
    if old.concept_id == new.concept_id or aspect_head(old.name) != aspect_head(new.name):
        return None
    whole = _swap(asked.focus.previous, before, new.name)
    return Resolved(whole, (f"{old.surface} -> {new.name} (in the previous question)",), "same_question")


def _aspect_of(match: re.Match[str], subject: Subject, asked: FollowUpQuestion) -> str:
    aspect = subject.fuller(match["aspect"])
    if asked.is_zh:
        verb = match["det"] if (match["det"] or "").startswith("有") else ""
        joint = "" if verb else "的"
        return f"{subject.name}{verb}{joint}{aspect.removeprefix('的')}{match['tail'].rstrip('呢啊')}？"
    ask = match["ask"] or ""
    tail = re.sub(r" of \w+$", "", match["tail"])
    return f"{ask}{'the ' if ask else ''}{aspect} of {subject.name}{tail}?"


def _comparison(asked: FollowUpQuestion) -> Resolved | None:
    """Compared with merge sort? 和归并排序有什么区别: one side is named, the other is the focus."""
    topic = asked.focus.current
    if not asked.words.comparison.fullmatch(asked.core) or len(asked.names.subjects) != 1 or topic is None:
        return None
    if asked.names.subjects[0].concept_id in topic.concepts:
        return None
    core = asked.core
    return put_in(asked, lambda one: f"{one.name}{core}？" if asked.is_zh else f"{one.name} {core}?")


def _another(asked: FollowUpQuestion) -> Resolved | None:
    """The previous question asked of another concept: "and of merge sort?", 那归并排序呢."""
    if not asked.is_continued or len(asked.names.subjects) != 1 or asked.names.aspects:
        return None
    new, previous = asked.names.subjects[0], asked.focus.previous
    if asked.previous_subject in (None, new.concept_id):
        return None
    around = asked.core.replace(new.surface, "", 1)
    before = find_subjects(previous, asked.graph).subjects
    if not asked.words.beside_name.fullmatch(around) or len(previous) <= len(before[0].surface) + LEAST_ASKED:
        return None
    whole = _swap(previous, before, new.name)
    return Resolved(whole, (f"{before[0].surface} -> {new.name} (in the previous question)",), "same_question")


_HELD = r"(?:problem|issue|behaviou?r|weakness|property|drawback|advantage|worst case|limitation|case|thing)s?"
_TOO = r"(?: too| as well| also)?\W*"
_SAME_OF_IT = re.compile(
    r"^\W*+(?=[^。？]{0,20}(?:也|同样|一样|[这那]))(?>会不会|是不是|有没有|是否|同样的?|一样的?|类似的?|[这那](?:个|种|样的?)?|情况|问题|现象"
    r"|毛病|缺点|优点|特点|性质|限制|遇到|出现|存在|如此|适用|也|会|能|是|有)++[吗么呢吧啊]?\W*+$"
    rf"|^\W*(?:do|does|would|can|will|has|have)\W+(?:it |they )?(?:also )?(?:have|suffer from|show|share|run into|get)"
    rf" (?:that|this|the same|such an?)(?: {_HELD})?{_TOO}$"
    rf"|^\W*(?:is|was) (?:that|this|it|the same) (?:also )?(?:true|so|the case) (?:for|of|with|in){_TOO}$"
    rf"|^\W*(?:do|does|would|can|will) (?:that|this|it|the same) (?:also )?(?:hold|apply|go|happen)"
    rf" (?:for|to|with|in){_TOO}$",
    re.IGNORECASE,
)
"""What is left of a question without the name in it, where it asks if the same holds of that: 会不会也有这种情况."""


def _same_of_another(asked: FollowUpQuestion) -> Resolved | None:
    """The previous question asked of the one thing that this one names: 那归并排序会不会也有这种情况, "does merge sort
    have that problem too?". What it was asked of may be a name that only the glossary knows, or one of several things:
    the one whose name ends alike."""
    if len(asked.names.subjects) != 1 or asked.names.aspects or asked.is_elsewhere:
        return None
    new, previous = asked.names.subjects[0], asked.focus.previous
    around = asked.core.replace(new.surface, "", 1)
    if _SAME_OF_IT.match(around) is None:
        return None
    before = [(one.start, one.end, one.name) for one in find_subjects(previous, asked.graph).subjects]
    if not before:
        before = [(start, end, names[0]) for start, end, names in synonyms_in(previous)]
    ending = new.name[-2:] if asked.is_zh else new.name[-4:]
    if len({name for _, _, name in before}) > 1:
        before = [one for one in before if one[2].endswith(ending)]
    others = {name for _, _, name in before}
    if len(others) != 1 or new.name in others:
        return None
    whole = previous
    for start, end, _ in sorted(before, reverse=True):
        whole = f"{whole[:start]}{new.surface}{whole[end:]}"
    return Resolved(whole, (f"{others.pop()} -> {new.name} (in the previous question)",), "same_question")


def _circumstance(asked: FollowUpQuestion) -> Resolved | None:
    """And in the worst case? 如果数组没有排序呢: the previous question under another circumstance."""
    match = asked.words.circumstance.fullmatch(asked.core)
    if match is None or not asked.is_continued or asked.is_elsewhere or _ONESELF.search(match["rest"]):
        return None
    if asked.previous_subject is None:
        return None
    said, now = _CASE.search(asked.focus.previous), _CASE.search(asked.core)
    if said is not None and now is not None:
        whole = _CASE.sub(now.group(), asked.focus.previous, count=1)
        return Resolved(whole, (f"{said.group()} -> {now.group()} (in the previous question)",), "same_question")
    stem = _stem(asked.focus.previous)
    whole = f"{asked.core.rstrip('呢')}，{stem}？" if asked.is_zh else f"{stem}, {asked.core}?"
    return Resolved(whole, (f"{asked.core} -> {whole} (the previous question)",), "same_question")


_SUPPOSES = re.compile(
    r"^(?:what )?(?=if\b|when (?!(?:is|are|was|were|do|does|did|will|can|could|should|would|has|have)\b))"
    r"|^(?=如果|要是|假如)",
    re.IGNORECASE,
)


def _supposition(asked: FollowUpQuestion) -> Resolved | None:
    """What if it has two children? After a question on a tree and its nodes "it" may be either, so that question is
    asked again under the condition."""
    begun, pronoun = _SUPPOSES.match(asked.core), asked.words.reference.search(asked.text)
    previous = asked.focus.previous
    if begun is None or pronoun is None or asked.is_elsewhere or len(previous) > LONGEST_FOLLOW_UP:
        return None
    if len({one.concept_id for one in find_subjects(previous, asked.graph).subjects}) < 2:
        return None
    condition, stem = asked.core[begun.end() :].rstrip("呢"), _stem(previous)
    whole = f"{stem}，{condition}？" if asked.is_zh else f"{stem}, {condition}?"
    return Resolved(whole, (f"{asked.core} -> {whole} (the previous question)",), "same_question")


_THEN = re.compile(r"\b(?:then|in (?:that|this|such a) case)\W*$", re.IGNORECASE)
_THEN_ZH = re.compile(r"^(?:那么?|[这那](?:时候?|种情况下?))[，,]?|[这那](?:时候|种情况下)")
_CONDITION = re.compile(r"\b(?:if|when) (?:the|an?|all|both|two|no|there) [^,?]{3,60}(?=[,?]|$)", re.IGNORECASE)
_CONDITION_ZH = re.compile(r"(?:如果|要是|假如|当)[^，。？]{2,20}(?=[，。？]|$)")


def _in_that_case(asked: FollowUpQuestion) -> Resolved | None:
    """Can you still invert the matrix then? Under the condition of the previous question, where it has one."""
    then, condition = (_THEN_ZH, _CONDITION_ZH) if asked.is_zh else (_THEN, _CONDITION)
    found, text = condition.search(asked.focus.previous), asked.text if asked.is_zh else asked.core
    if found is None or then.search(text) is None or not asked.names.subjects or asked.is_elsewhere:
        return None
    own = then.sub("", text).rstrip("?？。,， ")
    whole = f"{found.group()}，{own}？" if asked.is_zh else f"{own} {found.group()}?"
    return Resolved(whole, (f"{asked.core} -> {whole} (from the previous question)",), "same_question")


def _other_kind(asked: FollowUpQuestion) -> Resolved | None:
    """And the Gaussian one, when is that better? After a question on a linear kernel, the Gaussian kernel."""
    found = _ONE_OF_A_KIND.match(asked.core)
    before = find_subjects(asked.focus.previous, asked.graph).subjects
    if found is None or not asked.is_continued or not before:
        return None
    for one in before:
        name = f"{found['kind']} {one.name.split()[-1]}"
        kinds = [
            each for each in find_subjects(name, asked.graph).subjects if each.start == 0 and each.end == len(name)
        ]
        if not kinds or kinds[0].concept_id == one.concept_id:
            continue
        rest = asked.core[found.end() :].strip(" ,")
        if not rest:
            whole = _swap(asked.focus.previous, [one], kinds[0].name)
        else:
            whole = f"{asked.words.reference.sub(kinds[0].name, rest, count=1)}?"
            whole = whole if kinds[0].name in whole else f"{rest} ({kinds[0].name})?"
        return Resolved(whole, (f"{found.group().strip()} -> {kinds[0].name} (like {one.name})",), "same_question")
    return None


_ONE_OF_A_KIND = re.compile(r"(?:the |an? )?(?P<kind>[\w-]+(?: [\w-]+)?) ones?\b(?=$|\W)", re.IGNORECASE)


def _short_name(asked: FollowUpQuestion) -> Resolved | None:
    """那归并呢, after a question on 快速排序 or 快排: 归并排序, which a Chinese name of the same kind is short for."""
    core, previous = asked.core.removesuffix("呢"), asked.focus.previous
    if not asked.is_zh or not asked.is_continued or asked.names.subjects or not 1 < len(core) <= LONGEST_SHORT_NAME:
        return None
    before = [(one.start, one.end, (one.name,)) for one in find_subjects(previous, asked.graph).subjects]
    for start, end, names in before or synonyms_in(previous):
        ends = {name[-size:] for name in names for size in (1, 2, 3) if size < len(name)}
        for whole_name in (*synonyms(core), *sorted((core + end_of for end_of in ends), key=len)):
            kinds = find_subjects(whole_name, asked.graph).subjects
            if len(kinds) == 1 and kinds[0].surface == whole_name and kinds[0].name not in names:
                whole = f"{previous[:start]}{kinds[0].name}{previous[end:]}"
                return Resolved(whole, (f"{core} -> {kinds[0].name} (like {names[0]})",), "same_question")
    return None


LONGEST_SHORT_NAME = 6
"""Characters of a Chinese name that is cut short. A choice."""


def _unknown_aspect(asked: FollowUpQuestion) -> Resolved | None:
    """And the pivot? 基准呢: something of the focus that the graph need not know."""
    match = asked.words.unknown_aspect.fullmatch(asked.core)
    if match is None or not asked.is_continued or asked.names.subjects or asked.is_elsewhere:
        return None
    if asked.words.reference.search(match["aspect"]):
        return None
    aspect = match["aspect"]
    found = put_in(
        asked,
        lambda one: f"{one.name}的{aspect}？" if asked.is_zh else f"the {aspect} of {one.name}?",
        what=aspect,
        reason="aspect",
    )
    return _or_again(asked, found)


_SAYS_WHAT = re.compile(
    r"^(?P<begin>\W*(?:so |and )?what (?:does|do|did) )(?P<thing>the [\w-]+(?: [\w-]+)?)"
    r"(?P<end> (?:really |actually )?(?:mean|tell|say|do|measure|show|represent|stand for)\b.*)$"
    r"|^(?P<begin_zh>(?:请问)?)(?P<thing_zh>[^\W\d]{1,8}?)(?P<end_zh>(?:是什么意思|是做什么的|(?:表示|代表|说明|衡量)(?:的是)?(?:什么|啥)).*)$",
    re.IGNORECASE,
)
"""What a question asks of one of several parts of something: what the slope means."""


def _other_part(asked: FollowUpQuestion) -> Resolved | None:
    """And the intercept? After what the slope means, what that one means: it is no part of the slope."""
    match, before = asked.words.unknown_aspect.fullmatch(asked.core), _SAYS_WHAT.match(asked.focus.previous)
    if match is None or before is None or not asked.is_continued or asked.names.subjects or asked.is_elsewhere:
        return None
    begin, thing, end = (before[name] or before[f"{name}_zh"] or "" for name in ("begin", "thing", "end"))
    whole = f"{begin}{match['aspect'] if asked.is_zh else asked.core}{end}"
    return Resolved(whole, (f"{thing} -> {match['aspect']} (in the previous question)",), "same_question")


def _or_again(asked: FollowUpQuestion, found: Resolved) -> Resolved:
    """What was found; where a fragment may be of any of the concepts of the question before it, that question with the
    fragment: an example of when one thing is better than another is an example of neither."""
    previous = asked.focus.previous
    if found.reason != "ambiguous" or len(previous) > LONGEST_FOLLOW_UP or asked.focus.current is None:
        return found
    is_long = len(previous) >= TELLS_MORE_ZH if asked.is_zh else len(previous.split()) > TELLS_MORE
    if asked.focus.current.origin != "question" or not is_long:
        return found
    whole = f"{_stem(previous)}（{asked.core}）" if asked.is_zh else f"{_stem(previous)} ({asked.core})"
    return Resolved(whole, (f"{asked.core} -> {whole} (the previous question)",), "same_question")


TELLS_MORE, TELLS_MORE_ZH = 6, 12
"""Words, and characters, of a question that asks more than what two things are. Choices."""


FRAGMENTS: tuple[Rule, ...] = (
    _in_that_case,
    _fragment,
    _aspect,
    _comparison,
    _other_kind,
    _short_name,
    _another,
    _same_of_another,
    _supposition,
    _circumstance,
    _other_part,
    _unknown_aspect,
)


def _why_or_how(name: str, *, zh: bool, why: bool) -> str:
    if zh:
        return f"{name}为什么是这样？" if why else f"{name}怎么做？"
    return f"Why {name}?" if why else f"How does {name} work?"


def _first_compared(asked: FollowUpQuestion) -> str | None:
    """The first of two things that the previous question compares, where one of them is no concept: the graph alone
    would take them for the other. `None` for any other question."""
    previous = say_plainly(asked.focus.previous)
    two = find_compared(previous) if question_kind(previous) == "comparison" else ()
    known = [bool(find_subjects(one, asked.graph).subjects) for one in two]
    return two[0] if two and not all(known) else None


def _longer(term: str, name: str) -> str:
    """What was to be explained, where that is more than the concept in it: a new man, and not any man."""
    return term if name.lower() in term.lower() else name


def _example(core: str, name: str, *, zh: bool) -> str:
    if zh:
        return f"举个{name}的例子。"
    asks = re.search(r"examples?\b", core, re.IGNORECASE)
    whole = asks is not None and core.lower() not in {"for example", "example", "examples"}
    return f"{core[: asks.end()]} of {name}{core[asks.end() :]}?" if asks and whole else f"An example of {name}?"


def _stem(question: str) -> str:
    return question.rstrip("?？.。 ")


def _swap(text: str, mentions: Sequence[Mention], name: str) -> str:
    for one in sorted(mentions, key=lambda found: found.start, reverse=True):
        text = f"{text[: one.start]}{name}{text[one.end :]}"
    return text
