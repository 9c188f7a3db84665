"""Where the entries are in a parsed FAQ: in sections, in courses, or in an object question -> answer."""

from collections.abc import Iterator, Mapping

LIST_NAMES = ("faq", "faqs", "questions", "entries", "items", "documents", "data")
"""Names that lists of entries go by."""
DEEPEST = 5
"""Levels of sections in sections; what is deeper is reported as an entry without a question."""
_QUESTION_NAMES = {"question", "q", "问题", "问"}
_OWN_NAMES = _QUESTION_NAMES | {"id", "key", "编号", "title", "name", "answer", "a", "text", "body", "答案", "答"}
"""What an entry has for itself and never takes over from the section or course that holds it."""


def entries_in(found: object, levels: int = DEEPEST) -> Iterator[Mapping[object, object]]:
    """The entries in a value of any usual shape: a list, sections by name, or an object question -> answer.

    They are made one by one: a small file can stand for more than fits into memory, so whoever takes them counts.
    """
    if isinstance(found, list):
        for item in found:
            yield from open_entry(item, levels) if isinstance(item, Mapping) else ({},)
    elif isinstance(found, Mapping) and found:
        is_opened = not levels or _held(found) is not None
        yield from open_entry(found, levels) if is_opened else _by_name(found, levels)


def _by_name(found: Mapping[object, object], levels: int) -> Iterator[Mapping[object, object]]:
    values = found.values()
    named = {str(key).strip().lower() for key in found} & _OWN_NAMES
    if all(map(_is_list, values)) or all(isinstance(each, Mapping) for each in values):
        for name, value in found.items():
            for entry in entries_in(value, levels - 1):
                yield {"section": name, **entry}
    elif not named and all(isinstance(value, str) for value in values):
        for key, value in found.items():
            yield {"question": key, "answer": value}
    else:
        yield found


def open_entry(item: Mapping[object, object], levels: int = DEEPEST) -> Iterator[Mapping[object, object]]:
    """An entry as it is; of a section or course that holds a list of them, each with the other fields of the holder."""
    inner = _held(item) if levels else None
    if inner is None:
        yield item
        return
    shared = {key: value for key, value in item.items() if _is_shared(key, value)}
    for entry in entries_in(inner, levels - 1):
        yield {**shared, **entry}


def _held(item: Mapping[object, object]) -> object | None:
    """What holds the entries of a section or course; `None` for an entry."""
    if _QUESTION_NAMES & {str(key).strip().lower() for key in item}:
        return None
    return next((value for key, value in item.items() if holds_entries(key, value)), None)


def _is_shared(key: object, value: object) -> bool:
    return not isinstance(value, list | Mapping) and str(key).strip().lower() not in _OWN_NAMES


def holds_entries(key: object, value: object) -> bool:
    """Whether a field of this name and value is a list of entries, or of what holds them."""
    return str(key).lower() in LIST_NAMES and _is_nested(value)


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping) or _is_list(value)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
