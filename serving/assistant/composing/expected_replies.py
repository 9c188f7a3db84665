"""What a reply on the life of the course must hold: a date, a price, an amount, an address, somebody. Pure."""

import re

_PRICED = r"(?:courses?|class|mooc|certificates?|diploma|exams?|resits?|(?:text)?books?)"
ASKS_A_PRICE = re.compile(
    rf"\bhow (?:much|expensive)\b.{{0,40}}\b{_PRICED}\b.{{0,12}}\bcosts?\b"
    rf"|\bhow (?:much|expensive) (?:is|are|does|do) (?:the|this|a|an|it)\b.{{0,24}}\b{_PRICED}\b"
    r"(?! (?:worth|counts?|weigh))"
    rf"|\b{_PRICED} (?:cost (?:money|anything)|for free)\b"
    rf"|\b(?:is|are) (?:the|this) {_PRICED}(?: (?:really|actually|totally))? free\W*$|\bdo i pay for the {_PRICED}"
    rf"|\bwhat (?:(?:do|does|would|will) )?.{{0,30}}\b{_PRICED} costs?\b"
    rf"|\bhave to pay\b(?:.{{0,30}}\b(?:{_PRICED}|enroll?\w*|regist\w+)\b|(?: (?:any|some)thing)?\W*$)"
    r"|\bcosts? (?:me |us )?(?:anything|money)\b|^\W*(?:and |so )?is (?:it|this|everything) (?:really |all )?free\W*$"
    r"|\b(?:tuition|(?:course|application|exam|enrolment|enrollment|registration) fees?|student discounts?|refunds?)\b"
    r"|(?:课程?|证书|教材|报名).{0,4}(?:多少钱|收费|要钱|免费)|学费|退款|退费|退钱",
    re.IGNORECASE,
)
PRICE = re.compile(
    r"\b(?:(?:for|are|is) free(?! to\b)|(?<!corrected )(?<!changed )free of|fees?|tuition|pa(?:y|ys|id|yment)|price"
    r"|costs? (?:nothing|money|[$€£¥\d])|euros?|dollars?|refund\w*)\b|[$€£¥]|免费|收费|费用|学费|\d元",
    re.IGNORECASE,
)
"""What names a price, of the thing and not of having something about it corrected; nobody pays for being "free to"."""
HOW_OFTEN = re.compile(r"\bhow many (?:times|attempts|tries|goes|chances)\b|\bhow often\b", re.IGNORECASE)

LENGTH_OF = re.compile(r"\b(?:length|duration)\b(?= of\b)|时长", re.IGNORECASE)
"""By which a noun asks how long something of the course is."""

_HELD = r"(?:exams?|midterms?|finals?|resits?|lectures?|class|tutorials?|seminars?|sessions?)"
ASKS_A_ROOM = re.compile(
    r"\b(?:what|which) (?:room|hall|building|lecture (?:hall|theatre))\b"
    rf"|\b(?:room|hall|place|location) (?:of|for) (?:the |our |my )?(?:\w+ )?{_HELD}\b"
    rf"|\bwhere (?:is|are|will|does|do) (?:the |our |my )?(?:\w+ )?{_HELD}(?: (?:be|going to be))?"
    r"(?: (?:held|taken|take place|happen))?\W*$"
    r"|(?:哪个|什么|几号)(?:教室|考场)|(?:考试|期中|期末|上课|答疑)的?(?:地点|在哪)",
    re.IGNORECASE,
)
"""What asks for the room in which something of the course is held."""
ROOM = re.compile(
    r"\b(?:rooms?|halls?|theatres?|auditorium|buildings?|floor) (?-i:[A-Z]\b|[A-Z]{0,2}[ .-]?\d)"
    r"|(?-i:\b[A-Z][\w'’-]{1,30} (?:Hall|Theatre|Theater|Building|Auditorium|Room)\b)|\b(?:online|on campus)\b"
    r"|(?:教室|考场|楼|室) ?[\dA-Z]|\d(?:室|号?教室|考场)|线上|在线",
    re.IGNORECASE,
)
"""A room by its name or number."""

