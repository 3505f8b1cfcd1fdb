/* trace.c -- see trace.h. */
#include "trace.h"

#include <string.h>

int trace_init(struct trace *self, uint32_t slots_0, uint32_t slots_1)
{
    memset(self, 0, sizeof *self);
    if (slots_0 < 1 || slots_0 > TRACE_SLOTS_MAX || slots_1 > TRACE_SLOTS_MAX)
        return ERR_DOMAIN;
    self->tables = slots_1 > 0 ? 2 : 1;
    self->slots[0] = slots_0;
    self->slots[1] = slots_1;
    for (int table = 0; table < 2; table++)
        for (int slot = 0; slot < TRACE_SLOTS_MAX; slot++)
            self->cell[table][slot] = TRACE_NONE;
    return ERR_NONE;
}

int trace_add_key(struct trace *self, const char *name, uint32_t slot_0, uint32_t slot_1)
{
    if (self->keys == TRACE_KEYS_MAX || slot_0 >= self->slots[0] ||
        slot_1 >= self->slots[self->tables - 1] || strlen(name) >= sizeof self->key[0].name)
        return ERR_DOMAIN;
    struct trace_key *key = &self->key[self->keys++];
    strcpy(key->name, name);
    key->slot[0] = slot_0;
    key->slot[1] = slot_1;
    return ERR_NONE;
}

/* The position that a key goes to after it was evicted from `slot` of `table`. */
static int other_position(const struct trace *self, int key, int table, uint32_t slot)
{
    if (self->tables == 2)
        return 1 - table;
    return self->key[key].slot[0] == slot ? 1 : 0;
}

int trace_insert(struct trace *self, int key, int max_steps, trace_seen *seen, void *context,
                 int *nestless)
{
    int steps = 0, position = 0;

    *nestless = key;
    while (steps < max_steps && *nestless != TRACE_NONE) {
        int table = self->tables == 2 ? position : 0;
        uint32_t slot = self->key[*nestless].slot[position];
        struct trace_step step = {.step = steps + 1,
                                  .round = steps / 2 + 1,
                                  .key = *nestless,
                                  .table = table,
                                  .slot = slot,
                                  .evicted = self->cell[table][slot]};
        self->cell[table][slot] = *nestless;
        *nestless = step.evicted;
        steps++;
        if (*nestless != TRACE_NONE)
            position = other_position(self, *nestless, table, slot);
        if (seen != NULL)
            seen(self, &step, context);
    }
    return steps;
}

uint32_t trace_vertex(const struct trace *self, int key, int position)
{
    uint32_t first = self->tables == 2 && position == 1 ? self->slots[0] : 0;

    return first + self->key[key].slot[position];
}
