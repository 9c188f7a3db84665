"""A small LMS that speaks LTI 1.3 as a platform, over HTTP in a thread of its own, with real RSA keys.

It does what Moodle, Canvas and Open edX do: shows a course's page with the tool in a frame, answers the tool's request
for a login with a signed token that a browser posts, asks for content, takes the signed answer, and registers tools.
What a test makes of a token before it is signed is the test's: `twist`. Nothing of the product is imported here.
"""

import base64
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
TOOL_CONFIGURATION = "https://purl.imsglobal.org/spec/lti-tool-configuration"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
LEARNER, INSTRUCTOR = f"{MEMBERSHIP}#Learner", f"{MEMBERSHIP}#Instructor"
TA = [INSTRUCTOR, f"{MEMBERSHIP}/Instructor#TeachingAssistant"]

Claims = dict[str, Any]


@dataclass
class Enrolment:
    """Somebody in a course of the LMS, by the login hint that stands for them."""

    subject: str
    roles: list[str]
    name: str | None = None


@dataclass
class Lms:
    """The state of the LMS, which a test sets and reads. `tool` is the tool's base address."""

    base: str
    tool: str = ""
    client_id: str = "client-17"
    deployment_id: str = "1"
    context_id: str = "course-42"
    context_title: str = "Data structures, autumn"
    people: dict[str, Enrolment] = field(
        default_factory=lambda: {
            "student": Enrolment("u-1001", [LEARNER], "Sam Student"),
            "ta": Enrolment("u-2001", list(TA), "Tara Helper"),
            "teacher": Enrolment("u-3001", [INSTRUCTOR], "Ines Calloway"),
        }
    )
    custom: dict[str, str] = field(default_factory=dict)
    twist: Callable[[Claims], Claims] = lambda claims: claims
    """What a test changes in the claims before they are signed."""
    keys: dict[str, RSAPrivateKey] = field(default_factory=dict)
    signs_with: str = ""
    key_fetches: int = 0
    links: list[dict[str, Any]] = field(default_factory=list)
    """What teachers linked: content items of verified answers."""
    answers: list[Claims] = field(default_factory=list)
    registrations: list[dict[str, Any]] = field(default_factory=list)
    posted: list[dict[str, str]] = field(default_factory=list)
    """Every form that the browser was told to post to the tool."""

    def new_key(self) -> str:
        """Make a key and sign with it from now on."""
        kid = uuid.uuid4().hex
        self.keys[kid] = generate_private_key(public_exponent=65537, key_size=2048)
        self.signs_with = kid
        return kid

    def key_set(self) -> dict[str, Any]:
        return {"keys": [public_jwk(key, kid) for kid, key in self.keys.items()]}

    def claims(self, hint: str, nonce: str, *, message: str = "LtiResourceLinkRequest") -> Claims:
        """The claims of a launch of somebody, by the clock of now."""
        person, at = self.people[hint], int(time.time())
        claims: Claims = {
            "iss": self.base,
            "aud": self.client_id,
            "sub": person.subject,
            "iat": at,
            "exp": at + 300,
            "nonce": nonce,
            f"{LTI}message_type": message,
            f"{LTI}version": "1.3.0",
            f"{LTI}deployment_id": self.deployment_id,
            f"{LTI}target_link_uri": f"{self.tool}/lti/launch",
            f"{LTI}roles": person.roles,
            f"{LTI}context": {"id": self.context_id, "title": self.context_title},
            f"{LTI}custom": dict(self.custom),
        }
        if person.name is not None:
            claims["name"] = person.name
        if message == "LtiDeepLinkingRequest":
            claims[f"{DEEP_LINKING}deep_linking_settings"] = {
                "deep_link_return_url": f"{self.base}/links",
                "accept_types": ["ltiResourceLink", "link"],
                "accept_presentation_document_targets": ["iframe", "window"],
                "data": "opaque-17",
            }
        else:
            claims[f"{LTI}resource_link"] = {"id": "link-7"}
        return self.twist(claims)

    def sign(self, claims: Claims, *, kid: str | None = None, key: RSAPrivateKey | None = None) -> str:
        named = kid or self.signs_with
        return jwt.encode(claims, key or self.keys[named], algorithm="RS256", headers={"kid": named})

    def login_address(self, hint: str, *, message: str = "resource", **changed: str) -> str:
        """Where the LMS sends a browser to begin a launch: the tool's login."""
        said = {
            "iss": self.base,
            "login_hint": hint,
            "target_link_uri": f"{self.tool}/lti/launch",
            "lti_message_hint": message,
            "client_id": self.client_id,
            "lti_deployment_id": self.deployment_id,
        }
        return f"{self.tool}/lti/login?{httpx.QueryParams(said | changed)}"

    def authorize(self, asked: dict[str, str]) -> tuple[str, dict[str, str]]:
        """The form that answers a tool's request for a login: where it goes, and its fields."""
        wanted = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": self.client_id,
            "redirect_uri": f"{self.tool}/lti/launch",
        }
        wrong = {name: asked.get(name) for name, value in wanted.items() if asked.get(name) != value}
        assert not wrong, f"The tool's request for a login is not as the specification has it: {wrong}"
        message = "LtiDeepLinkingRequest" if asked.get("lti_message_hint") == "content" else "LtiResourceLinkRequest"
        token = self.sign(self.claims(asked["login_hint"], asked["nonce"], message=message))
        return asked["redirect_uri"], {"state": asked["state"], "id_token": token}

    def take_answer(self, token: str) -> Claims:
        """A tool's deep linking answer, verified by the tool's own key set."""
        found = httpx.get(f"{self.tool}/lti/jwks", timeout=10)
        found.raise_for_status()
        kid = jwt.get_unverified_header(token)["kid"]
        keys = {one["kid"]: jwt.PyJWK(one).key for one in found.json()["keys"]}
        claims: Claims = jwt.decode(token, keys[kid], algorithms=["RS256"], audience=self.base, issuer=self.client_id)
        assert claims[f"{LTI}message_type"] == "LtiDeepLinkingResponse"
        self.answers.append(claims)
        self.links.extend(claims[f"{DEEP_LINKING}content_items"])
        return claims


