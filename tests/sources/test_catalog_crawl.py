"""The sample catalogue as a web site on loopback: followed from its start links, politely, again and again."""

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from knowledge_graph.lake.records import CatalogRecord, CourseCard
from knowledge_graph.sources.catalog.reading import Catalog, read_catalog
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.web.fetching import Clock, WebClient
from knowledge_graph.sources.web.settings import WebSettings

SAMPLE = Path(__file__).parents[2] / "examples" / "courses" / "university-catalog"
CARD = CourseCard("university-catalog", "Catalogue", "en")
PATIENCE = WebSettings(delay_seconds=0, backoff_seconds=0, attempts=2, max_redirects=3)


class Site(ThreadingHTTPServer):
    """A copy of the sample site that can fail: `faults` maps a path to a status, or to where it redirects."""

    def __init__(self, root: Path) -> None:
        self.asked: list[tuple[str, int]] = []
        self.faults: dict[str, int | str] = {}
        self.root = root
        super().__init__(("127.0.0.1", 0), partial(_Handler, directory=str(root)))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


class _Handler(SimpleHTTPRequestHandler):
    server: Site

    def guess_type(self, path: object) -> str:
        return "text/html; charset=utf-8" if str(path).endswith(".html") else super().guess_type(str(path))

    def do_GET(self) -> None:
        fault = self.server.faults.get(self.path)
        if isinstance(fault, str):
            self.send_response(302)
            self.send_header("Location", fault)
            self.end_headers()
        elif fault:
            self.send_error(fault)
        else:
            super().do_GET()

    def log_request(self, code: object = "-", size: object = "-") -> None:
        self.server.asked.append((self.path, int(str(getattr(code, "value", code)))))

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    shutil.copytree(SAMPLE / "catalog", tmp_path / "site")
    with Site(tmp_path / "site") as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def folder(tmp_path: Path, site: Site) -> CourseFolder:
    """A course of nothing but start links."""
    path = tmp_path / "university-catalog"
    path.mkdir()
    write_settings(path, site)
    return CourseFolder(path.name, path)


def write_settings(folder: Path, site: Site, more: str = "") -> None:
    starts = f"programs: {site.url}/programs/\nclasses: {site.url}/classes/\n"
    (folder / "catalog.yaml").write_text(f"{starts}delay_seconds: 0\n{more}", encoding="utf-8")


def read(folder: CourseFolder, previous: tuple[CatalogRecord, ...] = ()) -> Catalog:
    with WebClient(PATIENCE, cache=folder.path.parent / "cache") as client:
        return read_catalog(folder, CARD, client=client, previous=previous)


def ids(catalog: Catalog) -> list[str]:
    return [record.record_id for record in catalog.records]


def messages(catalog: Catalog) -> list[str]:
    return [f"{problem.severity}: {problem.message}" for problem in catalog.problems]


def test_the_site_gives_the_records_that_its_saved_pages_give(folder: CourseFolder, site: Site) -> None:
    catalog = read(folder)
    saved = read_catalog(CourseFolder("university-catalog", SAMPLE), CARD, client=None)
    assert [(each.record_id, each.code, each.title, each.topic, each.text) for each in catalog.records] == [
        (each.record_id, each.code, each.title, each.topic, each.text) for each in saved.records
    ]
    assert catalog.dropped_counts == {"neither class nor program": 3, "no description": 2, "special": 4}
    assert catalog.changes.new == tuple(ids(catalog))
    one = next(record for record in catalog.records if record.record_id == "program:programs/history#requirements")
    assert (one.title, one.page) == ("History (BA)", f"{site.url}/programs/history.html")
    assert one.url == f"{site.url}/programs/history.html#requirements"
    assert one.fetched_at is not None


def test_names_of_programs_are_those_of_the_links_that_lead_to_them(folder: CourseFolder, site: Site) -> None:
    start = site.root / "programs" / "index.html"
    start.write_text(
        start.read_text(encoding="utf-8").replace("Computing (BS)", "Computing, Bachelor"), encoding="utf-8"
    )
    titles = {record.title for record in read(folder).records if record.mode == "program"}
    assert "Computing, Bachelor" in titles
    assert "Computing (BS)" not in titles


def test_what_robots_txt_forbids_is_not_asked_for(folder: CourseFolder, site: Site) -> None:
    catalog = read(folder)
    assert site.paths()[0] == "/robots.txt"
    assert "/classes/search.html" not in site.paths()
    assert messages(catalog) == [
        f"warning: robots.txt asks not to read 1 page(s), such as {site.url}/classes/search.html."
    ]


