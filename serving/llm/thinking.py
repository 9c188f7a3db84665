"""Removes what a reasoning model thinks before it answers: `<think>…</think>` and its kin never reach a reader.

Models mark it differently; some chat templates open the mark in the prompt, so that a text only has its end. `Thoughts`
works on text in pieces and holds back what may be the start of a mark.
"""

_PAIRS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<reflection>": "</reflection>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel|>analysis<|message|>": "<|end|>",
}
_PLAIN = ("<|start|>assistant", "<|channel|>final<|message|>", "<|return|>")
"""Marks of the answer itself, which say nothing to a reader."""


class UnopenedThoughts(Exception):
    """A text that was shown already turned out to have been thoughts: their end came without a beginning."""


class Thoughts:
    """A filter over one text. `feed` and `flush` give what may be shown.

    `are_open`: the server's chat template has opened the thoughts, so everything before their end is left out.
    """

    def __init__(self, *, are_open: bool = False) -> None:
        self._held = ""
        self._end: str | None = "</think>" if are_open else None
        self._has_shown = False

    def feed(self, text: str) -> str:
        self._held += text
        shown = ""
        while (step := self._step()) is not None:
            shown += step
        self._has_shown = self._has_shown or bool(shown.strip())
        return shown

    def flush(self) -> str:
        """The rest; thoughts that never ended are no answer."""
        rest, self._held = ("" if self._end is not None else self._held), ""
        return rest

    def _step(self) -> str | None:
        """What may be shown up to the next mark; `None` when more text is needed to go on."""
        if self._end is not None:
            before, mark, after = self._held.partition(self._end)
            if not mark:
                self._held = before[-len(self._end) :]
                return None
            self._held, self._end = after, None
            return ""
        found = self._first()
        if found is None:
            keep = _may_begin(self._held)
            shown, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
            return shown or None
        at, mark = found
        shown, self._held = self._held[:at], self._held[at + len(mark) :]
        if mark in _PAIRS:
            self._end = _PAIRS[mark]
        elif mark not in _PLAIN:
            if self._has_shown:
                raise UnopenedThoughts
            return ""
        return shown

    def _first(self) -> tuple[int, str] | None:
        low = self._held.lower()
        places = [(low.find(mark.lower()), mark) for mark in _MARKS]
        return min(((at, mark) for at, mark in places if at >= 0), default=None)


_MARKS = (*_PAIRS, *(end for end in _PAIRS.values() if end != "<|end|>"), *_PLAIN)
_LONGEST = max(map(len, _MARKS))


def without_thoughts(text: str) -> str:
    """A whole text without its thoughts."""
    filtered = Thoughts()
    try:
        return filtered.feed(text) + filtered.flush()
    except UnopenedThoughts:
        raise AssertionError("a text fed at once has shown nothing before") from None


def _may_begin(text: str) -> int:
    """How many characters at the end may be the beginning of a mark."""
    low = text[-_LONGEST:].lower()
    starts = (len(low) - at for at in range(len(low)) if any(one.lower().startswith(low[at:]) for one in _MARKS))
    return max(starts, default=0)
