"""Launches by LTI 1.3: who is let in, as what and where, and that nobody is more than the LMS grants in its course.

The LMS is `tests/support/lms.py`: real keys, over HTTP. Both databases where SQL decides.
"""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from gateways import running
from lms import INSTRUCTOR, LEARNER, Enrolment, Lms
from lti_gateway import IN_FRAME, Tool, Use, place_of, refuse, told
from sqlalchemy import select

from serving.gateway.access import LAUNCH_COOKIE
from serving.settings import Settings
from serving.store.audit import acts
from serving.store.platforms import PlatformGrant, allow_deployment, remove_platform
from serving.store.tables.identity import Login, Person
from serving.store.tables.lti import LtiPlatform

SYSTEM = "http://purl.imsglobal.org/vocab/lis/v2/system/person#"
INSTITUTION = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#"


@pytest.mark.parametrize(("hint", "role"), [("student", "student"), ("ta", "ta"), ("teacher", "teacher")])
def test_a_launch_opens_the_course_in_the_role_that_the_lms_grants_there(
    use: Use, lms: Lms, database: str, hint: str, role: str
) -> None:
    async def work(tool: Tool) -> tuple[httpx.Response, httpx.Response, Any, Any]:
        reply = await tool.launch(hint)
        asked = await tool.gateway.client.get("/v1/courses")
        logins = tool.gateway.store.read(lambda db: db.scalars(select(Login)).one())
        person = tool.gateway.store.read(lambda db: db.scalars(select(Person).where(Person.alias.is_not(None))).one())
        return reply, asked, logins, person

    reply, asked, login, person = use(work, store_url=database)
    assert place_of(reply) == {"course": "ds"}
    assert [one["course"] for one in asked.json()["data"]] == ["ds"]
    assert (login.role, login.course_id) == (role, "ds")
    assert person.name == {"student": None, "ta": "Tara Helper", "teacher": "Ines Calloway"}[role]
    assert lms.people[hint].subject not in str(vars(person))


def test_a_launch_opens_the_lecture_and_the_second_that_the_link_names(use: Use, lms: Lms) -> None:
    lms.custom = {"coteach_course": "ds", "coteach_lecture": "02 stacks", "coteach_second": "3:12"}
    assert place_of(use(lambda tool: tool.launch())) == {"course": "ds", "lecture": "02 stacks", "second": "192"}


def test_somebody_is_the_same_person_at_every_launch_and_another_than_others(use: Use) -> None:
    async def work(tool: Tool) -> list[str]:
        for hint in ("student", "student", "ta"):
            await tool.launch(hint)
        return tool.gateway.store.read(lambda db: list(db.scalars(select(Login.person_id).order_by(Login.created_at))))

    first, again, other = use(work)
    assert (first == again, first == other) == (True, False)


def test_the_cookies_are_kept_in_a_frame_of_another_site_and_read_by_no_script(use: Use) -> None:
    async def work(tool: Tool) -> list[str]:
        begun = await tool.begin("student")
        return [begun.headers["set-cookie"], (await tool.launch()).headers["set-cookie"]]

    for cookie in use(work):
        parts = {part.strip().lower() for part in cookie.split(";")}
        assert {"httponly", "secure", "samesite=none", "partitioned"} <= parts


def test_beside_the_lms_the_login_is_kept_as_every_login_is(use: Use) -> None:
    async def work(tool: Tool) -> str:
        fields = await tool.form("student")
        headers = IN_FRAME | {"Sec-Fetch-Dest": "document"}
        return (await tool.gateway.client.post("/lti/launch", data=fields, headers=headers)).headers["set-cookie"]

    cookie = use(work).lower()
    assert ("samesite=lax" in cookie, "partitioned" in cookie) == (True, False)