def test_nothing_outside_the_start_links_and_no_file_but_pages_is_asked_for(folder: CourseFolder, site: Site) -> None:
    read(folder)
    paths = [path for path in site.paths() if path != "/robots.txt"]
    assert all(path.startswith(("/programs/", "/classes/")) for path in paths)
    assert "/programs/handbook.pdf" not in paths
    assert len(paths) == len(set(paths))


def test_a_rerun_asks_whether_pages_changed_and_finds_nothing(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    site.asked.clear()
    second = read(folder, first.records)
    assert {status for path, status in site.asked if path != "/robots.txt"} == {304}
    assert second.records == first.records
    assert second.changes.unchanged == tuple(ids(first))


def test_a_new_page_a_changed_one_and_a_removed_one_are_found(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    comp, hist = site.root / "classes" / "comp.html", site.root / "classes" / "hist.html"
    new = '<a href="arts.html">Art</a></main>'
    start = site.root / "classes" / "index.html"
    start.write_text(start.read_text(encoding="utf-8").replace("</main>", new), encoding="utf-8")
    (site.root / "classes" / "arts.html").write_text("<h3>ARTS 1000 Colour (3)</h3><p>Red, yellow and the others.</p>")
    comp.write_text(comp.read_text(encoding="utf-8").replace("hash tables", "heaps"), encoding="utf-8")
    hist.unlink()
    second = read(folder, first.records)
    assert second.changes.new == ("class:ARTS 1000",)
    assert second.changes.changed == ("class:COMP 1200",)
    gone = ("class:HIST 1010", "class:HIST 2040", "class:HIST 3120", "page:classes/hist")
    assert second.changes.gone == gone
    assert any("hist.html" in message and "404" in message for message in messages(second))


def test_a_page_that_fails_keeps_its_records_and_stops_nothing(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    site.faults["/classes/comp.html"] = 500
    second = read(folder, first.records)
    assert second.records == first.records
    assert second.changes.gone == ()
    assert any("comp.html" in message and message.startswith("error") for message in messages(second))
    assert any("7 record(s) of pages that were not read this time were kept" in message for message in messages(second))


def test_a_page_that_fails_the_first_time_is_told_and_the_others_are_there(folder: CourseFolder, site: Site) -> None:
    site.faults["/classes/comp.html"] = 503
    catalog = read(folder)
    assert "class:MATH 1210" in ids(catalog)
    assert "class:COMP 1100" not in ids(catalog)


@pytest.mark.parametrize("fault", [404, 500])
def test_a_start_link_that_cannot_be_read_deletes_nothing(folder: CourseFolder, site: Site, fault: int) -> None:
    first = read(folder)
    site.faults |= {"/classes/": fault, "/programs/": fault}
    second = read(folder, first.records)
    assert second.records == first.records
    assert second.changes.gone == ()
    assert [problem.remedy for problem in second.problems][:2] == ["Check the start link."] * 2


def test_a_site_that_is_down_deletes_nothing(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    site.faults["/robots.txt"] = 500
    second = read(folder, first.records)
    assert second.records == first.records
    assert any("robots.txt" in message for message in messages(second))
    site.shutdown()
    site.server_close()
    assert read(folder, first.records).records == first.records


def test_a_redirect_to_a_login_page_is_not_read_as_the_catalogue(folder: CourseFolder, site: Site) -> None:
    (site.root / "login.html").write_text("<h1>Log in</h1><p>Your password, please, and be quick.</p>")
    site.faults["/classes/musc.html"] = "/login.html"
    catalog = read(folder)
    assert any(f"leads to {site.url}/login.html, outside the catalogue" in message for message in messages(catalog))
    assert "class:COMP 1100" in ids(catalog)


def test_a_redirect_to_another_site_is_not_asked_for(folder: CourseFolder, site: Site, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with Site(tmp_path / "other") as other:
        threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        for name in ("musc", "hist", "math", "comp"):
            site.faults[f"/classes/{name}.html"] = f"{other.url}/inside"
        catalog = read(folder)
        other.shutdown()
    assert other.asked == []
    assert sum(f"leads to {other.url}/inside, outside the catalogue" in message for message in messages(catalog)) == 4
    assert any(record.mode == "program" for record in catalog.records)


def test_a_redirect_to_what_robots_txt_forbids_is_not_followed(folder: CourseFolder, site: Site) -> None:
    site.faults["/classes/musc.html"] = "/classes/search.html"
    catalog = read(folder)
    assert "/classes/search.html" not in site.paths()
    assert any(message.startswith("warning: robots.txt asks not to read 2 page(s)") for message in messages(catalog))


def test_a_page_with_more_links_than_may_be_asked_for_does_not_fill_the_memory(
    folder: CourseFolder, site: Site
) -> None:
    first = read(folder)
    links = "".join(f'<a href="{number}.html">{number}</a>' for number in range(1_000))
    (site.root / "programs" / "index.html").write_text(f"<main>{links}</main>", encoding="utf-8")
    write_settings(folder.path, site, "max_pages: 3\n")
    second = read(folder, first.records)
    assert second.records == first.records
    assert messages(second)[2:4] == [
        "error: 3 pages were read; at least 4 more page(s) that were linked were not asked for.",
        "error: 3 pages were read; at least 2 more page(s) that were linked were not asked for.",
    ]


def test_a_site_that_forbids_most_of_what_it_links_is_not_taken_for_complete(folder: CourseFolder, site: Site) -> None:
    (site.root / "robots.txt").write_text("User-agent: *\nDisallow: /programs/x", encoding="utf-8")
    first = read(folder)
    links = "".join(f'<a href="x{number}.html">{number}</a>' for number in range(1_000))
    (site.root / "programs" / "index.html").write_text(f"<main>{links}</main>", encoding="utf-8")
    (folder.path / "catalog.yaml").write_text(f"programs: {site.url}/programs/\ndelay_seconds: 0\nmax_pages: 9\n")
    second = read(folder, first.records)
    assert second.records == first.records
    assert messages(second)[0].startswith("error: 1 pages were read; at least 1 more page(s)")


def test_a_redirect_loop_is_told_and_passed_over(folder: CourseFolder, site: Site) -> None:
    site.faults |= {"/classes/musc.html": "/login", "/login": "/classes/musc.html"}
    catalog = read(folder)
    assert any("musc.html" in message and message.startswith("error") for message in messages(catalog))
    assert "class:COMP 1100" in ids(catalog)
    assert len([path for path in site.paths() if path == "/classes/musc.html"]) <= 2 * PATIENCE.attempts


def test_no_more_pages_are_asked_for_than_allowed(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    site.asked.clear()
    write_settings(folder.path, site, "max_pages: 5\n")
    second = read(folder, first.records)
    assert len([path for path in site.paths() if path != "/robots.txt"]) == 5
    assert second.records == first.records
    assert any(message.startswith("error: 5 pages were read;") for message in messages(second))


def test_a_settings_file_that_is_broken_deletes_nothing(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    (folder.path / "catalog.yaml").write_text("programs: [", encoding="utf-8")
    second = read(folder, first.records)
    assert second.records == first.records
    assert messages(second)[0].startswith("error: Not valid YAML")


def test_start_links_that_are_taken_out_take_their_records_along(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    (folder.path / "catalog.yaml").write_text(f"programs: {site.url}/programs/\ndelay_seconds: 0\n", encoding="utf-8")
    second = read(folder, first.records)
    assert {record.mode for record in second.records} == {"program"}
    assert len(second.changes.gone) == 24


def test_without_a_client_the_web_is_left_alone_and_its_records_are_kept(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    site.asked.clear()
    second = read_catalog(folder, CARD, client=None, previous=first.records)
    assert second.records == first.records
    assert site.asked == []
    assert messages(second)[0].startswith("warning: The start links were not followed")


def test_the_delay_is_kept_between_pages(folder: CourseFolder, site: Site) -> None:
    write_settings(folder.path, site, "max_pages: 2\n")
    settings = (
        (folder.path / "catalog.yaml").read_text(encoding="utf-8").replace("delay_seconds: 0", "delay_seconds: 7")
    )
    (folder.path / "catalog.yaml").write_text(settings, encoding="utf-8")
    slept: list[float] = []
    with WebClient(PATIENCE, clock=Clock(seconds=lambda: 100.0, sleep=slept.append)) as client:
        read_catalog(folder, CARD, client=client)
    assert slept == [7.0, 14.0]


def test_a_start_link_without_its_slash_is_the_same_start(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    starts = f"programs: {site.url}/programs\nclasses: {site.url}/classes\ndelay_seconds: 0\n"
    (folder.path / "catalog.yaml").write_text(starts, encoding="utf-8")
    assert read(folder, first.records).records == first.records


def test_one_start_for_programs_and_classes_is_told_apart_by_content(folder: CourseFolder, site: Site) -> None:
    first = read(folder)
    starts = f"programs: {site.url}/\nclasses: {site.url}/\ndelay_seconds: 0\n"
    (folder.path / "catalog.yaml").write_text(starts, encoding="utf-8")
    second = read(folder, first.records)
    assert ids(second) == ids(first)
