# make train   trains a small player, evaluates it, says where to look
# make setup   .venv with everything in it          make fuzz    long fuzzing, bounds checked, compiled against uncompiled
# make test    format, lint, types, tests           make bench   steps a second
# make format  mend format and imports              make docs    tables in docs/ made anew from code
# make browser chromium, in which web pages are tested (needs root; `make test` does it)
# make peers   loop_env beside other environments (installs them into .venv-peers)
# make notebooks     the notebooks run again, with fresh outputs (a few minutes)
# make leaderboard   docs/leaderboard.md anew: every player in every mode, level and number of players (a quarter of an hour)
# make balance       the tables of balance and of the planner's budget in docs/ anew (an hour)

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
GAMES ?= 100000
INSTALL := apt-get install -y --no-install-recommends chromium fonts-liberation

.PHONY: help setup browser train test format fuzz bench peers docs notebooks leaderboard balance clean
help:
	@head -9 Makefile | cut -c3-

setup: $(VENV)/.done
$(VENV)/.done: pyproject.toml constraints.txt
	@echo "setting up $(VENV) (once) ..."
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	@$(RUN) -m pip install -q --no-compile --disable-pip-version-check torch==2.13.0
	@$(RUN) -m pip install -q --no-compile --disable-pip-version-check -c constraints.txt -e '.[train,multiagent,watch,dev]'
	@$(RUN) -m compileall -q -j 0 $(VENV)/lib >/dev/null 2>&1 || true  # pip would do it on one core
	@touch $@

browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
		echo "installing chromium, to test web pages in (once) ..."; \
		{ $(INSTALL) || { apt-get update && $(INSTALL); }; } >/dev/null 2>&1 \
		|| echo "chromium cannot be installed here, so the tests of web pages will fail; as root: $(INSTALL)"; }

train: setup
	$(RUN) train.py configs/the_loop/quickstart.yaml
	$(RUN) evaluate.py $$(ls -td runs/quickstart-* | head -1) scripted random --games 200 --workers 2

test: setup browser
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m pytest -m "not slow" -n 2 --dist loadfile

format: setup
	$(RUN) -m ruff format .
	$(RUN) -m ruff check --fix .

fuzz: setup
	$(RUN) -m loop_env fuzz the_loop --games $(GAMES)
	NUMBA_BOUNDSCHECK=1 $(RUN) -m loop_env fuzz the_loop --games $(GAMES)
	$(RUN) -m pytest -m slow

bench: setup
	$(RUN) -m loop_env bench the_loop
	$(RUN) benchmarks/scaling.py

peers: setup .venv-peers/.done
	$(RUN) benchmarks/peers.py
.venv-peers/.done: benchmarks/peers-requirements.txt
	@test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	@.venv-peers/bin/pip install -q --disable-pip-version-check -r benchmarks/peers-requirements.txt
	@touch $@

PLAYERS ?= planner pretrained:the_loop pretrained:the_loop_all_modes scripted random
EACH ?= 100
leaderboard: setup
	$(RUN) evaluate.py $(PLAYERS) --modes all --levels all --players all --games $(EACH) --workers 2 \
		--markdown docs/leaderboard.md --plot docs/leaderboard.png --json docs/leaderboard.json

balance: setup
	$(RUN) benchmarks/balance.py
	$(RUN) benchmarks/budget.py

notebooks: setup
	$(RUN) notebooks/run.py

docs: setup
	$(RUN) docs/make_tables.py

clean:
	rm -rf $(VENV) .venv-peers build dist *.egg-info
