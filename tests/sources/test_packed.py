"""What the listing of a zip file says is not believed: members are read in pieces, and never much further."""

import io
import tracemalloc
import zipfile

import pytest
from lying_zips import lying_zip

from knowledge_graph.sources.office import OfficeError, read_book, read_slides, read_word
from knowledge_graph.sources.zip_files import MemberRefused, check_members

LONG = 64 * 2**20


def checked(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        check_members(package)


def test_members_that_are_as_they_say_pass() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("empty", b"")
        written.writestr("zeros", bytes(3 * 2**20))
        written.writestr("stored", b"text", zipfile.ZIP_STORED)
    checked(data.getvalue())


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("read", [checked, read_word, read_slides, read_book])
def test_a_member_that_is_longer_than_it_says_costs_no_memory(read: object, method: int) -> None:
    bomb = lying_zip("word/document.xml", LONG, method)
    tracemalloc.start()
    with pytest.raises((MemberRefused, OfficeError)) as refused:
        read(bomb)  # type: ignore[operator]
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < LONG / 8
    assert "'word/document.xml' is " in str(refused.value)


@pytest.mark.parametrize("read", [read_word, read_slides, read_book])
@pytest.mark.parametrize("name", ["content.opf", "pages/1.bin", "ppt/slide", "a.txt"])
def test_a_page_is_no_longer_than_a_page_may_be_whatever_its_name(read: object, name: str) -> None:
    """A package says elsewhere what a part is; 64 MB of XML take a minute, and gigabytes of memory."""
    with pytest.raises(OfficeError, match=f"'{name}' in it unpacks to more than 32 MB"):
        read(zipped({name: LONG}))  # type: ignore[operator]


def test_a_film_in_a_deck_may_be_longer_than_a_page() -> None:
    with pytest.raises(OfficeError, match="it is not a PowerPoint presentation"):  # and not: it unpacks to more
        read_slides(zipped({"ppt/media/film.mp4": LONG}))


def zipped(sizes: dict[str, int]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as written:
        for name, size in sizes.items():
            written.writestr(name, bytes(size))
    return data.getvalue()


def test_a_damaged_member_is_named() -> None:
    data = bytearray(io.BytesIO(lying_zip("notes.txt", 2**16)).getvalue())
    data[40:60] = bytes(20)
    with pytest.raises(MemberRefused, match=r"'notes\.txt' is damaged"):
        checked(bytes(data))
