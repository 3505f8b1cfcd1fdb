/* trace.c -- see trace.h. */
#include "trace.h"

#include <string.h>

int trace_init(struct trace *self, uint32_t slots_0, uint32_t slots_1)
{
    memset(self, 0, sizeof *self);
    if (slots_0 < 1 || slots_0 > TRACE_SLOTS_MAX || slots_1 < 1 || slots_1 > TRACE_SLOTS_MAX)
        return ERR_DOMAIN;
    self->slots[0] = slots_0;
    self->slots[1] = slots_1;
    for (int table = 0; table < 2; table++)
        for (int slot = 0; slot < TRACE_SLOTS_MAX; slot++)
            self->cell[table][slot] = TRACE_NONE;
    return ERR_NONE;
}

int trace_add_key(struct trace *self, const char *name, uint32_t slot_0, uint32_t slot_1)
{
    if (self->keys == TRACE_KEYS_MAX || slot_0 >= self->slots[0] || slot_1 >= self->slots[1] ||
        strlen(name) >= sizeof self->key[0].name)
        return ERR_DOMAIN;
    struct trace_key *key = &self->key[self->keys++];
    strcpy(key->name, name);
    key->slot[0] = slot_0;
    key->slot[1] = slot_1;
    return ERR_NONE;
}

int trace_insert(struct trace *self, int key, int max_steps,
                 void (*seen)(const struct trace *self, const struct trace_step *step,
                              void *context),
                 void *context, int *nestless)
{
    int steps = 0;

    *nestless = key;
    while (steps < max_steps && *nestless != TRACE_NONE) {
        int table = steps % 2; /* the evicted key's other position is in the other table */
        uint32_t slot = self->key[*nestless].slot[table];
        struct trace_step step = {.step = steps + 1,
                                  .round = steps / 2 + 1,
                                  .key = *nestless,
                                  .table = table,
                                  .slot = slot,
                                  .evicted = self->cell[table][slot]};
        self->cell[table][slot] = *nestless;
        *nestless = step.evicted;
        steps++;
        if (seen != NULL)
            seen(self, &step, context);
    }
    return steps;
}
