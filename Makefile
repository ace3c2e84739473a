# The front door. Each target is what one would type by hand.
.PHONY: help html check web emulate serve programs start try progress record pack gpu-check bench format screenshots toolkit lock clean

help: ## Lists the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

html: ## Builds the site and prints where to open it; sets up what it needs
	@ci/setup.sh html
	@ci/html.sh

check: ## Runs every check that needs no GPU; sets up what it needs
	@ci/setup.sh check
	@.venv/bin/python ci check

web: ## Compiles the programs for the browser; the next `make html` lets readers run them
	@ci/setup.sh check
	@.venv/bin/python ci emulate web

emulate: ## Runs PROGRAM=name, or a .cu file of yours, without a GPU; ARGUMENTS="..." go to it
	@python3 ci emulate run $(PROGRAM) $(ARGUMENTS)

serve: ## Builds the site, serves it, and rebuilds and reloads on each change
	@ci/setup.sh html
	@ci/serve.sh

programs: ## Compiles every program for the GPU in this machine
	cmake --preset default -G Ninja
	cmake --build --preset default

start: ## Makes your copy of an exercise: EXERCISE=name
	@python3 ci exercise start "$(EXERCISE)"

try: ## Builds, runs and judges your copy of an exercise: EXERCISE=name
	@python3 ci exercise try "$(EXERCISE)"

progress: ## Shows which exercises you have begun and solved
	@python3 ci exercise progress

record: programs ## Runs every program, or PROGRAM=name, and rewrites its transcript; needs the GPU
	python3 ci record $(PROGRAM)

pack: ## Packs what recording changed into build/recorded.tar.gz
	python3 ci pack build/recorded.tar.gz

gpu-check: ## Re-runs and compares every transcript, and runs the sanitizers; needs the GPU
	python3 ci gpu-check

bench: ## Measures build times with 250 programs and 100 pages
	@ci/setup.sh check
	@.venv/bin/python ci bench

format: ## Formats C++ and Python as the checks want them
	@ci/setup.sh html
	@ci/format.sh

screenshots: html ## Takes pictures of two pages, both widths and themes, into build/screenshots
	@ci/setup.sh check
	@.venv/bin/python ci screenshots

toolkit: ## Installs nvcc and its libraries from PyPI into .cuda, for a machine without the CUDA toolkit
	@ci/toolkit.sh

lock: ## Locks the newest Python packages that ci/requirements.in allows
	@ci/lock.sh

clean: ## Removes what the other targets built; keeps .venv and .cuda
	rm -rf build
