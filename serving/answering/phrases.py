"""Every sentence coteach itself says to a student, in both languages. Nothing here goes to the model."""

from dataclasses import dataclass

from knowledge_graph.records import Lang


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
    chat_down: str
    belongs_to: str
    prerequisites: str
    from_material: str
    generated: str
    from_source: dict[str, str]
    reviewed_by: str
    article: str
    page: str
    catalog: str
    refusals: dict[str, str]
    which: str
    either: str


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
    chat_down="The model server does not answer just now, so I cannot chat. I can still answer questions from the "
    "course material.",
    belongs_to="{concept} belongs to the domain {domains}.",
    prerequisites="The prerequisite concepts of {concept} are:",
    from_material="From the course material:",
    generated="Written by a language model from the material cited.",
    from_source={
        "concept": "From the course's concepts.",
        "search": "From a web search result.",
        "scholar": "From scholarly records.",
        "faq": "From the FAQ.",
        "catalog": "From the course catalogue.",
        "document": "From the course documents.",
    },
    reviewed_by="From the FAQ, reviewed by {reviewer}.",
    article="article {article}",
    page="page {page}",
    catalog="Catalogue",
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
    chat_down="模型服务暂时没有响应，无法闲聊；课程问题仍可以根据资料回答。",
    belongs_to="{concept}属于{domains}领域。",
    prerequisites="学习{concept}之前需要掌握：",
    from_material="课程资料中的相关内容：",
    generated="由语言模型根据所引资料生成。",
    from_source={
        "concept": "来自课程概念。",
        "search": "来自网络搜索结果。",
        "scholar": "来自学术资料。",
        "faq": "来自常见问题。",
        "catalog": "来自课程目录。",
        "document": "来自课程文件。",
    },
    reviewed_by="来自常见问题，审核人：{reviewer}。",
    article="第 {article} 条",
    page="第 {page} 页",
    catalog="课程目录",
    refusals={
        "missing_options": "这是一道选择题，但我没有看到完整的选项。请把题目和全部选项一起发来，例如 A. … B. … C. …",
        "incomplete": "这个问题好像没有写完。请把问题补充完整，如果涉及代码或材料，请一并发来。",
        "nonsense": "我没有看懂这个问题，请用文字再说一遍。",
        "not_academic": "我只能帮助解答课程和学习方面的问题，这个问题我没有可靠的答案。课程里的内容都可以问我。",
    },
    which="你指的是哪一个：{names}？",
    either="，还是",
)


def phrases(lang: Lang) -> Phrases:
    return CHINESE if lang == "zh" else ENGLISH
