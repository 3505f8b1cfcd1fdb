# cuckoo_sim -- `make help` lists the targets.
#
#? make             build ./cuckoo_sim
#? make results     run e1 to e7, compare with results.txt
#? make plots       draw figures/ from results.txt
#? make compare     hold results.txt against what others have published
#? make report      report.html, the whole on one page
#? make check       every test below but the last three; closes with `N passed, N failed`
#?   check-unit check-oracle   each module; the fast code against slow, obvious code
#?   check-cli                 exit statuses, messages, every documented command
#?   check-statistics          what theory says against what is measured
#?   check-report              parser, verdicts, figures, and the page in headless Chromium
#?   check-golden              `./cuckoo_sim all` equals results.txt to the byte; figures
#?   check-fuzz                what the fuzzers kept (`make fuzz` looks for more)
#?   check-faults              each allocation and each write of small runs fails once
#?   check-mutants             planted faults that the tests must notice (three of them)
#?   check-reduced             fewer trials: compilers, levels, OpenMP on and off, threads
#?   lint                      warnings, format, floors, file lengths
#?   check-sanitize            address and undefined-behaviour sanitizers
#?   check-valgrind            memory errors and leaks
#? make bench       speed against a straightforward program and the machine (bench/run.py)
#? make mutants     every fault of tests/mutants/faults.py, some minutes
#? make bless       write results.txt and the goldens; nothing else does
#? make format      apply .clang-format
#? make install     to $(DESTDIR)$(PREFIX), /usr/local unless PREFIX= says otherwise
#? make clean       remove everything built
#
# Variables, on the command line or in the environment:
#   CC CFLAGS LDFLAGS   as usual; another value rebuilds what depends on it
#   OPTIMIZE=-O2        the level, where CFLAGS is not given
#   OPENMP=no           one thread, the same bytes (default: used where the compiler has it)
#   PYTHON              the interpreter for pictures and tests (tests/find_python.sh)
#   BUILD=build         where everything built goes; another folder leaves ./cuckoo_sim alone
#   PREFIX DESTDIR      for install
#   V=1                 shows the compiler's command lines
#   MORE='static tsan'  further parts of tests/check.sh for `make check`
#   INSTALL=no          `make check` prints what the tests lack and installs nothing
CC ?= cc
BUILD ?= build
OPTIMIZE ?= -O2
CFLAGS ?= $(OPTIMIZE) -g
OPENMP ?= probe
INSTALL ?= yes
V ?= 0
PREFIX ?= /usr/local
EXTRA ?=

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# No fused multiply-add and no fast-math: the same doubles on every target.  The folder it is
# built in does not reach the binary.
REPRODUCIBLE = -std=c11 -D_GNU_SOURCE -ffp-contract=off -ffile-prefix-map='$(CURDIR)=.'
GSL_CFLAGS := $(shell CC='$(CC)' setup/find_gsl.sh --cflags)
GSL_LIBS := $(shell CC='$(CC)' setup/find_gsl.sh --libs)
ifeq ($(OPENMP),probe)
OPENMP_FLAGS := $(shell printf '\043include <omp.h>\nint main(void){return omp_get_num_procs() < 1;}' \
    | $(CC) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp)
else ifneq ($(OPENMP),no)
OPENMP_FLAGS := -fopenmp
endif
# Without OpenMP its pragmas are no mistakes (-Wunknown-pragmas is part of -Wall).
ALL_CFLAGS = $(CFLAGS) $(REPRODUCIBLE) $(WARNINGS) $(if $(OPENMP_FLAGS),$(OPENMP_FLAGS),-Wno-unknown-pragmas) \
    $(GSL_CFLAGS) $(EXTRA)
LIBS = $(GSL_LIBS) -lm

# `$(call run,CC,COMMAND)`: a short line, or the command where V=1.
run = @$(if $(filter 0,$(V)),printf '  %-4s %s\n' $(1) $@ &&,echo '$(2)' &&) $(2)

LIBRARY := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/*.c))
PROGRAM := $(patsubst %.c,$(BUILD)/%.o,cuckoo_sim.c $(wildcard experiments/*.c commands/*.c))
TESTS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/*/test_*.c))

