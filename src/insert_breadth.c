/* insert_breadth.c -- breadth-first search for the nearest free slot, then the moves.
 *
 * A bucket is read when it is first met, which is the order of a queue; so the nodes
 * array is both the queue and the tree.  Node i's depth is the number of moves that a
 * free slot in it needs. */
#include "insert.h"

#include <stdlib.h>

#include "insert_node.h"
#include "insert_pair.h"

static int is_visited(const struct inserter *self, uint32_t bucket)
{
    return (int)(self->visited[bucket / 64] >> (bucket % 64)) & 1;
}

static void flip_visited(struct inserter *self, uint32_t bucket)
{
    self->visited[bucket / 64] ^= UINT64_C(1) << (bucket % 64);
}

/* Twice as many, and no more than there are buckets. */
static int grow_nodes(struct inserter *self)
{
    size_t buckets = self->table->scheme->buckets;
    size_t capacity = 2 * self->node_capacity < buckets ? 2 * self->node_capacity : buckets;
    struct insert_node *grown = realloc(self->node, capacity * sizeof *self->node);

    if (grown == NULL) {
        self->memory_failed = 1;
        return 0;
    }
    self->node = grown;
    self->node_capacity = capacity;
    return 1;
}

enum reading { READ_FULL, READ_FREE, READ_LIMIT };

/* Read a bucket not yet visited: append its node.  READ_FREE: it is the last node. */
static enum reading read_bucket(struct inserter *self, uint32_t bucket, uint32_t parent,
                                unsigned slot)
{
    uint64_t inspected = (uint64_t)(self->cost.buckets_read + 1) * self->table->scheme->k;

    if (self->rule->max_slots != INSERT_UNLIMITED && inspected > self->rule->max_slots)
        return READ_LIMIT;
    if (UNLIKELY(self->nodes == self->node_capacity) && !grow_nodes(self))
        return READ_LIMIT;
    self->node[self->nodes++] = (struct insert_node){bucket, parent, (uint16_t)slot};
    flip_visited(self, bucket);
    self->cost.buckets_read++;
    return table_full(self->table, bucket) ? READ_FULL : READ_FREE;
}

/* Below, `other` is NULL where the table holds keys, a constant to the compiler; else it
 * holds pairs (insert_pair.h). */

static enum reading read_roots(struct inserter *self, const uint32_t *bucket)
{
    for (unsigned j = 0; j < self->table->scheme->d; j++) {
        if (is_visited(self, bucket[j]))
            continue;
        enum reading reading = read_bucket(self, bucket[j], INSERT_NODE_ROOT, 0);
        if (reading != READ_FULL)
            return reading;
    }
    return READ_FULL;
}

/* Where the residents of a full bucket will be read when its turn comes. */
static SPECIALIZED void prefetch_residents(const struct inserter *self, const uint32_t *other,
                                           uint32_t bucket)
{
    if (other != NULL)
        PREFETCH(&other[(uint64_t)bucket * self->table->scheme->k]);
    else
        PREFETCH(table_slot(self->table, bucket, 0));
}

/* Read the other candidates of node `i`'s residents. */
static SPECIALIZED enum reading expand(struct inserter *self, const uint32_t *other, uint32_t i)
{
    const struct scheme *scheme = self->table->scheme;
    uint32_t from = self->node[i].bucket;
    unsigned candidates = other != NULL ? 1 : scheme->d;
    uint32_t bucket[SCHEME_D_MAX];

    for (unsigned slot = 0; slot < scheme->k; slot++) {
        if (other != NULL)
            bucket[0] = other[(uint64_t)from * scheme->k + slot] & ~PAIR_SECOND;
        else
            table_candidates(self->table, *table_slot(self->table, from, slot), bucket);
        for (unsigned j = 0; j < candidates; j++) {
            if (is_visited(self, bucket[j]))
                continue;
            enum reading reading = read_bucket(self, bucket[j], i, slot);
            if (reading != READ_FULL)
                return reading;
            prefetch_residents(self, other, bucket[j]);
        }
    }
    return READ_FULL;
}

/* The last node's bucket has a free slot: move the hole back to a root.  *hole is the
 * slot that is free there in the end; returns the root. */
static SPECIALIZED uint32_t move_hole(struct inserter *self, uint32_t *other, unsigned *hole)
{
    struct table *table = self->table;
    uint32_t i = (uint32_t)self->nodes - 1;
    uint32_t bucket = self->node[i].bucket;

    *hole = table->used[bucket]++;
    table->stored++;
    while (self->node[i].parent != INSERT_NODE_ROOT) {
        uint32_t parent = self->node[i].parent, from = self->node[parent].bucket;
        unsigned slot = self->node[i].slot;
        if (other != NULL)
            other[(uint64_t)bucket * table->scheme->k + *hole] =
                pair_moved(other[(uint64_t)from * table->scheme->k + slot], from);
        else
            *table_slot(table, bucket, *hole) = *table_slot(table, from, slot);
        inserter_note_write(self, bucket, *hole);
        self->cost.moves++;
        bucket = from;
        *hole = slot;
        i = parent;
    }
    inserter_note_write(self, bucket, *hole);
    return bucket;
}

/* The search from the candidates of a key.  READ_FREE: the last node has a free slot;
 * READ_FULL: there is none. */
static SPECIALIZED enum reading search(struct inserter *self, const uint32_t *other,
                                       const uint32_t *root)
{
    enum reading reading = read_roots(self, root);
    uint32_t depth = 0; /* moves to the nodes before `level_end` */
    size_t level_end = self->nodes;

    for (uint32_t i = 0; reading == READ_FULL && i < self->nodes; i++) {
        if (i == level_end) {
            depth++;
            level_end = self->nodes;
        }
        if (depth >= self->rule->max_moves)
            return READ_LIMIT;
        reading = expand(self, other, i);
    }
    return reading;
}

/* What is left to do after any search. */
static enum insert_outcome finish(struct inserter *self, enum reading reading)
{
    for (size_t i = 0; i < self->nodes; i++)
        flip_visited(self, self->node[i].bucket);
    if (reading == READ_FREE)
        return INSERT_PLACED;
    return reading == READ_LIMIT ? INSERT_GAVE_UP : INSERT_NO_PLACE;
}

enum insert_outcome insert_breadth(struct inserter *self, uint64_t key)
{
    uint32_t root[SCHEME_D_MAX];
    unsigned hole;

    self->cost = (struct insert_cost){0};
    self->nodes = 0;
    table_candidates(self->table, key, root);
    enum reading reading = search(self, NULL, root);
    if (reading == READ_FREE) {
        uint32_t bucket = move_hole(self, NULL, &hole);
        *table_slot(self->table, bucket, hole) = key;
    } else {
        self->cost.nestless = key;
    }
    return finish(self, reading);
}

enum insert_outcome pair_breadth(struct inserter *self, uint32_t *other, const uint32_t *root)
{
    unsigned k = self->table->scheme->k, hole;

    self->cost = (struct insert_cost){.buckets_read = 1};
    self->nodes = 0;
    if (self->table->used[root[0]] < k && k <= self->rule->max_slots) /* most keys */
        return pair_place(self, other, root[0], root[1]);
    self->cost.buckets_read = 0;
    enum reading reading = search(self, other, root);
    if (reading == READ_FREE) {
        uint32_t bucket = move_hole(self, other, &hole);
        other[(uint64_t)bucket * k + hole] = bucket == root[0] ? root[1] : root[0] | PAIR_SECOND;
    }
    return finish(self, reading);
}
