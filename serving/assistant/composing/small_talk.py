"""Small talk: replies that people wrote, one for each occasion. No model, no references, never a person's claims.
Pure."""

import re
from dataclasses import dataclass

from knowledge_graph.text.time_code import time_code
from serving.assistant.composing.card import card_evidence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.lecture_places import find_places, lecture_evidence
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording
from serving.assistant.generation.phrases import phrases
from serving.assistant.understanding.chat import is_emotional, is_exclamation


@dataclass(frozen=True)
class Occasion:
    """A kind of small talk and the wordings that are it."""

    name: str
    pattern: re.Pattern[str]


def _of(name: str, pattern: str) -> Occasion:
    return Occasion(name, re.compile(pattern, re.IGNORECASE))


_ONLY = (
    r"(?:\W*(?:there|everyone|all|coteach|bot|teacher|prof(?:essor)?|again|a lot|so much|very much|for (?:your|the"
    r"|that|all)?(?: \w+){0,4}|老师|助教|呀|啊|哦|啦|哈|了|你们?))*\W*$"
)

_OCCASIONS = (
    _of(
        "identity",
        r"\b(?:who|what) (?:are|r) (?:you|u)\b|\b(?:are|r) (?:you|u)(?: really| actually| just)? (?:(?:an?|the"
        r"|some) )?(?:\w+ )?(?:human|person|robot|bot|ai|machine|real|program|computer|chatgpt|gpt|llm"
        r"|language model|alive|teacher|professor|ta|teaching assistant|student|instructor|conscious|sentient)\b"
        r"|\bwho am i (?:talking|speaking|chatting|writing) (?:to|with)\b"
        r"|\b(?:are|r) (?:you|u) (?:really |actually )?(?:(?:mr|mrs|ms|dr|prof|professor)\.? )?(?-i:[A-Z][a-z]+)"
        r"(?: (?-i:[A-Z][a-z]+))*\W*$"
        r"|\bis (?:there|it) (?:a|an|any|some) (?:real |actual )?(?:human|person)"
        r" (?:typing|writing|answering|behind|reading)\b"
        r"|\b(?:am i|is this|is it) (?:talking|chatting|speaking|writing|an?|a real|really) .{0,20}\b(?:human"
        r"|person|bot|robot|machine|ai|program|someone real|somebody)\b|\bwhat(?:'s| is) your name\b|\bwho (?:made"
        r"|built|created|wrote|programmed) you\b|\bwhat can you (?:do|help)\b|\bhow do you work\W*$"
        r"|\bwhat do you do\W*$|\bdo you have (?:feelings|a name|emotions)\b|\bwhich (?:model|ai|llm) are you\b"
        r"|你是(?:谁|什么|真人|人|机器人|AI|人工智能|老师|助教|程序|chatgpt)|你(?:叫什么"
        r"|是不是(?:真人|人|机器|AI|老师))|你能做什么|你会什么|谁(?:做|开发|制作|创造)了?你"
        r"|真人吗|是人还是|(?:聊天|说话|对话|聊)的(?:是|到底是)[^。？！]{0,6}(?:真人|机器|AI|人工智能|程序)"
        r"|[吗，,？?]\s?还是(?:个|一个)?(?:机器人|AI|人工智能)",
    ),
    _of(
        "privacy",
        r"\b(?:are you|is (?:any|some)(?:one|body)) (?:spying|watching|listening|recording)\b"
        r"|\bwho (?:else )?(?:can |could |gets to |will )?(?:reads?|sees?) (?:this|what|my|our|these)\b"
        r"|\b(?:teachers?|prof(?:essor)?s?|instructors?|lecturers?|tas?|school|university|any(?:one|body)|people"
        r"|they|you)\b.{0,12}\b(?:sees?|reads?|stores?|saves?|keeps?|records?|remembers?|shares?|sells?|tracks?)\b"
        r".{0,12}\b(?:what i (?:ask|type|write|say)|my (?:questions?|messages?|data|chats?|name)|this (?:chat"
        r"|conversation)|me)\b"
        r"|\bis (?:this|the|our|my) (?:chat |conversation )?(?:private|anonymous|confidential|recorded|saved"
        r"|monitored)\b"
        r"|\bkeep a secret\b"
        r"|老师[^。？！]{0,4}(?:看得?到|看见|知道)[^。？！]{0,4}我[^。？！]{0,4}(?:问|说|写)|谁(?:能|会|可以)看"
        r"|隐私|匿名|保密"
        r"|(?:会|有没有)[^。？！]{0,3}(?:记录|保存)[^。？！]{0,6}(?:聊天|对话|问题|提问|我)",
    ),
    _of(
        "trust",
        r"^\W*+(?:are|r) (?:you|u) (?:really |quite |absolutely |100% )?(?:sure|certain|serious|kidding)\W*$"
        r"|\b(?:can|should|do) i (?:really )?(?:trust|believe|rely on) (?:you|your|this)\b"
        r"|\bhow (?:reliable|accurate|good|correct) (?:are|is) (?:you|your|this)\b"
        r"|\bare you (?:always|ever) (?:right|wrong|correct)\b|\bdo you (?:ever )?make mistakes\b"
        r"|^\W*+(?:but |no,? )?(?:that(?:'s| is)|this is|it's|you(?:'re| are)) (?:just |so |totally |completely |all )?"
        r"(?:wrong|incorrect|false|not (?:right|true|correct)|nonsense)(?: about (?:that|this|it))?\W*$"
        r"|^\W*+(?:你)?(?:确定|肯定)吗\W*$|(?:你|这|答案)[^。？！]{0,4}(?:可信|可靠|靠谱)吗"
        r"|^\W*+(?:你)?(?:说|答|讲|回答)?(?:错了|不对|有误)\W*$|你会(?:不会)?(?:出错|说错|犯错)",
    ),
    _of(
        "languages",
        r"\b(?:which|what|how many) languages? (?:do|can) you\b"
        r"|\b(?:do|can) you (?:also )?(?:speak|understand|talk|write|answer|reply)(?: to me)? (?:in )?"
        r"(?:english|chinese|mandarin|spanish|french|german|hindi|arabic|japanese|korean|russian|portuguese"
        r"|italian)\W*$"
        r"|你?(?:会|能|可以)(?:不会)?(?:说|讲|用)(?:中文|英文|英语|汉语|日语|法语)[^。？！]{0,3}[吗？?]*$"
        r"|你会(?:几|什么|哪些)种?语言",
    ),
    _of(
        "help",
        r"^\W*+(?:(?:please|pls|hello|hi|hey|i need|can you|could you|anyone)\W+)*(?:please )?help(?: me)?"
        r"(?: please| pls)?\W*$"
        r"|\bwhat (?:can|should|could) i ask(?: you)?\W*$|\bhow do i use (?:this|you)\b"
        r"|^\W*+(?:救命|帮帮我|帮助|求助|帮个忙)\W*$|我?(?:能|可以)问(?:你)?(?:什么|些什么|哪些)|怎么用你",
    ),
    _of(
        "how_are_you",
        r"^\W*+(?:(?:hi|hello|hey)\W+)?(?:how are (?:you|u)"
        r"|how's it going|how do you feel|what's up|sup"
        r"|how have you been|how is your day)\b|你好吗|最近(?:怎么样|好吗)"
        r"|过得怎么样|吃了吗",
    ),
    _of(
        "thanks",
        r"^\W*+(?:(?:ok(?:ay)?|great|cool|perfect|got it|nice|wow|oh|ah|yes|good|awesome"
        r"|alright)\W+)*(?:many |much )?(?:thanks?|thank (?:you|u)|thx|ty|tysm|cheers|appreciate(?:d| it)?"
        r"|that(?:'s| was| is) (?:really |very |so )?(?:helpful|great|useful|clear))\b"
        r"(?:\W+(?:that|this|it) (?:really |totally |has )?(?:helped|helps|worked|works|makes sense)\b)?"
        + _ONLY
        + r"|^\W*+(?:好的?|嗯|明白了?|懂了?|哦)?[，, ]*+(?:谢谢|多谢|感谢|谢了|辛苦了"
        r"|太感谢)[^？?]{0,12}$",
    ),
    _of(
        "bye",
        r"^\W*+(?:ok(?:ay)?\W+)?(?:bye|goodbye|good bye|see (?:you|ya)|cya|good night|talk (?:to you )?later"
        r"|have a (?:nice|good|great) (?:day|one|evening|weekend|night))\b"
        + _ONLY
        + r"|^\W*+(?:再见|拜拜|晚安|下次见|回头见|明天见)\W*\w{0,4}\W*$",
    ),
    _of(
        "greeting",
        r"^\W*+(?:hi+|hello+|hey+|hiya|howdy|greetings|yo"
        r"|good (?:morning|afternoon|evening|day)|nice to meet you"
        r"|你好|您好|嗨|哈喽|早上好|上午好|下午好|晚上好|早安|在吗|大家好)"
        + _ONLY
        + r"|^(?=.*\b(?:new|start|begin)\b)\W*+(?:(?:hi+|hello+|hey+)\W+)?"
        r"(?:(?:i'?m|i am) (?:brand |totally |quite )?new (?:here|to (?:this|the) course)\W*)?(?:(?:so "
        r"|and )?where (?:should|do|can) i (?:start|begin)\W*)?$",
    ),
    _of(
        "insult",
        r"\b(?:you(?:'re| are| r)?|u r|this (?:bot|thing|assistant|tutor|program|chatbot|ai|tool)(?: is"
        r"|'s)?) (?:(?:so|such an?|an?|really|totally|completely|pretty|just|the|as|f\w+ing|very|absolute(?:ly)?"
        r"|are) ){0,3}(?:stupid|dumb|useless|idiot\w*|bad|terrible|awful|trash|garbage|suck\w*|worst|annoying|moron"
        r"|rubbish|hopeless|no help|not helpful|unhelpful|wrong|liar|joke|crap|worthless)\b|\bi hate (?:you"
        r"|this (?:bot|assistant|tutor|thing))\b|\bshut up\b|\bf\W?u\W?c?k (?:you|off|this)\b|\bscrew you\b"
        r"|你(?:真|好|太|是个|就是个|这个)?(?:蠢|笨蛋?|没用|垃圾|傻[逼子瓜]?|差劲|废物|烂|白痴"
        r"|智障)|滚(?:开|蛋)?[！!。]*$|垃圾(?:助教|机器人|程序)",
    ),
    _of(
        "frustrated",
        r"\b(?:i|i'm|im|i am|i'll|i feel|i just|this (?:course|class|topic|stuff|subject|is|makes me)|it(?:'s"
        r"| is)?)\b.{0,40}\b(?:so |too |really |totally |completely |such an? |just )*(?:stupid|dumb|idiot|lost"
        r"|overwhelm\w*|frustrat\w*|hopeless|give up|giving up|giv(?:e|ing) it up|never (?:get|understand|going to"
        r"|gonna|learn|pass|be able)|not (?:smart|clever|good) enough|too hard|impossible for me|hate (?:this|it|my"
        r"|the|coding|programming|algorithms|math\w*)|crying|cry|stress\w*|anxious|depressed|panick?\w*|burn(?:ed"
        r"|t)? out|exhausted|drop(?:ping)? out|quit\w*|fail(?:ing|ure)? (?:at )?(?:everything|again|this)"
        r"|going to fail|gonna fail|failure|worried|scared|tired of|sad|lonely|nothing makes sense"
        r"|makes no sense to me|behind)\b"
        r"|\bi (?:don't|do not|dont|can't|cannot|cant) (?:get|understand|do|take|keep|handle"
        r"|cope) (?:any of (?:this|it)|anything|this(?: at all| anymore| any more)?|it(?: at all| anymore"
        r"| any more)?)\W*$|\bi want to (?:give up|quit|cry|drop)\b"
        r"|(?:我|觉得|感觉|好|太|真的?)[^。？！]{0,10}(?:笨|蠢|学不会|听不懂|看不懂|跟不上"
        r"|崩溃|放弃|难过|沮丧|焦虑|压力|挫败|迷茫|绝望|想哭|受不了|学不下去|没希望|挂科|好累"
        r"|不开心|郁闷|烦)|不想学了|太难了|学不下去|学不会了|要崩溃了",
    ),
    _of(
        "ack",
        r"^\W*+(?:ok+(?:ay)?|k|yes|yeah|yep|no|nope|sure|right|i see"
        r"|got it|understood|makes sense|cool|nice|great|good|wow"
        r"|lol|haha+|hmm+|sorry|my bad|oops|nvm|never ?mind|no worries|true|exactly|test(?:ing)?|fine|alright"
        r"|interesting|好的?|嗯+|哦+|明白了?|懂了"
        r"|知道了|行|可以|是的|对|不是|哈+|呵+)(?:\W+(?:ok+(?:ay)?|thanks?|i see"
        r"|got it|cool|great|then|了|吧))*\W*$",
    ),
)


