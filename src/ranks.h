/* ranks.h -- the processes of one run.  Built with CUCKOO_MPI they are the ranks of an MPI
 * job; without it there is one, and every function here does nothing.
 *
 * All ranks run the same command and call trials_run in the same order; rank 0 reads the
 * checkpoint, keeps the tally and writes.  MPI is called from the main thread only. */
#ifndef CUCKOO_RANKS_H
#define CUCKOO_RANKS_H

#include <stddef.h>
#include <stdint.h>

void ranks_init(int *argc, char ***argv);
void ranks_finish(void);
int ranks_count(void);
int ranks_number(void); /* 0 ... count - 1 */

/* Cells of rank 0 to all. */
void ranks_share(uint64_t *cells, size_t count);
/* Into rank 0's array: sums and maxima over the ranks, cell by cell. */
void ranks_add(uint64_t *cells, size_t count);
void ranks_maximum(uint64_t *cells, size_t count);
/* `count` cells of each rank to rank 0, rank after rank. */
void ranks_gather(const uint64_t *cells, size_t count, uint64_t *all);
/* The least code of any rank, for all: a failure of one is a failure of all. */
int ranks_agree(int code);

#endif
