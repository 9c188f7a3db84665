"""Decodes bytes of unknown encoding. Only decoding belongs here; what the text means is for the readers.

Lecture files arrive as UTF-8 with and without a byte order mark, UTF-16, GBK and Windows code pages. Every reliable
sign is checked before anything is guessed, and rules guess before statistics do: statistics fail on short files.
"""

import codecs
import math
import os
import re
from dataclasses import dataclass
from itertools import islice

import ftfy
from charset_normalizer import from_bytes
from ftfy.badness import is_bad

_MARKS = (
    # UTF-32-LE begins with the mark of UTF-16-LE, so the longer ones come first.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PHONETIC = re.compile("[\u0250-\u036f]")
_THREE_BYTES = re.compile("[\u0800-\U0010ffff]")
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_LETTER = re.compile("[A-Za-z]")
_SAMPLE = 100_000
"""Most characters beyond ASCII that a guess looks at: those of a whole lecture; a large file is sampled."""
_GUESSES = ["big5", "shift_jis", "euc_jp", "euc_kr", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254"]


@dataclass(frozen=True)
class Decoded:
    """A text, the encoding it was decoded from, and what could not be decoded (`None` when everything could)."""

    text: str
    encoding: str
    defect: str | None = None
    is_repaired: bool = False
    """Mojibake (UTF-8 once read as something else and saved again) was undone in at least one line."""


def decode(data: bytes) -> Decoded:
    """Read `data` as text. Never raises; `defect` says when characters had to be replaced or guessed."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _repair(_lenient(data[len(mark) :], encoding))
    if wide := _wide_without_mark(data):
        return _repair(_lenient(data, wide))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _repair(_mostly_utf8(data) or _chinese(data) or _western(data) or _guess(data))
    return (_chinese(data) if _is_unlikely_utf8(text) else None) or _repair(Decoded(text, "utf-8"))


def decode_name(name: str) -> str:
    """A file name or path from the operating system, in whole characters, as it is shown to people.

    Names that are not UTF-8 (an archive packed on a Chinese Windows) are decoded like text. What fits no encoding, and
    control characters, are escaped, as in `\\xff`, so that two files never get one name.
    """
    return escape_controls(_whole_name(name))


def escape_controls(text: str, *, kept: str = "") -> str:
    """The text with its control characters escaped as in Python, except those `kept`: a terminal would obey them."""
    return _CONTROL.sub(lambda sign: sign[0] if sign[0] in kept else f"\\x{ord(sign[0]):02x}", text)


def _whole_name(name: str) -> str:
    data = os.fsencode(name) if not name.isascii() else b""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        decoded = decode(data)
        return data.decode("utf-8", "backslashreplace") if decoded.defect else decoded.text
    return name


def _is_unlikely_utf8(text: str) -> bool:
    """A few GBK words happen to be valid UTF-8, but then come out as phonetic signs among other two-byte letters."""
    return _PHONETIC.search(text) is not None and _THREE_BYTES.search(text) is None


def _lenient(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, errors="replace")
        return Decoded(text, encoding, _replacement_defect(text, data.decode(encoding, errors="ignore"), encoding))


def _replacement_defect(text: str, kept: str, encoding: str) -> str:
    places = max(1, len(text) - len(kept))
    return f"{places} place(s) are not valid {encoding}; each was replaced by \N{REPLACEMENT CHARACTER}."


def _wide_without_mark(data: bytes) -> str | None:
    """The UTF-16 encoding of text without a byte order mark: every ASCII character has a NUL on the same side."""
    if b"\0" not in data:
        return None
    half = max(1, len(data) // 2)
    first, second = data[0::2].count(0) / half, data[1::2].count(0) / half
    # Chinese subtitles still hold line breaks, digits and times: over a tenth of their characters.
    if second > 0.05 and first < second / 10:
        return "utf-16-le"
    if first > 0.05 and second < first / 10:
        return "utf-16-be"
    return None


def _mostly_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with a few bad bytes, or cut in the middle of a character."""
    text = data.decode("utf-8", errors="replace")
    kept = data.decode("utf-8", errors="ignore")
    good = len(kept) - len(kept.encode("ascii", "ignore"))
    bad = len(text) - len(kept)
    if good < 4 * bad:
        return None
    return Decoded(text, "utf-8", _replacement_defect(text, kept, "utf-8"))


def _chinese(data: bytes) -> Decoded | None:
    """GB18030 (and with it GBK) or Big5, when most characters beyond ASCII are everyday ones of that writing.

    Everyday simplified characters (GB 2312 level 1 and its punctuation) have both bytes above 0xA0 and a first byte of
    at most 0xD7. Curly quotes and accents in English or French text stand alone before an ASCII letter and never do.
    Traditional characters are a weaker sign, so more of them are required.
    """
    gbk = _lenient(data, "gb18030")
    simplified, count = _share_of_everyday(gbk.text, "gb2312", 0xB0, 0xD7)
    if simplified >= 0.6 and count >= 1:
        return gbk
    for decoded in sorted((gbk, _lenient(data, "big5")), key=lambda each: each.text.count("\N{REPLACEMENT CHARACTER}")):
        traditional, count = _share_of_everyday(decoded.text, "big5", 0xA4, 0xC6)
        if traditional >= 0.8 and count >= 4:
            return decoded
    return None


def _share_of_everyday(text: str, charset: str, first: int, last: int) -> tuple[float, int]:
    """The share (0..1) of everyday characters among those beyond ASCII, and the number of everyday Chinese ones."""
    beyond = [found.group() for found in islice(_BEYOND_ASCII.finditer(text), _SAMPLE)]
    codes = [character.encode(charset, errors="ignore") for character in beyond]
    everyday = [code for code in codes if len(code) == 2 and (code[0] <= 0xA3 or first <= code[0] <= last)]
    return len(everyday) / max(1, len(beyond)), sum(code[0] >= first for code in everyday)


def _western(data: bytes) -> Decoded | None:
    """Windows-1252, when the bytes beyond ASCII are typographic signs or accents that stand alone in Latin words.

    One undefined byte in twenty is tolerated.
    """
    decoded = _lenient(data, "cp1252")
    text = decoded.text
    beyond = [found.start() for found in islice(_BEYOND_ASCII.finditer(text), _SAMPLE)]
    if text.count("\N{REPLACEMENT CHARACTER}") > len(beyond) // 20:
        return None
    alone = sum(
        (place == 0 or text[place - 1].isascii()) and (place + 1 == len(text) or text[place + 1].isascii())
        for place in beyond
    )
    wanted = math.ceil(1.5 * len(beyond))
    letters = sum(1 for _ in islice(_LETTER.finditer(text), wanted))
    return decoded if alone >= 0.5 * len(beyond) and letters == wanted else None


def _guess(data: bytes) -> Decoded:
    best = from_bytes(data, cp_isolation=_GUESSES, threshold=0.3).best()
    if best is not None:
        defect = f"The encoding had to be guessed ({best.encoding})."
        return Decoded(str(best), best.encoding, defect)
    text = data.decode("cp1252", errors="replace")
    return Decoded(text, "cp1252", "No known encoding fits the bytes; they were read as cp1252.")


def _repair(decoded: Decoded) -> Decoded:
    if decoded.text.isascii() or not is_bad(decoded.text):
        return decoded
    lines = decoded.text.split("\n")
    repaired = [_repair_line(line) if is_bad(line) else line for line in lines]
    if repaired == lines:
        return decoded
    return Decoded("\n".join(repaired), decoded.encoding, decoded.defect, is_repaired=True)


def _repair_line(line: str) -> str:
    """ftfy's repair, except that a lone "Â " is kept: in a lecture it is a matrix, not a damaged space."""
    repaired = str(ftfy.fix_encoding(line))
    return line if repaired.count("\xa0") > line.count("\xa0") else repaired
