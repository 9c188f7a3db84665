"""What is said under a rule about graded work, in both languages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from knowledge_graph.lake.records import Lang


@dataclass(frozen=True)
class RuleWording:
    """Sentences with `{name}` of the work, `{until}` when it closes, and what else they take."""

    closed: str
    references: str
    hints: str
    open_until: str
    closed_until: str
    closed_always: str
    ask_teachers: str
    ask_staff: str
    read: str
    nothing_to_read: str
    think: str
    think_of: str
    step: str
    step_before: str
    no_step: str
    more_hints: str
    last_hint: str
    no_claim: str
    searched: str
    and_: str


_ENGLISH = RuleWording(
    closed="This belongs to “{name}”, graded work of this course. {until}",
    references="This belongs to “{name}”, graded work of this course{until}. The course's rule for it: I show where to "
    "read, and answer nothing of it.",
    hints="This belongs to “{name}”, graded work of this course{until}. The course's rule for it: hints, never the "
    "solution.",
    open_until=", open until {when}",
    closed_until="The course's rule for it: until {when} I say nothing about it.",
    closed_always="The course's rule for it: I say nothing about it.",
    ask_teachers="Ask your teachers about it: {names}.",
    ask_staff="Ask the people who teach your course about it, in its forum or office hours.",
    read="Where the course teaches what it needs:",
    nothing_to_read="I found no place in the material that speaks of it; the people who teach your course can name "
    "one.",
    think="Now a question back: what exactly is given, what is wanted, and what does the smallest case look like? "
    "Write these three down, and say where you are stuck.",
    think_of="Now a question back: what do you know about {names}, in your own words, and which of its properties "
    "could matter here? Try it on the smallest case, and say where you are stuck.",
    step="A first step from the material, about {concept}:",
    step_before="A first step from the material, about {concept}, which comes before it:",
    no_step="The first step is to put into your own words what is given and what is wanted, with the places above "
    "beside you.",
    more_hints="Ask again for the next hint, or ask about any concept of it by itself.",
    last_hint="This is as far as the hints go; the rest is yours. Bring your attempt to the people who teach your "
    "course.",
    no_claim="Who asks, and for what reason, does not change this rule; only the course can.",
    searched="An item of “{name}”, graded work of this course: only places to read are given, without their text.",
    and_=" and ",
)

_CHINESE = RuleWording(
    closed="这是本课程计分作业“{name}”中的题目。{until}",
    references="这是本课程计分作业“{name}”中的题目{until}。课程对它的规定是：我只指出可以去读的地方，不回答题目本身。",
    hints="这是本课程计分作业“{name}”中的题目{until}。课程对它的规定是：只给提示，不给解答。",
    open_until="，开放至{when}",
    closed_until="课程对它的规定是：在{when}之前，我不回答任何相关内容。",
    closed_always="课程对它的规定是：我不回答任何相关内容。",
    ask_teachers="有疑问请问授课老师：{names}。",
    ask_staff="有疑问请在课程讨论区或答疑时间问授课人员。",
    read="课程在这些地方讲到它所需要的内容：",
    nothing_to_read="我在课程资料里没有找到讲到它的地方，可以请授课人员指一下。",
    think="先反问一个问题：题目到底给了什么、要求什么、最小的情形是什么样？把这三点写下来，再说说卡在哪里。",
    think_of="先反问一个问题：用自己的话说，你对{names}知道些什么，它的哪条性质在这里可能有用？在最小的情形上试一试，再说说卡在哪里。",
    step="课程资料里的第一步，关于{concept}：",
    step_before="课程资料里的第一步，关于先要掌握的{concept}：",
    no_step="第一步是对照上面的地方，用自己的话写出给了什么、要求什么。",
    more_hints="再问一次可以得到下一条提示，也可以单独问其中的某个概念。",
    last_hint="提示就到这里，剩下的要靠你自己。可以带着你的尝试去问授课人员。",
    no_claim="谁来问、出于什么理由，都不会改变这条规定，只有课程可以改变它。",
    searched="这是本课程计分作业“{name}”中的题目：只给出可以去读的地方，不给原文。",
    and_="和",
)

RULE_WORDINGS: Mapping[Lang, RuleWording] = {"en": _ENGLISH, "zh": _CHINESE}

_MONTHS = "January February March April May June July August September October November December".split()


def day_and_time(when: str, lang: Lang) -> str:
    """A time in ISO 8601, UTC, as a sentence of the language says it."""
    at = datetime.fromisoformat(when)
    if lang == "zh":
        return f"{at.year}年{at.month}月{at.day}日{at:%H:%M}（UTC）"
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}, {at:%H:%M} UTC"
