"""Launches by LTI 1.3: who is let in, as what and where; and everything that is not.

The LMS is `tests/support/lms.py`: real keys, over HTTP. Both databases where SQL decides.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from gateways import running
from lms import INSTRUCTOR, LEARNER, LTI, Claims, Enrolment, Lms, public_jwk, running_lms
from lti_gateway import IN_FRAME, Tool, connected, place_of, told
from sqlalchemy import select

from serving.gateway.access import LAUNCH_COOKIE
from serving.gateway.lti.cookies import BROWSER_COOKIE
from serving.settings import Settings
from serving.store.audit import acts
from serving.store.database import sqlite_url
from serving.store.platforms import PlatformGrant, allow_deployment, remove_platform
from serving.store.tables.identity import Login, Person
from serving.store.tables.lti import LtiNonce, LtiPlatform

SYSTEM = "http://purl.imsglobal.org/vocab/lis/v2/system/person#"
INSTITUTION = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#"


@pytest.fixture
def lms() -> Iterator[Lms]:
    with running_lms() as one:
        yield one


@pytest.fixture
def use(home: Path, lms: Lms) -> Callable[..., Any]:
    """Run a coroutine function over a gateway that the LMS is registered in."""

    def run(work: Callable[[Tool], Awaitable[Any]], **options: Any) -> Any:
        async def whole() -> Any:
            async with connected(home, lms, **options) as tool:
                return await work(tool)

        return asyncio.run(whole())

    return run


Use = Callable[..., Any]


def refused(
    use: Use, work: Callable[[Tool], Awaitable[httpx.Response]], why: str, status: int = 403, **options: Any
) -> None:
    """A launch is refused for this reason, nobody is logged in, and the page may be seen in the LMS's frame."""

    async def whole(tool: Tool) -> tuple[httpx.Response, int]:
        reply = await work(tool)
        return reply, len(tool.gateway.store.read(lambda db: db.scalars(select(Login)).all()))

    reply, logins = use(whole, **options)
    assert (reply.status_code, logins, LAUNCH_COOKIE in reply.cookies) == (status, 0, False)
    assert why in told(reply)
    assert "frame-ancestors 'self' http://localhost:" in reply.headers["content-security-policy"]
    assert "x-frame-options" not in reply.headers


def b64(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


# Who is let in


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, home: Path) -> str:
    if request.param == "sqlite":
        return sqlite_url(home / "store.db")
    server = request.getfixturevalue("postgres")
    url: str = server.url(server.new_database(template=request.getfixturevalue("migrated")))
    return url


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


# What is refused: the token


def resigned(change: Callable[[Lms, Claims], str]) -> Callable[[Tool], Awaitable[httpx.Response]]:
    """Launch with a token that was made otherwise from the claims that the LMS would sign."""

    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        claims = jwt.decode(fields["id_token"], options={"verify_signature": False})
        return await tool.post(fields | {"id_token": change(tool.lms, claims)})

    return work


def test_a_forged_signature_is_refused(use: Use) -> None:
    other = generate_private_key(public_exponent=65537, key_size=2048)
    refused(use, resigned(lambda lms, claims: lms.sign(claims, key=other)), "signature is not the LMS's")


def test_a_changed_token_is_refused(use: Use) -> None:
    def change(lms: Lms, claims: Claims) -> str:
        head, _, signature = lms.sign(claims).split(".")
        return f"{head}.{b64(claims | {f'{LTI}roles': [INSTRUCTOR]})}.{signature}"

    refused(use, resigned(change), "signature is not the LMS's")


def test_a_token_without_a_signature_is_refused(use: Use) -> None:
    def change(lms: Lms, claims: Claims) -> str:
        return f"{b64({'alg': 'none', 'kid': lms.signs_with})}.{b64(claims)}."

    refused(use, resigned(change), "signed by RS256")


def test_a_token_signed_by_the_public_key_as_a_password_is_refused(use: Use) -> None:
    """The confusion of algorithms: HS256 with what everybody can fetch."""

    def change(lms: Lms, claims: Claims) -> str:
        public = lms.keys[lms.signs_with].public_key()
        secret = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        signed = f"{b64({'alg': 'HS256', 'kid': lms.signs_with, 'typ': 'JWT'})}.{b64(claims)}"
        digest = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
        return f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"

    refused(use, resigned(change), "signed by RS256")


def test_a_key_that_the_token_brings_itself_is_not_believed(use: Use) -> None:
    own = generate_private_key(public_exponent=65537, key_size=2048)

    def change(lms: Lms, claims: Claims) -> str:
        headers = {"kid": "mine", "jwk": public_jwk(own, "mine"), "jku": f"{lms.base}/mine"}
        return jwt.encode(claims, own, algorithm="RS256", headers=headers)

    refused(use, resigned(change), "publishes no key")


