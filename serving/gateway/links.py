"""The address a reference opens at. Paths on this gateway, or the source's own URL. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from knowledge_graph.lake.records import Locator
from knowledge_graph.text.time_code import PARAGRAPH, address_query, paragraph_of, paragraph_start
from serving.assistant.references import Reference
from serving.assistant.references.reference import heading_in
from serving.index.evidence import MAP


def reference_path(reference: Reference) -> str | None:
    """A path such as `/courses/ds/videos/03-stacks?t=192`, of a lecture without times `?paragraph=12`; an absolute URL;
    or `None` when nothing can be opened."""
    where = reference.locator
    if where is not None and where.url is not None and where.url.startswith(("http://", "https://")):
        return where.url
    if reference.course_id is None:
        return None
    course = f"/courses/{quote(reference.course_id, safe='')}"
    if where is not None and where.video_id is not None:
        return f"{course}/videos/{quote(where.video_id, safe='')}?{address_query(where.start_ms or 0)}"
    if reference.source == MAP:
        return f"{course}/map"
    if reference.source == "faq" and reference.origin_id is not None:
        return f"{course}/faq/{quote(reference.origin_id, safe='')}"
    if reference.source == "catalog" and where is not None and where.document is not None:
        return f"{course}/catalog/{quote(where.document, safe='')}"
    if where is not None and where.document is not None:
        place: dict[str, str | int | None] = {"article": where.article, "page": where.page}
        if where.article is None and where.page is None:
            place = {"heading": heading_in(reference.source, reference.title, reference.origin_id) or None}
        query = urlencode({name: value for name, value in place.items() if value is not None})
        return f"{course}/documents/{quote(where.document, safe='')}" + (f"?{query}" if query else "")
    return None


def locator_fields(where: Locator) -> dict[str, Any]:
    """A locator as clients are told of it. Of a lecture without times its `paragraph`, and no time."""
    fields = dict(vars(where))
    if where.paragraph is None:
        return fields
    last = paragraph_of(where.end_ms) or where.paragraph
    return {**fields, "start_ms": None, "end_ms": None, "paragraph": where.paragraph, "last_paragraph": last}


def locator_of(fields: Mapping[str, Any]) -> Locator:
    """The locator that `locator_fields` told of."""
    kept = {name: value for name, value in fields.items() if name not in ("paragraph", "last_paragraph")}
    first, last = fields.get("paragraph"), fields.get("last_paragraph")
    if first is None or last is None:
        return Locator(**kept)
    end = paragraph_start(last) + PARAGRAPH - 1
    return Locator(**{**kept, "start_ms": paragraph_start(first), "end_ms": end})


@dataclass(frozen=True)
class Links:
    """The addresses of references for one reader: below `base_url`, each with what lets that reader open it."""

    base_url: str = ""
    query_for: Callable[[str], str] | None = None
    """What is added to the address of a path, such as a signature; `None` for nothing."""

    def url(self, reference: Reference) -> str | None:
        """Where a reference opens; `None` when nothing can be opened."""
        path = reference_path(reference)
        if path is None or not path.startswith("/"):
            return path
        added = self.query_for(path.partition("?")[0]) if self.query_for is not None else ""
        if added:
            path += ("&" if "?" in path else "?") + added
        return self.base_url.rstrip("/") + path