def test_a_launch_sees_its_own_course_alone_and_a_student_no_desk(use: Use) -> None:
    async def work(tool: Tool) -> list[int]:
        await tool.launch("student")
        client = tool.gateway.client
        paths = ("/v1/courses/ds/lectures", "/v1/courses/sjjg/lectures", "/review/questions", "/v1/experiments")
        return [(await client.get(path)).status_code for path in paths]

    assert use(work, grant=PlatformGrant("Both", ("ds", "sjjg"))) == [200, 404, 403, 403]


def test_a_ta_and_a_teacher_have_the_desk_of_their_course_and_no_admins_rights(use: Use) -> None:
    async def work(tool: Tool) -> list[list[int]]:
        found = []
        for hint in ("ta", "teacher"):
            await tool.launch(hint)
            client = tool.gateway.client
            asked = [await client.get(path) for path in ("/review/questions", "/v1/experiments", "/metrics")]
            asked.append(await client.post("/v1/experiments", json={}, headers={"Sec-Fetch-Site": "same-origin"}))
            asked.append(await client.get("/v1/insights?course_id=sjjg"))
            found.append([one.status_code for one in asked])
        return found

    ta, teacher = use(work, settings={"metrics": "admin"})
    assert ta[:4] == [200, 403, 403, 403]
    assert teacher[:4] == [200, 200, 403, 403]


def test_who_comes_as_staff_is_in_the_audit_and_a_student_is_not(use: Use) -> None:
    async def work(tool: Tool) -> list[tuple[str, str, Any]]:
        for hint in ("student", "ta"):
            await tool.launch(hint)
        rows = tool.gateway.store.read(acts)
        return [(row.act, row.by, row.details) for row in rows]

    ((act, by, details),) = use(work)
    assert (act, by.startswith("LTI "), details) == ("lti.launch", True, {"role": "ta", "course": "ds"})


def test_a_teacher_whose_name_the_lms_keeps_back_is_called_a_teacher(use: Use, lms: Lms) -> None:
    lms.people["teacher"].name = None

    async def work(tool: Tool) -> Any:
        await tool.launch("teacher")
        return tool.gateway.store.read(lambda db: db.scalars(select(Person.name).where(Person.role == "teacher")).all())

    assert use(work) == ["Teacher"]


def test_every_student_of_an_lms_is_counted_for_themselves(use: Use, lms: Lms) -> None:
    lms.people["other"] = Enrolment("u-1002", [LEARNER])

    async def work(tool: Tool) -> list[int]:
        tool.gateway.stop_the_clock()
        body = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
        found = []
        for hint in ("student", "other", "student"):
            await tool.launch(hint)
            reply = await tool.gateway.client.post(
                "/v1/chat/completions", json=body, headers={"Sec-Fetch-Site": "same-origin"}
            )
            found.append(reply.status_code)
        return found

    assert use(work, settings={"requests_per_minute": 1}) == [200, 200, 429]


def test_removing_an_lms_ends_what_it_launched(use: Use) -> None:
    async def work(tool: Tool) -> list[int]:
        await tool.launch("ta")
        before = await tool.gateway.client.get("/v1/courses")
        tool.gateway.store.write(lambda db: remove_platform(db, tool.platform.platform_id))
        await asyncio.sleep(1.1)  # a login is believed for a second
        await tool.gateway.app.state.lti.refresh()
        after = await tool.gateway.client.get("/v1/courses")
        off = await tool.begin("ta")
        return [before.status_code, after.status_code, off.status_code]

    assert use(work) == [200, 401, 404]


def test_a_login_with_a_key_ends_what_an_lms_made_of_the_browser(use: Use) -> None:
    async def work(tool: Tool) -> tuple[int, Any, Any]:
        await tool.launch("student")
        key = tool.gateway.key("admin")
        client = tool.gateway.client
        await client.post("/login", json={"key": key}, headers={"Sec-Fetch-Site": "same-origin"})
        return (await client.get("/v1/experiments")).status_code, client.cookies.get(LAUNCH_COOKIE), None

    assert use(work)[:2] == (200, None)


