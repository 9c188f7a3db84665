"""A launch by LTI 1.3 is let in by a token that the LMS signed, with a key that it publishes, for just this launch."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from lms import INSTRUCTOR, LTI, Claims, Lms, public_jwk
from lti_gateway import Tool, Use, place_of, refuse, told
from sqlalchemy import select

from serving.gateway.access import LAUNCH_COOKIE
from serving.store.tables.identity import Login
from serving.store.tables.lti import LtiPlatform


def b64(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def resigned(change: Callable[[Lms, Claims], str]) -> Callable[[Tool], Awaitable[httpx.Response]]:
    """Launch with a token that was made otherwise from the claims that the LMS would sign."""

    async def work(tool: Tool) -> httpx.Response:
        fields = await tool.form("student")
        claims = jwt.decode(fields["id_token"], options={"verify_signature": False})
        return await tool.post(fields | {"id_token": change(tool.lms, claims)})

    return work


def test_a_forged_signature_is_refused(use: Use) -> None:
    other = generate_private_key(public_exponent=65537, key_size=2048)
    refuse(use, resigned(lambda lms, claims: lms.sign(claims, key=other)), "signature is not the LMS's")


def test_a_changed_token_is_refused(use: Use) -> None:
    def change(lms: Lms, claims: Claims) -> str:
        head, _, signature = lms.sign(claims).split(".")
        return f"{head}.{b64(claims | {f'{LTI}roles': [INSTRUCTOR]})}.{signature}"

    refuse(use, resigned(change), "signature is not the LMS's")


def test_a_token_without_a_signature_is_refused(use: Use) -> None:
    def change(lms: Lms, claims: Claims) -> str:
        return f"{b64({'alg': 'none', 'kid': lms.signs_with})}.{b64(claims)}."

    refuse(use, resigned(change), "signed by RS256")


def test_a_token_signed_by_the_public_key_as_a_password_is_refused(use: Use) -> None:
    """The confusion of algorithms: HS256 with what everybody can fetch."""

    def change(lms: Lms, claims: Claims) -> str:
        public = lms.keys[lms.signs_with].public_key()
        secret = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        signed = f"{b64({'alg': 'HS256', 'kid': lms.signs_with, 'typ': 'JWT'})}.{b64(claims)}"
        digest = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
        return f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"

    refuse(use, resigned(change), "signed by RS256")


def test_a_key_that_the_token_brings_itself_is_not_believed(use: Use) -> None:
    own = generate_private_key(public_exponent=65537, key_size=2048)

    def change(lms: Lms, claims: Claims) -> str:
        headers = {"kid": "mine", "jwk": public_jwk(own, "mine"), "jku": f"{lms.base}/mine"}
        return jwt.encode(claims, own, algorithm="RS256", headers=headers)

    refuse(use, resigned(change), "publishes no key")


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

    refuse(use, work, "publishes no key")


def test_an_lms_whose_keys_cannot_be_fetched_lets_nobody_in(use: Use) -> None:
    async def work(tool: Tool) -> httpx.Response:
        def lose(db: Any) -> None:
            db.get(LtiPlatform, tool.platform.platform_id).jwks_url = "http://127.0.0.1:9/jwks"

        tool.gateway.store.write(lose)
        return await tool.launch()

    refuse(use, work, "could not be fetched", 503)
