/* insert_bubble.c -- bubble-up; see insert_production.h. */
#include "insert_production.h"

/* The candidate that a key goes to which was at number `from`: one of the first d-2 with a free
 * slot, or one of the last two.  -1: not placed before. */
static unsigned next_number(struct inserter *self, const uint32_t *bucket, int from)
{
    int last = (int)self->table->scheme->d - 1;

    if (from >= last - 1)
        return (unsigned)(from == last ? last - 1 : last);
    for (int j = from + 1; j < last - 1; j++) {
        self->cost.buckets_read++;
        if (!table_full(self->table, bucket[j]))
            return (unsigned)j;
    }
    self->cost.buckets_read++;
    return (unsigned)(last - 1);
}

enum insert_outcome insert_bubble_up(struct inserter *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];
    int from = -1;

    self->cost = (struct insert_cost){0};
    for (;;) {
        table_candidates(self->table, key, bucket);
        unsigned number = next_number(self, bucket, from);
        uint32_t at = bucket[number];
        inserter_note_write(self, at, 0);
        if (!table_full(self->table, at)) {
            table_add(self->table, at, key);
            self->mark[at] = (uint8_t)number;
            return INSERT_PLACED;
        }
        uint64_t *place = table_slot(self->table, at, 0), resident = *place;
        *place = key;
        key = resident;
        from = self->mark[at];
        self->mark[at] = (uint8_t)number;
        if (++self->cost.kicks >= self->rule->max_kicks) {
            self->cost.nestless = key;
            return INSERT_GAVE_UP;
        }
    }
}
