"""Which file of an Open edX export holds the captions of a video in a language."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from knowledge_graph.sources.importing.export_files import file_inside

_SUFFIXES = (".srt", ".sjson", ".vtt")


def captions_of(root: Path, video: ET.Element, lang: str) -> Path | None:
    """The file in `static/` that is named for the language, else the one named by an id, as older exports do."""
    given = [name for key, name in transcripts(video).items() if key.lower().replace("_", "-").split("-")[0] == lang]
    for name in (*given, *_guess_names(video, lang)):
        # Studio writes an asset's name with underscores for blanks.
        for spelled in dict.fromkeys((name, name.replace(" ", "_"))):
            path = file_inside(root, f"static/{spelled}")
            if path is not None and path.suffix.lower() in _SUFFIXES:
                return path
    return None


def transcripts(video: ET.Element) -> dict[str, str]:
    """File names by language: the `transcripts` attribute and `<transcript language= src=>`, which wins."""
    listed = json_or_none(video.get("transcripts", ""))
    found = {str(key): str(name) for key, name in (listed.items() if isinstance(listed, dict) else ())}
    for each in video.findall("transcript"):
        if each.get("language") and each.get("src"):
            found[each.get("language", "")] = each.get("src", "")
    return found


def json_or_none(text: str) -> object:
    """The value of a JSON text in an attribute; `None` when it is empty or broken."""
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None


def _guess_names(video: ET.Element, lang: str) -> list[str]:
    prefix = "" if lang == "en" else f"{lang}_"
    ids = (video.get("sub"), video.get("youtube_id_1_0"), video.get("youtube", "").partition(":")[2])
    edx = video.get("edx_video_id")
    return [f"{prefix}subs_{each}.srt.sjson" for each in ids if each] + [
        f"{edx}-{lang}{suffix}" for suffix in _SUFFIXES if edx
    ]
