/* insert_production.h -- insertion rules of libraries, as their sources read; which file and
 * version each was read in, and with which limits, is in rules.c.
 *
 * All are one-threaded here: what locks and retries add for several threads is left out.
 * Free slots are kept at the end of a bucket; a rule that takes the first or a random free
 * slot takes the first here, which changes no count. */
#ifndef CUCKOO_INSERT_PRODUCTION_H
#define CUCKOO_INSERT_PRODUCTION_H

#include "insert.h"

/* ---- chains: a nestless key goes from bucket to bucket ---- */

/* Cuckoo filter: iteration 0 looks into bucket 1, iteration 1 into bucket 2; from iteration 1
 * on, a full bucket loses a random resident, which goes on to its other bucket.  The last of
 * max_kicks (one less than the iterations) is not followed by a look.  d = 2. */
enum insert_outcome insert_filter(struct inserter *self, uint64_t key);
/* RedisBloom: a free slot in bucket 1 or 2; else from bucket 1 on evict slot 0, then 1, ...
 * round robin, one step an iteration; after max_kicks all is put back as it was.  d = 2. */
enum insert_outcome insert_slot_robin(struct inserter *self, uint64_t key);
/* Set-intersection libraries: the key takes candidate 0 and a resident it finds goes to the
 * candidate after its own, round robin, without looking for free slots first.  max_kicks
 * evictions are made and the key then nestless gets no further look.  k = 1. */
enum insert_outcome insert_round_robin(struct inserter *self, uint64_t key);
/* BGHT and CUDPP: as the rule before, but buckets of k with a random victim where full, and
 * the next candidate is found from the bucket it leaves: the one after the first candidate
 * that is that bucket. */
enum insert_outcome insert_next_bucket(struct inserter *self, uint64_t key);
/* Bubble-up, the basic rule: a key comes to its candidates in order and takes the first of the
 * first d-2 that is free; else it goes to candidate d-1, a key from there to candidate d, a key
 * from there to candidate d-1 again; an evicted key goes on from the candidate it had.  So the
 * last two candidates are a table of two choices for those that found no other place.
 * max_kicks as in insert_round_robin; d >= 2, k = 1.  Kuszmaul, Mitzenmacher, arXiv:2501.02312. */
enum insert_outcome insert_bubble_up(struct inserter *self, uint64_t key);
/* jemalloc: a free slot in bucket 1 or 2; else from bucket 2 on evict a random resident, which
 * goes to its other bucket, until one's other bucket is the one where it started.  d = 2. */
enum insert_outcome insert_until_cycle(struct inserter *self, uint64_t key);

/* ---- queues: search first, then move the hole ---- */

/* libcuckoo: roots bucket 1 and 2; a bucket is read when it leaves the queue, its residents'
 * other buckets enter; no visited set.  max_moves limits the depth, max_nodes what the
 * queue holds in all (a search stops when it is full).  d = 2. */
enum insert_outcome insert_queue(struct inserter *self, uint64_t key);
/* DPDK: a free slot in bucket 1 or 2; else a search as before from bucket 1 alone and, if it
 * fails, another from bucket 2 alone, each until fewer than k of max_nodes are left. */
enum insert_outcome insert_queue_twice(struct inserter *self, uint64_t key);
/* Open vSwitch: as libcuckoo, but a bucket is read when it is met; it enters the queue of
 * max_nodes if there is room and its path is shorter than max_moves. */
enum insert_outcome insert_queue_ahead(struct inserter *self, uint64_t key);

/* MemC3: `paths` paths side by side, the first half from bucket 1 and the rest from bucket 2
 * (a single one from bucket 2); each step moves on all of them by a random resident; the
 * first with a free slot is executed backwards; where its keys have moved meanwhile (a path
 * through itself) the search goes on from there.  max_kicks counts steps times paths. d = 2. */
enum insert_outcome insert_paths(struct inserter *self, uint64_t key);

/* LSA_max: every slot has a label, 0 at first.  The key takes the slot with the least label
 * among those of all its candidates (rule->ties says which of several), whose label becomes
 * the next least plus 1; a resident found there goes on the same way; a least label of
 * max_label or more ends it. */
#define LABEL_MAX 255u /* a label is a byte */
enum insert_outcome insert_labels(struct inserter *self, uint64_t key);

int insert_needs_marks(const struct insert_rule *rule);
int insert_needs_nodes(const struct insert_rule *rule);
/* Does it know one other bucket of a key (d = 2)? */
int insert_needs_two(const struct insert_rule *rule);

#endif