_ADDRESS = re.compile(r"\b(?:e-?mail|phone|telephone|address) ?(?:address|number)?\b|邮箱|电话|手机", re.IGNORECASE)
_EXPECTED: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (ASKS_A_PRICE, PRICE),
    (
        re.compile(
            r"\bwho(?:m)? (?:do|should|can|could|must) (?:i|we) (?:ask|contact|e-?mail|write|talk|turn|go|speak"
            r"|report|tell)\b"
            r"|(?:问|找|联系|告诉|发给)谁",
            re.IGNORECASE,
        ),
        re.compile(
            r"\b(?:writes? to|contact\w*|reports? (?:this|it)|asks?|coordinators?|assistants?|tas?|board"
            r"|registrar|e-?mail|forum)\b"
            r"|@|联系|邮件|邮箱|答疑|助教",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(r"^\W*(?:and |so )?who\b|谁(?!的)|哪位", re.IGNORECASE),
        re.compile(
            r"\b(?:coordinators?|team|staff|assistants?|tas?|tutors?|instructors?|lecturers?|teachers?|professors?"
            r"|graders?|board|office|registrar|members?|people|person|software|grader|participants?|students?)\b"
            r"|老师|教师|助教|小组|委员会|教务|客服|系统|学员|同学",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(
            r"^\W*(?:and |so )?when\b(?! i\b)|\b(?:what|which) (?:date|day|time|week)\b|\bdeadline for\b"
            r"|\b(?:until|till|by) when\b"
            r"|什么时候|何时|几号|哪[天周]|(?:周|星期|礼拜)几|几点|截止(?:时间|日期)",
            re.IGNORECASE,
        ),
        re.compile(
            r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may \d|june|july|august"
            r"|september|october|november|december|weeks? \d+|\d{1,4}(?:st|nd|rd|th)? week|\d{1,2}[:.]\d\d|noon"
            r"|midnight|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|exam|final) week"
            r"|week (?:one|two"
            r"|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|utc|fall|spring|autumn|summer|days? (?:after"
            r"|before)|(?:days?|weeks?|hours?) (?:after|before|of))\b|周[一二三四五六日末]|星期"
            r"|第[\d一二三四五六七八九十]+周|[\d一二三四五六七八九十][天日]之?内|月|[点时]前|\d[号日点]",
            re.IGNORECASE,
        ),
    ),
    (ASKS_A_ROOM, ROOM),
    (
        re.compile(rf"\bhow long\b|多长|多久|{LENGTH_OF.pattern}", re.IGNORECASE),
        re.compile(
            r"\b(?:minutes?|hours?|days?|weeks?|months?|years?|seconds?)\b|分钟|小时|天|周|月|年|秒", re.IGNORECASE
        ),
    ),
    (
        re.compile(
            r"\bhow much\b.{0,60}\b(?:worth|counts?|weighs?|weight)\b|\bwhat percent|占.{0,8}(?:多少|几成)|占比"
            r"|百分之(?:多少|几)",
            re.IGNORECASE,
        ),
        re.compile(r"\d ?%|\bper ?cent\b|\d points?\b|％|百分|\d ?分(?!钟)|[一二三四五六七八九]成", re.IGNORECASE),
    ),
    (
        HOW_OFTEN,
        re.compile(r"\b(?:once|twice|\w+ (?:times|attempts?)|(?:as|how) often|unlimited)\b|次", re.IGNORECASE),
    ),
    (
        re.compile(r"\bhow (?:much|many)\b|\bwhat percent|多少|几[个次天分周]|占比", re.IGNORECASE),
        re.compile(
            r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|sixty"
            r"|ninety|hundred"
            r"|half|quarter|none|no limit|unlimited|without limit|all)\b|[一二两三四五六七八九十百半无不]",
            re.IGNORECASE,
        ),
    ),
    (
        _ADDRESS,
        re.compile(r"@|\d{3,}|邮箱|电话|\be-?mail (?:us|me|the|your|him|her|them|address|to)\b", re.IGNORECASE),
    ),
)
"""Questions for a date, an amount or an address, and what a rule must hold that answers them."""


def find_expected_pattern(question: str) -> re.Pattern[str] | None:
    return next((answer for asked, answer in _EXPECTED if asked.search(question)), None)
