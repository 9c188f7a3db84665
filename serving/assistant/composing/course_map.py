"""`compose_map`: where the concept map of a course opens, for who asks to see it. Pure.

What a concept map, or a knowledge graph, is where a course teaches that is left to the other composers.
"""

import re

from knowledge_graph.lake.records import CourseCard
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording
from serving.index.evidence import MAX_CITED, from_map

_MAP = (
    r"(?:(?:concept|knowledge|course|topic|prerequisite)s?[ -](?:map|graph|diagram)s?"
    r"|maps? (?:of|with) (?:all )?(?:the |this )?(?:concepts|topics|prerequisites|course|class)"
    r"|(?:study|learning)[ -](?:path|route|road ?map|map)s?)"
)
_LEAD = (
    r"(?:(?:please|pls|hi|hello|hey|can|could|would|will|may|do|does|you|i(?:['’]d)?|we|want|need|like|wanna|have|has|got"
    r"|show|give|open|view|see|display|draw|find|get|look|send|link|bring|pull|up|where(?:['’]?s)?|what(?:['’]?s)?|how|is"
    r"|are|there|me|us|to|at|an?|the|this|your|our|my|its|whole|full|entire|complete|any|some|for|of|with"
    r"|(?:course|class)(?:['’]s)?(?! (?:map|graph|diagram)))\b\W{0,9}+){0,14}+"
)
_TAIL = (
    r"(?:[ ,]{1,3}(?:of|for|to|in|on|about|with|through|from|look|here|now|please|show)\b"
    r"(?!.{0,80}\b(?:exam|mid-?term|final|quiz|homework|assignment)s?\b).{0,80}?)?"
)
_ADDED = r"(?: ?[(（][^()（）]{1,60}[)）])?"
"""What a follow-up was taken to be about: "concept map (stack)"."""
_CHINESE_MAP = r"(?:知识图谱?|概念图谱?|知识地图|概念地图|课程地图|课程图谱|知识结构图|先修关系图|学习(?:路径|路线)图?)"
_CHINESE_LEAD = (
    r"(?:请问?|麻烦|帮我|给我|让我|我想要?|我要|能不能|能否|可不可以|可以|有没有|有|在?哪里能?|怎么|如何|想|查看|打开|展示"
    r"|显示|看看|看一?[下看]|看|画|列出|给出|一[下张个份]|张|个|份|到|这门|这个|本|该|整个|整门|课程(?!地图|图谱)|课(?!程)|的)"
    r"{0,14}+"
)
_CHINESE_TAIL = r"(?:在哪[里儿]?|有吗|吗|呢|是什么样的?|长什么样|给我看看|看看)?"
_ASKS = re.compile(
    rf"^\W{{0,9}}+(?:{_LEAD}{_MAP}{_TAIL}"
    rf"|{_CHINESE_LEAD}(?:[^，。？！?!是]{{1,12}}的)?{_CHINESE_MAP}{_CHINESE_TAIL}){_ADDED}\W{{0,9}}$",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"{_MAP}|{_CHINESE_MAP}", re.IGNORECASE)
_OF_THE_COURSE = re.compile(r"\b(?:course|class)\b|这门|本课|该课|课程", re.IGNORECASE)
_WHAT = re.compile(r"^\W{0,9}what(?:['’]?s| is| are| does| do)\b", re.IGNORECASE)


def compose_map(request: Request) -> Composed | None:
    """Where the map opens: of the course that is asked, or of each where all are; or that there is none, where no
    concept is known to draw one of. `None` where no map is asked for."""
    if not _asks_for_it(request):
        return None
    asked = [request.card] if request.card is not None else list(request.graph.courses)
    courses = [one for one in asked if request.graph.concepts_of(one.course_id)][:MAX_CITED]
    said = wording(request.spoken)
    if not courses:
        return Composed("where", "full", (ComposedStatement(said.no_map),), score=1.0, is_whole=True)
    shown = tuple(_statement(one, said.map_of, is_item=len(courses) > 1) for one in courses)
    return Composed("where", "full", shown, after=said.path_hint, score=1.0, is_whole=True)


def _asks_for_it(request: Request) -> bool:
    asked = request.asked
    if request.card is not None:
        asked = re.sub(
            re.escape(request.card.title), "这门课" if request.spoken == "zh" else "this course", asked, flags=re.I
        )
    if _ASKS.match(asked) is None:
        return False
    if _OF_THE_COURSE.search(asked) is not None:
        return True
    named = _NAMED.search(asked)
    taught = request.graph.find(named.group()) if named is not None else None
    is_taught = taught is not None and request.course_id in (None, *request.graph.concept(taught).course_ids)
    return _WHAT.match(asked) is None and not is_taught


def _statement(card: CourseCard, text: str, *, is_item: bool) -> ComposedStatement:
    return ComposedStatement(
        text.format(course=safe(card.title)), from_map(0, card.course_id, card.title), is_item=is_item
    )
