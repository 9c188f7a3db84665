"""Every route for every kind of caller."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, bearer, running
from nicegui import app as pages_app
from routes_and_roles import ASK, CALLERS, FILES, PAGES, TABLE, Row

from serving.settings import Settings
from serving.store.caller import Role
from serving.store.keys import read_key, revoke_key

FROM_ELSEWHERE = ("192.0.2.7", 50_000)


@dataclass(frozen=True)
class World:
    """A gateway with a key for each kind of caller, and what the student has in it."""

    gateway: Gateway
    keys: dict[str, str]
    own: dict[str, str]


async def made(gateway: Gateway) -> World:
    roles: dict[str, Role] = {"student": "student", "other student": "student", "ta": "ta", "teacher": "teacher"}
    roles |= {"admin": "admin", "revoked": "admin"}
    keys = {caller: gateway.key(role) for caller, role in roles.items()} | {"limited": gateway.key(courses=["sjjg"])}
    shown = read_key(keys["revoked"])
    assert shown is not None
    gateway.store.write(lambda db: revoke_key(db, shown.key_id))
    headers = bearer(keys["student"])
    told = (await gateway.client.post("/v1/chat/completions", json=ASK, headers=headers)).json()["coteach"]
    asked = {"question": "Is a stack a queue?", "course_id": "ds"}
    question = (await gateway.client.post("/v1/questions", json=asked, headers=headers)).json()
    response = {"model": "coteach:ds", "input": "What is a stack?"}
    first = (await gateway.client.post("/v1/responses", json=response, headers=headers)).json()
    own = {"trace": told["trace_id"], "session": told["session"], "question": question["question_id"]}
    own |= {"response": first["id"]}
    return World(gateway, keys, own)


def filled(text: str, own: dict[str, str]) -> str:
    for name, value in own.items():
        text = text.replace("{" + name + "}", value)
    return text


async def got(world: World, row: Row, caller: str) -> int:
    headers = dict(row.headers) | (bearer(world.keys[caller]) if caller in world.keys else {})
    world.gateway.client.cookies.clear()
    body = None if row.body is None else filled(json.dumps(row.body), world.own)
    headers |= {} if body is None else {"Content-Type": "application/json"}
    path = filled(row.path, world.own)
    return (await world.gateway.client.request(row.method, path, content=body, headers=headers)).status_code


async def differences(home: Path, *, access: str, callers: list[str]) -> list[str]:
    settings = Settings(home=home, access=access, requests_per_minute=0, logins_per_minute=0)  # type: ignore[arg-type]
    found: list[str] = []
    async with running(settings, client=FROM_ELSEWHERE) as gateway:
        world = await made(gateway)
        for row in (*PAGES, *TABLE):
            for caller in callers:
                status = await got(world, row, caller)
                if status != row.statuses[caller]:
                    found.append(f"{row.method} {row.path} by {caller}: {status}, expected {row.statuses[caller]}")
    return found


@pytest.mark.parametrize(("access", "absent"), [("keys", "anonymous"), ("open", "nobody")])
def test_everybody_gets_what_the_table_says(home: Path, access: str, absent: str) -> None:
    callers = [one for one in CALLERS if one != absent]
    assert asyncio.run(differences(home, access=access, callers=callers)) == []


def described(home: Path) -> Iterator[tuple[str, str]]:
    async def paths() -> dict[str, Any]:
        async with running(Settings(home=home)) as gateway:
            return gateway.app.openapi()["paths"]  # type: ignore[no-any-return]

    for path, methods in asyncio.run(paths()).items():
        for method in methods:
            yield method.upper(), path


def test_every_route_is_in_the_table(home: Path) -> None:
    assert sorted(set(described(home)) ^ {(row.method, row.template) for row in TABLE}) == []


def test_every_page_is_in_the_table(home: Path) -> None:
    list(described(home))  # a gateway has been made, so its pages are known
    paths = {getattr(route, "path", "") for route in pages_app.routes}
    shown = {path for path in paths if path and not path.startswith("/_nicegui")} - FILES
    assert shown == {row.template for row in PAGES}