_FORMULA = re.compile(r"\$[^$]+\$|\\[\[(].{0,300}?\\[\])]|\\[A-Za-z]+(?:\{[^{}]*\}|[_^]\S+)*|\b[A-Za-z]\b", re.DOTALL)

_LOOSELY = (
    _of(
        "thanks",
        r"\b(?:thank\w*|thx|ty|helped|helpful|appreciate\w*|you(?:'re| are) (?:the best|great|awesome|amazing))\b"
        r"|谢|感激|太棒|真棒",
    ),
    _of(
        "praise",
        r"\b(?:(?:love|like|marry|miss) (?:you|u)|you(?:'re| are|r)? (?:so |very |really |too )?(?:funny|cute"
        r"|smart|clever"
        r"|nice|kind|sweet|cool)|good (?:bot|job))\b|喜欢你|爱你|可爱|(?:你|真|好)(?:真|好|太)?(?:聪明|厉害)",
    ),
    _of(
        "bye",
        r"\b(?:bye|see (?:you|ya)|good ?night|gotta go|got to go|talk later|tomorrow)\b"
        r"|再见|拜拜|晚安|回头见|先走|下次",
    ),
    _of("greeting", r"^\W*+(?:hi|hello|hey|good (?:morning|afternoon|evening)|anyone)\b|有人|你好|在不在"),
    _of("unclear", r"\b(?:understand|get it|sense|confus\w*|unclear|huh)\b|没[听看]?懂|[听看]不懂|不明白|不清楚"),
)
"""Wordings of an occasion in what the intent model takes for small talk; any other message may have them as well."""


