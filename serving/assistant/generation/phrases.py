"""Every sentence coteach itself says to a student, in both languages. Nothing here goes to the model."""

from dataclasses import dataclass

from knowledge_graph.lake.records import Lang, PageKind
from knowledge_graph.lake.source_kinds import PAIR_SOURCES


@dataclass(frozen=True)
class Phrases:
    """The sentences of one language. Fields with gaps are filled with `str.format`."""

    greeting: str
    comfort: str
    hand_off: str
    unknown: str
    not_in_language: str
    server_down: str
    cut_off: str
    of_no_use: str
    ends_early: str
    not_supported: str
    draft_dropped: str
    unsupported: str
    may_not_answer: str
    did_you_mean: str
    pass_on: str
    chat_down: str
    belongs_to: str
    prerequisites: str
    from_material: str
    generated: str
    composed: str
    planned: str
    from_source: dict[str, str]
    reviewed_by: str
    reviewed_by_platform: str
    older_material: str
    article: str
    places: dict[PageKind, str]
    catalog: str
    concept_map: str
    platform_faq: str
    refusals: dict[str, str]
    which: str
    either: str
    no_references_for: str
    crisis: str
    crisis_contact: str
    watch_first: str
    watch_from: str
    option_chosen: str
    option_guessed: str
    option_is_answer: str
    option_is_not: str
    no_explanation: str
    material_says: str
    explained_by_ai: str


def _from_source(lang: Lang) -> dict[str, str]:
    told = {name: source.told[lang] for name, source in PAIR_SOURCES.items()}
    return told | {"platform": "From the platform's FAQ." if lang == "en" else "来自平台常见问题。"}


ENGLISH = Phrases(
    greeting="Hello! I am coteach, the teaching assistant of this course. Ask me about anything it covers.",
    comfort="That sounds hard, and it is all right to find it hard. Take a short break, then let us look at one small "
    "piece together.",
    hand_off="If you would rather talk to a person, you can ask a real teaching assistant.",
    unknown="I do not know: nothing in the material I have answers this. Would you like me to pass the question on to "
    "a real teaching assistant?",
    not_in_language="Put together from the course material: the language model in use does not teach in this language.",
    server_down="The model server did not answer, so this is what the course material says:",
    cut_off="(The model server stopped in the middle of this answer. Do not rely on the unfinished text above.)",
    of_no_use="(The language model wrote nothing of use here, so this is what the course material says.)",
    ends_early="The answer ends early: it had reached its longest length.",
    not_supported="(The material does not support all of the text above. Rely on what it says itself:)",
    draft_dropped="(What the language model wrote was not supported by the course material, so this is what the "
    "material says.)",
    unsupported="(not in the material)",
    may_not_answer="This may not be what you asked.",
    did_you_mean="Did you mean:",
    pass_on="You can pass the question on to a real teaching assistant.",
    chat_down="The model server does not answer just now, so I cannot chat. I can still answer questions from the "
    "course material.",
    belongs_to="{concept} belongs to the domain {domains}.",
    prerequisites="The prerequisite concepts of {concept} are:",
    from_material="From the course material:",
    generated="Written by a language model from the material cited.",
    composed="Put together from the course material; every sentence stands where its number leads.",
    planned="Worked out from the catalogue's records and its schedule, where the numbers lead.",
    from_source=_from_source("en"),
    reviewed_by="From the FAQ, reviewed by {reviewer}.",
    reviewed_by_platform="From the platform's FAQ, reviewed by {reviewer}.",
    older_material="This answer is from older material: what it rests on has changed since, and a teaching assistant "
    "is asked to look at it again.",
    article="article {article}",
    places={"page": "page {page}", "slide": "slide {page}", "cell": "cell {page}", "paragraph": "paragraph {page}"},
    catalog="Catalogue",
    concept_map="Concept map",
    platform_faq="Platform FAQ",
    refusals={
        "missing_options": "This is a multiple-choice question, and I cannot see all of its options. Please send the "
        "question together with all the options, for example A. …, B. …, C. …",
        "incomplete": "Your question seems to stop halfway. Please send the whole question, with any code or text it "
        "speaks of.",
        "nonsense": "I cannot make out a question in this. Please ask it again in words.",
        "not_academic": "I can only help with the course and what it teaches, so I have no good answer to this. Ask "
        "me about anything the course covers.",
    },
    which="Which of these do you mean: {names}?",
    either=" or ",
    no_references_for="No references are shown for {subject}: in this subject they were too often beside the point.",
    crisis="What you write worries me, and it matters more than any course. Please talk to someone you trust now, or "
    "call the emergency number or a crisis line where you live.",
    crisis_contact="For this course you can reach: {contact}",
    watch_first="First watch {start}–{end} of {lecture}: {concept}",
    watch_from="First watch {lecture} from {start}: {concept}",
    option_chosen="The answer is {option}",
    option_guessed="The language model named none of the options. Nearest to the course material, and no more than a "
    "guess, is {option}",
    option_is_answer="{option} – why it is the answer: {text}",
    option_is_not="{option} – why it is not the answer: {text}",
    no_explanation="The model gave no usable explanation for this option.",
    material_says="The course material says: “{text}” {mark}",
    explained_by_ai="Step-by-step explanation, written by AI:",
)

