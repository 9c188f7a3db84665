"""The timed blocks of one video to cues in words and languages, with the account of what became of each block."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.cue_text import CueText, chinese_lines, clean, english_lines, is_bilingual, join
from knowledge_graph.sources.language import count_words, has_chinese, lang_of
from knowledge_graph.sources.subtitle_blocks import ParsedSubtitles, TimedBlock

Kept = Literal["all", "zh", "en"]


@dataclass(frozen=True)
class SubtitleFile:
    """What became of one video's subtitles. `cues_found` = `cues_kept` + the four kinds dropped, always.

    `broken_dropped` are cues whose times could not be read. `kept` is the language kept of cues that hold both, `all`
    where there are none: bilingual files with a cue for each language keep both, each cue with its own `lang`.
    `fallback_kept` counts cues among bilingual ones that had only the other language and were kept as they are.
    """

    file: str
    video_id: str
    encoding: str
    cues_found: int
    cues_kept: int
    markers_dropped: int
    credits_dropped: int
    empty_dropped: int
    broken_dropped: int
    bilingual: bool
    kept: Kept
    fallback_kept: int


@dataclass(frozen=True, slots=True)
class SubtitleLine:
    """A cue before it knows its place in the course."""

    start_ms: int
    end_ms: int
    text: str
    lang: Lang


def read_spoken_lines(
    parsed: ParsedSubtitles, file: str, video_id: str, encoding: str, lang: Lang
) -> tuple[SubtitleFile, list[SubtitleLine]]:
    """The cues with words, in the order of the file, and the account. `lang` is kept of cues that hold two."""
    cleaned = [clean(block.lines) for block in parsed.blocks]
    has_pairs = _has_language_pairs(cleaned)
    lines = _lines(parsed.blocks, cleaned, lang if has_pairs else None)
    dropped = Counter(text.dropped for text in cleaned)
    return SubtitleFile(
        file=file,
        video_id=video_id,
        encoding=encoding,
        cues_found=len(parsed.blocks) + parsed.broken,
        cues_kept=len(lines),
        markers_dropped=dropped["marker"],
        credits_dropped=dropped["credit"],
        empty_dropped=dropped["empty"],
        broken_dropped=parsed.broken,
        bilingual=has_pairs or _alternates(lines),
        kept=lang if has_pairs else "all",
        fallback_kept=sum(line.lang != lang for line in lines) if has_pairs else 0,
    ), lines


def _has_language_pairs(texts: Sequence[CueText]) -> bool:
    kept = [text for text in texts if text.dropped is None]
    # A fifth is far above a stray line of code in a Chinese lecture and far below real bilingual files (0.95 and more).
    return sum(is_bilingual(text.lines) for text in kept) > 0.2 * len(kept)


def _alternates(lines: Sequence[SubtitleLine]) -> bool:
    """The other layout of bilingual files: a cue in each language, one behind the other, at the same time."""
    langs = Counter(line.lang for line in lines)
    return min(langs["en"], langs["zh"]) > 0.2 * len(lines)


def _lines(blocks: Sequence[TimedBlock], texts: Sequence[CueText], wanted: Lang | None) -> list[SubtitleLine]:
    """The cues with words. `wanted` is the language to keep of a bilingual file."""
    pairs = [(block, text.lines) for block, text in zip(blocks, texts, strict=True) if text.dropped is None]
    mixed = [lines for _, lines in pairs if is_bilingual(lines)]
    english_first = sum(has_chinese(lines[0]) for lines in mixed) * 2 < len(mixed)
    file_lang = lang_of("\n".join(line for _, lines in pairs for line in lines))
    found = []
    for block, lines in pairs:
        if wanted is None:
            text = join(lines)
            # A formula in a Chinese lecture is Chinese, a sentence in English is not.
            lang = "en" if not has_chinese(text) and count_words(text) >= 3 else file_lang
        else:
            text, lang = _choose(lines, wanted, english_first=english_first)
        found.append(SubtitleLine(block.start_ms, block.end_ms, text, lang))
    return found


def _choose(lines: Sequence[str], wanted: Lang, *, english_first: bool) -> tuple[str, Lang]:
    """The wanted language's part of a cue, else the whole cue in its own: nothing said is lost."""
    part = chinese_lines(lines, english_first=english_first) if wanted == "zh" else english_lines(lines)
    return (join(part), wanted) if part else (join(lines), lang_of(join(lines), wanted))
