# `make help` lists what there is.  Variables: CC, CFLAGS, PREFIX, PYTHON, OPENMP=no,
# BUILD (where objects go), JOBS.
CC ?= cc
BUILD ?= build
OPTIMIZE ?= -O2
CFLAGS ?= $(OPTIMIZE) -g
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# No fused multiply-add and no fast-math: the same doubles on every target.
REPRODUCIBLE = -std=c11 -D_GNU_SOURCE -ffp-contract=off
GSL_CFLAGS := $(shell pkg-config --cflags gsl 2>/dev/null || gsl-config --cflags 2>/dev/null)
GSL_LIBS := $(shell pkg-config --libs gsl 2>/dev/null || gsl-config --libs 2>/dev/null || echo -lgsl -lgslcblas -lm)
ifeq ($(OPENMP),)
OPENMP_FLAGS := $(shell printf '\#include <omp.h>\nint main(void){return 0;}' | $(CC) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp)
else ifneq ($(OPENMP),no)
OPENMP_FLAGS := -fopenmp
endif
EXTRA ?=
ALL_CFLAGS = $(REPRODUCIBLE) $(WARNINGS) $(CFLAGS) $(OPENMP_FLAGS) $(GSL_CFLAGS) $(EXTRA)
LIBS = $(GSL_LIBS) -lm
PYTHON ?= $(shell tests/find_python.sh)

LIBRARY := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/*.c))
PROGRAM := $(patsubst %.c,$(BUILD)/%.o,$(wildcard experiments/*.c commands/*.c))
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))

.PHONY: all clean
all: cuckoo_sim

cuckoo_sim: $(BUILD)/cuckoo_sim.o $(PROGRAM) $(LIBRARY)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/%: tests/unit/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Isrc $(LDFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LIBS)

-include $(wildcard $(BUILD)/*.d $(BUILD)/*/*.d)

clean:
	rm -rf $(BUILD) cuckoo_sim
