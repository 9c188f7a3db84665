"""Keys that end, are rotated, are for some uses alone, and say when they were last used; the record of such acts."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, bearer, running
from sqlalchemy import update
from typer.testing import CliRunner

from orchestration.cli.main import app
from orchestration.cli.store_command import note_act
from serving.settings import Settings
from serving.store.audit import acts
from serving.store.database import Store, sqlite_url
from serving.store.keys import KeyUnusable, list_keys, make_key, read_key, revoke_key, rotate_key
from serving.store.tables.base import now
from serving.store.tables.identity import ApiKey

ASK = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}


def id_of(key: str) -> str:
    shown = read_key(key)
    assert shown is not None
    return shown.key_id


async def asked(gateway: Gateway, key: str, **more: Any) -> int:
    gateway.client.cookies.clear()
    reply = await gateway.client.post("/v1/chat/completions", json=ASK | more, headers=bearer(key))
    return reply.status_code


def end(gateway: Gateway, key: str) -> None:
    over = now() - timedelta(seconds=1)
    gateway.store.write(
        lambda db: db.execute(update(ApiKey).where(ApiKey.key_id == id_of(key)).values(expires_at=over))
    )


def test_a_key_ends_with_its_time_and_so_do_its_logins_and_links(use: Any) -> None:
    async def work(gateway: Gateway) -> list[int]:
        key = gateway.key(days=1)
        found = [await asked(gateway, key)]
        told = await gateway.client.post("/v1/chat/completions", json=ASK, headers=bearer(key))
        link = told.json()["choices"][0]["message"]["annotations"][0]["url_citation"]["url"]
        link = link.replace("http://coteach.test", "")
        await gateway.client.post("/login", json={"key": key})
        found.append((await gateway.client.get("/v1/models")).status_code)
        cookies = dict(gateway.client.cookies)
        end(gateway, key)
        gateway.app.state.identities._keys = type(gateway.app.state.identities._keys)(seconds=1, clock=lambda: 0.0)
        gateway.app.state.identities._logins = type(gateway.app.state.identities._logins)(seconds=1, clock=lambda: 0.0)
        found.append(await asked(gateway, key))
        found.append((await gateway.client.get(link)).status_code)
        gateway.client.cookies.update(cookies)
        found.append((await gateway.client.get("/v1/models")).status_code)
        return found

    assert use(work, access="keys") == [200, 200, 401, 401, 401]


def test_a_key_that_ends_while_it_is_remembered_opens_nothing_from_then_on(store: Store) -> None:
    from serving.store.keys import find_key

    key = store.write(lambda db: make_key(db, role="student", days=0.2 / 86_400))
    known = store.read(lambda db: find_key(db, id_of(key)))
    shown = read_key(key)
    assert known is not None
    assert shown is not None
    assert known.opens_for(shown.secret)
    import time

    time.sleep(0.25)
    assert not known.opens_for(shown.secret)


def test_rotation_changes_the_secret_and_nothing_else(use: Any) -> None:
    async def work(gateway: Gateway) -> Any:
        old = gateway.key(courses=["ds"])
        first = await gateway.client.post("/v1/chat/completions", json=ASK | {"user": "u"}, headers=bearer(old))
        session = first.json()["coteach"]["session"]
        new = gateway.store.write(lambda db: rotate_key(db, id_of(old), grace_hours=1))
        gateway.app.state.identities._keys = type(gateway.app.state.identities._keys)(seconds=1, clock=lambda: 0.0)
        both = [await asked(gateway, one, user="u", metadata={"session": session}) for one in (old, new)]
        last = gateway.store.write(lambda db: rotate_key(db, id_of(old), grace_hours=0))
        gateway.app.state.identities._keys = type(gateway.app.state.identities._keys)(seconds=1, clock=lambda: 0.0)
        return id_of(old) == id_of(new), both, [await asked(gateway, one) for one in (old, new, last)]

    is_same, both, after = use(work, access="keys")
    assert is_same
    assert both == [200, 200]
    assert after == [401, 401, 200]


def test_a_revoked_key_is_not_rotated_and_an_unknown_scope_is_refused(store: Store) -> None:
    key = store.write(lambda db: make_key(db, role="student"))
    store.write(lambda db: revoke_key(db, id_of(key)))
    with pytest.raises(KeyUnusable, match="revoked"):
        store.write(lambda db: rotate_key(db, id_of(key), grace_hours=1))
    with pytest.raises(KeyUnusable, match="scope"):
        store.write(lambda db: make_key(db, role="student", scopes=["everything"]))


ROUTES = {
    "ask": ("POST", "/v1/chat/completions", ASK),
    "material": ("POST", "/v1/search", {"query": "stack"}),
    "desk": ("GET", "/review/questions", None),
    "metrics": ("GET", "/metrics", None),
}


@pytest.mark.parametrize("scope", ROUTES)
def test_a_key_for_one_use_is_good_for_no_other(home: Path, scope: str) -> None:
    async def run() -> tuple[dict[str, int], int, int]:
        settings = Settings(home=home, access="keys", requests_per_minute=0)
        async with running(settings, client=("192.0.2.7", 1)) as gateway:
            key = gateway.key("admin", name="Ada", scopes=[scope])
            found = {}
            for name, (method, path, body) in ROUTES.items():
                reply = await gateway.client.request(method, path, json=body, headers=bearer(key))
                found[name] = reply.status_code
            login = (await gateway.client.post("/login", json={"key": key})).status_code
            page = await gateway.client.get("/queue", headers=bearer(key) | {"Accept": "text/html"})
            return found, login, page.status_code

    found, login, page = asyncio.run(run())
    assert found == {name: 200 if name == scope else 403 for name in ROUTES}
    assert login == 403
    assert page != 200


def test_the_last_use_of_a_key_is_kept(use: Any) -> None:
    async def work(gateway: Gateway) -> list[Any]:
        used, unused = gateway.key(label="used"), gateway.key(label="unused")
        await asked(gateway, used)
        assert unused
        await gateway.app.state.identities._store_last_use()
        return [(one.label, one.last_used_at) for one in gateway.store.read(list_keys)]

    found = dict(use(work))
    assert found["unused"] is None
    assert now() - found["used"] < timedelta(minutes=1)


def test_what_is_used_last_is_kept_when_the_gateway_ends(home: Path) -> None:
    async def run() -> None:
        async with running(Settings(home=home)) as gateway:
            assert await asked(gateway, gateway.key()) == 200

    asyncio.run(run())
    store = Store.open(sqlite_url(home / "store.db"))
    (key,) = store.read(list_keys)
    store.close()
    assert key.last_used_at is not None


def test_every_administrative_act_is_recorded_with_who_did_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("COTEACH_HOME", str(home))
    monkeypatch.setenv("LOGNAME", "ines")

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, [*arguments, "--home", str(home)], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    made = json.loads(run("keys", "create", "--days", "30", "--scope", "ask", "--json"))
    rotated = json.loads(run("keys", "rotate", made["key_id"], "--json"))
    (listed,) = json.loads(run("keys", "list", "--json"))
    run("experiment", "create", "e", "--variant", "a=1", "--variant", "b=1", "--set", "b.top_k=4")
    run("experiment", "stop", "e")
    run("keys", "revoke", made["key_id"])
    run("store", "purge", "--days", "400", "--yes")
    run("store", "migrate")
    run("store", "backup", str(tmp_path / "copy.db"))
    note_act("course.forget", "ds")
    note_act("model.use", "6dffad32", by="ines", why="better")
    store = Store.open(sqlite_url(home / "store.db"))
    person = store.write(lambda db: _student(db))
    store.close()
    run("student", "export", "--person", person)
    run("student", "delete", "--person", person, "--yes")
    found = json.loads(run("audit", "--json"))
    assert [one["act"] for one in reversed(found)] == [
        "key.create",
        "key.rotate",
        "experiment.create",
        "experiment.stop",
        "key.revoke",
        "store.purge",
        "store.backup",
        "course.forget",
        "model.use",
        "student.export",
        "student.delete",
    ]
    assert {one["by"] for one in found if one["act"] != "model.use"} == {"login ines"}
    assert found[-1]["details"] == {"role": "student", "scopes": ["ask"], "days": 30.0}
    assert rotated["key"] not in str(found)
    assert listed["scopes"] == ["ask"]
    assert listed["expires_at"] is not None
    assert "key.revoke" in run("audit")


def test_an_act_on_a_home_that_nobody_asked_makes_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path))
    note_act("course.forget", "ds")
    assert not (tmp_path / "store.db").exists()


def _student(db: Any) -> str:
    from serving.store.people import add_person

    return add_person(db, role="student").person_id


def test_what_an_admin_does_at_the_gateway_is_recorded_under_their_key(use: Any) -> None:
    async def work(gateway: Gateway) -> tuple[str, list[Any]]:
        admin = gateway.key("admin")
        body = {"name": "e", "variants": [{"name": "a", "weight": 1}, {"name": "b", "weight": 1}]}
        made = await gateway.client.post("/v1/experiments", json=body, headers=bearer(admin))
        assert made.status_code == 201, made.text
        await gateway.client.post("/v1/experiments/e/stop", headers=bearer(admin))
        return id_of(admin), gateway.store.read(acts)

    key_id, found = use(work)
    assert [(one.act, one.by) for one in found] == [
        ("experiment.stop", f"key {key_id}"),
        ("experiment.create", f"key {key_id}"),
    ]