def public_jwk(key: RSAPrivateKey, kid: str) -> dict[str, str]:
    numbers = key.public_key().public_numbers()
    parts = {"n": numbers.n, "e": numbers.e}
    return {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": kid} | {
        name: base64.urlsafe_b64encode(one.to_bytes((one.bit_length() + 7) // 8, "big")).rstrip(b"=").decode()
        for name, one in parts.items()
    }


STYLE = (
    "<style>:root{color-scheme:light dark}body{margin:0;font:15px/1.5 system-ui}header{padding:.75rem 1rem;"
    "background:#3a3f6b;color:#fff}main{padding:1rem}h1{font-size:1.1rem;margin:0 0 .75rem}"
    "iframe{width:100%;height:640px;border:1px solid #8888;box-sizing:border-box}</style>"
)


def course_page(lms: Lms, hint: str, message: str) -> str:
    """The page of a course with the tool in a frame, to which a form is posted as most LMSs do."""
    address = urlsplit(lms.login_address(hint, message=message))
    fields = _hidden(dict(parse_qsl(address.query)))
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{escape(lms.context_title)}</title>{STYLE}<header>A simulated LMS</header><main>"
        f"<h1>{escape(lms.context_title)}</h1><iframe name=tool title='Course assistant'></iframe>"
        f"<form id=begin method=post target=tool action='{lms.tool}/lti/login'>{fields}</form>"
        "<script>document.getElementById('begin').submit()</script></main></html>"
    )


def _hidden(fields: dict[str, str]) -> str:
    return "".join(
        f"<input type=hidden name='{escape(name)}' value='{escape(value)}'>" for name, value in fields.items()
    )


class _Pages(BaseHTTPRequestHandler):
    """The pages and endpoints of one LMS."""

    lms: Lms

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query))
        if parts.path == "/jwks":
            self.lms.key_fetches += 1
            return self._send(json.dumps(self.lms.key_set()), "application/json")
        if parts.path == "/course":
            return self._send(course_page(self.lms, query.get("as", "student"), query.get("message", "resource")))
        if parts.path == "/auth":
            where, fields = self.lms.authorize(query)
            self.lms.posted.append(fields)
            form = f"<form id=back method=post action='{escape(where)}'>{_hidden(fields)}</form>"
            return self._send(f"<!doctype html>{form}<script>document.getElementById('back').submit()</script>")
        if parts.path == "/openid-configuration":
            return self._send(json.dumps(self._configuration()), "application/json")
        return self._send("Nothing here.", status=404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        if self.path == "/links":
            claims = self.lms.take_answer(dict(parse_qsl(body))["JWT"])
            titles = "".join(f"<li>{escape(one['title'])}" for one in claims[f"{DEEP_LINKING}content_items"])
            return self._send(f"<!doctype html>{STYLE}<main><h1>Linked</h1><ul>{titles}</ul></main>")
        if self.path == "/register":
            if self.headers.get("authorization") != "Bearer reg-token":
                return self._send("{}", "application/json", status=401)
            said = json.loads(body)
            self.lms.registrations.append(said)
            reply = said | {"client_id": self.lms.client_id}
            reply[TOOL_CONFIGURATION] = said[TOOL_CONFIGURATION] | {"deployment_id": self.lms.deployment_id}
            return self._send(json.dumps(reply), "application/json", status=201)
        return self._send("Nothing here.", status=404)

    def _configuration(self) -> dict[str, Any]:
        base = self.lms.base
        return {
            "issuer": base,
            "authorization_endpoint": f"{base}/auth",
            "token_endpoint": f"{base}/token",
            "jwks_uri": f"{base}/jwks",
            "registration_endpoint": f"{base}/register",
        }

    def _send(self, text: str, kind: str = "text/html; charset=utf-8", *, status: int = 200) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def running_lms(host: str = "localhost") -> Iterator[Lms]:
    """An LMS with one key; it is gone when the block ends. `localhost` is another site than `127.0.0.1`."""
    handler = type("_PagesOfOne", (_Pages,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    lms = Lms(base=f"http://{host}:{server.server_port}")
    handler.lms = lms  # type: ignore[attr-defined]
    lms.new_key()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield lms
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
