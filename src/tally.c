/* tally.c -- see tally.h. */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

int tally_init(struct tally *self, const struct trials_work *work, uint64_t first, uint64_t limit)
{
    *self = (struct tally){.first = first,
                           .end = first,
                           .limit = limit,
                           .sums = tally_sums(work),
                           .maxes = work->maxes,
                           .rows = work->rows};
    self->common = calloc(self->sums + self->maxes + 1, sizeof *self->common);
    self->row = calloc(self->rows * (size_t)(limit - first) + 1, sizeof *self->row);
    return self->common != NULL && self->row != NULL ? ERR_NONE : ERR_MEMORY;
}

void tally_free(struct tally *self)
{
    free(self->common);
    free(self->row);
    memset(self, 0, sizeof *self);
}

/* Most counters of a long histogram stay zero: where both are, nothing is written, so that
 * their pages take no memory. */
static void take(uint64_t *cells, uint64_t *common, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((cells[i] | common[i]) != 0) {
            common[i] = cells[i];
            cells[i] = 0;
        }
}

void tally_take_common(const struct trials_work *work, uint64_t *cells, uint64_t *common)
{
    size_t sums = tally_sums(work);

    take(cells, common, sums);
    take(cells + work->adds, common + sums, work->maxes);
}

void tally_add_common(uint64_t *into, const uint64_t *from, size_t sums, size_t maxes)
{
    for (size_t i = 0; i < sums; i++)
        if (from[i] != 0)
            into[i] = tally_add(into[i], from[i]);
    for (size_t i = sums; i < sums + maxes; i++)
        if (from[i] > into[i])
            into[i] = from[i];
}

void tally_take_rows(struct tally *self, const struct trials_work *work, const uint64_t *cells,
                     uint64_t first, uint64_t count)
{
    size_t columns = (size_t)(self->limit - self->first);
    const uint64_t *from = cells + tally_sums(work) + (first - work->first);
    uint64_t *to = self->row + (first - self->first);

    for (size_t r = 0; r < self->rows; r++)
        memcpy(to + r * columns, from + r * (size_t)work->trials, (size_t)count * sizeof *to);
}

int tally_overflows(const struct tally *self)
{
    for (size_t i = 0; i < self->sums; i++)
        if (self->common[i] == UINT64_MAX)
            return 1;
    return 0;
}

void tally_join(struct tally *self, const uint64_t *common, uint64_t count)
{
    tally_add_common(self->common, common, self->sums, self->maxes);
    self->end += count;
}

static void copy_rows(const struct tally *self, uint64_t *to, size_t columns)
{
    size_t own = (size_t)(self->limit - self->first), used = (size_t)(self->end - self->first);

    for (size_t r = 0; r < self->rows; r++)
        memcpy(to + r * columns, self->row + r * own, used * sizeof *to);
}

int tally_resize(struct tally *self, uint64_t limit)
{
    size_t columns = (size_t)(limit - self->first);
    uint64_t *row = calloc(self->rows * columns + 1, sizeof *row);

    if (row == NULL)
        return ERR_MEMORY;
    copy_rows(self, row, columns);
    free(self->row);
    self->row = row;
    self->limit = limit;
    return ERR_NONE;
}

uint64_t *tally_export(const struct tally *self, uint64_t columns)
{
    size_t rows = self->rows * (size_t)columns;
    uint64_t *cells = calloc(self->sums + rows + self->maxes + 1, sizeof *cells);

    if (cells == NULL)
        return NULL;
    tally_add_common(cells, self->common, self->sums, 0);
    copy_rows(self, cells + self->sums, (size_t)columns);
    tally_add_common(cells + self->sums + rows, self->common + self->sums, 0, self->maxes);
    return cells;
}
