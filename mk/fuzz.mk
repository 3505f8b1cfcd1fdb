# mk/fuzz.mk -- fuzzers of what a stranger can hand to the program: the command line, files of
# keys, checkpoints and shards.  docs/VERIFICATION.md says what was found.
#
#? make fuzz        each fuzzer for SECONDS=60 seconds (clang); the corpus is not changed
#? make fuzz-merge  put what build/fuzz/found holds into tests/fuzz/corpus, minimised
#
SECONDS ?= 60
FUZZERS = words records keys
FUZZ_WRAP = trials_run exact_stash bound_failure race_count stop_install whole_file_write fclose
FUZZ_LINK = $(FUZZ_WRAP:%=-Wl,--wrap=%)
FUZZ_FLAGS = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_OBJECTS = $(filter-out $(BUILD)/cuckoo_sim.o,$(PROGRAM)) $(LIBRARY)
FUZZ_OPTIONS = -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=600 -max_len=4096 -print_final_stats=1

.PHONY: fuzz fuzz-merge fuzz-programs replay-programs check-fuzz
check: replay-programs
check-fuzz: replay-programs tools-tests
	tests/check.sh fuzz
fuzz: fuzz-programs
	@for name in $(FUZZERS); do mkdir -p build/fuzz/found/$$name build/fuzz/crash || exit 1; \
	    build/fuzz/fuzz_$$name -max_total_time=$(SECONDS) $(FUZZ_OPTIONS) \
	        -artifact_prefix=build/fuzz/crash/$$name- build/fuzz/found/$$name \
	        tests/fuzz/corpus/$$name || exit 1; done
	python=$$(tests/find_python.sh matplotlib) && $$python tests/fuzz/fuzz_readers.py --seconds $(SECONDS)
fuzz-merge: fuzz-programs
	@for name in $(FUZZERS); do mkdir -p tests/fuzz/corpus/$$name && \
	    build/fuzz/fuzz_$$name -set_cover_merge=1 $(FUZZ_OPTIONS) tests/fuzz/corpus/$$name \
	        build/fuzz/found/$$name || exit 1; done
fuzz-programs:
	@$(MAKE) --no-print-directory BUILD=build/fuzz CC=clang OPENMP=no \
	    CFLAGS='$(FUZZ_FLAGS) -fsanitize=fuzzer-no-link' LDFLAGS=-fsanitize=fuzzer \
	    FUZZ_MAIN= $(FUZZERS:%=build/fuzz/fuzz_%)

# The same with a main() that reads the corpus once, by any compiler: for `make check`.
replay-programs: $(FUZZERS:%=$(BUILD)/fuzz_%)
FUZZ_MAIN = tests/fuzz/replay.c
$(FUZZERS:%=$(BUILD)/fuzz_%): $(BUILD)/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/program.c \
    tests/fuzz/program.h cuckoo_sim.c $(FUZZ_OBJECTS) $(BUILD)/flags
	$(call run,LINK,$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(FUZZ_LINK) -o $@ $< tests/fuzz/program.c \
	    $(FUZZ_MAIN) $(FUZZ_OBJECTS) $(LIBS))
