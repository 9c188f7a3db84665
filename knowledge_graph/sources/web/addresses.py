"""Addresses as they are asked, shown and kept: what is secret in one never leaves the request."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import quote, quote_plus

import httpx

from knowledge_graph.sources.web.errors import WebUnexpected

_HTTPX_LOG = logging.getLogger("httpx")


@dataclass(frozen=True)
class Address:
    """What is asked. `shown` is all of it but user, password and the `private` parameters: for people and the cache."""

    shown: str
    url: httpx.URL = field(repr=False)
    private: Mapping[str, str] = field(repr=False)

    def discreet(self, text: str) -> str:
        """`text` without user, password and the values of the private parameters."""
        for value in filter(None, (self.url.userinfo.decode(), self.url.password, *self.private.values())):
            for written in {value, quote(value, safe=""), quote_plus(value)}:
                text = text.replace(written, "…")
        return text

    def display_target(self, url: httpx.URL) -> str:
        """The address a reply came from, as it may be shown."""
        for name in self.private:
            url = url.copy_remove_param(name)
        return _display(url)


def address_of(url: str, params: Mapping[str, str] | None, private: Mapping[str, str] | None) -> Address:
    """The address `url` with `params` added to its query; raises `WebUnexpected` when it is none of http or https."""
    remedy = "Write the whole address, such as https://www.example.edu/catalog."
    try:
        whole = httpx.URL(url).copy_with(fragment=None)
        whole = whole.copy_merge_params(dict(params)) if params else whole
    except httpx.InvalidURL as error:
        # What is wrong may be a part of the password.
        found = "one that is not written as an address" if "@" in url else str(error)
        raise WebUnexpected(without_user(url), expected="an address", found=found, remedy=remedy) from None
    shown = _display(whole)
    if whole.scheme not in ("http", "https") or not whole.host:
        found = without_user(shown)  # without a scheme the user is a part of the path
        raise WebUnexpected(found, expected="an http or https address", found=f"{found!r}", remedy=remedy)
    return Address(shown, whole.copy_merge_params(dict(private)) if private else whole, private or {})


@contextmanager
def discreet_log(address: Address) -> Iterator[None]:
    """While it lasts, the line that httpx logs about every request is without what is secret."""

    def without_secrets(record: logging.LogRecord) -> bool:
        record.msg, record.args = address.discreet(record.getMessage()), ()
        return True

    _HTTPX_LOG.addFilter(without_secrets)
    try:
        yield
    finally:
        _HTTPX_LOG.removeFilter(without_secrets)


def without_user(text: str) -> str:
    """What was written for an address, right or wrong, from behind its `@`: before it are user and password."""
    return text.rpartition("@")[2]


def host_of(url: httpx.URL) -> str:
    """Host and port: what requests are kept apart by."""
    return url.netloc.decode()


def _display(url: httpx.URL) -> str:
    return str(url.copy_with(username=None, password=None, fragment=None))
