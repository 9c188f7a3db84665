"""What a lecture is called where a person reads it: its title, with what tells it from others of that title.

Every list, reference and link takes the name from here; searching and recognising takes the title as it is.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath

from knowledge_graph.lake.tables import read_table

_COLUMNS = ("video_index", "video_id", "video_title")


def lecture_names(titles: Mapping[str, str]) -> dict[str, str]:
    """The name of each lecture by id, `titles` being those of one course in teaching order.

    Lectures of one title are told apart by their folders, and by number where they share one.

    >>> list(lecture_names({"Graphs/Intro": "Intro", "Sorting/Intro": "Intro", "3": "Heaps"}).values())
    ['Intro (Graphs)', 'Intro (Sorting)', 'Heaps']
    >>> list(lecture_names({"01 - Heaps": "Heaps", "02 - Heaps": "Heaps"}).values())
    ['Heaps (1/2)', 'Heaps (2/2)']
    >>> list(lecture_names({"w1/1": "Intro", "w1/2": "Intro", "w2/1": "Intro"}).values())
    ['Intro (w1, 1/2)', 'Intro (w1, 2/2)', 'Intro (w2)']
    """
    of_title: dict[str, list[str]] = defaultdict(list)
    for video_id, title in titles.items():
        of_title[_heard(title or video_id)].append(video_id)
    added = {video_id: addition for alike in of_title.values() for video_id, addition in _additions(alike)}
    return {
        video_id: f"{title or video_id} ({added[video_id]})" if added[video_id] else title or video_id
        for video_id, title in titles.items()
    }


def alike(titles: Mapping[str, str], video_id: str) -> list[str]:
    """The lectures that have the title of this one, in teaching order, this one among them."""
    title = _heard(titles[video_id] or video_id)
    return [one for one, other in titles.items() if _heard(other or one) == title]


def read_lecture_names(cues: Path) -> dict[str, str]:
    """The names of a course's lectures by id, in teaching order, from its table of cues; none where it has no such
    table. Raises `TableDamaged`."""
    if not cues.is_file():
        return {}
    table = read_table(cues, _COLUMNS)
    if not table.num_rows:
        return {}
    listed = table.group_by(list(_COLUMNS)).aggregate([]).sort_by("video_index").to_pylist()
    return lecture_names({row["video_id"]: row["video_title"] or "" for row in listed})


def _heard(title: str) -> str:
    """What two titles share that a reader takes for one."""
    return " ".join(title.casefold().split())


def _additions(alike: Sequence[str]) -> Iterable[tuple[str, str]]:
    """What tells each of several lectures of one title apart; nothing for one that is alone."""
    folders = _folders(alike)
    of_folder: dict[str, list[str]] = defaultdict(list)
    for video_id, folder in zip(alike, folders, strict=True):
        of_folder[folder].append(video_id)
    for folder, within in of_folder.items():
        for number, video_id in enumerate(within, start=1):
            counted = f"{number}/{len(within)}" if len(within) > 1 else ""
            yield video_id, ", ".join(filter(None, (folder, counted)))


def _folders(alike: Sequence[str]) -> Sequence[str]:
    """The folder of each, of the level that tells most of them apart, the nearest of such; none where one of them lies
    in no folder, or all in one."""
    levels = list(zip(*(reversed(PurePath(one).parent.parts) for one in alike), strict=False))
    most = max(levels, key=lambda level: len(set(level)), default=())
    return most if len(set(most)) > 1 else [""] * len(alike)
