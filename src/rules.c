/* rules.c -- see rules.h.  The numbers were read in the files named in each entry; where a
 * rule of several threads is run by one here, and what else differs, is in
 * docs/EXPERIMENTS-production.md. */
#include "rules.h"

#include <math.h>
#include <string.h>

#include "error.h"
#include "insert_production.h"

const struct production_rule rules[] = {
    {.name = "libcuckoo",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_HASH, 8},
     .insert =
         {.name = "queue", .insert = insert_queue, .max_moves = 4, .max_nodes = INSERT_UNLIMITED},
     .budget = "4-moves",
     .source = "efficient/libcuckoo:libcuckoo/cuckoohash_config.hh+cuckoohash_map.hh@6a2555d"},
    {.name = "libcuckoo-2000",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_HASH, 8},
     .insert = {.name = "queue",
                .insert = insert_queue,
                .max_moves = INSERT_UNLIMITED,
                .max_nodes = 2000},
     .budget = "2000-nodes-queued",
     .source = "Li-et-al.-EuroSys-2014:section-4"},
    {.name = "libcuckoo-256",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_HASH, 8},
     .insert =
         {.name = "queue", .insert = insert_queue, .max_moves = INSERT_UNLIMITED, .max_nodes = 256},
     .budget = "256-nodes-queued",
     .source = "efficient/libcuckoo:issue-90"},
    {.name = "memc3-1",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_HASH, 8},
     .insert = {.name = "paths", .insert = insert_paths, .max_kicks = 500, .paths = 1},
     .budget = "500-steps-times-paths",
     .source = "efficient/memc3:assoc_cuckoo.c@e5663c5"},
    {.name = "memc3-2",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_HASH, 8},
     .insert = {.name = "paths", .insert = insert_paths, .max_kicks = 500, .paths = 2},
     .budget = "500-steps-times-paths",
     .source = "efficient/memc3:assoc_cuckoo.c@e5663c5"},
    {.name = "memc3-3",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_HASH, 8},
     .insert = {.name = "paths", .insert = insert_paths, .max_kicks = 500, .paths = 3},
     .budget = "500-steps-times-paths",
     .source = "efficient/memc3:assoc_cuckoo.c@e5663c5"},
    {.name = "dpdk-8",
     .d = 2,
     .k = 8,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_DPDK, 16},
     .insert = {.name = "queue-twice", .insert = insert_queue_twice, .max_nodes = 1000},
     .budget = "1000-nodes-queued-a-side",
     .source = "DPDK/dpdk:lib/hash/rte_cuckoo_hash.c+.h@0668f68"},
    {.name = "dpdk-4",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_DPDK, 16},
     .insert = {.name = "queue-twice", .insert = insert_queue_twice, .max_nodes = 1000},
     .budget = "1000-nodes-queued-a-side",
     .source = "DPDK/dpdk:lib/hash/rte_cuckoo_hash.c+.h@0668f68;buckets-as-before-2016"},
    {.name = "ovs-cmap",
     .d = 2,
     .k = 5,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_ROTATE, 0},
     .insert =
         {.name = "queue-ahead", .insert = insert_queue_ahead, .max_moves = 4, .max_nodes = 500},
     .budget = "500-nodes-queued+5-moves",
     .promise = 8500,
     .source = "openvswitch/ovs:lib/cmap.c@05aec0e"},
    {.name = "cuckoofilter",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_HASH, 12},
     .insert = {.name = "filter", .insert = insert_filter, .max_kicks = 499},
     .budget = "499-kicks",
     .promise = 9600,
     .source = "efficient/cuckoofilter:src/cuckoofilter.h@917583d"},
    {.name = "fastfilter",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_HASH, 12},
     .insert = {.name = "filter", .insert = insert_filter, .max_kicks = 499},
     .budget = "499-kicks",
     .promise = 9400,
     .source = "FastFilter/fastfilter_cpp:src/cuckoo/cuckoofilter.h@924e560"},
    {.name = "redisbloom-1",
     .d = 2,
     .k = 1,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_REDIS, 8},
     .insert = {.name = "slot-robin", .insert = insert_slot_robin, .max_kicks = 20},
     .budget = "20-kicks",
     .promise = 5500,
     .source = "RedisBloom/RedisBloom:src/cuckoo.c@198107f"},
    {.name = "redisbloom-2",
     .d = 2,
     .k = 2,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_REDIS, 8},
     .insert = {.name = "slot-robin", .insert = insert_slot_robin, .max_kicks = 20},
     .budget = "20-kicks",
     .source = "RedisBloom/RedisBloom:src/cuckoo.c@198107f"},
    {.name = "redisbloom-3",
     .d = 2,
     .k = 3,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_REDIS, 8},
     .insert = {.name = "slot-robin", .insert = insert_slot_robin, .max_kicks = 20},
     .budget = "20-kicks",
     .promise = 8000,
     .source = "RedisBloom/RedisBloom:src/cuckoo.c@198107f"},
    {.name = "redisbloom-4",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .derive = {DERIVE_XOR_REDIS, 8},
     .insert = {.name = "slot-robin", .insert = insert_slot_robin, .max_kicks = 20},
     .budget = "20-kicks",
     .promise = 9500,
     .source = "RedisBloom/RedisBloom:src/cuckoo.c@198107f"},
    {.name = "cudpp-4",
     .d = 4,
     .k = 1,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "next-bucket", .insert = insert_next_bucket},
     .cap = RULE_CAP_CUDPP,
     .budget = "evictions",
     .promise = 9708,
     .source = "cudpp/cudpp:src/cudpp_hash/hash_table.cuh+definitions.h@7bf5f6f"},
    {.name = "bght",
     .d = 3,
     .k = 16,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "next-bucket", .insert = insert_next_bucket},
     .cap = RULE_CAP_7_LG,
     .budget = "7-lg-slots-evictions",
     .promise = 9910,
     .source = "owensgroup/BGHT:include/bght/detail/bcht_impl.cuh@1f57180"},
    {.name = "jemalloc-ckh",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "until-cycle", .insert = insert_until_cycle},
     .budget = "none;back-at-start",
     .promise = 7500,
     .source = "jemalloc/jemalloc:src/ckh.c@04b4635"},
    {.name = "rocksdb-2-1",
     .d = 2,
     .k = 1,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "breadth-first",
                .insert = insert_breadth,
                .max_slots = INSERT_UNLIMITED,
                .max_moves = 100},
     .budget = "100-moves",
     .source = "facebook/rocksdb:table/cuckoo/cuckoo_table_builder.cc@0d9cc2a;blocks-of-1"},
    {.name = "rocksdb-2-5",
     .d = 2,
     .k = 1,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "breadth-first",
                .insert = insert_breadth,
                .max_slots = INSERT_UNLIMITED,
                .max_moves = 100},
     .budget = "100-moves",
     .promise = 9000,
     .source = "facebook/rocksdb:table/cuckoo/cuckoo_table_builder.cc@0d9cc2a",
     .window = 5},
    {.name = "bubble-up-4",
     .d = 4,
     .k = 1,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "bubble-up", .insert = insert_bubble_up, .max_kicks = 500},
     .budget = "500-evictions",
     .source = "Kuszmaul-Mitzenmacher:arXiv:2501.02312"},
    {.name = "bubble-up-8",
     .d = 8,
     .k = 1,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "bubble-up", .insert = insert_bubble_up, .max_kicks = 500},
     .budget = "500-evictions",
     .source = "Kuszmaul-Mitzenmacher:arXiv:2501.02312"},
    {.name = "psi-100",
     .d = 3,
     .k = 1,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "round-robin", .insert = insert_round_robin, .max_kicks = 100},
     .budget = "100-evictions",
     .source = "ladnir/cryptoTools:cryptoTools/Common/CuckooIndex.cpp@03e77b5"},
    {.name = "psi-200",
     .d = 3,
     .k = 1,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "round-robin", .insert = insert_round_robin, .max_kicks = 200},
     .budget = "200-evictions",
     .source = "ladnir/cryptoTools:cryptoTools/Common/CuckooIndex.cpp@b2ddea5"},
    {.name = "psi-200-distinct",
     .d = 3,
     .k = 1,
     .positions = POSITIONS_DISTINCT,
     .insert = {.name = "round-robin", .insert = insert_round_robin, .max_kicks = 200},
     .budget = "200-evictions",
     .source = "ladnir/cryptoTools:cryptoTools/Common/CuckooIndex.cpp@6c4161d"},
    {.name = "lsa-max-3",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "labels", .insert = insert_labels, .max_label = 3},
     .budget = "label-3",
     .source = "alainesp/CBG:Research/research_cuckoo_lsa.md@a7bcaa1"},
    {.name = "lsa-max-4",
     .d = 2,
     .k = 4,
     .positions = POSITIONS_REPEAT,
     .insert = {.name = "labels", .insert = insert_labels, .max_label = 4},
     .budget = "label-4",
     .source = "alainesp/CBG:Research/research_cuckoo_lsa.md@a7bcaa1"},
};

