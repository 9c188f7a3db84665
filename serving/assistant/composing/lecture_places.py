"""`LecturePlace`: a lecture that speaks of something, how much it says and where it begins to. Pure.

Belongs here: finding such places, the nearest ones, and the part of a course that they are of. Their order in an answer
is in `where.py`.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from re import Pattern

from knowledge_graph.lake.records import Locator
from knowledge_graph.text.sentences import has_cjk, singular
from knowledge_graph.text.time_code import since_start
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.introduction import any_of, naming_pattern
from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.terms import (
    ALL_OF_IT,
    QuestionUnit,
    coverage,
    is_of_another_word,
    known,
    terms_of,
)
from serving.index.evidence import Evidence

TAUGHT = 3
"""Sentences from which a lecture is said to explain something rather than to mention it. A choice."""
NEAR_MS = 90_000


@dataclass(frozen=True)
class LecturePlace:
    """A lecture that speaks of what is asked: `count` sentences do. `first` is where it begins to: in one that is
    called by it the first of them, else the one that gives it its name (`is_named`), else where most of them follow."""

    lecture: SpokenLecture
    count: int
    first: LectureSentence
    is_titled: bool
    is_named: bool = False


def says_what_is_needed(sentence: LectureSentence) -> bool:
    """Whether a lecture says what one has to know for it, which it does not teach: at its beginning, or "before"
    something in it."""
    is_early = since_start(sentence.start_ms) <= BEGINNING_MS
    is_before = re.search(r"\bbefore you\b", sentence.text, re.IGNORECASE) is not None
    return (is_early or is_before) and _SAID_NEEDED.search(sentence.text) is not None


BEGINNING_MS = 180_000
"""How far the beginning of a lecture goes, which says what it builds on. A choice."""

_KNOW_ZH = r"(?:会|懂|掌握|学会|学过|了解|知道|熟悉|记得|记住|明白|[搞弄][懂清明]|复习|清楚)"
_SAID_NEEDED = re.compile(
    r"\byou (?:really |also |first )?(?:(?:need|have) to|should) (?:already )?(?:know (?:how|what|about|the)"
    r"|be (?:comfortable|familiar) with|understand)\b"
    r"|\bassumes? (?:that )?you(?:'re| are)? (?:know|familiar|comfortable)\b"
    r"|\bmake sure (?:that )?you (?:know|understand|remember)\b"
    rf"|(?:需要|必须|一定要|要|得)先{_KNOW_ZH}|[学听看上讲][^，。]{{0,12}}之?前[^。]{{0,40}}(?:要|需要|必须|应该|得)先?{_KNOW_ZH}"
    rf"|上一?[讲节课集章][^。]{{0,30}}(?:要|必须|需要)(?:先|都)?{_KNOW_ZH}|(?:不然|否则)[^。]{{0,12}}(?:听不懂|跟不上)",
    re.IGNORECASE,
)


def announces_subject(sentence: LectureSentence) -> bool:
    """Whether a lecture says in its first words what it is about, and not what the one before it was about."""
    is_early = since_start(sentence.start_ms) <= OPENING_MS
    return is_early and IS_ABOUT.search(_OF_THE_LAST.sub(" ", sentence.text)) is not None


OPENING_MS = 30_000
"""How far the first words of a lecture go, which say what it is about. A choice."""

_OF_THE_LAST = re.compile(
    r"\b(?:in|from|since) (?:the )?(?:last|previous) (?:lecture|video|lesson|class|section|time)[^.]*"
    r"|上一?[讲节课集次][^，。]*",
    re.IGNORECASE,
)
"""What a lecture says of the one before it."""

IS_ABOUT = re.compile(
    r"\b(?:talk(?:ing)? about|look at|learn(?: about)?|introduce|called|tell you about|discuss|start with"
    r"|topic|going to be)\b"
    r"|今天|这一?[讲节课]|介绍|学习|讲",
    re.IGNORECASE,
)
"""What a lecture says of what it is going to be about."""


def by_count(place: LecturePlace) -> tuple[int, int]:
    return -place.count - OF_A_TITLE * (place.is_titled + place.is_named), place.lecture.index


def find_places(units: Sequence[QuestionUnit], lectures: CourseLectures) -> list[LecturePlace]:
    """The lectures that speak of all units (of the named concepts, if any), the one that says most of them first.

    Where no sentence names them all: those that name each of them within a minute or two.
    """
    wanted = [unit for unit in units if unit.concept_id is not None] or list(known(units))
    if not wanted:
        return []
    said = {
        video_id: kept
        for video_id, spoken in lectures.naming([unit.names for unit in wanted]).items()
        if (kept := [one for one in spoken if all(_is_worded(unit, one.text) for unit in wanted)])
        if (kept := [one for one in kept if not says_what_is_needed(one)])
    } or _close_together(wanted, lectures)
    if len(wanted) == 1 and has_cjk(label := wanted[0].label) and len(label) >= LEAST_IN_COMPOUND:
        said = {one.video_id: within for one in lectures.lectures if (within := _speaking(one, said, label))}
    found = []
    for lecture in lectures.lectures:
        is_titled = (
            coverage(wanted, terms_of(lecture.title)) >= ALL_OF_IT or _is_written_together(wanted, lecture.title)
        ) and not any(is_of_another_word(unit, lecture.title) for unit in wanted)
        if not (spoken := said.get(lecture.video_id, [])) and not is_titled:
            continue
        naming = next((one for one in spoken if len(wanted) == 1 and _names(wanted[0], one.text)), None)
        takes_up = _start_pattern(wanted)
        if is_titled:
            is_of_several = _LISTS.search(lecture.title) is not None
            first = _find(takes_up, spoken if is_of_several else ()) or (spoken or lecture.sentences)[0]
        else:
            first = _beginning(spoken, naming, takes_up)
        found.append(LecturePlace(lecture, len(spoken), first, is_titled, naming is not None))
    return sorted(found, key=by_count)


def _speaking(lecture: SpokenLecture, said: Mapping[str, list[LectureSentence]], label: str) -> list[LectureSentence]:
    """The sentences of a lecture that name a thing, also within a longer Chinese word: 面向对象 in 面向对象编程."""
    found = said.get(lecture.video_id, [])
    return [one for one in lecture.sentences if one in found or (label in one.text and not says_what_is_needed(one))]


LEAST_IN_COMPOUND = 4
"""Characters of a Chinese name that is looked for within longer words: shorter ones stand in others. A choice."""


_LISTS = re.compile(r"\band\b|&|[和与、]", re.IGNORECASE)
"""What a title has that names several things, one of them after the other."""


def _start_pattern(wanted: Sequence[QuestionUnit]) -> Pattern[str] | None:
    """What finds a sentence that takes one thing up: it begins with it, "Now, the tides.", or says what it is; `None`
    for several things."""
    if len(wanted) != 1:
        return None
    name = any_of([wanted[0].label.lower(), singular(wanted[0].label.lower())])
    return re.compile(
        rf"^(?:(?:so|and|now|next|then|well|okay|ok|first|second|third|finally|again),? ){{0,2}}(?:the |an? )?"
        rf"(?:{name})(?:s|es)?\b(?!, [^.;]{{1,200}}\band\b)"
        rf"|^(?:那么?|接下来|然后|首先|所谓)?[，,]?(?:{name})(?:$|[。，]|就?是|指)",
        re.IGNORECASE,
    )


def _find(pattern: Pattern[str] | None, spoken: Sequence[LectureSentence]) -> LectureSentence | None:
    """The first of some sentences that a pattern finds; `None` without one."""
    return next((one for one in spoken if pattern is not None and pattern.search(one.text)), None)


def _beginning(
    spoken: Sequence[LectureSentence], naming: LectureSentence | None, takes_up: Pattern[str] | None
) -> LectureSentence:
    """Where a lecture begins to teach something: in its first words, where it says that it is about that; else with the
    sentence that gives it its name, unless it has been spoken of for long; else where most is said of it, from the
    sentence that takes it up: a list of what is to come only names it."""
    first = spoken[0]
    if len(spoken) > 1 and announces_subject(first):
        return first
    if naming is not None and naming in spoken[:TAUGHT]:
        return naming
    at = spoken.index(find_densest(spoken))
    while at > 0 and spoken[at].start_ms - spoken[at - 1].start_ms < NEAR_MS:
        at -= 1
    return _find(takes_up, spoken[at : at + TAUGHT]) or spoken[at]


def _names(unit: QuestionUnit, text: str) -> bool:
    """Whether a sentence gives a thing its name: "this one has a special name, called a shear"."""
    if naming_pattern((singular(unit.label.lower()),)).search(text) is not None:
        return True
    longer = _IN_A_NAME.search(text) if len(unit.label) >= LEAST_IN_NAME and has_cjk(unit.label) else None
    return longer is not None and unit.label in longer[1]


LEAST_IN_NAME = 3
"""Characters of a Chinese name that a longer one is made with: 流水线, and 指令流水线. A choice."""
_IN_A_NAME = re.compile(r"(?:叫(?:做|作)?|称为|称作)\s?[“\"「]([^，。“”\"「」]{3,10})[”\"」]")


def _is_written_together(wanted: Sequence[QuestionUnit], title: str) -> bool:
    """Whether a title has each name once spaces and hyphens are left out: non-square is nonsquare."""
    squashed = _squash(title)
    return all(len(name := _squash(unit.label)) >= SHORTEST_SQUASHED and name in squashed for unit in wanted)


SHORTEST_SQUASHED = 8
"""Characters of a name that is looked for without its spaces: shorter ones stand in other words. A choice."""


def _squash(text: str) -> str:
    return re.sub(r"[\s\-_]+", "", text.lower())


def _close_together(wanted: Sequence[QuestionUnit], lectures: CourseLectures) -> dict[str, list[LectureSentence]]:
    """By video, the stretch of sentences that names each of several things, though none names them all."""
    if len(wanted) < 2:
        return {}
    each = [lectures.naming([unit.names]) for unit in wanted]
    found = {}
    for video_id in set.intersection(*(set(spoken) for spoken in each)):
        told = sorted({one.start_ms: one for spoken in each for one in spoken[video_id]}.values(), key=start_of)
        for first in told:
            within = [one for one in told if 0 <= one.start_ms - first.start_ms < NEAR_MS]
            if all(any(one in spoken[video_id] for one in within) for spoken in each):
                found[video_id] = within
                break
    return found


def _is_worded(unit: QuestionUnit, text: str) -> bool:
    """Whether a single English word stands in a text as a noun of its own: a transformer is not what transforms, and
    the normal equation no normalization."""
    if is_of_another_word(unit, text):
        return False
    if unit.concept_id is not None or not unit.label.isascii() or " " in unit.label:
        return True
    if has_cjk(text):
        return unit.label.lower() in text.lower() or len(unit.names) > 1
    words = {singular(word.strip(".,;:!?()\"'")) for word in text.lower().split()}
    return len(unit.names) > 1 or singular(unit.label.lower()) in words


def find_nearest(units: Sequence[QuestionUnit], lectures: CourseLectures) -> list[LecturePlace]:
    """The lectures that speak of the most that is asked, by weight: a unit counts more the oftener it is named."""
    scores: dict[str, float] = defaultdict(float)
    sentences: dict[str, list[LectureSentence]] = defaultdict(list)
    for unit in known(units):
        for video_id, named in lectures.naming([unit.names]).items():
            spoken = [one for one in named if _is_worded(unit, one.text)]
            if not spoken:
                continue
            scores[video_id] += unit.weight * (1.0 - 0.5 ** len(spoken))
            sentences[video_id] += spoken
        for lecture in lectures.lectures:
            if unit.measure_coverage(terms_of(lecture.title)) == 1.0:
                scores[lecture.video_id] += unit.weight
                sentences[lecture.video_id].append(lecture.sentences[0])
    best = sorted(scores, key=lambda video_id: (-scores[video_id], lectures.by_id[video_id].index))
    return [
        LecturePlace(
            lectures.by_id[video_id], 0, _fullest(sorted(sentences[video_id], key=start_of), units), is_titled=False
        )
        for video_id in best
        if scores[video_id] >= NEARLY * scores[best[0]]
    ]


NEARLY = 0.7
"""A lecture is shown beside the nearest one when it speaks of this share of what that does. A choice."""


def start_of(sentence: LectureSentence) -> int:
    return sentence.start_ms


def _fullest(said: Sequence[LectureSentence], units: Sequence[QuestionUnit]) -> LectureSentence:
    """The sentence that speaks of most that is asked, with the next one; of equals the one where most follow soon."""
    shares = {
        one.sentence_id: coverage(units, terms_of(f"{one.text} {after.text}"))
        for one, after in zip(said, (*said[1:], said[-1]), strict=True)
    }
    most = max(shares.values())
    return find_densest([one for one in said if shares[one.sentence_id] == most])


def find_densest(said: Sequence[LectureSentence]) -> LectureSentence:
    """The first sentence after which half as many others follow soon as after any."""
    follow = [sum(0 <= other.start_ms - one.start_ms < NEAR_MS for other in said) for one in said]
    enough = max(follow) * DENSE
    return min((one for one, count in zip(said, follow, strict=True) if count >= enough), key=start_of)


DENSE = 0.5
"""Share of the most sentences that follow soon from which something begins to be taught. A choice."""

_SECTION = re.compile(r"(\d{1,9})\s*+[-._]\s*+\d++(?:\s*+[-._]|[^\S ]*+ )")
"""The number of the part of a course in a name such as "12 - 3 - Kernels I"."""


def section(lecture: SpokenLecture) -> int | None:
    """The number of the part of the course that a lecture is in; `None` where its name has none."""
    found = _SECTION.match(lecture.video_id) or _SECTION.match(lecture.title)
    return int(found[1]) if found is not None else None


def best_part(places: Sequence[LecturePlace]) -> int | None:
    """The part of the course in which most is said of something, by its places; `None` where lectures are in none."""
    counted: dict[int, int] = defaultdict(int)
    for place in places:
        if (number := section(place.lecture)) is not None:
            counted[number] += place.count + OF_A_TITLE * place.is_titled
    return max(counted, key=lambda number: (counted[number], -number)) if counted else None


def homes_of(units: Sequence[QuestionUnit], lectures: CourseLectures) -> dict[str, float]:
    """By video, how much of what is asked about is taught in its part of the course, 0..1: the mean over the named
    concepts of the share of the sentences naming one that stand in the part, over the largest such share.

    A lecture without a numbered part is a part of its own.
    """
    concepts = [unit for unit in units if unit.concept_id is not None]
    found: dict[str, float] = defaultdict(float)
    part = {one.video_id: section(one) or -1 - one.index for one in lectures.lectures}
    for unit in concepts:
        counted: dict[int, float] = defaultdict(float)
        for video_id, spoken in lectures.naming([unit.names]).items():
            counted[part[video_id]] += len(spoken)
        for lecture in lectures.lectures:
            if unit.measure_coverage(terms_of(lecture.title)) == 1.0:
                counted[part[lecture.video_id]] += OF_A_TITLE
        most = max(counted.values(), default=0.0)
        for lecture in lectures.lectures if most else ():
            found[lecture.video_id] += counted[part[lecture.video_id]] / most / len(concepts)
    return found


OF_A_TITLE = 6
"""Sentences that a title counts for, and a sentence that gives a thing its name. A choice."""

AS_MANY = 4
"""Lectures of the next part that teach the same, from which it goes on there. A choice."""


def taught_together(units: Sequence[QuestionUnit], lectures: CourseLectures) -> list[SpokenLecture]:
    """The lectures that teach something, in order: those of the part of the course that says most of it, where two of
    them do; else the best place with its neighbours that have it in their titles. None where no lecture speaks of it.
    """
    places = find_places(units, lectures)
    if not places:
        return []
    taught = [one for one in places if one.is_titled or one.count >= TAUGHT]
    part = best_part(taught)
    if part is not None and sum(section(one.lecture) == part for one in taught) > 1:
        last = part
        while sum(section(one.lecture) == last + 1 for one in taught) >= AS_MANY:
            last += 1
        return [one for one in lectures.lectures if part <= (section(one) or 0) <= last]
    titled = {one.lecture.video_id for one in places if one.is_titled}
    ordered = list(lectures.lectures)
    first = last = ordered.index(places[0].lecture)
    while first > 0 and ordered[first - 1].video_id in titled:
        first -= 1
    while last + 1 < len(ordered) and ordered[last + 1].video_id in titled:
        last += 1
    return ordered[first : last + 1]


def lecture_evidence(sentence: LectureSentence, course_id: str | None, text: str | None = None) -> Evidence:
    """A moment of a lecture as evidence."""
    return Evidence(
        number=0,
        evidence_id=f"{sentence.video_id}@{sentence.start_ms}",
        source="subtitle",
        course_id=course_id,
        title=sentence.video_title,
        text=sentence.text if text is None else text,
        locator=Locator(
            video_id=sentence.video_id,
            video_title=sentence.video_title,
            start_ms=sentence.start_ms,
            end_ms=sentence.end_ms,
        ),
    )
