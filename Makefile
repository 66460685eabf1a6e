# Unison. `make help` lists what there is.
SHELL := /bin/bash
PY := .venv/bin/python

# Options of a simulation; an empty one takes the runner's default.
SIM ?= verilator
TEST ?=
ENVELOPE ?=
SLOTS ?=
LANES ?=
SCORER ?=
ARCH ?=
SEED ?=
WAVES ?=
TRACE ?=
LIMIT ?=
EVENTS ?=
# Options of the silicon flow.
LIB ?=
VARIANT ?=
PATHS ?=
RUN = $(PY) -m tb.run --sim "$(SIM)" --envelope "$(ENVELOPE)" --slots "$(SLOTS)" \
      --lanes "$(LANES)" --scorer "$(SCORER)" --arch "$(ARCH)" --seed "$(SEED)" --waves "$(WAVES)" \
      --trace "$(TRACE)" --limit "$(LIMIT)"

SYNTH = LIB="$(LIB)" $(PY) -m synth $(if $(VARIANT),--variant "$(VARIANT)") \
        $(if $(SLOTS),--slots "$(SLOTS)") --lib "$(LIB)"

.DEFAULT_GOAL := $(if $(TEST),sim,help)
.PHONY: help setup sim replay test regress coverage planted mutate formal soak testplan verification lint regs regs-html setup-synth synth area sta power gatesim fpga dse lanes variants report datasheet tables bench page clean

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' Makefile
	@echo "  make TEST=NAME [SIM=verilator|icarus ENVELOPE= SLOTS= LANES= SCORER= ARCH= SEED= WAVES=1 TRACE= LIMIT=]"

setup: ## install what is missing: system packages (as root), virtual environment
	@tools/setup.sh $(filter icarus,$(SIM))

sim: setup ## run the test TEST in the simulator SIM
	@$(RUN) --test "$(TEST)"

replay: setup ## main job: GAIA/Gemma4 through the RTL, every decision compared
	@$(RUN) --test replay_gaia

test: setup ## tests of models, RTL blocks and environment; minutes
	@$(PY) -m pytest -m "not long" -n 2 --durations=5 --junitxml=build/results/tests.xml

regress: setup ## all families, both simulators and scores, recordings, long block tests, proofs
	@$(PY) -m tb.regress

coverage: setup ## functional and code coverage against their targets: docs/coverage.md
	@$(PY) -m tb.coverage

soak: setup ## random events without end: EVENTS=1000000 by default, both ports, driven in HDL
	@$(PY) -m tb.soak --events "$(or $(EVENTS),1000000)" --seed "$(or $(SEED),1)" \
	  --slots "$(SLOTS)" --lanes "$(LANES)" --scorer "$(SCORER)" --arch "$(ARCH)"

planted: setup ## wrong lines put into the RTL: each must be caught
	@$(PY) -m tb.planted

mutate: setup ## mutants of the RTL and of the golden model; SAMPLE=1: a part of them
	@$(PY) -m tb.mutation $(if $(SAMPLE),--sample)

formal: setup ## proofs of the RTL, and wrong lines that they refuse (docs/formal.md)
	@$(PY) -m formal.run
	@$(PY) -m formal.run --planted
	@$(PY) -m formal.run --page

testplan: setup ## docs/testplan.md: tests, properties and cover points by clause of the contract
	@$(PY) -m tb.plan

verification: setup ## docs/verification.md, with what the last runs left in build/
	@$(PY) -m tb.verification --collect

lint: setup ## Verilator, Verible, ruff, generated files
	@$(PY) -m tb.lint

regs: setup ## all that is generated from the register map, rtl/unison.rdl
	@$(PY) -m tools.regs

regs-html: setup ## the register map as pages to browse: build/regs
	@$(PY) -m tools.regs --html build/regs

datasheet: setup ## docs/datasheet.md and its figures, from RTL, registers and a simulation
	@$(PY) -m tools.datasheet --record

setup-synth: setup
	@LIB="$(LIB)" tools/setup_synth.sh

synth: setup-synth ## map the core, area by block, slack, power: VARIANT=, SLOTS=, LIB=
	@$(SYNTH) synth --speed

area: synth

sta: setup-synth ## critical paths at 150 MHz: PATHS=3
	@$(SYNTH) sta --paths "$(or $(PATHS),1)"

power: setup-synth ## power with the activity of a gate-level replay, energy per decision: LIMIT=600
	@$(SYNTH) power --limit "$(or $(LIMIT),600)"

gatesim: setup-synth ## the mapped netlist replays GAIA: LIMIT=600 by default, 0 for all
	@$(SYNTH) gatesim --sim "$(SIM)" --limit "$(or $(LIMIT),600)" --envelope "$(or $(ENVELOPE),gpu)"

fpga: setup-synth ## xc7 counts, routed clock on ECP5-85k
	@$(SYNTH) fpga --route

dse: setup-synth ## all variants, sizes and widths, latencies, docs/results/silicon.md; within an hour
	@$(SYNTH) dse

lanes: setup ## decision latency by number of lanes
	@$(PY) -m tb.lanes

variants: setup ## decision latency by variant of the ranking (docs/design.md, Variants)
	@$(PY) -m tb.variants

report: setup ## put the regression's results into README and docs
	@$(PY) -m tb.report

tables: setup ## all experiments: tables and figures under docs/results
	@$(PY) -m unison exp all
	@$(PY) -m unison.experiments.readme

bench: setup ## speed of the simulator, as ratios in one run (docs/results/bench.md)
	@$(PY) -m unison bench --out docs/results

page: setup ## one HTML page of all results: build/report.html
	@$(PY) -m unison report

clean: ## remove build/ (keeps the virtual environment)
	rm -rf build