const size_t n_rules = sizeof rules / sizeof rules[0];

const struct production_rule *rules_find(const char *name)
{
    for (size_t i = 0; i < n_rules; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL;
}

/* 4 ceil(-lg n / (0.028255 + 1.1594772 ln load)), n keys at this load; the library computes
 * in float, so that its value may differ by a few units. */
static uint32_t cudpp_iterations(uint64_t slots, unsigned promise)
{
    double load = promise / 10000.0;
    double keys = floor(load * (double)slots);

    if (keys < 1.0)
        return 0;
    return (uint32_t)(4.0 * ceil(-log2(keys) / (0.028255 + 1.1594772 * log(load))));
}

struct insert_rule rules_limits(const struct production_rule *self, uint64_t slots)
{
    struct insert_rule limits = self->insert;

    if (self->cap == RULE_CAP_7_LG)
        limits.max_kicks = (uint32_t)(7.0 * log2((double)slots));
    if (self->cap == RULE_CAP_CUDPP)
        limits.max_kicks = cudpp_iterations(slots, self->promise);
    return limits;
}

int rules_make(const struct production_rule *self, uint64_t slots, struct scheme *scheme,
               struct insert_rule *insert)
{
    int code = self->window > 0
                   ? scheme_init_windows(scheme, self->d, self->window, 0, slots)
                   : scheme_init(scheme, self->d, self->k, LAYOUT_ONE, self->positions, slots);

    if (code == ERR_NONE && self->derive.kind != DERIVE_NONE)
        code = scheme_use_derive(scheme, &self->derive);
    if (code != ERR_NONE)
        return code;
    *insert = rules_limits(self, scheme->slots);
    return ERR_NONE;
}