_COURTESIES = (
    _of(
        "bye",
        r"(?:good ?)?bye(?: ?bye)?"
        r"|(?:see (?:you|ya|u)|cu)(?: (?:all|later|soon|tomorrow|then|around|next (?:time|week)))*"
        r"|until (?:tomorrow|next time)|good ?night|take care|(?:i(?:'ve| have)? )?(?:gotta|got to|have to) go(?: now)?"
        r"|have a (?:nice|good|great) (?:day|one|evening|weekend|night)"
        r"|再见|拜拜|明天见|下次(?:见|再问|再聊|再来)|回头见|晚安|(?:我)?先(?:走|撤|下)了",
    ),
    _of(
        "thanks",
        r"(?:many |much )?(?:thanks?|thank (?:you|u)|thx|ty|tysm|cheers)"
        r"(?: (?:a lot|so much|very much|mate|man|bro|again|everyone|for (?:your|the|all|that|this)(?: \w+){0,3}))*"
        r"|(?:that|this|it|you) (?:really |totally |just |has )?(?:helped|helps)"
        r"(?: me)?(?: (?:out|a lot|so much|a ton))*"
        r"|(?:you(?:['’]re| are|r)|ur) (?:the best|awesome|amazing|great|a (?:lifesaver|star|legend)|so helpful)"
        r"|(?:i )?(?:really )?appreciate (?:it|that)"
        r"|(?:太|非常|十分)?(?:谢谢|多谢|感谢|谢)(?:了|啦|你|您|老师|助教|讲解|解答)*|辛苦了?",
    ),
    _of(
        "greeting",
        r"(?:hi+|hello+|hey+|hiya|yo|howdy)(?: (?:there|all|everyone|coteach|prof(?:essor)?|teacher|again))*"
        r"(?: (?:is )?anyone (?:there|here))?|(?:is )?any(?:one|body) (?:there|here)"
        r"|(?:i have (?:an?|one) )?(?:quick|small|short) question|(?:a )?good (?:morning|afternoon|evening)(?: all)?"
        r"|(?:老师|助教|你|您|大家|同学们)们?好[呀啊]?|哈喽|(?:我是)?新来的|有人(?:在)?吗|(?:想)?(?:问|请教)(?:一?个|一下)问题",
    ),
    _of(
        "ack",
        r"(?:and|ok(?:ay)?|k|alright|all right|great|perfect|awesome|amazing|excellent|brilliant|lovely|nice|cool|sweet"
        r"|right|good|wow|lol|yes|yeah|yep|so|well|oh|ah|got it|i see|understood|fair enough|all clear|well done"
        r"|good (?:job|answer)"
        r"|(?:(?:it|that|this) )?(?:all )?makes sense(?: now)?|(?:now )?i (?:get|understand) (?:it|this|that)(?: now)?)"
        r"|好的?|收到|明白了?|懂了?|了解了?|知道了|原来(?:如此|是这样)|[哦噢嗯啊]+|太(?:棒|好|赞)了|真棒|厉害|可以|行|没问题了?"
        r"|有道理|学到了",
    ),
)
"""What a part of a message says that is nothing but small talk: of several the first of these is answered."""