.PHONY: all help results plots compare report bless install clean format FORCE \
    check check-unit check-oracle check-golden check-cli check-statistics check-sanitize \
    check-valgrind check-reduced check-report check-mutants mutants lint test-programs tools-figures tools-tests
.DELETE_ON_ERROR:

all: $(if $(filter build,$(BUILD)),cuckoo_sim,$(BUILD)/cuckoo_sim)

## Build

# Renamed, not written over: a run of the old one may still be going on.
cuckoo_sim: $(BUILD)/cuckoo_sim
	@cp $< $@.new && mv -f $@.new $@

# Libraries after the objects that need them.
$(BUILD)/cuckoo_sim: $(PROGRAM) $(LIBRARY) $(BUILD)/flags $(BUILD)/objects
	$(call run,LINK,$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(PROGRAM) $(LIBRARY) $(LIBS))

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call run,CC,$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<)

$(TESTS): $(BUILD)/%: %.c $(LIBRARY) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call run,CC,$(CC) $(ALL_CFLAGS) -Isrc $(LDFLAGS) -MMD -MP -MF $@.d -o $@ $< $(LIBRARY) -lcmocka $(LIBS))

# Two stamps that change only with their contents: the compiler and its flags, so that
# objects of another build are never reused, and the list of sources, so that a file
# that is gone leaves the program.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@test -n '$(GSL_LIBS)' || { echo "The GNU Scientific Library was not found (asked: pkg-config," \
	    "gsl-config, $(CC))." >&2; CC='$(CC)' setup/install.sh --no-install build; exit 1; }
	@{ echo '$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LIBS)'; $(CC) --version; } 2>&1 | cmp -s - $@ || \
	    { echo '$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LIBS)'; $(CC) --version; } > $@ 2>&1
$(BUILD)/objects: FORCE
	@mkdir -p $(@D)
	@echo '$(PROGRAM) $(LIBRARY)' | cmp -s - $@ || echo '$(PROGRAM) $(LIBRARY)' > $@

-include $(PROGRAM:.o=.d) $(LIBRARY:.o=.d) $(TESTS:=.d)
-include bench/bench.mk

## Results

results: all
	./cuckoo_sim all --output $(BUILD)/results.txt
	@cmp $(BUILD)/results.txt results.txt && echo "equal to results.txt, to the byte"

plots: tools-figures
	python=$$(tests/find_python.sh matplotlib) && $$python plot_results.py && $$python draw_diagrams.py

compare: all
	python=$$(tests/find_python.sh sys) && $$python -m report.compare

report: all tools-figures
	python=$$(tests/find_python.sh jinja2) && $$python -m report.build

## Tests

check: all test-programs
	tests/check.sh lint unit oracle cli statistics report fuzz faults mutants reduced golden $(MORE)
check-unit check-oracle check-cli check-statistics check-golden check-reduced check-report \
    check-mutants: check-%: all test-programs
	tests/check.sh $*
check-sanitize check-valgrind: check-%: tools-tests
	tests/check.sh $*
mutants: tools-tests
	python=$$(tests/find_python.sh pytest) && CC='$(CC)' $$python tests/mutants/mutants.py --jobs 2
lint: all
	tests/check.sh lint
test-programs: tools-tests $(TESTS)

# What the tests and the pictures need beyond the program is brought like ./reproduce does.
# The tests draw too: one installation, since two at once would meet at apt's lock.
tools-tests:
	@setup/install.sh $(INSTALL_WORDS) figures tests
tools-figures:
	@setup/install.sh $(INSTALL_WORDS) figures
INSTALL_WORDS = $(if $(filter no,$(INSTALL)),--no-install)

$(TESTS): | tools-tests

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

bless: all | tools-figures
	tests/bless.sh

## The rest

install: all
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/doc/cuckoo_sim'
	install -m 755 $(BUILD)/cuckoo_sim '$(DESTDIR)$(PREFIX)/bin/cuckoo_sim'
	install -m 644 README.md LICENSE CITATION.cff results.txt docs/*.md \
	    '$(DESTDIR)$(PREFIX)/share/doc/cuckoo_sim'

clean:
	rm -rf $(BUILD) cuckoo_sim

help:
	@sed -n 's/^#? //p' Makefile $(wildcard mk/*.mk)

-include $(sort $(wildcard mk/*.mk))
