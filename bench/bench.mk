# bench.mk -- `make bench`: cuckoo_sim against a straightforward program and the machine.
# `make bench ROUNDS=9 ROWS='e4 e5'` chooses; exact-speed times the exact laws.
ROUNDS ?= 3
ROWS ?=
BENCH := $(patsubst %,$(BUILD)/bench/%,straightforward limits launch kernels exact_speed)

.PHONY: bench exact-speed bench-programs

bench-programs: $(BENCH)

# Plain -O2, whatever the library is built with.
$(BUILD)/bench/straightforward $(BUILD)/bench/limits $(BUILD)/bench/launch: $(BUILD)/bench/%: bench/%.c \
    bench/straightforward_graphs.h src/rng.h src/hash.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call run,CC,$(CC) $(REPRODUCIBLE) $(WARNINGS) -O2 -g -o $@ $<)

$(BUILD)/bench/kernels $(BUILD)/bench/exact_speed: $(BUILD)/bench/%: bench/%.c $(LIBRARY) \
    $(BUILD)/flags
	@mkdir -p $(@D)
	$(call run,CC,$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIBRARY) $(LIBS))

bench: all bench-programs
	python=$$(tests/find_python.sh) && $$python bench/run.py --build $(BUILD) --rounds $(ROUNDS) $(ROWS)

exact-speed: $(BUILD)/bench/exact_speed
	$(BUILD)/bench/exact_speed
