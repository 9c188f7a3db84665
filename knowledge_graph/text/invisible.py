"""Characters that nobody sees, and that hide a word from whoever matches it: one table for all who read others' text.

They are what Unicode calls default ignorable, control and format characters, private and lone surrogates' halves, tags,
and non-characters. Tab and line ends are none of them. An emoji joined from several falls into its parts. A joiner
between two letters of a script that is written joined (Arabic to Myanmar) is spelling, and stays.
"""

import re

_RANGES = (
    *("\x00-\x08", "\x0b\x0c", "\x0e-\x1f", "\x7f-\x84", "\x86-\x9f", "\u00ad", "\u034f", "\u061c", "\u115f\u1160"),
    *(
        "\u17b4\u17b5",
        "\u180b-\u180f",
        "\u200b\u200e\u200f",
        "\u202a-\u202e",
        "\u2060-\u206f",
        "\u3164",
        "\ud800-\udfff",
    ),
    *("\ufe00-\ufe0f", "\ufeff", "\uffa0", "\ufff0-\ufffb", "\ufffe\uffff", "\U0001bca0-\U0001bca3"),
    *("\U0001d173-\U0001d17a", "\U000e0000-\U000e0fff"),
)

_JOINERS, _JOINED = "[\u200c\u200d]", "[\u0600-\u109f]"

INVISIBLE = re.compile(f"[{''.join(_RANGES)}]|(?<!{_JOINED}){_JOINERS}|{_JOINERS}(?!{_JOINED})")

LINE_END = re.compile("\r\n?|\u0085|\u2028|\u2029")
"""Every line end there is but `\\n`."""


def without_invisible(text: str) -> str:
    """The text as it is seen. Line ends stay as they are."""
    return text if text.isascii() and text.isprintable() else INVISIBLE.sub("", text)


def visible(text: str) -> str:
    """The text as it is seen; every line end becomes `\\n`."""
    return INVISIBLE.sub("", LINE_END.sub("\n", text))
