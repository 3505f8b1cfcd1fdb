# mk/verify.mk -- measured against known, for another seed than that of `make check`.
#
#? make verify      SEED=1, or SEED=1:20: tests/statistics/verify.py, e2 to e13
SEED ?= 1

.PHONY: verify
verify: all
	python=$$(tests/find_python.sh sys) && $$python tests/statistics/verify.py --seeds $(SEED)
