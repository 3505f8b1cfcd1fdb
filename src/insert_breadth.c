/* insert_breadth.c -- breadth-first search for the nearest free slot, then the moves.
 *
 * A bucket is read when it is first met, which is the order of a queue; so the nodes
 * array is both the queue and the tree.  Node i's depth is the number of moves that a
 * free slot in it needs. */
#include "insert.h"

#include <stdlib.h>

#include "insert_node.h"

static int is_visited(const struct inserter *self, uint32_t bucket)
{
    return (int)(self->visited[bucket / 64] >> (bucket % 64)) & 1;
}

static void flip_visited(struct inserter *self, uint32_t bucket)
{
    self->visited[bucket / 64] ^= UINT64_C(1) << (bucket % 64);
}

enum reading { READ_FULL, READ_FREE, READ_LIMIT };

/* Read a bucket not yet visited: append its node.  READ_FREE: it is the last node. */
static enum reading read_bucket(struct inserter *self, uint32_t bucket, uint32_t parent,
                                unsigned slot)
{
    uint64_t inspected = (uint64_t)(self->cost.buckets_read + 1) * self->table->scheme->k;

    if (self->rule->max_slots != INSERT_UNLIMITED && inspected > self->rule->max_slots)
        return READ_LIMIT;
    if (self->nodes == self->node_capacity) {
        struct insert_node *grown =
            realloc(self->node, 2 * self->node_capacity * sizeof *self->node);
        if (grown == NULL) {
            self->memory_failed = 1;
            return READ_LIMIT;
        }
        self->node = grown;
        self->node_capacity *= 2;
    }
    self->node[self->nodes++] = (struct insert_node){bucket, parent, (uint16_t)slot};
    flip_visited(self, bucket);
    self->cost.buckets_read++;
    return table_full(self->table, bucket) ? READ_FULL : READ_FREE;
}

static enum reading read_roots(struct inserter *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];

    table_candidates(self->table, key, bucket);
    for (unsigned j = 0; j < self->table->scheme->d; j++) {
        if (is_visited(self, bucket[j]))
            continue;
        enum reading reading = read_bucket(self, bucket[j], INSERT_NODE_ROOT, 0);
        if (reading != READ_FULL)
            return reading;
    }
    return READ_FULL;
}

/* Read the other candidates of node `i`'s residents. */
static enum reading expand(struct inserter *self, uint32_t i)
{
    const struct scheme *scheme = self->table->scheme;
    uint32_t from = self->node[i].bucket;
    uint32_t bucket[SCHEME_D_MAX];

    for (unsigned slot = 0; slot < scheme->k; slot++) {
        table_candidates(self->table, *table_slot(self->table, from, slot), bucket);
        for (unsigned j = 0; j < scheme->d; j++) {
            if (is_visited(self, bucket[j]))
                continue;
            enum reading reading = read_bucket(self, bucket[j], i, slot);
            if (reading != READ_FULL)
                return reading;
        }
    }
    return READ_FULL;
}

/* The last node's bucket has a free slot: move the hole back to a root, put `key` there. */
static void move_hole(struct inserter *self, uint64_t key)
{
    struct table *table = self->table;
    uint32_t i = (uint32_t)self->nodes - 1;
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

enum insert_outcome insert_breadth(struct inserter *self, uint64_t key)
{
    enum insert_outcome outcome = INSERT_NO_PLACE; /* unless a limit cuts the search */

    self->cost = (struct insert_cost){0};
    self->nodes = 0;
    enum reading reading = read_roots(self, key);
    uint32_t depth = 0; /* moves to the nodes before `level_end` */
    size_t level_end = self->nodes;
    for (uint32_t i = 0; reading == READ_FULL && i < self->nodes; i++) {
        if (i == level_end) {
            depth++;
            level_end = self->nodes;
        }
        if (depth >= self->rule->max_moves) {
            reading = READ_LIMIT;
            break;
        }
        reading = expand(self, i);
    }
    if (reading == READ_FREE) {
        move_hole(self, key);
        outcome = INSERT_PLACED;
    } else {
        self->cost.nestless = key;
        if (reading == READ_LIMIT)
            outcome = INSERT_GAVE_UP;
    }
    for (size_t i = 0; i < self->nodes; i++)
        flip_visited(self, self->node[i].bucket);
    return outcome;
}
