# mk/mpi.mk -- the same program for many machines, under mpirun.
#
#? make mpi         build ./cuckoo_sim_mpi, for mpirun (Debian: libopenmpi-dev or mpich)
#
#   MPICC=mpicc      the MPI compiler
MPICC ?= mpicc

.PHONY: mpi
mpi:
	@command -v $(MPICC) >/dev/null || { echo "make mpi: $(MPICC) was not found; on Debian:" \
	    "apt-get install libopenmpi-dev (or libmpich-dev)" >&2; exit 1; }
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/mpi CC=$(MPICC) EXTRA='$(EXTRA) -DCUCKOO_MPI' \
	    $(BUILD)/mpi/cuckoo_sim
	@cp $(BUILD)/mpi/cuckoo_sim cuckoo_sim_mpi

clean: clean-mpi
.PHONY: clean-mpi
clean-mpi:
	@rm -f cuckoo_sim_mpi