_BEGINS = {
    one.name: re.compile(rf"(?:{one.pattern.pattern})(?![a-z'’])[\s,.!?;:…~，。！？；：、～-]*", re.IGNORECASE)
    for one in _COURTESIES
}
LONGEST = 120
"""Characters; what is longer says more than courtesies."""


def occasion_of(question: str) -> str | None:
    """What small talk a message is by its wording; `None` when it is none that is known."""
    return next((one.name for one in _OCCASIONS if one.pattern.search(question)), None) or _occasion_of_parts(question)


def _occasion_of_parts(question: str) -> str | None:
    """The occasion of a message that is courtesies from its beginning to its end: "ok great thanks, bye"."""
    rest = question.strip()
    if not rest or len(rest) > LONGEST:
        return None
    found: set[str] = set()
    while rest:
        name, end = next(
            ((name, said.end()) for name, begins in _BEGINS.items() if (said := begins.match(rest)) is not None),
            ("", 0),
        )
        if not name:
            return None
        found.add(name)
        rest = rest[end:]
    return next(one.name for one in _COURTESIES if one.name in found)


def compose_small_talk(request: Request, *, is_sad: bool = False) -> Composed:
    """The reply to the occasion; to a frustrated student with the place to begin, and the way to a person.

    `is_sad`: the intent model says so of a message of which the wording says nothing.
    """
    said = wording(request.spoken)
    course = request.card.title if request.card is not None else "coteach"
    name = occasion_of(request.question) or _occasion_loosely(request.question, is_sad=is_sad)
    if name == "frustrated":
        return _comfort(request)
    text: str = getattr(said, name).format(course=course)
    if name in ("greeting", "help") and (topics := _topics(request)):
        text = f"{text} {said.greeting_topics.format(names=topics)}"
    after = phrases(request.spoken).hand_off if name in ("insult", "trust") else ""
    return Composed("small_talk", "full", (ComposedStatement(text),), after=after, score=1.0)


