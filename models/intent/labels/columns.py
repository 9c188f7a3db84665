"""Which column of a label file is which, by any of its usual names in English and Chinese.

Belongs here: names of columns and the shape of a header row. Reading the rows is in `label_files.py`.
"""

from collections.abc import Sequence

_NAMES: dict[str, tuple[str, ...]] = {
    "question": ("question", "query", "text", "utterance", "问题", "提问", "问句", "问题内容", "学生问题", "用户问题"),
    "category": ("category", "label", "intent", "class", "类别", "分类", "标签", "意图", "类型", "问题类别",
                 "问题类型"),
    "id": ("id", "question_id", "query_id", "qid", "编号", "序号", "问题编号", "问题id"),
    "session_id": ("session_id", "session", "sessionid", "conversation_id", "dialog_id", "会话", "会话id", "会话编号",
                   "对话", "对话id", "对话编号"),
    "previous": ("previous", "previous_question", "previous_turn", "上一句", "上一轮", "上一问", "上文", "前一问"),
    "course": ("course", "course_title", "course_name", "课程", "课程名", "课程名称"),
}  # fmt: skip

COLUMNS = tuple(_NAMES)


def columns_of(header: Sequence[str]) -> dict[str, int]:
    """Our name of each column that `header` has -> its place, 0-based.

    Case, blanks, hyphens and underscores do not matter. Of two names for one column the more usual one counts.
    """
    places: dict[str, int] = {}
    for place, name in enumerate(header):
        places.setdefault(_fold(name), place)
    found: dict[str, int] = {}
    for column, names in _NAMES.items():
        known = [places[folded] for name in names if (folded := _fold(name)) in places]
        if known:
            found[column] = known[0]
    return found


def delimiter_of(line: str) -> str:
    """The comma, semicolon or tab that a header row is divided by; the comma when it has none of them."""
    return max(",;\t", key=line.count)


def _fold(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())
