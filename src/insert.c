/* insert.c -- the rules' limits, and the buffers they share. */
#include "insert.h"

#include <stdlib.h>
#include <string.h>

#include "insert_node.h"
#include "insert_production.h"

#define WRITTEN_FIRST 64 /* slots written, and nodes, that there is room for at first */
#define NODES_FIRST   1024
#define LINES_BITS    1024 /* lines told apart by their last bits, in inserter_lines_written */

const struct insert_rule insert_rule_walk500 = {
    .name = "walk", .insert = insert_walk, .max_kicks = 500};
const struct insert_rule insert_rule_breadth = {
    .name = "breadth-first", .insert = insert_breadth, .max_slots = 2000, .max_moves = 5};
const struct insert_rule insert_rule_breadth_far = {.name = "breadth-first",
                                                    .insert = insert_breadth,
                                                    .max_slots = 2000,
                                                    .max_moves = INSERT_UNLIMITED};
const struct insert_rule insert_rule_original500 = {
    .name = "original", .insert = insert_original, .max_kicks = 500};
const struct insert_rule insert_rule_original100 = {
    .name = "original", .insert = insert_original, .max_kicks = 100};
const struct insert_rule insert_rule_complete = {.name = "complete",
                                                 .insert = insert_breadth,
                                                 .max_slots = INSERT_UNLIMITED,
                                                 .max_moves = INSERT_UNLIMITED};

static size_t visited_words(const struct scheme *scheme)
{
    return (size_t)scheme->buckets / 64 + 1;
}

uint64_t inserter_bytes(const struct scheme *scheme)
{
    return visited_words(scheme) * sizeof(uint64_t) + scheme->slots;
}

/* A slot a kick, in a buffer that doubles; where kicks have no limit it is not known. */
static uint64_t written_bytes(const struct insert_rule *rule)
{
    uint64_t kicks = rule->max_kicks != INSERT_UNLIMITED ? rule->max_kicks : 0;

    return 2 * (kicks > WRITTEN_FIRST ? kicks : WRITTEN_FIRST) * sizeof(uint64_t);
}

uint64_t inserter_bytes_of(const struct scheme *scheme, const struct insert_rule *rule)
{
    uint64_t nodes = scheme->buckets; /* each bucket once */

    if (rule->insert != insert_breadth && !insert_needs_nodes(rule))
        return written_bytes(rule) + (insert_needs_marks(rule) ? scheme->slots : 0);
    if (rule->max_slots != INSERT_UNLIMITED && rule->max_slots / scheme->k + 1 < nodes)
        nodes = rule->max_slots / scheme->k + 1;
    nodes = nodes < NODES_FIRST ? NODES_FIRST : nodes;
    return visited_words(scheme) * sizeof(uint64_t) + nodes * sizeof(struct insert_node) +
           (insert_needs_marks(rule) ? scheme->slots : 0);
}

int inserter_init(struct inserter *self, struct table *table, const struct insert_rule *rule)
{
    memset(self, 0, sizeof *self);
    self->table = table;
    self->rule = rule;
    self->written_capacity = WRITTEN_FIRST;
    self->written = malloc(self->written_capacity * sizeof *self->written);
    if (self->written == NULL)
        return ERR_MEMORY;
    if (insert_needs_marks(rule)) {
        self->mark = malloc(table->scheme->slots);
        if (self->mark == NULL)
            return ERR_MEMORY;
    }
    if (rule->insert != insert_breadth && !insert_needs_nodes(rule))
        return ERR_NONE;
    self->node_capacity = NODES_FIRST;
    self->node = malloc(self->node_capacity * sizeof *self->node);
    self->visited = calloc(visited_words(table->scheme), sizeof *self->visited);
    if (self->node == NULL || self->visited == NULL)
        return ERR_MEMORY;
    return ERR_NONE;
}

void inserter_free(struct inserter *self)
{
    free(self->written);
    free(self->node);
    free(self->visited);
    free(self->mark);
    memset(self, 0, sizeof *self);
}

void inserter_reset(struct inserter *self, uint64_t hash_stream, uint64_t search_stream)
{
    table_reset(self->table, hash_stream);
    rng_init(&self->rng, search_stream);
    memset(&self->cost, 0, sizeof self->cost);
    if (self->mark != NULL)
        memset(self->mark, 0, self->table->scheme->slots);
}

int inserter_grow_written(struct inserter *self)
{
    uint64_t *grown = realloc(self->written, 2 * self->written_capacity * sizeof *self->written);

    if (grown == NULL) {
        self->memory_failed = 1;
        return 0;
    }
    self->written = grown;
    self->written_capacity *= 2;
    return 1;
}

void inserter_prefetch(const struct inserter *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];

    table_candidates(self->table, key, bucket);
    for (unsigned j = 0; j < self->table->scheme->d; j++) {
        PREFETCH(&self->table->used[bucket[j]]);
        PREFETCH(table_slot(self->table, bucket[j], 0));
    }
}

/* Lines whose bit is not yet set are new; the others are looked up among those before. */
uint32_t inserter_lines_written(const struct inserter *self)
{
    uint64_t met[LINES_BITS / 64] = {0};
    uint32_t lines = 0;

    if (self->cost.writes < 2)
        return self->cost.writes;
    for (uint32_t i = 0; i < self->cost.writes; i++) {
        uint64_t line = self->written[i] / SCHEME_LINE_SLOTS;
        uint64_t *word = &met[line % LINES_BITS / 64], bit = UINT64_C(1) << (line % 64);
        uint32_t j = *word & bit ? 0 : i;
        while (j < i && self->written[j] / SCHEME_LINE_SLOTS != line)
            j++;
        *word |= bit;
        lines += j == i;
    }
    return lines;
}
