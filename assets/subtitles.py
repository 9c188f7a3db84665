"""Stage `subtitles`: the lines of every lecture, with times or by paragraph."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields

import dagster as dg

from assets.course_card import course_card
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Cue, from_row, to_row
from knowledge_graph.lake.schemas import CUES
from knowledge_graph.lake.source_reports import keep_report
from knowledge_graph.lake.tables import read_rows, read_table
from knowledge_graph.sources.course_files.reading import digests_by_file
from knowledge_graph.sources.subtitles import SubtitleFile, read_subtitles
from orchestration.building.courses import files_key
from orchestration.partitions import HOME_POOL, course_check, courses
from orchestration.reporting.course_source import read_card
from orchestration.reporting.tables import clean_input_spec, write_and_report
from orchestration.resources import Inputs

_FILES_SHOWN = 500
"""A dump lists thousands of videos; the counts above the table are of all of them."""


def read_cues(data_dir: DataDir, course_id: str) -> list[Cue]:
    """The cues as `subtitles` wrote them, in lecture order."""
    return [from_row(Cue, row) for row in read_rows(data_dir.table("cues", course_id))]


@dg.asset(
    deps=[files_key("subtitles"), course_card],
    check_specs=[clean_input_spec("subtitles", courses)],
    partitions_def=courses,
    group_name="subtitles",
    kinds={"parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="3",
)
def subtitles(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Every subtitle line of a course with its time, or paragraph where there are no times, in teaching order."""
    course_id = context.partition_key
    folder = inputs.course(course_id)
    found = read_subtitles(folder, read_card(data_dir, course_id))
    keep_report(
        data_dir,
        "subtitles",
        course_id,
        digests=digests_by_file(folder, "subtitles"),
        records=_cues_by_file(found.files),
        problems=found.problems,
    )
    return write_and_report(
        data_dir.table("cues", course_id),
        [to_row(cue) for cue in found.cues],
        CUES,
        metadata={
            "videos": len({cue.video_id for cue in found.cues}),
            "cues_found": sum(file.cues_found for file in found.files),
            "files": _file_table(found.files),
        },
        problems=found.problems,
    )


def _cues_by_file(files: Sequence[SubtitleFile]) -> dict[str, int]:
    found = Counter[str]()
    for file in files:
        found[file.file] += file.cues_kept
    return dict(found)


def _file_table(files: Sequence[SubtitleFile]) -> dg.MarkdownMetadataValue:
    names = [field.name for field in fields(SubtitleFile)]
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(str(getattr(file, name)) for name in names)} |" for file in files[:_FILES_SHOWN]]
    if len(files) > _FILES_SHOWN:
        lines.append(f"\nand {len(files) - _FILES_SHOWN:,} more")
    return dg.MetadataValue.md("\n".join(lines))


@course_check(subtitles)
def every_cue_is_accounted_for(
    context: dg.AssetCheckExecutionContext, data_dir: dg.ResourceParam[DataDir]
) -> dg.AssetCheckResult:
    """Cues are in order within each video, none twice, none without text."""
    cues = read_table(data_dir.table("cues", context.partition_key), ["video_id", "cue_index", "text"])
    videos, numbers, texts = (cues[name].to_pylist() for name in ("video_id", "cue_index", "text"))
    gaps, expected = 0, 0
    for before, video, number in zip([None, *videos], videos, numbers, strict=False):
        expected = 0 if video != before else expected + 1
        gaps += number != expected
    empty = sum(not text.strip() for text in texts)
    doubled = len(videos) - len(set(zip(videos, numbers, strict=True)))
    return dg.AssetCheckResult(
        passed=not (gaps or empty or doubled),
        metadata={"cues": len(videos), "gaps": gaps, "doubled": doubled, "without_text": empty},
    )
