-- Beside `coteach`, the gateways' store, which the image makes itself: Dagster's record, and MLflow's runs.
CREATE DATABASE dagster;
CREATE DATABASE mlflow;
