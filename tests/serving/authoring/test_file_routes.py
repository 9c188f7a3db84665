"""Course files by the API, over a whole gateway and real folders: who may, what is kept, what is refused and noted."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from gateways import Gateway, bearer
from sqlalchemy import select

from knowledge_graph.sources.course_files.history import read_edits
from serving.store.database_errors import StoreUnavailable
from serving.store.tables.identity import AuditRow

Use = Callable[..., Any]

FAQ = b"question,answer\nWhen?,Monday.\n"


def acts(gateway: Gateway) -> list[tuple[str, str, str | None]]:
    rows = gateway.store.read(lambda db: list(db.scalars(select(AuditRow).order_by(AuditRow.at))))
    return [
        (row.act, row.subject, row.details.get("change")) for row in rows if row.act.startswith(("course.", "build."))
    ]


def zipped(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in files.items():
            pack.writestr(name, content)
    return data.getvalue()


async def versions(gateway: Gateway, key: str, course: str = "ds") -> dict[str, str]:
    reply = await gateway.client.get(f"/v1/courses/{course}/files", headers=bearer(key))
    assert reply.status_code == 200, reply.text
    return {one["name"]: one["version"] for one in reply.json()["files"]}


def put(gateway: Gateway, key: str, path: str, content: bytes, **query: str) -> Any:
    return gateway.client.put(f"/v1/courses/{path}", content=content, params=query, headers=bearer(key))


def test_a_teacher_adds_replaces_removes_and_brings_back_a_file(use: Use, courses: Path) -> None:
    async def work(gateway: Gateway) -> None:
        key, path = gateway.key("teacher", courses=["ds"]), courses / "ds" / "faq.csv"
        assert (await put(gateway, key, "ds/files/faq.csv", FAQ)).status_code == 200
        assert path.read_bytes() == FAQ
        seen = (await versions(gateway, key))["faq.csv"]
        assert (await put(gateway, key, "ds/files/faq.csv", b"question,answer\n", replaces=seen)).status_code == 200
        seen = (await versions(gateway, key))["faq.csv"]
        removed = await gateway.client.delete(
            "/v1/courses/ds/files/faq.csv", params={"replaces": seen}, headers=bearer(key)
        )
        assert removed.status_code == 200
        assert not path.exists()
        for _ in range(2):
            edits = (await gateway.client.get("/v1/courses/ds/edits", headers=bearer(key))).json()
            undone = {one["undoes"] for one in edits}
            last = next(one for one in edits if one["act"] != "undo" and one["number"] not in undone)
            reply = await gateway.client.post(f"/v1/courses/ds/edits/{last['number']}/undo", headers=bearer(key))
            assert reply.status_code == 200, reply.text
        assert path.read_bytes() == FAQ
        got = await gateway.client.get("/v1/courses/ds/files/faq.csv", headers=bearer(key))
        assert got.content == FAQ
        assert got.headers["content-disposition"].startswith("attachment")
        assert got.headers["etag"].strip('"') == (await versions(gateway, key))["faq.csv"]
        assert acts(gateway) == [
            ("course.edit", "ds", "put"),
            ("course.edit", "ds", "put"),
            ("course.edit", "ds", "remove"),
            ("course.undo", "ds", "undo"),
            ("course.undo", "ds", "undo"),
        ]

    use(work)


def test_json_of_any_size_is_a_file_and_no_request_that_is_read_whole(use: Use, courses: Path) -> None:
    """A file of JSON is sent as such, holds what no request may, and is longer than a request may be."""
    content = b'[{"question": "\\u0000", "answer": "' + b"x" * 2_000_000 + b'"}]'

    async def work(gateway: Gateway) -> None:
        key = gateway.key("teacher", courses=["ds"])
        reply = await gateway.client.put(
            "/v1/courses/ds/files/faq.json",
            content=content,
            headers=bearer(key) | {"Content-Type": "application/json"},
        )
        assert reply.status_code == 200, reply.text
        assert (courses / "ds" / "faq.json").read_bytes() == content

    use(work)


@pytest.mark.parametrize("chunked", [False, True])
def test_an_upload_that_is_too_long_is_refused_and_leaves_nothing(use: Use, courses: Path, *, chunked: bool) -> None:
    before = sorted(courses.rglob("*"))

    async def pieces() -> Any:
        for _ in range(200):
            yield b"x" * 1000

    async def work(gateway: Gateway) -> None:
        key = gateway.key("teacher", courses=["ds"])
        reply = await put(gateway, key, "ds/files/faq.csv", pieces() if chunked else b"x" * 200_000)
        assert reply.status_code == 413
        left = [path for path in sorted(courses.rglob("*")) if path not in before]
        assert [path.name for path in left] == [".history"]

    use(work, max_upload_bytes=100_000)


def test_nobody_without_a_key_has_a_file_kept_even_for_a_moment(use: Use, courses: Path) -> None:
    """The body is not read before it is known who sends it."""
    read = 0

    async def pieces() -> Any:
        nonlocal read
        for _ in range(100):
            read += 1
            yield b"x" * 65_536

    async def work(gateway: Gateway) -> None:
        for key in (None, gateway.key("student"), gateway.key("ta")):
            reply = await gateway.client.put(
                "/v1/courses/ds/files/faq.csv", content=pieces(), headers=bearer(key) if key else {}
            )
            assert reply.status_code in (401, 403)
        assert not (courses / "ds" / ".history").exists()

    use(work)


@pytest.mark.parametrize("role", ["teacher", "admin"])
def test_a_key_of_one_course_reaches_no_other(use: Use, courses: Path, role: str) -> None:
    async def work(gateway: Gateway) -> None:
        key, other = gateway.key(role, courses=["ds"]), "/v1/courses/law"
        calls = [
            ("GET", f"{other}/files"),
            ("GET", f"{other}/files/course.yaml"),
            ("PUT", f"{other}/files/faq.csv"),
            ("DELETE", f"{other}/files/course.yaml?replaces=x"),
            ("POST", f"{other}/package"),
            ("GET", f"{other}/edits"),
            ("POST", f"{other}/edits/1/undo"),
            ("POST", "/files/law/remove"),
            ("POST", "/files/law/build"),
        ]
        for method, path in calls:
            reply = await gateway.client.request(method, path, headers=bearer(key))
            assert reply.status_code == 404, (method, path, reply.text)
        for escape in ("..%2Flaw", "%2e%2e%2Flaw", "ds%2F..%2Flaw"):
            reply = await gateway.client.put(f"/v1/courses/{escape}/files/faq.csv", content=FAQ, headers=bearer(key))
            assert reply.status_code == 404
        for name in ("../law/faq.csv", "..%2Flaw%2Ffaq.csv", "documents/%2e%2e/%2e%2e/law/faq.csv"):
            reply = await gateway.client.put(f"/v1/courses/ds/files/{name}", content=FAQ, headers=bearer(key))
            assert reply.status_code in (400, 404), name
        building = await gateway.client.post("/v1/builds", json={"course": "law"}, headers=bearer(key))
        assert building.status_code == 404
        everything = await gateway.client.post("/v1/builds", json={}, headers=bearer(key))
        assert everything.status_code in (400, 403)
        assert not (courses / "law" / "faq.csv").exists()
        assert acts(gateway) == []

    use(work)


def test_a_course_is_made_by_teachers_whose_key_is_for_all_courses_or_for_that_one(use: Use, courses: Path) -> None:
    async def work(gateway: Gateway) -> None:
        body = {"course_id": "ml", "title": "机器学习", "lang": "zh"}
        for role, status in (("student", 403), ("ta", 403), ("teacher", 201), ("admin", 409)):
            reply = await gateway.client.post("/v1/courses", json=body, headers=bearer(gateway.key(role)))
            assert reply.status_code == status
        limited = bearer(gateway.key("teacher", courses=["ds", "new"]))
        other = await gateway.client.post("/v1/courses", json=body | {"course_id": "x"}, headers=limited)
        assert other.status_code == 404
        assert not (courses / "x").exists()
        own = await gateway.client.post("/v1/courses", json=body | {"course_id": "new"}, headers=limited)
        assert own.status_code == 201
        assert (courses / "ml" / "course.yaml").read_text() == "title: 机器学习\nlang: zh\n"
        assert acts(gateway) == [("course.create", "ml", None), ("course.create", "new", None)]

    use(work)


@pytest.mark.parametrize("name", ["catalog.yaml", "CATALOG.YML", "expectations.yaml"])
def test_what_makes_the_server_ask_or_query_is_changed_by_admins_alone(use: Use, courses: Path, name: str) -> None:
    async def work(gateway: Gateway) -> None:
        teacher, admin = gateway.key("teacher"), gateway.key("admin")
        assert (await put(gateway, teacher, f"ds/files/{name}", b"programs: []\n")).status_code == 403
        packed = zipped({name: b"programs: [http://169.254.169.254/]\n", "faq.csv": FAQ})
        reply = await gateway.client.post("/v1/courses/ds/package", content=packed, headers=bearer(teacher))
        assert reply.status_code == 200
        assert reply.json()["notes"] == [f"{name}: only admins may change it."]
        assert not (courses / "ds" / name).exists()
        assert (await put(gateway, admin, f"ds/files/{name}", b"programs: []\n")).status_code == 200
        number = (await gateway.client.get("/v1/courses/ds/edits", headers=bearer(admin))).json()[0]["number"]
        undone = await gateway.client.post(f"/v1/courses/ds/edits/{number}/undo", headers=bearer(teacher))
        assert undone.status_code == 403

    use(work)


def test_with_editing_off_files_are_seen_and_nothing_changes(use: Use, courses: Path) -> None:
    async def work(gateway: Gateway) -> None:
        admin = gateway.key("admin")
        listed = await gateway.client.get("/v1/courses/ds/files", headers=bearer(admin))
        assert listed.json()["can_edit"] is False
        version = listed.json()["files"][0]["version"]
        before = {path: path.stat().st_mtime_ns for path in courses.rglob("*")}
        calls = [
            ("POST", "/v1/courses", {"json": {"course_id": "ml", "title": "ML"}}),
            ("PUT", "/v1/courses/ds/files/faq.csv", {"content": FAQ}),
            ("DELETE", f"/v1/courses/ds/files/subtitles/01.srt?replaces={quote(version)}", {}),
            ("POST", "/v1/courses/ds/package", {"content": zipped({"faq.csv": FAQ})}),
            ("POST", "/v1/courses/ds/edits/1/undo", {}),
            ("POST", "/v1/builds", {"json": {"course": "ds"}}),
        ]
        for method, path, more in calls:
            reply = await gateway.client.request(method, path, headers=bearer(admin), **more)
            assert (reply.status_code, reply.json()["error"]["code"]) == (403, "editing_off"), path
        assert {path: path.stat().st_mtime_ns for path in courses.rglob("*")} == before

    use(work, course_editing="off")


def test_the_second_of_two_teachers_is_told_of_the_first(use: Use, courses: Path) -> None:
    async def work(gateway: Gateway) -> None:
        first, second = gateway.key("teacher", name="Ada"), gateway.key("teacher", name="Ben")
        await put(gateway, first, "ds/files/faq.csv", FAQ)
        seen = (await versions(gateway, second))["faq.csv"]
        assert (await put(gateway, first, "ds/files/faq.csv", FAQ + b"A?,B.\n", replaces=seen)).status_code == 200
        late = await put(gateway, second, "ds/files/faq.csv", b"question,answer\n", replaces=seen)
        assert late.status_code == 409
        assert "changed meanwhile by Ada" in late.json()["error"]["message"]
        blind = await put(gateway, second, "ds/files/faq.csv", b"question,answer\n")
        assert blind.status_code == 409
        assert b"A?,B." in (courses / "ds" / "faq.csv").read_bytes()

    use(work)


def test_an_edit_that_cannot_be_noted_is_taken_back(use: Use, courses: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(gateway: Gateway) -> None:
        key = gateway.key("teacher")
        await versions(gateway, key)
        store = gateway.app.state.service.store

        async def failing(work: Any) -> None:
            raise StoreUnavailable("The disk is full.")

        monkeypatch.setattr(store, "writing", failing)
        reply = await put(gateway, key, "ds/files/faq.csv", FAQ)
        monkeypatch.undo()
        assert reply.status_code == 503
        assert not (courses / "ds" / "faq.csv").exists()
        assert [edit.act for edit in read_edits(courses / "ds")] == ["put", "undo"]
        assert acts(gateway) == []

    use(work)


def test_a_packed_course_is_one_edit_and_one_undoing(use: Use, courses: Path) -> None:
    async def work(gateway: Gateway) -> None:
        key = gateway.key("teacher", courses=["ds"])
        files = {"ds/faq.csv": FAQ, "ds/documents/a.md": b"# A\n", "ds/run.sh": b"x", "ds/course.yaml": b"title: New\n"}
        seen = (await gateway.client.get("/v1/courses/ds/files", headers=bearer(key))).json()["seen"]
        reply = await gateway.client.post(
            "/v1/courses/ds/package", params={"seen": seen}, content=zipped(files), headers=bearer(key)
        )
        assert reply.status_code == 200, reply.text
        assert {one["name"] for one in reply.json()["files"]} == {"faq.csv", "documents/a.md", "course.yaml"}
        assert reply.json()["notes"][0].startswith("run.sh: not read")
        stale = await gateway.client.post(
            "/v1/courses/ds/package", params={"seen": seen}, content=zipped(files), headers=bearer(key)
        )
        assert stale.status_code == 409
        number = reply.json()["number"]
        await gateway.client.post(f"/v1/courses/ds/edits/{number}/undo", headers=bearer(key))
        assert (courses / "ds" / "course.yaml").read_text() == "title: ds\n"
        assert set(await versions(gateway, key)) == {"course.yaml", "subtitles/01.srt"}

    use(work)


@pytest.mark.parametrize(
    "content", [b"", b"not a zip", zipped({"../evil.md": b"x", "faq.csv": FAQ}), zipped({"film.mp4": b"x"})]
)
def test_an_archive_that_is_unsafe_or_empty_changes_nothing(use: Use, courses: Path, content: bytes) -> None:
    async def work(gateway: Gateway) -> None:
        key = gateway.key("teacher")
        before = await versions(gateway, key)
        reply = await gateway.client.post("/v1/courses/ds/package", content=content, headers=bearer(key))
        assert reply.status_code == 400
        assert await versions(gateway, key) == before
        assert acts(gateway) == []

    use(work)


def test_a_file_that_is_a_link_is_not_given_out(use: Use, courses: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (courses / "ds" / "documents").mkdir()
    (courses / "ds" / "documents" / "a.txt").symlink_to(tmp_path / "secret.txt")
    (courses / "ds" / "documents" / "b.txt").symlink_to(courses / "law" / "course.yaml")
    (courses / "ds" / "documents" / "c.txt").symlink_to(courses / "ds" / "course.yaml")

    async def work(gateway: Gateway) -> None:
        key = gateway.key("teacher")
        for name in ("a.txt", "b.txt", "c.txt"):
            reply = await gateway.client.get(f"/v1/courses/ds/files/documents/{name}", headers=bearer(key))
            assert reply.status_code == 404, name
        hidden = await gateway.client.get("/v1/courses/ds/files/.history/lock", headers=bearer(key))
        assert hidden.status_code == 404

    use(work)


FORMS = [
    ("/files/new", {"data": {"course": "x", "title": "X"}}),
    ("/files/ds/put", {"files": {"files": ("faq.csv", FAQ)}}),
    ("/files/ds/package", {"files": {"package": ("c.zip", zipped({"faq.csv": FAQ}))}}),
    ("/files/ds/text", {"data": {"name": "faq.csv", "text": "question,answer"}}),
    ("/files/ds/remove", {"data": {"name": "course.yaml", "replaces": "x"}}),
    ("/files/ds/undo", {"data": {"number": "1"}}),
    ("/files/ds/build", {}),
    ("/files/ds/cancel", {"data": {"build": "x"}}),
]


@pytest.mark.parametrize(("path", "sent"), FORMS)
@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}]
)
def test_another_sites_page_sends_no_form(
    use: Use, courses: Path, path: str, sent: dict[str, Any], headers: dict[str, str]
) -> None:
    async def work(gateway: Gateway) -> None:
        await gateway.client.post("/login", data={"key": gateway.key("admin")})
        assert gateway.client.cookies
        reply = await gateway.client.post(path, headers=headers | {"Accept": "text/html"}, **sent)
        assert reply.status_code == 403
        assert acts(gateway) == []
        assert not (courses / "ds" / "faq.csv").exists()

    use(work)


def test_the_forms_do_what_the_routes_do(use: Use, courses: Path) -> None:
    async def work(gateway: Gateway) -> None:
        client: httpx.AsyncClient = gateway.client
        await client.post("/login", data={"key": gateway.key("admin", name="Ada")})
        made = await client.post("/files/new", data={"course": "ml", "title": "ML", "lang": "en"})
        assert (made.status_code, made.headers["location"]) == (303, "/files?course=ml")
        sent = [("files", ("faq.csv", FAQ)), ("files", ("01.srt", b"x")), ("files", ("guide.md", b"# G\n"))]
        reply = await client.post("/files/ml/put", files=sent, data={"where": "auto"})
        assert (reply.status_code, reply.headers["location"]) == (303, "/files?course=ml&done=2"), reply.text
        names = {path.relative_to(courses / "ml").as_posix() for path in (courses / "ml").rglob("[!.]*.*")}
        assert {"faq.csv", "subtitles/01.srt", "documents/guide.md"} <= names
        again = await client.post("/files/ml/put", files=sent[:1], data={"where": "auto"})
        assert again.status_code == 409
        assert "already" in again.text
        seen = (await client.get("/v1/courses/ml/files")).json()["seen"]
        replaced = await client.post(
            "/files/ml/put", files=sent[:1], data={"where": "auto", "replace": "1", "seen": seen}
        )
        assert replaced.status_code == 303
        stale = await client.post("/files/ml/put", files=sent[:1], data={"replace": "1", "seen": seen})
        assert stale.status_code == 409
        version = {one["name"]: one["version"] for one in (await client.get("/v1/courses/ml/files")).json()["files"]}
        text = {"name": "faq.csv", "replaces": version["faq.csv"], "text": "question,answer\r\nA?,B.\r\n"}
        assert (await client.post("/files/ml/text", data=text)).status_code == 303
        assert (courses / "ml" / "faq.csv").read_bytes() == b"question,answer\nA?,B.\n"
        gone = {"name": "documents/guide.md", "replaces": version["documents/guide.md"]}
        assert (await client.post("/files/ml/remove", data=gone)).status_code == 303
        assert (await client.post("/files/ml/undo", data={"number": "5"})).status_code == 303
        assert (courses / "ml" / "documents" / "guide.md").read_bytes() == b"# G\n"
        refused = await client.post("/files/ml/put", files=[("files", ("<b>.exe", b"x"))])
        assert refused.status_code == 400
        assert "<b>" not in refused.text

    use(work)