WRONG: list[tuple[Claims, str]] = [
    ({"exp": -120, "iat": -400}, "too old"),
    ({"iat": 3600}, "does not hold yet"),
    ({"nbf": 3600}, "does not hold yet"),
    ({"aud": "another-tool"}, "for another tool"),
    ({"aud": ["client-17", "another-tool"]}, "for another tool"),
    ({"azp": "another-tool"}, "for another tool"),
    ({"iss": "https://lms.evil.example"}, "from another LMS"),
    ({"nonce": "another"}, "another login"),
    ({"exp": None}, "lacks something"),
    ({"nonce": None}, "lacks something"),
    ({"sub": None}, "did not say who you are"),
    ({"sub": "x" * 300}, "did not say who you are"),
    ({f"{LTI}version": "1.1"}, "Only LTI 1.3.0"),
    ({f"{LTI}message_type": "LtiSubmissionReviewRequest"}, "Only launches"),
    ({f"{LTI}deployment_id": "99"}, "not allowed yet"),
    ({f"{LTI}deployment_id": None}, "not allowed yet"),
    ({f"{LTI}context": None}, "in which of its courses"),
    ({f"{LTI}context": {"id": "course-43"}}, "not connected with coteach yet. Tell your teacher"),
    ({f"{LTI}target_link_uri": "https://evil.example/lti/launch"}, "another address"),
    ({f"{LTI}target_link_uri": "http://127.0.0.1:8080.evil.example/lti/launch"}, "another address"),
    ({f"{LTI}target_link_uri": "http://127.0.0.1:8080/logout"}, "another address"),
    ({f"{LTI}custom": {"coteach_course": "sjjg"}}, "of another course (sjjg)"),
]
"""What is said otherwise, and why it is refused. Times are seconds from now; `None` leaves a claim out."""


def otherwise(changes: Claims, claims: Claims) -> Claims:
    at = int(time.time())
    timed = {name: at + one if name in ("exp", "iat", "nbf") and one else one for name, one in changes.items()}
    return {name: one for name, one in (claims | timed).items() if one is not None}


