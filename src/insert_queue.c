/* insert_queue.c -- breadth-first searches with a plain queue and no memory of the buckets
 * seen; see insert_production.h.
 *
 * The nodes array is queue and tree at once.  Without a visited set the tree holds buckets
 * many times, but a path that is executed meets none twice: what follows the second meeting
 * follows the first one too, on a shorter path, which stands earlier in the queue. */
#include "insert_production.h"

#include <stdlib.h>

#include "insert_node.h"

static enum insert_outcome give_up(struct inserter *self, uint64_t key)
{
    self->cost.nestless = key;
    return INSERT_GAVE_UP;
}

/* Append a node; 0 where memory is short. */
static int push(struct inserter *self, uint32_t bucket, uint32_t parent, unsigned slot)
{
    if (self->nodes == self->node_capacity) {
        struct insert_node *grown =
            realloc(self->node, 2 * self->node_capacity * sizeof *self->node);
        if (grown == NULL) {
            self->memory_failed = 1;
            return 0;
        }
        self->node = grown;
        self->node_capacity *= 2;
    }
    self->node[self->nodes++] = (struct insert_node){bucket, parent, (uint16_t)slot};
    return 1;
}

static int has_room(struct inserter *self, uint32_t bucket)
{
    self->cost.buckets_read++;
    return !table_full(self->table, bucket);
}

static uint32_t other_of(const struct table *table, uint64_t key, uint32_t bucket)
{
    uint32_t both[SCHEME_D_MAX];

    table_candidates(table, key, both);
    return both[0] == bucket ? both[1] : both[0];
}

static uint32_t neighbour(const struct inserter *self, uint32_t bucket, unsigned slot)
{
    return other_of(self->table, *table_slot(self->table, bucket, slot), bucket);
}

static int place_if_free(struct inserter *self, uint32_t bucket, uint64_t key)
{
    if (!has_room(self, bucket))
        return 0;
    inserter_note_write(self, bucket, self->table->used[bucket]);
    table_add(self->table, bucket, key);
    return 1;
}

/* Node i's bucket has a free slot: move the hole back to its root, put `key` there. */
static void move_hole(struct inserter *self, uint32_t i, uint64_t key)
{
    struct table *table = self->table;
    uint32_t bucket = self->node[i].bucket;
    unsigned hole = table->used[bucket];

    table->used[bucket]++;
    table->stored++;
    while (self->node[i].parent != INSERT_NODE_ROOT) {
        uint32_t parent = self->node[i].parent;
        unsigned slot = self->node[i].slot;
        *table_slot(table, bucket, hole) = *table_slot(table, self->node[parent].bucket, slot);
        inserter_note_write(self, bucket, hole);
        self->cost.moves++;
        bucket = self->node[parent].bucket;
        hole = slot;
        i = parent;
    }
    *table_slot(table, bucket, hole) = key;
    inserter_note_write(self, bucket, hole);
}

static unsigned depth_of(const struct inserter *self, uint32_t i)
{
    unsigned depth = 0;

    for (; self->node[i].parent != INSERT_NODE_ROOT; i = self->node[i].parent)
        depth++;
    return depth;
}

enum insert_outcome insert_queue(struct inserter *self, uint64_t key)
{
    unsigned k = self->table->scheme->k;
    uint32_t both[SCHEME_D_MAX];

    self->cost = (struct insert_cost){0};
    self->nodes = 0;
    table_candidates(self->table, key, both);
    if (place_if_free(self, both[0], key) || place_if_free(self, both[1], key))
        return INSERT_PLACED;
    push(self, both[0], INSERT_NODE_ROOT, 0);
    push(self, both[1], INSERT_NODE_ROOT, 1); /* the path codes 0 and 1 */
    for (uint32_t i = 0; i < self->nodes && self->nodes < self->rule->max_nodes; i++) {
        if (i > 1 && has_room(self, self->node[i].bucket)) {
            move_hole(self, i, key);
            return INSERT_PLACED;
        }
        if (depth_of(self, i) >= self->rule->max_moves)
            continue;
        /* which resident comes first rotates along the queue, as the library's path code does */
        for (unsigned s = 0; s < k && self->nodes < self->rule->max_nodes; s++) {
            unsigned slot = (s + self->node[i].slot) % k;
            if (!push(self, neighbour(self, self->node[i].bucket, slot), i, slot))
                return give_up(self, key);
        }
    }
    return give_up(self, key);
}

static int search_from(struct inserter *self, uint32_t root, uint64_t key)
{
    unsigned k = self->table->scheme->k;

    self->nodes = 0;
    push(self, root, INSERT_NODE_ROOT, 0);
    for (uint32_t i = 0; i < self->nodes && self->nodes + k < self->rule->max_nodes; i++) {
        if (i > 0 && has_room(self, self->node[i].bucket)) {
            move_hole(self, i, key);
            return 1;
        }
        for (unsigned slot = 0; slot < k; slot++)
            if (!push(self, neighbour(self, self->node[i].bucket, slot), i, slot))
                return 0;
    }
    return 0;
}

enum insert_outcome insert_queue_twice(struct inserter *self, uint64_t key)
{
    uint32_t both[SCHEME_D_MAX];

    self->cost = (struct insert_cost){0};
    table_candidates(self->table, key, both);
    if (place_if_free(self, both[0], key) || place_if_free(self, both[1], key) ||
        search_from(self, both[0], key) || search_from(self, both[1], key))
        return INSERT_PLACED;
    return give_up(self, key);
}

enum insert_outcome insert_queue_ahead(struct inserter *self, uint64_t key)
{
    uint32_t both[SCHEME_D_MAX];

    self->cost = (struct insert_cost){0};
    self->nodes = 0;
    table_candidates(self->table, key, both);
    if (place_if_free(self, both[0], key) || place_if_free(self, both[1], key))
        return INSERT_PLACED;
    push(self, both[0], INSERT_NODE_ROOT, 0);
    if (both[1] != both[0])
        push(self, both[1], INSERT_NODE_ROOT, 0);
    for (uint32_t i = 0; i < self->nodes; i++)
        for (unsigned slot = 0; slot < self->table->scheme->k; slot++) {
            uint32_t from = self->node[i].bucket, next = neighbour(self, from, slot);
            if (next == from)
                continue;
            size_t kept = self->nodes;
            if (!push(self, next, i, slot))
                return give_up(self, key);
            if (has_room(self, next)) {
                move_hole(self, (uint32_t)kept, key);
                return INSERT_PLACED;
            }
            if (depth_of(self, i) >= self->rule->max_moves || kept >= self->rule->max_nodes)
                self->nodes = kept; /* read, but not queued */
        }
    return give_up(self, key);
}

int insert_needs_nodes(const struct insert_rule *rule)
{
    return rule->insert == insert_queue || rule->insert == insert_queue_twice ||
           rule->insert == insert_queue_ahead || rule->insert == insert_paths;
}

int insert_needs_two(const struct insert_rule *rule)
{
    return insert_needs_nodes(rule) || rule->insert == insert_filter ||
           rule->insert == insert_slot_robin || rule->insert == insert_until_cycle;
}
