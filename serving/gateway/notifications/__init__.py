"""Telling people what they chose to be told: by mail and by a signed webhook, from the outbox of the store."""
