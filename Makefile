# make demo   a ready server with the sample company; prints address, user and password
# make test   the linters, then the whole suite
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
INSTALLED := $(VENV)/.installed
# The linters import the settings and look at migrations: away from the demo's data and `.env`.
TEST_ENV := CAIRN_ENV_FILE=off CAIRN_DATA_DIR=.test-data CAIRN_EMBEDDER=hashing
# Two processes on two cores; one for a single file is quicker: make pytest PYTEST_ARGS="tests/x.py"
PYTEST_ARGS ?= -n 2

.PHONY: demo test lint format pytest lock clean clean-data venv
.DELETE_ON_ERROR:

demo: $(INSTALLED)
	@$(PY) manage.py demo

test: lint pytest

pytest: $(INSTALLED)
	$(PY) -m pytest $(PYTEST_ARGS)

lint: $(INSTALLED)
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(TEST_ENV) $(VENV)/bin/mypy .
	$(VENV)/bin/lint-imports
	$(TEST_ENV) $(PY) manage.py makemigrations --check --dry-run

format: $(INSTALLED)
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

venv: $(INSTALLED)

# Made anew only when the lock changes, so that a second run is fast and needs no network.
$(INSTALLED): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Cairn needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo "Python's venv module is missing; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing into $(VENV), once; this takes a minute or several."
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

# Exact versions with hashes and no index address: the index is the business of whoever installs.
lock:
	tool=$$(mktemp -d) && trap 'rm -rf "$$tool"' EXIT && \
	$(PYTHON) -m venv "$$tool" && "$$tool/bin/pip" install --quiet uv && \
	compile="$$tool/bin/uv pip compile pyproject.toml --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --quiet" && \
	$$compile --extra dev -o requirements.lock && \
	$$compile -c requirements.lock -o requirements-runtime.lock

clean:
	-@test ! -x $(PY) || $(PY) manage.py stop_database
	-@test ! -x $(PY) || $(TEST_ENV) $(PY) manage.py stop_database
	rm -rf $(VENV) .test-data .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

clean-data:
	@test "$(SURE)" = yes || \
	  { echo "This deletes var/: every document, answer and user. If that is meant: make clean-data SURE=yes" >&2; exit 1; }
	-@test ! -x $(PY) || CAIRN_ENV_FILE=off $(PY) manage.py stop_database
	rm -rf var
