"""A student takes their data and deletes it by their own wish: with a key, by a login's cookie, by a session alone."""

import json
from typing import Any

import pytest
from gateways import Gateway, bearer
from sqlalchemy import select

from serving.store.tables.base import Base
from serving.store.tables.conversation import TurnRow
from serving.store.tables.identity import AuditRow

QUESTION = "What is a stack, said zebra?"
BODY = {"model": "coteach:ds", "messages": [{"role": "user", "content": QUESTION}]}


def everything(gateway: Gateway) -> str:
    def work(db: Any) -> str:
        return json.dumps(
            [[str(value) for value in row] for one in Base.metadata.sorted_tables for row in db.execute(select(one))]
        )

    return gateway.store.read(work)


@pytest.mark.parametrize("access", ["keys", "open"])
def test_what_was_asked_is_given_out_and_then_is_nowhere(use: Any, access: str) -> None:
    """In an open gateway whoever knows the id of a session is the one who asked."""

    async def work(gateway: Gateway) -> None:
        client, key, other = gateway.client, gateway.key(), gateway.key()
        headers = bearer(key) if access == "keys" else {}
        told = (await client.post("/v1/chat/completions", json=BODY, headers=headers)).json()["coteach"]
        if access == "open":
            headers = {"X-Coteach-Session": told["session"]}
        down = {"trace_id": told["trace_id"], "thumb": "down", "session_id": told["session"]}
        assert (await client.post("/v1/feedback", json=down, headers=headers)).status_code == 200
        found = await client.get("/v1/me/data", headers=headers)
        assert found.headers["content-disposition"] == 'attachment; filename="my-data.json"'
        assert [one["question"] for one in found.json()["turns"]] == [QUESTION]
        assert len(found.json()["feedback"]) == 1
        assert QUESTION not in (await client.get("/v1/me/data", headers=bearer(other))).text
        unsure = await client.delete("/v1/me/data", headers=headers)
        assert unsure.status_code == 400
        assert "confirm=everything" in unsure.json()["error"]["message"]
        assert "zebra" in everything(gateway)
        done = await client.delete("/v1/me/data?confirm=everything", headers=headers)
        assert done.json()["deleted"]["turns"] == 1
        assert "zebra" not in everything(gateway)
        again = await client.get("/v1/sessions", headers=headers)
        assert again.json() == {"sessions": []}
        acts = gateway.store.read(lambda db: [(row.act, row.by) for row in db.scalars(select(AuditRow))])
        assert set(acts) == {("student.export", "themselves"), ("student.delete", "themselves")}

    use(work, access=access)


def test_a_stranger_has_nothing_and_deletes_nothing_of_others(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        await gateway.client.post("/v1/chat/completions", json=BODY)
        assert all(not rows for rows in (await gateway.client.get("/v1/me/data")).json().values())
        done = await gateway.client.delete("/v1/me/data?confirm=everything")
        assert done.json() == {"deleted": {}, "stays": {"approved_answers": 0}}
        assert gateway.store.read(lambda db: len(db.scalars(select(TurnRow)).all())) == 1

    use(work)


def test_another_sites_page_cannot_delete_by_the_cookie_of_a_login(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        await gateway.client.post("/login", json={"key": key})
        await gateway.client.post("/v1/chat/completions", json=BODY)
        from_elsewhere = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        refused = await gateway.client.post("/me/delete", data={"confirm": "everything"}, headers=from_elsewhere)
        assert refused.status_code == 403
        missed = await gateway.client.post("/me/delete", data={})
        assert (missed.status_code, "Nothing was deleted" in missed.text) == (400, True)
        done = await gateway.client.post("/me/delete", data={"confirm": "everything"})
        assert (done.status_code, done.headers["location"][:9]) == (303, "/me?done=")
        assert "zebra" not in everything(gateway)
        assert (await gateway.client.get("/v1/sessions")).status_code == 200, "the key still opens"

    use(work, access="keys")