def test_a_token_that_says_something_else_than_it_must_is_refused(use: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> list[tuple[Claims, int, str]]:
        found = []
        for changes, why in WRONG:
            lms.twist = partial(otherwise, changes)
            reply = await tool.launch()
            said = told(reply) if reply.status_code != 303 else "let in"
            if reply.status_code != 403 or why not in said or LAUNCH_COOKIE in reply.cookies:
                found.append((changes, reply.status_code, said))
        assert tool.gateway.store.read(lambda db: db.scalars(select(Login)).all()) == []
        return found

    assert use(work) == []


def test_a_clock_that_is_half_a_minute_off_is_forgiven(use: Use, lms: Lms) -> None:
    lms.twist = lambda claims: claims | {"iat": int(time.time()) + 30, "exp": int(time.time()) + 330}
    assert place_of(use(lambda tool: tool.launch())) == {"course": "ds"}


# What is refused: the login


def test_a_launch_that_is_sent_again_is_refused(use: Use, database: str) -> None:
    async def work(tool: Tool) -> tuple[httpx.Response, httpx.Response, int]:
        fields = await tool.form("student")
        first, again = await tool.post(fields), await tool.post(fields)
        spent = tool.gateway.store.read(lambda db: len(db.scalars(select(LtiNonce)).all()))
        return first, again, spent

    first, again, spent = use(work, store_url=database)
    assert (first.status_code, again.status_code, spent) == (303, 403, 1)
    assert "used already" in told(again)


def test_of_two_that_send_a_launch_at_once_one_is_let_in(use: Use, database: str) -> None:
    async def work(tool: Tool) -> list[int]:
        fields = await tool.form("student")
        return sorted(one.status_code for one in await asyncio.gather(*(tool.post(fields) for _ in range(4))))

    assert use(work, store_url=database) == [303, 403, 403, 403]


def test_a_new_token_for_a_state_that_was_used_is_refused(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        await tool.post(fields)
        tool.gateway.client.cookies.delete(LAUNCH_COOKIE)
        claims = jwt.decode(fields["id_token"], options={"verify_signature": False})
        return await tool.post(fields | {"id_token": tool.lms.sign(claims | {"iat": int(time.time())})})

    assert "used already" in told(use(work))


def test_a_token_of_one_login_does_not_open_another(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        first, second = await tool.form("student"), await tool.form("teacher")
        return await tool.post({"state": first["state"], "id_token": second["id_token"]})

    refused(use, work, "another login")


def test_a_state_of_another_browser_is_refused(use: Use) -> None:
    """Somebody has a victim's browser send their own launch, to have them ask as somebody else."""

    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        tool.gateway.client.cookies.clear()
        await tool.begin("teacher")  # the victim's own
        return await tool.post(fields)

    refused(use, work, "in another browser")


@pytest.mark.parametrize("change", [lambda state: state[:-2] + "xx", lambda state: "", lambda state: "x" * 20_000])
def test_a_state_that_was_not_made_here_is_refused(use: Use, change: Callable[[str], str]) -> None:
    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        return await tool.post(fields | {"state": change(fields["state"])})

    refused(use, work, "too long ago, or not here")


def test_a_state_that_is_too_old_is_refused(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        later = time.time() + 700
        monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)
        return await tool.post(fields)

    refused(use, work, "too long ago, or not here")


def test_a_browser_that_keeps_no_cookie_is_shown_a_window_of_its_own(use: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> tuple[httpx.Response, httpx.Response]:
        fields = await tool.form("student")
        tool.gateway.client.cookies.clear()
        framed = await tool.post(fields)
        beside = await tool.gateway.client.post(
            "/lti/launch", data=fields, headers=IN_FRAME | {"Sec-Fetch-Dest": "document"}
        )
        return framed, beside

    framed, beside = use(work)
    assert (framed.status_code, LAUNCH_COOKIE in framed.cookies) == (403, False)
    assert 'target="_blank"' in framed.text
    assert "http://127.0.0.1:8080/lti/login?iss=" in framed.text
    assert "Allow cookies of this site" in told(beside)


def test_what_the_lms_says_instead_of_a_login_is_told_as_text(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        return await tool.post({"state": fields["state"], "error": "login_required", "error_description": "<b>Log in"})

    refused(use, work, "<b>Log in")


def test_an_unknown_lms_an_unknown_client_and_a_foreign_target_are_refused_before_anybody_is_sent_anywhere(
    use: Use,
) -> None:
    async def work(tool: Tool) -> list[httpx.Response]:
        changes = (
            {"iss": "https://lms.evil.example"},
            {"client_id": "another"},
            {"target_link_uri": "https://evil.example/lti/launch"},
            {"login_hint": ""},
            {"lti_message_hint": "x" * 5000},
        )
        return [await tool.begin("student", **change) for change in changes]

    replies = use(work)
    assert [one.status_code for one in replies] == [403, 403, 403, 400, 400]
    assert all("location" not in one.headers and BROWSER_COOKIE not in one.cookies for one in replies)
    assert "not registered here" in told(replies[0])


def test_refusals_of_one_address_are_limited(use: Use) -> None:
    async def work(tool: Tool) -> list[int]:
        tool.gateway.stop_the_clock()
        return [(await tool.post({"state": "made up"})).status_code for _ in range(4)]

    assert use(work, settings={"logins_per_minute": 3}) == [403, 403, 403, 429]


# What is refused: more than the LMS grants


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

    refused(use, work, "of another course")


def test_a_teacher_of_a_course_that_is_not_connected_is_told_what_to_do(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        reply = await tool.launch("teacher")
        assert f"coteach lti connect {tool.platform.platform_id} --deployment 1 --context course-42" in told(reply)
        return reply

    refused(use, work, "Select content", course=None)


def test_a_deployment_is_taken_once_an_admin_allows_it(use: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> list[str]:
        lms.deployment_id = "2"
        first = await tool.launch("teacher")
        tool.gateway.store.write(lambda db: allow_deployment(db, tool.platform.platform_id, "2"))
        return [told(first), told(await tool.launch("teacher"))]

    first, then = use(work)
    assert "coteach lti allow" in first
    assert "not connected" in then, "a context is of one deployment: the other's is another course"


# The platform's keys


def test_a_platform_that_rotates_its_key_is_followed_and_made_up_ones_do_not_make_us_ask_again(
    use: Use, lms: Lms
) -> None:
    async def work(tool: Tool) -> list[int]:
        clock = [1000.0]
        tool.gateway.app.state.lti.key_sets._clock = lambda: clock[0]
        found = [(await tool.launch()).status_code, lms.key_fetches]
        for _ in range(5):
            fields = await tool.form("student")
            claims = jwt.decode(fields["id_token"], options={"verify_signature": False})
            await tool.post(fields | {"id_token": lms.sign(claims, kid="made up", key=next(iter(lms.keys.values())))})
        found.append(lms.key_fetches)
        clock[0] += 61
        lms.new_key()
        return [*found, (await tool.launch()).status_code, lms.key_fetches]

    assert use(work) == [303, 1, 1, 303, 2]


def test_a_key_that_the_platform_withdrew_opens_nothing_once_its_set_is_fetched_again(use: Use, lms: Lms) -> None:
    async def work(tool: Tool) -> httpx.Response:
        clock = [1000.0]
        tool.gateway.app.state.lti.key_sets._clock = lambda: clock[0]
        old = lms.signs_with
        await tool.launch("student")
        tool.gateway.store.write(lambda db: db.delete(db.scalars(select(Login)).one()))
        stolen = lms.keys[old]
        lms.new_key()
        del lms.keys[old]
        clock[0] += 3700
        fields = await tool.form("student")
        tool.gateway.client.cookies.delete(LAUNCH_COOKIE)
        claims = jwt.decode(fields["id_token"], options={"verify_signature": False})
        return await tool.post(fields | {"id_token": lms.sign(claims, kid=old, key=stolen)})

    refused(use, work, "publishes no key")


def test_an_lms_whose_keys_cannot_be_fetched_lets_nobody_in(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        def lose(db: Any) -> None:
            db.get(LtiPlatform, tool.platform.platform_id).jwks_url = "http://127.0.0.1:9/jwks"

        tool.gateway.store.write(lose)
        return await tool.launch()

    refused(use, work, "could not be fetched", 503)
