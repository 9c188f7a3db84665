"""Zip files from strangers: whether each member is what the listing says, found out in pieces.

The listing is only a claim, and libraries that read a whole member at once unpack it first and look at the claim after.
"""

import copy
import zipfile
import zlib

_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""What office documents and exports use. The other methods cannot be unpacked in pieces: a kilobyte of bzip2 becomes
gigabytes in one step."""
_PIECE = 2**20


class MemberRefused(ValueError):
    """A member is damaged, longer than the listing says, or packed in another way; `name` is the member's."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"'{name}' {reason}")
        self.name = name


def check_members(package: zipfile.ZipFile) -> None:
    """Read every member once, at most a byte further than the listing says. Raises `MemberRefused`.

    What all members may unpack to is for the caller to limit, by the listing, before.
    """
    for member in package.infolist():
        if member.compress_type not in _METHODS:
            raise MemberRefused(member.filename, "is packed in a way that is not read here")
    for member in package.infolist():
        claimed = copy.copy(member)
        claimed.file_size += 1
        size = 0
        try:
            with package.open(claimed) as unpacked:
                while piece := unpacked.read(_PIECE):
                    size += len(piece)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise MemberRefused(member.filename, "is damaged, or longer than it claims") from error
        if size != member.file_size:
            raise MemberRefused(member.filename, "is not as long as it claims")
