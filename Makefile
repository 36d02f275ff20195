# make run: the app, with all its set-up.   make test: every test that needs no browser.   make check: what CI runs.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: run test check

run: .venv/installed
	$(BIN)/streamlit run app.py

test: .venv/installed
	$(BIN)/python -m pytest

check:
	.ci/run

.venv/installed: requirements.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@
