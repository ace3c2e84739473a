# The front door. Each target is what one would type by hand.
.PHONY: help html check program emulate offline epub pdf takeaway pages serve programs start try progress record pack \
  gpu-check format screenshots toolkit lock bare-machine clean

# Files are UTF-8, and tools speak English, whatever the locale.
export LC_ALL := C.UTF-8
export PYTHONUTF8 := 1
unexport LANGUAGE

help: ## Lists the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

html: ## Builds the site and prints where to open it; MODULES=no leaves out what runs programs in the browser
	@ci/setup.sh html
	@.venv/bin/python ci site make $(if $(MODULES),--modules "$(MODULES)")

check: ## Runs every check that needs no GPU; ALL=1 takes no samples, and believes nothing that passed before
	@ci/setup.sh check
	@.venv/bin/python ci check $(if $(ALL),--all)

program: ## Builds and runs PROGRAM=name, in the emulator where there is no GPU; ARGUMENTS="..." go to it
	@ci/setup.sh run
	@python3 ci program run "$(PROGRAM)" $(ARGUMENTS)

emulate: ## Runs PROGRAM=name, or a .cu file of yours, in the emulator; ARGUMENTS="..." go to it
	@ci/setup.sh emulate
	@python3 ci emulate run "$(PROGRAM)" $(ARGUMENTS)

# What readers take away is made of a site that offers none of it.
offline epub pdf takeaway: export LOCKSTEP_TAKEAWAY := no

offline: html ## Puts the site into one zip that works from a folder, without a server or a network
	@.venv/bin/python ci takeaway offline

epub: html ## Makes one book of the site for e-readers
	@.venv/bin/python ci takeaway epub

pdf: html ## Prints each part of the site, or PART=name, into a PDF
	@ci/setup.sh pdf
	@.venv/bin/python ci takeaway pdf $(if $(PART),--part $(PART))

takeaway: html ## Makes all three, and has the site in build/html offer them, as each make html does from then on
	@ci/setup.sh pdf
	@.venv/bin/python ci takeaway make $(if $(MODULES),--modules "$(MODULES)")

pages: ## Builds the site for publication at ADDRESS=https://example.org/lockstep/ into build/pages
	@ci/setup.sh pdf && ci/setup.sh modules
	@.venv/bin/python ci site publish "$(ADDRESS)"

serve: ## Builds the site, serves it, and rebuilds and reloads on each change
	@ci/setup.sh html
	@.venv/bin/python ci site serve

programs: ## Compiles every program for the GPU in this machine
	@ci/setup.sh programs
	python3 ci program build

start: ## Makes your copy of an exercise: EXERCISE=name
	@python3 ci exercise start "$(EXERCISE)"

try: ## Builds, runs and judges your copy of an exercise: EXERCISE=name
	@ci/setup.sh run
	@python3 ci exercise try "$(EXERCISE)" || [ $$? = 1 ]  # "not yet" is a verdict, and no error

progress: ## Shows which exercises you have begun and solved; JSON=FILE also writes them for the site to import
	@python3 ci exercise progress $(if $(JSON),--json $(JSON))

record: ## Builds and runs every program, or PROGRAM=name, and rewrites its transcript; needs the GPU
	@ci/setup.sh programs && python3 ci program build --only-configure
	python3 ci record run $(PROGRAM)

pack: ## Packs what recording changed into build/recorded.tar.gz
	python3 ci record pack build/recorded.tar.gz

gpu-check: ## Runs and compares everything again, with sanitizers; ARGUMENTS="--shard 1/5" a part; needs the GPU
	@ci/setup.sh programs
	python3 ci gpu-check run $(ARGUMENTS)

format: ## Formats C++ and Python as the checks want them
	@ci/setup.sh html
	@find programs ci -regex '.*\.\(cu\|cuh\|h\|hpp\|cpp\)' -print0 | xargs -0 .venv/bin/clang-format -i
	@.venv/bin/ruff check --quiet --fix --exit-zero . && .venv/bin/ruff format .

screenshots: html ## Takes pictures of pages, search, map, calculators and print into build/screenshots, for you to look at
	@ci/setup.sh check
	@.venv/bin/python ci site screenshots

toolkit: ## Brings the CUDA toolkit and NCCL from PyPI into .cuda, unless they are installed; other targets do so themselves
	@python3 ci setup toolkit

lock: ## Locks the newest packages of Python and of CUDA that the lists ci/requirements*.in allow; KEEP=1 upgrades none
	@python3 ci setup lock $(if $(KEEP),--keep)

bare-machine: ## Makes a fresh Debian 12, and runs make html and make check there; needs root. COMMAND=... runs another one
	@ci/bare_machine.sh $(COMMAND)

clean: ## Removes what the other targets built; keeps .venv and .cuda
	rm -rf build