def _occasion_loosely(question: str, *, is_sad: bool) -> str:
    """The occasion of what is small talk by the intent model or by a rule, but by no wording of its own."""
    found = next((one.name for one in _LOOSELY if one.pattern.search(question)), None)
    if found is not None:
        return found
    if (is_sad and _speaks(question)) or is_emotional(question):
        return "frustrated"
    return "ack" if is_exclamation(question) else "aside"


def _speaks(question: str) -> bool:
    """Whether there are words in it: of pictures and formulas the intent model cannot tell a mood."""
    without = _FORMULA.sub(" ", question)
    return any(character.isalpha() for character in without)


def _comfort(request: Request) -> Composed:
    """Comfort that people wrote; where a concept is named, the lecture to begin with."""
    said = wording(request.spoken)
    statements = [ComposedStatement(said.frustrated)]
    lectures = request.material.lectures
    places = find_places([unit for unit in request.units if unit.concept_id], lectures)[:1]
    for place in places:
        statements.append(ComposedStatement(said.frustrated_about.format(names=request.names)))
        text = said.item_lecture.format(title=lectures.name_of(place.lecture), time=time_code(place.first.start_ms))
        statements.append(ComposedStatement(text, lecture_evidence(place.first, request.course_id), is_item=True))
    if request.card is not None and request.card.support:
        contact = said.support.format(contact=safe(request.card.support))
        statements.append(ComposedStatement(contact, card_evidence(request.card, contact)))
    after = phrases(request.spoken).hand_off
    return Composed("small_talk", "full", tuple(statements), after=after, score=1.0)


def _topics(request: Request) -> str:
    """Three of the first lectures' titles, to show what can be asked."""
    titles = list(dict.fromkeys(lecture.title for lecture in request.material.lectures.lectures[1:]))
    return wording(request.spoken).join(titles[:3])