CHINESE = Phrases(
    greeting="你好！我是这门课的助教 coteach。课程里的内容都可以问我。",
    comfort="听起来确实不容易，觉得难是很正常的。先休息一下，我们再一起从一小步开始。",
    hand_off="如果想和真人聊聊，可以向真人助教提问。",
    unknown="我不知道：现有资料里没有能回答这个问题的内容。需要我把问题转给真人助教吗？",
    not_in_language="以下由课程资料整理而成：当前的语言模型不能用中文讲解。",
    server_down="模型服务没有响应，以下是课程资料中的内容：",
    cut_off="（模型服务在回答途中中断，上面未完成的文字请勿采信。）",
    of_no_use="（语言模型没有写出有用的内容，以下是课程资料中的内容。）",
    ends_early="回答已达到最大长度，因此提前结束。",
    not_supported="（上面的文字并非都有资料依据，请以资料原文为准：）",
    draft_dropped="（语言模型写出的内容没有资料依据，以下是课程资料中的内容。）",
    unsupported="（资料中没有）",
    may_not_answer="这可能不是你想问的。",
    did_you_mean="你想问的是不是：",
    pass_on="可以把这个问题转给真人助教。",
    chat_down="模型服务暂时没有响应，无法闲聊；课程问题仍可以根据资料回答。",
    belongs_to="{concept}属于{domains}领域。",
    prerequisites="学习{concept}之前需要掌握：",
    from_material="课程资料中的相关内容：",
    generated="由语言模型根据所引资料生成。",
    composed="由课程资料的原句整理而成，编号指向出处。",
    planned="根据课程目录的记录和时间表排出，编号指向出处。",
    from_source=_from_source("zh"),
    reviewed_by="来自常见问题，审核人：{reviewer}。",
    reviewed_by_platform="来自平台常见问题，审核人：{reviewer}。",
    older_material="这个答案依据的是较早的资料：所依据的内容已有改动，正请助教重新审核。",
    article="第 {article} 条",
    places={
        "page": "第 {page} 页",
        "slide": "第 {page} 张幻灯片",
        "cell": "第 {page} 个单元格",
        "paragraph": "第 {page} 段",
    },
    catalog="课程目录",
    concept_map="概念图",
    platform_faq="平台常见问题",
    refusals={
        "missing_options": "这是一道选择题，但我没有看到完整的选项。请把题目和全部选项一起发来，例如 A. … B. … C. …",
        "incomplete": "这个问题好像没有写完。请把问题补充完整，如果涉及代码或材料，请一并发来。",
        "nonsense": "我没有看懂这个问题，请用文字再说一遍。",
        "not_academic": "我只能帮助解答课程和学习方面的问题，这个问题我没有可靠的答案。课程里的内容都可以问我。",
    },
    which="你指的是哪一个：{names}？",
    either="，还是",
    no_references_for="{subject}类问题不附参考资料：这个学科里自动找到的资料常常不切题。",
    crisis="你说的话让我很担心，这比任何课程都重要。请现在就找你信任的人聊一聊，或者拨打当地的急救电话或心理援助热线。",
    crisis_contact="这门课可以联系：{contact}",
    watch_first="请先看《{lecture}》{start}–{end}：{concept}",
    watch_from="请先从 {start} 开始看《{lecture}》：{concept}",
    option_chosen="答案是 {option}",
    option_guessed="语言模型没有选出任何选项。与课程资料最接近的是 {option}，这只是猜测。",
    option_is_answer="{option}：为什么是答案：{text}",
    option_is_not="{option}：为什么不是答案：{text}",
    no_explanation="语言模型没有为这个选项写出可用的解释。",
    material_says="课程资料中说：“{text}”{mark}",
    explained_by_ai="分步解释（由 AI 生成）：",
)


def phrases(lang: Lang) -> Phrases:
    return CHINESE if lang == "zh" else ENGLISH
