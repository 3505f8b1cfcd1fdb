"""Small faults to plant in the program, one at a time: (file, what stands there, what is put
there instead).  The text must occur exactly once in its file; a fault whose text is gone is
an error, so that the list keeps up with the code.  QUICK names those that `make check`
plants as a test of the tests."""

QUICK = ["kick-count", "swapped-bucket", "lost-row"]

FAULTS = {
    # the two that the design names
    "kick-count": ("src/insert_walk.c", "    for (;;) {\n        unsigned j = first_free(self, bucket, count);\n        if (j < count)\n            return place(self, bucket[j], key);\n        if (self->cost.kicks >= self->rule->max_kicks)",
                   "    for (;;) {\n        unsigned j = first_free(self, bucket, count);\n        if (j < count)\n            return place(self, bucket[j], key);\n        if (self->cost.kicks > self->rule->max_kicks)"),
    "swapped-bucket": ("src/scheme.h", "bucket[j + 1] = self->base[j + 1] + hash_reduce(hash, self->width[j + 1]);",
                       "bucket[j + 1] = self->base[j] + hash_reduce(hash, self->width[j + 1]);"),
    "lost-row": ("experiments/e7.c", "for (size_t s = span.first; s <= span.last; s++)\n        count +=",
                 "for (size_t s = span.first; s < span.last; s++)\n        count +="),

    # numbers
    "mixer-shift": ("src/hash.h", "z = (z ^ (z >> 27))", "z = (z ^ (z >> 28))"),
    "reduce-rounds-up": ("src/hash.h", "* n) >> 32);", "* n + n - 1) >> 32);"),
    "stream-drops-a-word": ("src/rng.h", "for (size_t i = 0; i < count; i++)\n        key", "for (size_t i = 0; i + 1 < count; i++)\n        key"),
    "stream-adds-words": ("src/rng.h", "key = hash_mix(key ^ hash_mix(words[i] + (i + 1) * HASH_GAMMA));",
                          "key += words[i];"),
    "below-is-biased": ("src/rng.h", "while ((uint32_t)product < limit)", "while (0 && (uint32_t)product < limit)"),
    "below-rejects-one-more": ("src/rng.h", "while ((uint32_t)product < limit)", "while ((uint32_t)product <= limit)"),

    # where a key may live
    "search-in-the-key": ("src/scheme.c", "trial,   use,\n    };", "trial, use == STREAM_SEARCH ? STREAM_KEYS : use,\n    };"),
    "trial-not-in-the-key": ("src/scheme.c", "trial,   use,\n    };", "trial / 2, use,\n    };"),
    "seed-plus-trial": ("src/scheme.c", "        seed, self->d, self->k, self->layout | first << 8, self->positions, self->buckets,\n        keys, trial,   use,",
                        "        seed + trial, self->d, self->k, self->layout | first << 8, self->positions, self->buckets,\n        keys, 0,   use,"),
    "first-table-not-in-the-key": ("src/scheme.c", "self->layout | first << 8,", "self->layout,"),
    "bubble-last-again": ("src/insert_bubble.c", "from == last ? last - 1 : last", "last"),
    "distinct-not-uniform": ("src/scheme.c", "for (; i < j && rank >= sorted[i]; i++)", "for (; i < j && rank > sorted[i]; i++)"),
    "candidates-correlate": ("src/scheme.h", "hash_reduce(hash, self->width[j + 1]);", "hash_reduce(hash >> 31, self->width[j + 1]);"),
    "one-seed-for-all": ("src/scheme.c", "self->seed[i] = rng_next(&rng);", "self->seed[i] = i > 0 ? self->seed[0] : rng_next(&rng);"),
    "bucket-of-no-slots": ("src/scheme.c", "if (width < 1 || width", "if (width"),
    "lines-of-misses": ("src/scheme.c", "    if (last >= end)\n        last = end - 1;", "    if (last > end)\n        last = end - 1;"),
    "window-leaves-the-page": ("src/scheme.c", "start / (self->page - self->window + 1)", "start / self->page"),
    "window-start-missing": ("src/scheme.c", "(rest < starts ? rest : starts);", "rest;"),
    "window-never-lost": ("src/threshold.c", "after[length - 1] += from[b] * at_least[length - b];", "after[length - 1] += 0.0 * from[b] * at_least[length - b];"),
    "second-window-is-primary": ("src/measure_lookup.c", "j /= scheme->window;", "j /= 2 * scheme->window;"),
    "line-straddled": ("src/scheme.h", "((uint64_t)bucket * self->k + self->k - 1) / SCHEME_LINE_SLOTS", "((uint64_t)bucket * self->k) / SCHEME_LINE_SLOTS"),
    "find-misses-a-slot": ("src/table.c", "for (unsigned s = 0; s < self->used[bucket[j]]; s++)", "for (unsigned s = 1; s < self->used[bucket[j]]; s++)"),
    "verify-looks-away": ("src/table.c", "if (j == self->scheme->d)\n                return ERR_VERIFY;", "if (j == self->scheme->d)\n                return ERR_NONE;"),

    # insertion
    "straight-back": ("src/insert_walk.c", "if (bucket[j] != from)", "if (bucket[j] != from || d == 3)"),
    "always-first-candidate": ("src/insert_walk.c", "bucket[count > 1 ? rng_below(&self->rng, count) : 0]", "bucket[0]"),
    "always-first-slot": ("src/insert_walk.c", "slot = rng_below(&self->rng, self->table->scheme->k);", "(void)rng_below(&self->rng, self->table->scheme->k);"),
    "kick-not-counted": ("src/insert_walk.c", "    self->cost.kicks++;\n", "    self->cost.kicks += slot < 3;\n"),
    "reads-not-counted": ("src/insert_walk.c", "j < count ? j + 1 : count;", "j;"),
    "original-goes-back": ("src/insert_walk.c", "target = bucket[0] == target ? bucket[1] : bucket[0];", "target = bucket[1] == target ? bucket[1] : bucket[0];"),
    "original-limit": ("src/insert_walk.c", "            return place(self, target, key);\n        if (self->cost.kicks >= self->rule->max_kicks)",
                       "            return place(self, target, key);\n        if (self->cost.kicks + 1 >= self->rule->max_kicks)"),
    "one-move-more": ("src/insert_breadth.c", "if (depth >= self->rule->max_moves)", "if (depth > self->rule->max_moves)"),
    "slot-limit": ("src/insert_breadth.c", "inspected > self->rule->max_slots)", "inspected >= self->rule->max_slots)"),
    "visited-stay": ("src/insert_breadth.c", "for (size_t i = 0; i < self->nodes; i++)\n        flip", "for (size_t i = 1; i < self->nodes; i++)\n        flip"),
    "depth-of-the-tree": ("src/insert_breadth.c", "        if (i == level_end) {", "        if (i > level_end) {"),
    "preset-500": ("src/insert.c", ".insert = insert_walk, .max_kicks = 500", ".insert = insert_walk, .max_kicks = 499"),
    "preset-moves": ("src/insert.c", ".max_slots = 2000, .max_moves = 5}", ".max_slots = 2000, .max_moves = 4}"),
    "lines-counted-twice": ("src/insert.c", "uint32_t j = *word & bit ? 0 : i;", "uint32_t j = i;"),
    "lines-of-one-bit": ("src/insert.c", "while (j < i && self->written[j]", "while (j + 1 < i && self->written[j]"),

    # placement
    "peels-too-much": ("src/graph_kernel.h", "(degree[u] <= 1) | (degree[v] <= 1)", "(degree[u] <= 2) | (degree[v] <= 1)"),
    "degrees-wrap": ("src/graph.c", "self->scheme->buckets) == 2 * self->edges;", "self->scheme->buckets) <= 2 * self->edges;"),
    "narrow-too-far": ("src/graph.c", "#define NARROW_MAX  65535", "#define NARROW_MAX  65540"),
    "edges-lost": ("src/graph_components.c", "self->edges_of[a] += self->edges_of[b];", ";"),
    "excess-lost": ("src/graph.c", "    parent[high] += parent[low] - UNITE_ROOT;\n", ""),
    "excess-by-one": ("src/graph_components.c", "return e > v ? e - v : 0;", "return e >= v ? e - v + 1 : 0;"),
    "cycle-is-too-many": ("src/graph.c", "return parent[a]++ > UNITE_ROOT;", "return parent[a]++ >= UNITE_ROOT;"),
    "two-cycles-joined": ("src/graph.c", "parent[low] > UNITE_ROOT && parent[high] > UNITE_ROOT;", "parent[low] > UNITE_ROOT + 1 && parent[high] > UNITE_ROOT;"),
    "cycle-forgotten": ("src/complete.c", "parent[a] = (parent[a] | (parent[b] & CYCLE))", "parent[a] = parent[a]"),
    "evicted-forgets-its-bucket": ("src/complete_kernel.h", "resident.bucket[OTHERS] = bucket;", "resident.bucket[OTHERS] = resident.bucket[0];"),
    "dead-too-early": ("src/complete_kernel.h", "if (used + 1 == self->scheme->k)\n                self->label[bucket] = 1;",
                       "if (used + 1 == self->scheme->k)\n                self->label[bucket] = COMPLETE_DEAD;"),
    "lane-limit": ("src/graph_original_kernel.h", "(lane->kicks >= max_kicks)", "(lane->kicks > max_kicks)"),
    "lane-kicks-stay": ("src/graph_original_kernel.h", "lane->kicks = (lane->kicks + 1) & mask;", "lane->kicks = lane->kicks + 1;"),
    "core-too-small": ("src/graph_hyper.c", "drop |= degree[bucket[j]] <= k;", "drop |= degree[bucket[j]] <= k + 1;"),
    "additive-other": ("src/derive.c", "shift + m - bucket);", "shift + m - bucket - 1);"),

    # open addressing
    "robin-hood-carry": ("src/openaddr.c", "carried = carried + own > 0 ? carried + own - 1 : 0;", "carried = carried + own > 1 ? carried + own - 2 : 0;"),
    "robin-hood-miss": ("src/openaddr.c", "lookup_costs_add(&sum, carried + own + 1,", "lookup_costs_add(&sum, carried + own + (own > 0),"),
    "wrapped-line": ("src/openaddr.c", "return last / line == start / line ? lines - 1 : lines;", "return lines;"),
    "linear-wraps-wrong": ("src/openaddr.c", "slots - home + slot) + UINT64_C(1);", "slots - home + slot);"),
    "empty-beyond-the-end": ("src/openaddr.c", "if (found < slots)", "if (found <= slots)"),

    # trials and measures
    "lost-tally": ("src/tally.c", "into[i] = tally_add(into[i], from[i]);", "into[i] = from[i];"),
    "counters-left": ("src/tally.c", "            cells[i] = 0;\n", ""),
    "zeros-not-taken": ("src/tally.c", "if ((cells[i] | common[i]) != 0)", "if (cells[i] != 0)"),
    "lost-maximum": ("src/tally.c", "if (from[i] > into[i])", "if (from[i] > into[i] && into[i] == 0)"),
    "lost-of-a-gap": ("src/pool.c", "        merge_common(pool, here->common, common);\n        here->end = end;", "        here->end = end;"),
    "block-repeated": ("src/pool.c", "pool->next += count;", "pool->next += count > 1 ? count - 1 : count;"),
    "gap-joined-too-early": ("src/pool.c", "if (after != NULL && after->first == end) {", "if (after != NULL && after->first >= end) {"),
    "rows-shifted": ("src/tally.c", "uint64_t *to = self->row + (first - self->first);", "uint64_t *to = self->row + (first > self->first ? first - self->first - 1 : 0);"),
    "budget-ignored": ("src/trials.c", "    if (each > budget)\n", "    if (each > budget && budget == 0)\n"),
    "stash-cell": ("src/measure_fail.c", "count_stash(&tally[FAIL_RULE_STASH], stash[i]);", "count_stash(&tally[FAIL_RULE_STASH], stash[0]);"),
    "stash-not-counted": ("src/measure_fail.c", "!= INSERT_PLACED;\n    return stashed;", "== INSERT_GAVE_UP && stashed == 0;\n    return stashed;"),
    "other-keys-for-the-rule": ("src/measure_fail.c", "rng_init(&keys, stream(setting, trial, STREAM_KEYS));", "rng_init(&keys, stream(setting, trial + 1, STREAM_KEYS));"),
    "ratio-rounds": ("src/ratio.c", "(rest % self.den > 0)", "(rest > self.den)"),
    "last-key-counted": ("src/measure_fill.c", "*placed = fill->table.stored;", "*placed = fill->table.stored + 1;"),
    "hit-reads-half": ("src/measure_lookup.c", "(uint64_t)(j + 1) * scheme->window * scheme->k, lines,", "(uint64_t)j * scheme->window * scheme->k + 1, lines,"),
    "hit-lines-of-all": ("src/measure_lookup.c", "scheme_lines(scheme, bucket, (j + 1) * scheme->window)]++;", "scheme_lines(scheme, bucket, scheme->d)]++;"),
    "hit-lines-of-pairs": ("src/measure_lookup.c", "lines += scheme_first_line(scheme, bucket[0]) != scheme_first_line(scheme, b);", "lines += bucket[0] != b;"),
    "left-over-dropped": ("src/measure_lookup.c", "LOOKUP_LEFT_OVER) + trial] = left_over;", "LOOKUP_LEFT_OVER) + trial] = left_over > 1;"),
    "failed-not-counted": ("src/measure_insert.c", "tally[insert_failed(setting, segment) + trial] += failed;", ";"),
    "plain-counted-once": ("src/measure_insert.c", "segment, trial, plain[reads], tally);", "segment, trial, 1, tally);"),
    "plain-lines": ("src/measure_insert.c", "{0, 0, reads, 1};", "{0, 0, reads, 0};"),
    "segment-shifted": ("src/measure_insert.c", "offered = setting->keys[segment];", "offered = setting->keys[segment] - 1;"),

    # measures of e8 to e13
    "policy-largest": ("src/measure_growth.c", "raise(&tally[POLICY_LARGEST], growth->last_writes);", "raise(&tally[POLICY_LARGEST], growth->last_writes - 1);"),
    "policy-stashes": ("src/measure_growth.c", "tally[POLICY_STASHES] += growth->stashed > 0;", "tally[POLICY_STASHES] += growth->stashed > 1;"),
    "deletion-last": ("src/measure_filter_faults.c", "*last = !found && i + 1 == items;", "*last = !found && i == items;"),
    "rate-lost": ("src/measure_filter.c", "cell[RATE_LOOKUPS] += setting->lookups;", "cell[RATE_LOOKUPS] += setting->lookups / 2;"),
    "churn-drops-another": ("src/measure_churn.c", "drop_live(state, growth->inserter.cost.nestless);", "drop_live(state, key);"),
    "compact-writes": ("src/measure_churn.c", "        cell[CHURN_WRITES] += growth->inserter.cost.writes;\n        cell[CHURN_FAILED]", "        cell[CHURN_FAILED]"),
    "rule-path-cell": ("src/measure_rule.c", "paths[path < RULE_PATHS ? path : RULE_PATHS - 1]++;", "paths[path < RULE_PATHS ? path : RULE_PATHS - 2]++;"),
    "rule-primary": ("src/measure_rule.c", "count += b >= bucket[0] && b - bucket[0] < table->scheme->window;", "count += b > bucket[0] && b - bucket[0] <= table->scheme->window;"),
    "rule-load-late": ("src/measure_rule.c", "table->stored == setting->loads[load])", "table->stored == setting->loads[load] + 1)"),
    "stream-under": ("src/measure_stream.c", "cell[STREAM_UNDER] += estimate < times;", "cell[STREAM_UNDER] += estimate <= times;"),
    "cube-collisions": ("src/measure_hash.c", "for (uint64_t y = 0; y < x; y++)\n                count +=", "for (uint64_t y = 1; y < x; y++)\n                count +="),
    "chains-most": ("src/measure_compare.c", "    if (compared > *most)", "    if (compared > *most + 1)"),

    # a run in parts
    "shards-overlap": ("src/session.c", "tally->first != to->end ||", "tally->first > to->end ||"),
    "stopped-block-counts": ("src/pool.c", "if (code == ERR_NONE && count > 0) {", "if ((code == ERR_NONE || code == ERR_STOPPED) && count > 0) {"),
    "pipe-ignored": ("src/out.c", "            stop_ask(SIGPIPE);", "            ;"),
    "lock-forgotten": ("src/whole_file.c", "flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;", "0;"),
    "cut-forgotten": ("src/whole_file.c", "if (ftruncate(descriptor, 0) == 0)", "if (1)"),
    "item-freed-twice": ("src/record_read.c", "    if (name == NULL)\n        return ERR_USAGE;\n    struct record_item *grown = realloc(*items, (*count + 1) * sizeof **items);", "    struct record_item *grown = realloc(*items, (*count + 1) * sizeof **items);\n    if (name == NULL)\n        return ERR_USAGE;"),
    "cells-unbounded": ("src/record_read.c", "number[SUMS] > self->cells ||", "0 ||"),
    "sweep-first-only": ("commands/sweep.c", "row < rows && code == ERR_NONE; row++)", "row + 1 < rows && code == ERR_NONE; row++)"),
    "load-limit": ("commands/question.c", ">= LOAD_LIMIT)", "> LOAD_LIMIT)"),

    # statistics and exact answers
    "percentile-rank": ("src/stats.c", "(rest * numerator + denominator - 1) / denominator;", "rest * numerator / denominator;"),
    "median-rank": ("src/stats.c", "*high_rank = n + 1 - low;", "*high_rank = n - low;"),
    "residue-at-zero": ("src/stats.c", "    if (successes == 0)\n        *low = 0.0;", "    if (successes == 0)\n        *low = 1e-18;"),
    "threshold-tail": ("src/threshold.c", "return e - hazard(self->k, self->d * self->k * (1.0 - e));", "return e - hazard(self->k + 1.0, self->d * self->k * (1.0 - e));"),

    "exact-window": ("src/exact_one.c", "28.0 * self->spread > pi", "14.0 * self->spread > pi"),
    "split-window": ("src/exact_split.c", "self->whole_w = 14.0 * self->spread_w", "self->whole_w = 10.0 * self->spread_w"),
    "exact-pairs": ("src/exact_one.c", "log_scale -= n * log1p(-1.0 / m);", "log_scale -= n * log1p(-1.0 / (m + 1.0));"),

    # input and output
    "negative-zero": ("src/out.c", "if (number[0] == '-' && strpbrk", "if (number[0] == '+' && strpbrk"),
    "error-not-kept": ("src/out.c", "fflush(self->stream) != 0)\n        fail(self, ERR_IO);", "fflush(self->stream) != 0)\n        ;"),
    "csv-none": ("src/out.c", 'if (strcmp(self->cells[i], "-") != 0)', "if (1)"),
    "file-not-replaced-whole": ("src/whole_file.c", "        remove(self->temporary);\n", "        ;\n"),
    "parse-overflow": ("src/parse.c", "if (sum > (UINT64_MAX - digit) / 10)", "if (sum > UINT64_MAX / 5)"),
    "parse-trailing": ("src/parse.c", "if (number < min || number > max)", "if (number < min || number >= max)"),
    "misuse-is-failure": ("commands/dispatch.c", ": code == ERR_USAGE   ? 2", ": code == ERR_USAGE   ? 1"),
    "stdout-not-checked": ("commands/dispatch.c", "if (fclose(stdout) != 0 && status == 0)", "if (fclose(stdout) != 0 && status == 3)"),
    "option-taken-everywhere": ("src/options.c", "if (code < 256 || !(command->takes", "if (code < 256 || 0 * !(command->takes"),

    # experiments
    "e2-mean": ("experiments/common.c", "if (count[t] == 0)\n            continue;", "if (count[t] == 0 || t == 0)\n            continue;"),
    "e3-load": ("experiments/e3.c", "load = {9, 10};", "load = {10, 11};"),
    "e4-keys": ("experiments/e4.c", ".keys = ratio_floor(kept, row->m)", ".keys = ratio_ceil(kept, row->m)"),
    "e5-at-least": ("experiments/e5.c", "tail(&tally[FAIL_STASH], s)", "tail(&tally[FAIL_STASH], s + 1)"),
    "e6-upper-median": ("experiments/common.c", ".median = value[(n - 1) / 2]", ".median = value[(n + 1) / 2]"),
    "e7-bound": ("experiments/e7.c", "2 * b * power < m * b - m + 2 * b;", "2 * b * power < m * b + m;"),
    "e1-round": ("src/trace.c", ".round = steps / 2 + 1,", ".round = (steps + 1) / 2,"),
}
