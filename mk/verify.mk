# mk/verify.mk -- longer checks than `make check`: other machines, static analysis, coverage.
#
#? make check-everywhere  one set of bytes: compilers, levels, -m32, OpenMP, threads, shards,
#?                  MPI ranks, and the machines that setup/foreign.sh has brought; a table
#? make check-static  gcc -fanalyzer, clang-tidy, cppcheck, strict warnings: all as errors
#? make check-tsan  data races: ThreadSanitizer with OpenMP
#? make verify      SEED=1, or SEED=1:20: measured against known, e2 to e13, for other seeds
#? make coverage    lines that the tests run, a table by file
SEED ?= 1

.PHONY: verify check-everywhere check-static check-tsan coverage
check-everywhere: all
	tests/everywhere.sh $(GROUPS_OF_BUILDS)
check-static: all
	tests/check.sh static
check-tsan: tools-tests
	tests/check.sh tsan
coverage: tools-tests
	tests/coverage.sh
verify: all
	python=$$(tests/find_python.sh sys) && $$python tests/statistics/verify.py --seeds $(SEED)
