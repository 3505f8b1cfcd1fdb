/* ranks.c -- see ranks.h. */
#include "ranks.h"

#ifdef CUCKOO_MPI

#include <mpi.h>
#include <stdlib.h>

/* MPI counts in int: long arrays go in pieces. */
#define PIECE ((size_t)1 << 24)

static size_t piece(size_t count, size_t begin)
{
    return count - begin < PIECE ? count - begin : PIECE;
}

void ranks_init(int *argc, char ***argv)
{
    int provided;

    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
}

void ranks_finish(void)
{
    MPI_Finalize();
}

int ranks_count(void)
{
    int count;

    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

int ranks_number(void)
{
    int number;

    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    return number;
}

void ranks_share(uint64_t *cells, size_t count)
{
    for (size_t i = 0; i < count; i += PIECE)
        MPI_Bcast(cells + i, (int)piece(count, i), MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

static void reduce(uint64_t *cells, size_t count, MPI_Op op)
{
    int root = ranks_number() == 0;

    for (size_t i = 0; i < count; i += PIECE)
        MPI_Reduce(root ? MPI_IN_PLACE : cells + i, root ? cells + i : NULL, (int)piece(count, i),
                   MPI_UINT64_T, op, 0, MPI_COMM_WORLD);
}

/* As tally_add: a sum that does not fit stays at 2^64-1, in any order. */
static void add_cells(void *from, void *into, int *count, MPI_Datatype *type)
{
    const uint64_t *a = from;
    uint64_t *b = into;

    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = a[i] + b[i] >= a[i] ? a[i] + b[i] : UINT64_MAX;
}

void ranks_add(uint64_t *cells, size_t count)
{
    MPI_Op add;

    MPI_Op_create(add_cells, 1, &add);
    reduce(cells, count, add);
    MPI_Op_free(&add);
}

void ranks_maximum(uint64_t *cells, size_t count)
{
    reduce(cells, count, MPI_MAX);
}

void ranks_gather(const uint64_t *cells, size_t count, uint64_t *all)
{
    MPI_Gather(cells, (int)count, MPI_UINT64_T, all, (int)count, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

int ranks_agree(int code)
{
    int least;

    MPI_Allreduce(&code, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return least;
}

#else

#include <string.h>

void ranks_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void ranks_finish(void)
{
}

int ranks_count(void)
{
    return 1;
}

int ranks_number(void)
{
    return 0;
}

void ranks_share(uint64_t *cells, size_t count)
{
    (void)cells;
    (void)count;
}

void ranks_add(uint64_t *cells, size_t count)
{
    (void)cells;
    (void)count;
}

void ranks_maximum(uint64_t *cells, size_t count)
{
    (void)cells;
    (void)count;
}

void ranks_gather(const uint64_t *cells, size_t count, uint64_t *all)
{
    memcpy(all, cells, count * sizeof *cells);
}

int ranks_agree(int code)
{
    return code;
}

#endif