def test_without_a_platform_every_address_of_lti_is_nothing_and_nobody_may_frame_a_page(home: Path) -> None:
    async def work() -> list[tuple[int, bool]]:
        async with running(Settings(home=home)) as gateway:
            replies = [await gateway.client.get(path) for path in ("/lti/jwks", "/lti/login", "/lti/register/x")]
            replies += [await gateway.client.post(path) for path in ("/lti/login", "/lti/launch", "/lti/choose")]
            return [
                (one.status_code, "frame-ancestors 'none'" in one.headers["content-security-policy"]) for one in replies
            ]

    assert asyncio.run(work()) == [(404, True)] * 6


OUTSIDE: list[list[str]] = [
    [f"{SYSTEM}Administrator", f"{INSTITUTION}Administrator", LEARNER],
    [f"{INSTITUTION}Instructor", f"{INSTITUTION}Faculty", LEARNER],
    [f"{INSTITUTION}Instructor"],
    ["admin", "teacher", "coteach:admin"],
    [INSTRUCTOR.upper(), INSTRUCTOR + " ", "http://evil.example/membership#Instructor"],
    [],
]


def test_nobody_is_more_than_a_student_by_a_role_outside_the_course(use: Use, lms: Lms) -> None:
    lms.custom = {"role": "admin", "coteach_role": "teacher"}

    async def work(tool: Tool) -> list[tuple[Any, int]]:
        found = []
        for roles in OUTSIDE:
            lms.people["student"].roles = roles
            fields = await tool.form("student")
            await tool.post(fields | {"role": "admin", "roles": INSTRUCTOR})
            newest = select(Login.role).order_by(Login.created_at.desc()).limit(1)
            role = tool.gateway.store.read(lambda db, one=newest: db.scalars(one).one())
            found.append((role, (await tool.gateway.client.get("/review/questions")).status_code))
        return found

    assert use(work) == [("student", 403)] * len(OUTSIDE)


@pytest.mark.parametrize(("highest", "got"), [("student", "student"), ("ta", "ta"), ("teacher", "teacher")])
def test_an_lms_makes_nobody_more_than_its_admin_allowed(use: Use, highest: Any, got: str) -> None:
    async def work(tool: Tool) -> Any:
        await tool.launch("teacher")
        return tool.gateway.store.read(lambda db: db.scalars(select(Login.role)).one())

    assert use(work, grant=PlatformGrant("Simulator", ("ds",), highest)) == got


def test_a_teacher_of_one_course_is_a_student_in_another(use: Use, lms: Lms) -> None:
    """A role is of one launch, not of a person."""

    async def work(tool: Tool) -> list[int]:
        await tool.launch("teacher")
        first = await tool.gateway.client.get("/review/questions")
        lms.people["teacher"].roles = [LEARNER]
        await tool.launch("teacher")
        return [first.status_code, (await tool.gateway.client.get("/review/questions")).status_code]

    assert use(work) == [200, 403]


def test_a_course_that_the_lms_may_not_open_any_more_is_refused(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        def narrow(db: Any) -> None:
            db.get(LtiPlatform, tool.platform.platform_id).courses = ["sjjg"]

        tool.gateway.store.write(narrow)
        return await tool.launch()

    refuse(use, work, "of another course")


def test_a_teacher_of_a_course_that_is_not_connected_is_told_what_to_do(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        reply = await tool.launch("teacher")
        assert f"coteach lti connect {tool.platform.platform_id} --deployment 1 --context course-42" in told(reply)
        return reply

    refuse(use, work, "Select content", course=None)


def test_a_deployment_is_taken_once_an_admin_allows_it(use: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> list[str]:
        lms.deployment_id = "2"
        first = await tool.launch("teacher")
        tool.gateway.store.write(lambda db: allow_deployment(db, tool.platform.platform_id, "2"))
        return [told(first), told(await tool.launch("teacher"))]

    first, then = use(work)
    assert "coteach lti allow" in first
    assert "not connected" in then, "a context is of one deployment: the other's is another course"
