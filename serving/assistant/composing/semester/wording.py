"""The product's own words around a plan of classes, in both languages. Fields with gaps are for `str.format`."""

from collections.abc import Iterable
from dataclasses import dataclass

from knowledge_graph.lake.records import Lang, Offering


@dataclass(frozen=True)
class PlanWording:
    no_schedule: str
    no_catalogue: str
    ask_passed: str
    ask_unclear: str
    is_passed: str
    is_wanted: str
    ask_term: str
    nothing_passed: str
    no_such_term: str
    plan: str
    one_class: str
    lists: str
    nothing_fits: str
    item: str
    because: str
    wanted: str
    required: str
    builds: str
    opens: str
    needs_nothing: str
    left_out: str
    not_yet: str
    left_item: str
    needs: str
    condition: str
    avoided: str
    unpassed: str
    excluded: str
    full: str
    outside: str
    clash: str
    over: str
    too_many: str
    skips: str
    no_credits: str
    further: str
    not_offered: str
    not_offered_but: str
    more: str
    more_open: str
    more_classes: str
    assumed: str
    assumed_term: str
    assumed_past: str
    assumed_credits: str
    assumed_taking: str
    assumed_implied: str
    assumed_records: str
    unknown: str
    too_few: str
    traded: str
    check: str
    no_time: str
    section: str
    credits: str
    days: tuple[str, ...]
    and_: str
    last_and: str
    stop: str
    semicolon: str
    colon: str
    sections_of: str
    meet_then: str
    offered_then: str
    of_program: str
    none_then: str
    full_then: str
    free_then: str
    none_so: str
    seats: str
    no_seats: str
    they_fit: str
    one_of_them: str
    times_fit: str
    they_clash: str
    every_choice: str
    as_named: str
    as_named_alone: str
    no_program: str
    programs_are: str
    no_clash: str
    never_at_once: str
    some_sections_fit: str
    yes_clash: str
    way: str
    needs_none: str
    grade_enough: str
    grade_too_low: str
    may_take: str
    may_not_take_yet: str
    or_: str
    left_of: str
    none_left: str
    credits_word: str
    classes_word: str

    def join(self, parts: Iterable[str]) -> str:
        return self.and_.join(parts)

    def join_together(self, parts: Iterable[str]) -> str:
        """Names of what is meant as one: "A, B and C"."""
        *first, last = parts
        return f"{self.join(first)}{self.last_and}{last}" if first else last

    def meets(self, section: Offering) -> str:
        """Days and hours of a section, the days of one hour together."""
        if not section.meetings:
            return self.no_time
        by_hour: dict[tuple[int, int], list[int]] = {}
        for one in section.meetings:
            by_hour.setdefault((one.start, one.end), []).append(one.day)
        return self.and_.join(
            f"{' '.join(self.days[day - 1] for day in days)} {clock(start)}–{clock(end)}"
            for (start, end), days in by_hour.items()
        )


def clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


