-- Beside `coteach`, the gateways' store, which the image makes itself.
CREATE DATABASE dagster;
