"""Zip files whose listing says less than they hold, as bytes."""

import io
import struct
import zipfile
import zlib

CLAIMED = 100


def lying_zip(name: str, size: int, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """One member of `size` zeros, listed as `CLAIMED` bytes with a checksum that agrees."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as written:
        written.writestr(name, bytes(size))
    data = bytearray(packed.getvalue())
    claims = struct.pack("<I", zlib.crc32(bytes(CLAIMED))), struct.pack("<I", CLAIMED)
    for start, checksum, length in ((0, 14, 22), (data.rindex(b"PK\x01\x02"), 16, 24)):
        data[start + checksum : start + checksum + 4], data[start + length : start + length + 4] = claims
    return bytes(data)