ENGLISH = PlanWording(
    no_schedule="This catalogue has no schedule of when classes are offered, so I cannot plan a semester without "
    "guessing. Once its schedule is added, I can.",
    no_catalogue="This course has no catalogue with a schedule of classes, so I cannot plan a semester without "
    "guessing.",
    ask_passed="Which classes have you passed? Name them by code or title, or say that you have passed none yet: what "
    "you may take depends on it. The credits that you want, and days or hours that you cannot come, help as well.",
    ask_unclear="Have you passed {names}, or do you want to take it? I do not want to guess.",
    is_passed="I passed {names}.",
    is_wanted="I want to take {names}.",
    ask_term="The schedule has {names}. For which of them shall I plan?",
    nothing_passed="I have not passed any class yet.",
    no_such_term="The schedule has no such term; it has {names}.",
    plan="A plan for {term} by its schedule: {count} classes, {credits} credits; no two of them meet at the same time.",
    one_class="A plan for {term} by its schedule: one class, {credits} credits.",
    lists="What you may take in {term} by its schedule and the classes' records; what builds on your classes is first:",
    nothing_fits="In {term} the schedule has no class that you may take by what you told me.",
    item="{name}{section}: {time}; {credits}. {why}",
    because="Chosen because {reasons}.",
    wanted="you asked for it",
    required="{program} names it",
    builds="it builds on {names}",
    opens="it opens the way to {names}",
    needs_nothing="it needs nothing that you have not passed",
    left_out="Left out:",
    not_yet="Not open to you yet:",
    left_item="{name}: {reason}.",
    needs="it needs {names} first",
    condition="its record asks for “{text}”, which I cannot check",
    avoided="you do not want it",
    unpassed="it needs a class that you say you have not passed",
    excluded="its record says that it is not counted together with {names}",
    full="it is full",
    outside="it meets at a time that you ruled out ({time})",
    clash="it meets at the same time as {names} ({time})",
    over="with its {credits} credits there would be more than {most:g}",
    too_many="you want no more than {count} classes",
    skips="it is of a much higher level than what you named, though its record names no prerequisite; "
    "ask its department",
    no_credits="neither its record nor the schedule says how many credits it has",
    further="the classes above come nearer to what you passed and want",
    not_offered="the schedule does not have it in {term}",
    not_offered_but="the schedule does not have it in {term}, but in {others}",
    more="… and {count} more classes of {term}",
    more_open="… and {count} more that you may take",
    more_classes="… and {count} more",
    assumed="What I assumed: {text}",
    assumed_term="the next semester is {term}, the next one in the schedule",
    assumed_past="you mean {term}, the last one in the schedule, although it has begun",
    assumed_credits="at most {most:g} credits, as you named no number",
    assumed_taking="you pass {names}, which you take now",
    assumed_implied="you have also passed {names}, which your classes need",
    assumed_records="what a record does not name as a prerequisite is none",
    unknown="The catalogue has no record of {names}, so I left it aside.",
    too_few="You wanted {least:g} credits; no choice of the classes that you may take comes nearer than {credits}.",
    traded="You wanted {least:g} credits and these are {credits}: what comes nearer leaves out a class that you asked "
    "for, that your program names or that builds on yours.",
    check="Check the plan with your adviser before you enrol: I know the records and the schedule, not your standing.",
    no_time="no fixed time",
    section=", section {section}",
    credits="{credits} credits",
    days=("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    and_=", ",
    last_and=" and ",
    stop=".",
    semicolon="; ",
    colon=": ",
    sections_of="{name}, {term}:",
    meet_then="In {term} these meet then:",
    of_program="Of the classes that {name} names:",
    offered_then="By its schedule {term} offers:",
    none_then="By its schedule no class meets then in {term}.",
    full_then="By its schedule these are full in {term}:",
    free_then="By its schedule these have seats left in {term}:",
    none_so="By its schedule there is no such class in {term}.",
    seats="{count} seats left",
    no_seats="full, no seats left",
    one_of_them="Of what you name I found only {name} among the classes, so I cannot say whether they fit. It meets:",
    they_fit="Yes, in {term} you can take {names} together: {reason}.",
    times_fit="In {term} the times of {names} fit: {reason}.",
    no_program="The catalogue has no page of such a program. The programs that it has:",
    programs_are="The programs of the catalogue:",
    they_clash="No, in {term} the times of {names} clash: {reason}.",
    every_choice="every choice of sections meets at the same time",
    as_named="they meet at the same time",
    as_named_alone="they meet at the same time; with another section they fit",
    no_clash="No, in {term} {names} do not clash: {reason}.",
    never_at_once="they do not meet at the same time",
    some_sections_fit="there are sections that do not meet at the same time",
    yes_clash="Yes, in {term} the times of {names} clash: {reason}.",
    way="By the records these are passed before {name}, in this order:",
    needs_none="{name} needs no class before it, by its record.",
    grade_enough="Yes: the grade that is needed is {least} or better.",
    grade_too_low="No: the grade that is needed is {least} or better.",
    may_take="Yes: by its record you have passed the classes that {name} needs.",
    may_not_take_yet="No, not yet: by its record {name} needs {names} first.",
    or_="its record allows other ways",
    none_left="{program} asks for {needed} {unit}; by what you told me none are left.",
    left_of="{program} asks for {needed} {unit}; by what you told me {sum} are left.",
    credits_word="credits",
    classes_word="classes",
)

CHINESE = PlanWording(
    no_schedule="这份课程目录没有开课时间表，所以我不能凭猜测为你排课。加入时间表之后就可以了。",
    no_catalogue="这门课没有带开课时间表的课程目录，所以我不能凭猜测为你排课。",
    ask_passed="你已经通过了哪些课？请写出课程代码或名称；一门都没有修过也请告诉我，因为能选什么取决于它。想修多少学分、哪些天或"
    "时间不能上课，也可以一并告诉我。",
    ask_unclear="{names}是你已经通过的课，还是想选的课？我不想猜。",
    is_passed="我修过{names}。",
    is_wanted="我想选{names}。",
    ask_term="时间表里有{names}。要排哪个学期？",
    nothing_passed="我还没有修过任何课。",
    no_such_term="时间表里没有这个学期，有的是{names}。",
    plan="按时间表排的{term}选课方案：{count}门课，共{credits}学分，上课时间互不冲突。",
    one_class="按时间表排的{term}选课方案：一门课，{credits}学分。",
    lists="按时间表和课程记录，你在{term}可以选这些课，以你学过的课为基础的在前：",
    nothing_fits="按你所说的情况，{term}的时间表里没有你可以选的课。",
    item="{name}{section}：{time}；{credits}。{why}",
    because="选它是因为{reasons}。",
    wanted="你想选它",
    required="{program}的要求里有它",
    builds="它以{names}为基础",
    opens="{names}需要先修它",
    needs_nothing="它不需要你没有通过的课",
    left_out="没有选的课：",
    not_yet="暂时还不能选的课：",
    left_item="{name}：{reason}。",
    needs="要先修{names}",
    condition="课程记录要求“{text}”，我无法核实",
    avoided="你不想选",
    unpassed="它需要一门你说还没有通过的课",
    excluded="课程记录说它不能和{names}同时计入",
    full="名额已满",
    outside="上课时间是你不方便的时间（{time}）",
    clash="和{names}的上课时间冲突（{time}）",
    over="加上它的{credits}学分就超过{most:g}学分了",
    too_many="你最多想选{count}门课",
    skips="课程记录没有写先修要求，但它的级别比你说的课高得多，请问开课的系",
    no_credits="课程记录和时间表都没有写它的学分",
    further="上面的课更符合你学过的和想要的",
    not_offered="{term}的时间表里没有它",
    not_offered_but="{term}的时间表里没有它，{others}有",
    more="……{term}另外还有{count}门课",
    more_open="……另外还有{count}门你可以选的课",
    more_classes="……另外还有{count}门",
    assumed="我假设：{text}",
    assumed_term="下学期是时间表里接下来的{term}",
    assumed_past="你指的是时间表里最后的{term}，虽然它已经开始",
    assumed_credits="你没有说学分，按最多{most:g}学分",
    assumed_taking="你正在修的{names}会通过",
    assumed_implied="你也通过了它们的先修课{names}",
    assumed_records="课程记录里没有写的先修要求就是没有",
    unknown="课程目录里没有{names}的记录，所以没有考虑。",
    too_few="你想要{least:g}学分；在你可以选的课里，最接近的是{credits}学分。",
    traded="你想要{least:g}学分，这里是{credits}学分：更接近的方案要放弃你想选的、专业要求的或以你学过的课为基础的课。",
    check="选课之前请和你的导师核对：我知道的是课程记录和时间表，不知道你的学籍情况。",
    no_time="没有固定时间",
    section="，{section}班",
    credits="{credits}学分",
    days=("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    and_="、",
    last_and="和",
    stop="。",
    semicolon="；",
    colon="：",
    sections_of="{name}，{term}：",
    meet_then="{term}那时上课的有：",
    of_program="{name}提到的课程中：",
    offered_then="按时间表，{term}开的课有：",
    none_then="按时间表，{term}那时没有课。",
    full_then="按时间表，{term}已满的有：",
    free_then="按时间表，{term}还有名额的有：",
    none_so="按时间表，{term}没有这样的课。",
    seats="还剩{count}个名额",
    no_seats="已满，没有名额",
    one_of_them="你提到的课程里我只找到了{name}，所以说不准它们是否冲突。它的上课时间：",
    they_fit="可以：{term}里{names}可以一起上，{reason}。",
    times_fit="{term}里{names}的上课时间不冲突：{reason}。",
    no_program="目录里没有这个专业的页面。目录里的专业有：",
    programs_are="目录里的专业：",
    they_clash="不行：{term}里{names}的上课时间冲突，{reason}。",
    every_choice="选哪个班都会撞课",
    as_named="上课时间撞在一起",
    as_named_alone="上课时间撞在一起；换一个班就可以",
    no_clash="不会：{term}里{names}不冲突，{reason}。",
    never_at_once="上课时间没有重叠",
    some_sections_fit="有互不冲突的班次",
    yes_clash="会：{term}里{names}的上课时间冲突，{reason}。",
    way="按课程记录，要依次通过这些课才能修{name}：",
    needs_none="按课程记录，{name}不需要先修课。",
    grade_enough="够：要求的成绩是{least}或以上。",
    grade_too_low="不够：要求的成绩是{least}或以上。",
    may_take="可以：按课程记录，{name}要求的先修课你都通过了。",
    may_not_take_yet="还不行：按课程记录，{name}要先修{names}。",
    or_="记录还允许别的方式",
    none_left="{program}要求{needed}{unit}；按你所说的，已经够了。",
    left_of="{program}要求{needed}{unit}；按你所说的，还差{sum}。",
    credits_word="学分",
    classes_word="门课",
)


def plan_wording(lang: Lang) -> PlanWording:
    return CHINESE if lang == "zh" else ENGLISH
