"""The product's own words around what the material says, in both languages. Fields with gaps are for `str.format`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from knowledge_graph.lake.records import Lang


@dataclass(frozen=True)
class ComposerWording:
    nothing: str
    nothing_of: str
    nothing_beside: str
    nothing_of_part: str
    hardly_named: str
    only_named: str
    not_spoken_of: str
    not_together: str
    none_such: str
    not_direct: str
    unsure: str
    no_price: str
    no_background: str
    no_date: str
    no_scope: str
    probably: str
    rules_on_this: str
    in_table: str
    each_alone: str
    partly: str
    no_aspect: str
    needed_amount: str
    no_maker: str
    lectures: str
    close_stored: str
    faq: str
    platform_faq: str
    faq_noted: str
    question: str
    question_noted: str
    yes: str
    no: str
    premise: str
    other_words: str
    no_other_words: str
    no_more: str
    of_course: str
    taught_in: str
    told_in: str
    spoken_of_in: str
    mentioned_in: str
    written_in: str
    item_lecture: str
    not_taught: str
    before: str
    before_item: str
    before_item_unseen: str
    watched_already: str
    known_already: str
    before_nothing: str
    leant_on_by: str
    leant_on: str
    map_of: str
    no_map: str
    path_hint: str
    speaks_of: str
    taught_before: str
    after: str
    after_item: str
    next_lecture: str
    previous_lecture: str
    not_passed: str
    again: str
    again_item: str
    after_nothing: str
    summary_of: str
    series_of: str
    one_title: str
    also_called: str
    summary_item: str
    course_of: str
    lectures_in_all: str
    lectures_listed: str
    which_lecture: str
    introduced: str
    each_said: str
    instructors: str
    domains: str
    no_instructors: str
    task: str
    task_no_policy: str
    start_with: str
    hint_back: str
    nearby: str
    hand_off: str
    greeting: str
    greeting_topics: str
    thanks: str
    bye: str
    identity: str
    how_are_you: str
    credits_together: str
    foreign: str
    frustrated: str
    frustrated_about: str
    support: str
    insult: str
    privacy: str
    trust: str
    languages: str
    help: str
    aside: str
    praise: str
    unclear: str
    ack: str
    arithmetic: str
    no_arithmetic: str
    free_classes: str
    kinds: str
    contents: str
    taken_as: str
    other_language: str
    part: str
    left_over: str
    from_web: str
    from_scholar: str
    from_reviews: str
    no_example: str
    ask_ta: str
    and_: str
    comma: str

    def join(self, names: Iterable[str]) -> str:
        """Names one after the other: "stack, queue"."""
        return self.comma.join(names)


ENGLISH = ComposerWording(
    nothing="I did not find this in the material of this course, so I do not know.",
    nothing_beside="I found no more on this in the material of this course than what stands above.",
    nothing_of="The material of this course says nothing about {names}, so I do not know.",
    nothing_of_part="The material says nothing about {names}. The nearest that I found in it:",
    hardly_named="The lectures hardly speak of {name}, so this may not be all that you ask for. Where they name it:",
    only_named="The material names {name}, but I did not find in it what that is or how it works. Where it names it:",
    not_spoken_of="What follows does not speak of {names}; I found nothing nearer in the material:",
    not_together="I found nothing that speaks of {names} together. The nearest that I found in the material:",
    none_such="I did not find “{what}” in the material. The nearest that I found in it:",
    rules_on_this="The rules on this:",
    probably="This probably answers your question; please check it:",
    no_price="The material of this course names no price for this, so I do not know.",
    no_background="The material of this course names nothing that has to be known before it, so I do not know.",
    no_date="The material of this course gives no date for this, so I do not know.",
    no_scope="The material of this course does not say what {exam} covers.",
    not_direct="I am not sure that this answers your question; it is the nearest that I found in the material:",
    unsure="I am not sure that this answers your question.",
    in_table="It stands in this row of a table:",
    each_alone="I am not sure that the material compares them. What it says of each:",
    partly="I did not find {missing} in the material. What it says of the rest:",
    no_aspect="The material speaks of {names}, but I did not find {aspect} in it. What it does say:",
    needed_amount="the amount that is needed",
    lectures="There are {count} lectures here, from “{first}” to “{last}”.",
    no_maker="I did not find in the material who is behind {names}.",
    close_stored="The FAQ does not have quite this question. The closest entries are:",
    faq="FAQ: {question}",
    platform_faq="The platform's FAQ: {question}",
    faq_noted="This is the FAQ's answer to a question close to yours; check that it is the one you mean.",
    question="{question}",
    question_noted="This is the material's answer to a question close to yours; check that it is the one you mean.",
    yes="Yes.",
    no="No.",
    premise="Careful: the material says otherwise.",
    other_words="I only quote the course, so I cannot put it more simply. It also says this:",
    no_other_words="I only quote the course, and found no simpler words there. A teaching assistant can explain it.",
    no_more="I found nothing more on this in the material. What I found says:",
    of_course="From the lectures:",
    taught_in="{names} {verb} explained here:",
    told_in="This is spoken of here:",
    spoken_of_in="Lectures that speak of {names}: {count}. Most of it is here:",
    mentioned_in="I found no lecture that is mainly about {names}. It is spoken of here:",
    written_in="The documents of this course speak of {names} here:",
    item_lecture="{title}, from {time}",
    not_taught="No lecture of this course speaks of {names}.",
    before="Before {concept}, learn in this order:",
    before_item="{concept}: {title}, from {time}",
    before_item_unseen="{concept}",
    watched_already=" (you have watched this far)",
    known_already=" (you know it already, by your quizzes)",
    before_nothing="The course names nothing that has to be known before {concept}.",
    speaks_of="The lecture also speaks of these, taught earlier:",
    taught_before="Where these are taught:",
    leant_on_by="“{title}” speaks of these, taught earlier:",
    leant_on="I found no list of what {concept} needs. The lectures on it, from “{title}” on, speak of these, taught"
    " earlier:",
    map_of="The concept map of {course}: each concept stands below those that come before it.",
    no_map="There is no concept map here: no concepts of this course are known.",
    path_hint="For the way to one concept, ask: “What do I need to know before …?”",
    after="What builds on {concept} in this course:",
    after_item="{concept}: {title}, from {time}",
    again="{concept} comes up again later:",
    again_item="{title}, from {time}: {text}",
    next_lecture="The lecture after “{here}” is “{title}”.",
    previous_lecture="The lecture before “{here}” is “{title}”.",
    not_passed="By the rule below this is not enough to pass: {least} % are needed where you have {mark}.",
    after_nothing="I did not find anything in this course that builds on {concept}.",
    series_of="This is taught in {titles}. Their key sentences:",
    one_title="{count} lectures are called “{title}”: {names}. Their key sentences:",
    also_called="Also called “{title}”: {names}.",
    summary_of="“{title}” in its own key sentences:",
    summary_item="{time} {text}",
    course_of="{course} has {count} lectures. What they are about:",
    lectures_in_all="… and {count} more lectures.",
    lectures_listed="The {count} lectures here, in their order:",
    which_lecture="I could not tell which lecture you mean. The lectures are: {titles}.",
    introduced="{concept} is introduced in {title}, from {time}.",
    each_said="What the material says of each:",
    instructors="This course is taught by {names}.",
    domains="The course is about {names}.",
    no_instructors="The material does not name who teaches this course.",
    task="I do not do this work for you. The rule that I follow in this course: “{policy}”",
    task_no_policy="I do not do graded work for you, but I can help you to do it.",
    start_with="A place to start, from the material:",
    hint_back="What have you tried so far, and where does it stop? Tell me that, and I can point to the part that "
    "helps.",
    nearby="Also near to the question:",
    hand_off="You can pass the question on to a real teaching assistant.",
    greeting="Hello! I am coteach, the virtual teaching assistant of {course}. Ask me about anything it covers.",
    greeting_topics="For example about {names}.",
    thanks="You are welcome! Ask on whenever you like.",
    bye="Goodbye, and good luck with the course!",
    identity="I am coteach, a virtual teaching assistant: a computer program, not a person. I answer from the "
    "material of "
    "{course} and show where each answer stands; when the material does not say it, I tell you so, and you can ask "
    "a real "
    "teaching assistant.",
    how_are_you="I am a program, so I have no better or worse days, but I am ready to help with {course}.",
    credits_together="Their credits together: {sum}.",
    foreign="I read English and Chinese, and this seems to be in another language. Please ask in one of these.",
    frustrated="It is normal to find this hard, and being stuck says nothing about how able you are. Let us take "
    "one small "
    "step: tell me which part is unclear, or ask for a simpler explanation or an example.",
    frustrated_about="A place to begin with {names}:",
    support="To talk to somebody: {contact}",
    insult="I am sorry that I was no help. Tell me what was wrong with the answer, or ask a real teaching assistant.",
    privacy="I am a program. The platform of {course} keeps your questions and my answers, so that its team can "
    "answer, correct me and improve the material. Teaching assistants see what you pass on to them and may read other "
    "questions, too. The course team can give you a copy of what is kept of you, or delete it.",
    trust="I can be wrong. Every sentence stands where its number leads: please check it there. Where I am in doubt, "
    "the answer says so.",
    languages="I understand English and Chinese. I answer in the words in which {course} was taught.",
    help="Ask me about anything that {course} covers: what something is, why or how it works, where it is explained, "
    "what to know before it, a summary of a lecture, dates and rules.",
    praise="That is kind of you. I am a program, but I am glad to help with {course}.",
    unclear="Tell me which word or step is unclear, or ask for a simpler explanation or an example.",
    aside="I keep to {course} and cannot help with that. Ask me about anything it covers.",
    ack="All right. What would you like to know about {course}?",
    arithmetic="{expression} = {value}",
    free_classes="The records of these classes name no prerequisite:",
    contents="“{title}” speaks of: {parts}.",
    kinds="I found no whole list of these in the material. It says what these are, and may speak of others:",
    no_arithmetic="I cannot work this out for certain, so I do not guess.",
    taken_as="Taken as: {text}",
    other_language="This course is taught in {language}. I looked it up as “{query}”; here is what the course says, in "
    "its own words:",
    part="**{number}. {question}**",
    left_over="I answer a few questions at a time. Ask next: {questions}",
    from_web="From a web search result, not from the course:",
    from_scholar="From scholarly records, not from the course:",
    from_reviews="What students wrote informally, which nobody checked:",
    no_example="The material gives no example of this that I could find. What it says:",
    ask_ta="Would you like to ask a real teaching assistant?",
    and_=" and ",
    comma=", ",
)

CHINESE = ComposerWording(
    nothing="这门课的资料里没有找到相关内容，所以我不知道。",
    nothing_beside="除了上面的内容，我在这门课的资料里没有再找到关于这一点的说法。",
    nothing_of="这门课的资料里没有讲到{names}，所以我不知道。",
    nothing_of_part="资料里没有讲到{names}。资料里最接近的部分：",
    hardly_named="资料里很少提到{name}，下面说的可能不全。提到它的地方：",
    only_named="资料只提到了{name}，没有找到对它的讲解。提到它的地方：",
    not_spoken_of="下面的内容没有讲到{names}，是资料里最接近的部分：",
    not_together="没有找到同时讲到{names}的内容，资料里最接近的部分是：",
    none_such="资料里没有找到“{what}”，最接近的部分是：",
    rules_on_this="与此有关的规定：",
    probably="下面的内容很可能回答了你的问题，请核对：",
    no_price="这门课的资料里没有写费用，所以我不知道。",
    no_background="这门课的资料里没有写学之前必须会什么，所以我不知道。",
    no_date="这门课的资料里没有写日期，所以我不知道。",
    no_scope="这门课的资料里没有说{exam}考哪些内容。",
    not_direct="我不确定下面的内容是否正好回答了你的问题，这是资料里最接近的部分：",
    unsure="我不确定下面的内容是否回答了你的问题。",
    in_table="表格里的这一行写着：",
    each_alone="我不确定资料有没有直接比较过它们，以下是资料对它们各自的说法：",
    partly="资料里没有找到{missing}。关于其余部分，资料是这样说的：",
    no_aspect="资料讲到了{names}，但没有找到它的{aspect}。资料里说的是：",
    needed_amount="需要量",
    lectures="这里一共有{count}讲，从《{first}》到《{last}》。",
    no_maker="资料里没有找到{names}是谁提出或研究的。",
    close_stored="常见问题里没有完全一样的问题，最接近的是：",
    faq="常见问题：{question}",
    platform_faq="平台常见问题：{question}",
    faq_noted="这是常见问题中一个相近问题的答案，请确认是不是你要问的。",
    question="{question}",
    question_noted="这是资料中一个相近问题的答案，请确认是不是你要问的。",
    yes="是的。",
    no="不是。",
    premise="请注意：资料的说法与此相反。",
    other_words="我只引用课程里的话，不能说得更简单。课程里还这样说：",
    no_other_words="我只引用课程里的话，没有找到更简单的说法。助教可以再解释。",
    no_more="资料里没有找到更多内容。已找到的是：",
    of_course="讲座中是这样说的：",
    taught_in="{names}在这里讲解：",
    told_in="这些内容在这里讲到：",
    spoken_of_in="有{count}讲讲到{names}，主要是：",
    mentioned_in="我没有找到专门讲解{names}的一讲，提到它的地方有：",
    written_in="课程资料里讲到{names}的地方有：",
    item_lecture="《{title}》，从 {time} 开始",
    not_taught="这门课没有哪一讲讲到{names}。",
    before="学习{concept}之前，请按这个顺序学习：",
    before_item="{concept}：《{title}》，从 {time} 开始",
    before_item_unseen="{concept}",
    watched_already="（你已看到这里）",
    known_already="（测验表明你已掌握）",
    before_nothing="课程没有说明学习{concept}之前必须掌握什么。",
    speaks_of="这一讲还用到了这些之前讲过的概念：",
    taught_before="这些内容在这里讲解：",
    leant_on_by="《{title}》用到了这些之前讲过的概念：",
    leant_on="我没有找到{concept}先修内容的清单。从《{title}》开始讲它的几讲用到了这些之前讲过的概念：",
    map_of="《{course}》的概念图：先学上方的概念，再学下方的概念。",
    no_map="这里没有概念图：这门课还没有识别出概念。",
    path_hint="想知道学习某个概念之前要学什么，可以问：“学习……之前要先学什么？”",
    after="这门课中以{concept}为基础的内容有：",
    after_item="{concept}：《{title}》，从 {time} 开始",
    again="后面的课还会讲到{concept}：",
    again_item="《{title}》，从 {time} 起：{text}",
    next_lecture="《{here}》之后的一讲是《{title}》。",
    previous_lecture="《{here}》之前的一讲是《{title}》。",
    not_passed="按下面的规定，这样不够及格：需要{least}%的部分你是{mark}。",
    after_nothing="没有找到这门课中以{concept}为基础的内容。",
    series_of="这一部分由以下各讲组成：{titles}。要点（讲座原话）：",
    one_title="有 {count} 讲都叫《{title}》：{names}。要点（讲座原话）：",
    also_called="同样叫《{title}》的还有：{names}。",
    summary_of="《{title}》的要点（讲座原话）：",
    summary_item="{time} {text}",
    course_of="《{course}》共有 {count} 讲，主要内容是：",
    lectures_in_all="……另外还有 {count} 讲。",
    lectures_listed="这里共有 {count} 讲，按顺序是：",
    which_lecture="我没有看出你指的是哪一讲。这门课的讲座有：{titles}。",
    introduced="{concept}在《{title}》中介绍，从 {time} 开始。",
    each_said="资料对它们各自的说法是：",
    instructors="这门课由{names}讲授。",
    domains="这门课的内容属于{names}。",
    no_instructors="资料里没有说明这门课由谁讲授。",
    task="这个我不能替你完成。这门课给我的规定是：“{policy}”",
    task_no_policy="计分的作业我不能替你完成，但可以帮助你自己完成。",
    start_with="可以从资料的这一部分开始：",
    hint_back="你已经试过什么？卡在哪一步？告诉我，我可以指出有帮助的部分。",
    nearby="与问题相近的内容还有：",
    hand_off="也可以把这个问题转给真人助教。",
    greeting="你好！我是 coteach，{course}的虚拟助教。课程里的内容都可以问我。",
    greeting_topics="比如{names}。",
    thanks="不客气！有问题随时问。",
    bye="再见，祝学习顺利！",
    identity="我是 coteach，一个虚拟助教：是计算机程序，不是真人。我根据{course}的资料回答，"
    "并标出每个答案的出处；资料里没有的，"
    "我会直接说不知道，你可以向真人助教提问。",
    how_are_you="我是程序，没有心情好坏之分，不过随时可以帮你学习{course}。",
    credits_together="学分合计：{sum}。",
    foreign="我只读得懂中文和英文，这个问题好像是别的语言写的，请用其中一种再问一次。",
    frustrated="觉得难是很正常的，卡住了并不说明你不行。我们先迈一小步：告诉我哪一部分不清楚，或者让我讲得更简单一些、举个例子。",
    frustrated_about="关于{names}，可以从这里开始：",
    support="想找人聊聊，可以联系：{contact}",
    insult="很抱歉没有帮上忙。请告诉我答案哪里不对，或者向真人助教提问。",
    privacy="我是一个程序。{course}的平台会保存你的提问和我的回答，供课程团队解答、纠正和改进资料。助教能看到你转给他们的问题，也可能查看"
    "其他提问。你可以请课程团队导出或删除与你有关的记录。",
    trust="我可能出错。每句话都可以在编号所指的地方核对，请以那里为准；没有把握的地方，回答里会说明。",
    languages="我懂中文和英文，回答用的是{course}授课时的原话。",
    help="{course}讲到的内容都可以问我：是什么、为什么、怎么做、在哪里讲、之前要学什么、一讲的概要，还有日期和规定。",
    praise="谢谢夸奖！我只是一个程序，很高兴能在{course}上帮到你。",
    unclear="请告诉我是哪个词或哪一步不清楚，也可以让我讲得更简单一些或举个例子。",
    aside="这个我帮不上忙，我只回答与{course}有关的问题，课程里的内容都可以问我。",
    ack="好的。关于{course}，你想了解什么？",
    arithmetic="{expression} = {value}",
    free_classes="这些课程的记录里没有写先修要求：",
    contents="《{title}》包括：{parts}。",
    kinds="资料里没有找到完整的列表。其中讲解过的有下面这些，可能还有别的：",
    no_arithmetic="这个我无法确定地算出来，所以不猜。",
    taken_as="按“{text}”理解。",
    other_language="这门课是用{language}讲的。我按“{query}”查找，以下是课程原文：",
    part="**{number}. {question}**",
    left_over="我一次只回答几个问题，接下来可以问：{questions}",
    from_web="以下来自网络搜索结果，不是课程内容：",
    from_scholar="以下来自学术资料，不是课程内容：",
    from_reviews="以下是同学们的非正式评价，未经核实：",
    no_example="资料里没有找到这方面的例子。资料里说的是：",
    ask_ta="要不要问问真人助教？",
    and_="和",
    comma="、",
)


def find_name_in(text: str, template: str) -> str:
    """What stands in a text of the product's own in place of the one `{...}` of its template; empty where the text was
    not made of it."""
    before, after = re.split(r"\{\w+\}", template)
    return text[len(before) : len(text) - len(after)] if text.startswith(before) and text.endswith(after) else ""


def wording(lang: Lang) -> ComposerWording:
    return CHINESE if lang == "zh" else ENGLISH
