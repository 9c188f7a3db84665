"""Where the entries are in a parsed FAQ: in sections, in courses, or in an object question -> answer."""

from collections.abc import Mapping

LIST_NAMES = ("faq", "faqs", "questions", "entries", "items", "documents", "data")
"""Names that lists of entries go by."""
DEEPEST = 5
"""Levels of sections in sections; what is deeper is told as an entry without a question."""
_QUESTION_NAMES = {"question", "q", "问题", "问"}
_OWN_NAMES = _QUESTION_NAMES | {"id", "key", "编号", "title", "name", "answer", "a", "text", "body", "答案", "答"}
"""What an entry has for itself and never takes over from the section or course that holds it."""


def entries_in(found: object, levels: int = DEEPEST) -> list[Mapping[object, object]]:
    """The entries in a value of any usual shape: a list, sections by name, or an object question -> answer."""
    if isinstance(found, list):
        return [entry for item in found for entry in (opened(item, levels) if isinstance(item, Mapping) else [{}])]
    if not isinstance(found, Mapping) or not found:
        return []
    values = found.values()
    inner = opened(found, levels)
    if inner != [found] or not levels:
        return inner
    if all(map(_is_list, values)) or all(isinstance(each, Mapping) for each in values):
        return [{"section": name, **entry} for name in found for entry in entries_in(found[name], levels - 1)]
    named = {str(key).strip().lower() for key in found} & _OWN_NAMES
    if not named and all(isinstance(value, str) for value in values):
        return [{"question": key, "answer": value} for key, value in found.items()]
    return [found]


def opened(item: Mapping[object, object], levels: int = DEEPEST) -> list[Mapping[object, object]]:
    """An entry as it is; of a section or course that holds a list of them, each with the other fields of the holder."""
    inner = next((value for key, value in item.items() if holds_entries(key, value)), None)
    if inner is None or not levels or _QUESTION_NAMES & {str(key).strip().lower() for key in item}:
        return [item]
    shared = {key: value for key, value in item.items() if _is_shared(key, value)}
    return [{**shared, **entry} for entry in entries_in(inner, levels - 1)]


def _is_shared(key: object, value: object) -> bool:
    return not isinstance(value, list | Mapping) and str(key).strip().lower() not in _OWN_NAMES


def holds_entries(key: object, value: object) -> bool:
    """Whether a field of this name and value is a list of entries, or of what holds them."""
    return str(key).lower() in LIST_NAMES and _is_nested(value)


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping) or _is_list(value)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
