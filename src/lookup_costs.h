/* lookup_costs.h -- what lookups cost: slots compared and cache lines touched. */
#ifndef CUCKOO_LOOKUP_COSTS_H
#define CUCKOO_LOOKUP_COSTS_H

#include <stddef.h>
#include <stdint.h>

struct lookup_costs {
    uint64_t *histogram; /* lookups by slots compared; borrowed */
    size_t cells;        /* costs of `cells` and more are counted in `beyond` */
    uint64_t lookups, slots, lines;
    uint64_t max_slots, max_lines;
    uint64_t beyond;
};

/* `times` lookups that compare `slots` slots and touch `lines` distinct lines each. */
static inline void lookup_costs_add(struct lookup_costs *self, uint64_t slots, uint64_t lines,
                                    uint64_t times)
{
    if (slots < self->cells)
        self->histogram[slots] += times;
    else
        self->beyond += times;
    self->lookups += times;
    self->slots += slots * times;
    self->lines += lines * times;
    if (slots > self->max_slots)
        self->max_slots = slots;
    if (lines > self->max_lines)
        self->max_lines = lines;
}

/* The histogram of `from` is added to that of `self`, the other values are taken over:
 * for a tally that goes on while the table fills. */
static inline void lookup_costs_copy(struct lookup_costs *self, const struct lookup_costs *from)
{
    uint64_t *histogram = self->histogram;
    size_t cells = self->cells;

    for (size_t i = 0; i < from->cells && i < cells; i++)
        if (from->histogram[i] != 0) /* pages of costs that nobody has stay the system's */
            histogram[i] += from->histogram[i];
    *self = *from;
    self->histogram = histogram;
    self->cells = cells;
}

#endif
