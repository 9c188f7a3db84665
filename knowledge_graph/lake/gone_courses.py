"""Which courses have no folder any more: the pipeline keeps it in the home, the TAs' console shows it."""

import json
from collections.abc import Mapping

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_text_atomic


def keep_gone(data_dir: DataDir, gone: Mapping[str, str | None]) -> None:
    """Keep the courses without a folder, each with the course that has its files now; none removes the file."""
    if gone:
        text = json.dumps(gone, ensure_ascii=False, sort_keys=True) + "\n"
        if read_gone(data_dir) != gone:
            write_text_atomic(data_dir.gone_courses, text)
    else:
        data_dir.gone_courses.unlink(missing_ok=True)


def read_gone(data_dir: DataDir) -> dict[str, str | None]:
    """What was kept; nothing where the file is missing or no such thing."""
    try:
        found = json.loads(data_dir.gone_courses.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {str(course): None if new is None else str(new) for course, new in pairs}
