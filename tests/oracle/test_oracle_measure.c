/* test_oracle_measure.c -- what the measures tally, recomputed trial by trial on one thread
 * from the plain transcriptions. */
#include "../unit/unit.h"

#include <math.h>

#include "measure.h"
#include "slow.h"

#define SEED   5
#define TRIALS 12

/* A trial of the transcription: table, keys and choices from their streams. */
struct slow_trial {
    struct slow_table table;
    uint64_t keys, choices;
};

static void start(struct slow_trial *t, const struct scheme *scheme, uint64_t keys, uint64_t trial)
{
    uint64_t words[] = {SEED,
                        scheme->d,
                        scheme->k,
                        scheme->layout, /* 1: split, 2: windows */
                        scheme->positions == POSITIONS_DISTINCT,
                        scheme->buckets,
                        keys,
                        trial,
                        1};

    memset(t, 0, sizeof *t);
    t->table.d = scheme->d;
    t->table.k = scheme->k;
    t->table.split = scheme->layout == LAYOUT_SPLIT;
    t->table.window = scheme->layout == LAYOUT_WINDOW ? scheme->window : 0;
    t->table.page = scheme->page;
    t->table.distinct = scheme->positions == POSITIONS_DISTINCT;
    t->table.buckets = scheme->buckets;
    t->keys = slow_stream(words, 9);
    words[8] = 2;
    uint64_t functions = slow_stream(words, 9);
    for (unsigned i = 0; i < SLOW_D / 2; i++)
        t->table.seed[i] = slow_next(&functions);
    words[8] = 3;
    t->choices = slow_stream(words, 9);
}

static enum slow_outcome insert(struct slow_trial *t, const struct insert_rule *rule, uint64_t key,
                                struct slow_cost *cost)
{
    memset(cost, 0, sizeof *cost);
    if (rule->insert == insert_walk)
        return slow_walk(&t->table, key, rule->max_kicks, &t->choices, cost);
    if (rule->insert == insert_original)
        return slow_original(&t->table, key, rule->max_kicks, &t->choices, cost);
    return slow_breadth(&t->table, key, rule->max_slots, rule->max_moves, cost);
}

static uint64_t *run(const struct trials_work *work, int threads)
{
    struct options options;
    struct error err = {0};
    uint64_t *tally;

    options_init(&options);
    options.threads = threads;
    options.quiet = 1;
    assert_int_equal(trials_run(work, &options, &tally, &err), ERR_NONE);
    return tally;
}

/* {d, k, 0} in one table, or {windows, 1, their length}. */
static void make_shape(struct scheme *scheme, const unsigned *shape, uint64_t slots)
{
    assert_int_equal(
        shape[2] > 0 ? scheme_init_windows(scheme, shape[0], shape[2], 0, slots)
                     : scheme_init(scheme, shape[0], shape[1], LAYOUT_ONE, POSITIONS_REPEAT, slots),
        ERR_NONE);
}

static void make(struct scheme *scheme, unsigned d, unsigned k, enum layout layout, uint64_t slots)
{
    assert_int_equal(scheme_init(scheme, d, k, layout, POSITIONS_REPEAT, slots), ERR_NONE);
}

static void ratios_are_exact(void **state)
{
    struct ratio half = {1, 2}, nineteen = {19, 20}, all = {1, 1};

    (void)state;
    assert_int_equal(ratio_floor(half, 7), 3);
    assert_int_equal(ratio_ceil(half, 7), 4);
    assert_int_equal(ratio_ceil(half, 8), 4);
    assert_int_equal(ratio_floor(nineteen, 1 << 20), 996147); /* 0.95 x 2^20 = 996147.2 */
    assert_int_equal(ratio_ceil(nineteen, 1 << 20), 996148);
    assert_int_equal(ratio_floor(all, 12), 12);
    /* 0.9 x 20000 and 0.8 x 5000 are whole and must not lose one to rounding */
    assert_int_equal(ratio_floor((struct ratio){9, 10}, 20000), 18000);
    assert_int_equal(ratio_floor((struct ratio){8, 10}, 5000), 4000);
    for (uint64_t v = 0; v < 3000; v++) {
        assert_int_equal(ratio_floor(nineteen, v), (v * 95 - v * 95 % 100) / 100);
        assert_int_equal(ratio_ceil(nineteen, v), v - v / 20);
    }
}

static void failures(void **state)
{
    static const uint64_t keys[] = {0, 1, 20, 24, 30, 60};

    (void)state;
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++)
        for (int variant = 0; variant < 4; variant++) {
            struct fail_setting setting = {.keys = keys[n], .seed = SEED, .trials = 200};
            struct trials_work work;
            uint64_t expected[FAIL_ADDS] = {0};
            setting.rule = variant % 2 ? &insert_rule_original100 : NULL;
            make(&setting.scheme, 2, 1, variant / 2 ? LAYOUT_ONE : LAYOUT_SPLIT, 48);
            for (uint64_t trial = 0; trial < setting.trials; trial++) {
                static struct slow_keys all;
                struct slow_trial t;
                struct slow_cost cost;
                unsigned stashed = 0;
                start(&t, &setting.scheme, keys[n], trial);
                all = (struct slow_keys){.d = 2, .k = 1, .buckets = 48, .n = (unsigned)keys[n]};
                for (unsigned i = 0; i < all.n; i++) {
                    uint64_t key = slow_next(&t.keys);
                    slow_candidates(&t.table, key, all.bucket[i]);
                    stashed += insert(&t, &insert_rule_original100, key, &cost) != SLOW_PLACED;
                }
                expected[FAIL_STASH + slow_excess(&all)]++;
                if (setting.rule != NULL)
                    expected[FAIL_RULE_STASH + stashed]++;
            }
            fail_work(&setting, &work);
            for (int threads = 1; threads <= 3; threads++) {
                uint64_t *tally = run(&work, threads);
                assert_memory_equal(tally, expected, sizeof expected);
                free(tally);
            }
        }
}

/* S beyond graphs: the keys that a largest placement leaves out. */
static void failures_of_other_shapes(void **state)
{
    unsigned found = 0;
    static const unsigned shape[][4] = {/* d, k, slots of a window (k = 1), load in per cent */
                                        {3, 1, 0, 90}, {2, 2, 0, 88}, {2, 4, 0, 97}, {4, 1, 0, 97},
                                        {3, 2, 0, 98}, {1, 2, 0, 40}, {5, 1, 0, 98}, {2, 1, 2, 97},
                                        {2, 1, 7, 99}, {3, 1, 2, 99}, {4, 1, 4, 100}};

    (void)state;
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++)
        for (int variant = 0; variant < (shape[i][2] > 0 ? 1 : 3); variant++) {
            struct fail_setting setting = {.seed = SEED, .trials = 60};
            struct trials_work work;
            uint64_t expected[FAIL_ADDS] = {0}, slots = 12 * shape[i][0] * shape[i][1];
            if (variant == 0)
                make_shape(&setting.scheme, shape[i], slots);
            else
                assert_int_equal(scheme_init(&setting.scheme, shape[i][0], shape[i][1],
                                             variant == 1 ? LAYOUT_SPLIT : LAYOUT_ONE,
                                             variant == 2 ? POSITIONS_DISTINCT : POSITIONS_REPEAT,
                                             slots),
                                 ERR_NONE);
            setting.keys = setting.scheme.slots * shape[i][3] / 100;
            setting.rule = variant == 0 ? &insert_rule_walk500 : NULL;
            for (uint64_t trial = 0; trial < setting.trials; trial++) {
                static struct slow_keys all;
                struct slow_trial t;
                struct slow_cost cost;
                unsigned stashed = 0;
                start(&t, &setting.scheme, setting.keys, trial);
                all = (struct slow_keys){.d = setting.scheme.d,
                                         .k = setting.scheme.k,
                                         .buckets = setting.scheme.buckets,
                                         .n = (unsigned)setting.keys};
                for (unsigned n = 0; n < all.n; n++) {
                    uint64_t key = slow_next(&t.keys);
                    slow_candidates(&t.table, key, all.bucket[n]);
                    stashed += insert(&t, &insert_rule_walk500, key, &cost) != SLOW_PLACED;
                }
                unsigned stash = all.n - slow_most_placed(&all);
                expected[FAIL_STASH + stash]++;
                found += stash > 0;
                if (setting.rule != NULL)
                    expected[FAIL_RULE_STASH + stashed]++;
            }
            fail_work(&setting, &work);
            uint64_t *tally = run(&work, 2);
            assert_memory_equal(tally, expected, sizeof expected);
            free(tally);
        }
    assert_true(found > 100);
}

static void fill(void **state)
{
    static const struct insert_rule *const rules[] = {&insert_rule_walk500, &insert_rule_breadth,
                                                      &insert_rule_original500,
                                                      &insert_rule_complete};
    static const unsigned shape[][3] = {{2, 1, 0}, {2, 3, 0}, {3, 1, 0}, {2, 1, 2}, {3, 1, 3}};

    (void)state;
    for (size_t r = 0; r < 4; r++)
        for (size_t i = 0; i < 5; i++) {
            struct fill_setting setting = {.rule = rules[r], .seed = SEED, .trials = TRIALS};
            struct trials_work work;
            if ((shape[i][0] != 2 || shape[i][2] > 0) && rules[r]->insert == insert_original)
                continue;
            make_shape(&setting.scheme, shape[i], 200);
            fill_work(&setting, &work);
            uint64_t *tally = run(&work, 2);
            for (uint64_t trial = 0; trial < TRIALS; trial++) {
                struct slow_trial t;
                struct slow_cost cost;
                uint64_t placed = 0;
                start(&t, &setting.scheme, 0, trial);
                while (insert(&t, rules[r], slow_next(&t.keys), &cost) == SLOW_PLACED)
                    placed++;
                assert_int_equal(tally[trial], placed);
            }
            free(tally);
        }
}

/* One hit: whole buckets, or windows, up to the first that holds the key. */
static unsigned hit_slots(const struct slow_table *t, uint64_t key, unsigned *lines)
{
    unsigned bucket[SLOW_D], slots = 0;
    unsigned char line[SLOW_BUCKETS * SLOW_K / 8 + 1] = {0};
    int found = 0;

    slow_candidates(t, key, bucket);
    for (unsigned j = 0; j < t->d && (!found || (t->window > 0 && j % t->window > 0)); j++)
        for (unsigned s = 0; s < t->k; s++) {
            slots++;
            line[(bucket[j] * t->k + s) / 8] = 1;
            found |= s < t->used[bucket[j]] && t->key[bucket[j]][s] == key;
        }
    assert_true(found);
    *lines = 0;
    for (size_t i = 0; i < sizeof line; i++)
        *lines += line[i];
    return slots;
}

static void cuckoo_lookups(void **state)
{
    static const unsigned shape[][3] = {{2, 1, 0}, {2, 4, 0}, {3, 1, 0},
                                        {2, 3, 0}, {2, 1, 3}, {3, 1, 4}};
    static const struct insert_rule *const rules[] = {&insert_rule_complete, &insert_rule_walk500};

    (void)state;
    for (size_t i = 0; i < 6; i++)
        for (size_t r = 0; r < 2; r++) {
            struct lookup_setting setting = {.kind = LOOKUP_CUCKOO,
                                             .rule = rules[r],
                                             .keys = {50, 100, 101, 190},
                                             .n_loads = 4,
                                             .seed = SEED,
                                             .trials = TRIALS};
            struct trials_work work;
            make_shape(&setting.scheme, shape[i], 200);
            lookup_work(&setting, &work);
            uint64_t *tally = run(&work, 2);
            static uint64_t histogram[4][64];
            memset(histogram, 0, sizeof histogram);
            for (uint64_t trial = 0; trial < TRIALS; trial++) {
                struct slow_trial t;
                struct slow_cost cost;
                uint64_t offered = 0, left_over = 0;
                start(&t, &setting.scheme, 0, trial);
                for (size_t load = 0; load < 4; load++) {
                    uint64_t value[LOOKUP_VALUES] = {0};
                    for (; offered < setting.keys[load]; offered++)
                        left_over += insert(&t, rules[r], slow_next(&t.keys), &cost) != SLOW_PLACED;
                    for (unsigned b = 0; b < t.table.buckets; b++)
                        value[LOOKUP_FULL] += t.table.used[b] == setting.scheme.k;
                    for (unsigned b = 0; b < t.table.buckets; b++)
                        for (unsigned s = 0; s < t.table.used[b]; s++) {
                            unsigned lines, slots = hit_slots(&t.table, t.table.key[b][s], &lines);
                            histogram[load][slots]++;
                            value[LOOKUP_LOOKUPS]++;
                            value[LOOKUP_PRIMARY] +=
                                slots == setting.scheme.k * setting.scheme.window;
                            value[LOOKUP_SLOTS] += slots;
                            value[LOOKUP_LINES] += lines;
                            if (slots > value[LOOKUP_MAX_SLOTS])
                                value[LOOKUP_MAX_SLOTS] = slots;
                            if (lines > value[LOOKUP_MAX_LINES])
                                value[LOOKUP_MAX_LINES] = lines;
                        }
                    value[LOOKUP_LEFT_OVER] = left_over;
                    assert_int_equal(value[LOOKUP_LOOKUPS] + left_over, offered);
                    for (unsigned v = 0; v < LOOKUP_VALUES; v++)
                        assert_int_equal(tally[lookup_value(&setting, load, 0, v) + trial],
                                         value[v]);
                    uint64_t miss = tally[lookup_value(&setting, load, 1, LOOKUP_SLOTS) + trial];
                    uint64_t times = tally[lookup_value(&setting, load, 1, LOOKUP_LOOKUPS) + trial];
                    assert_int_equal(miss, times * setting.scheme.d * setting.scheme.k);
                }
            }
            for (size_t load = 0; load < 4; load++)
                for (size_t c = 0; c < lookup_cells(&setting); c++)
                    assert_int_equal(tally[lookup_histogram(&setting, load, 0) + c],
                                     histogram[load][c]);
            free(tally);
        }
}

/* The lines that a miss touches on average, against all tuples of candidates. */
static void mean_lines(void **state)
{
    static const unsigned cases[][4] = {
        /* d, k, split, slots */
        {2, 1, 0, 37}, {2, 4, 0, 64}, {2, 3, 0, 100},  {2, 8, 0, 96}, {3, 1, 0, 21},
        {2, 1, 1, 40}, {3, 3, 1, 63}, {2, 16, 0, 128}, {2, 5, 1, 70}, {1, 1, 0, 9}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scheme scheme;
        double mean;
        uint32_t bucket[SCHEME_D_MAX];
        uint64_t total = 1, sum = 0;
        make(&scheme, cases[i][0], cases[i][1], cases[i][2] ? LAYOUT_SPLIT : LAYOUT_ONE,
             cases[i][3]);
        for (unsigned j = 0; j < scheme.d; j++)
            total *= scheme.width[j];
        for (uint64_t code = 0; code < total; code++) {
            uint64_t rest = code;
            for (unsigned j = 0; j < scheme.d; rest /= scheme.width[j], j++)
                bucket[j] = scheme.base[j] + (uint32_t)(rest % scheme.width[j]);
            unsigned char line[64] = {0};
            for (unsigned j = 0; j < scheme.d; j++)
                for (unsigned s = 0; s < scheme.k; s++)
                    line[(bucket[j] * scheme.k + s) / 8] = 1;
            for (size_t l = 0; l < sizeof line; l++)
                sum += line[l];
        }
        assert_int_equal(scheme_mean_lines(&scheme, &mean), ERR_NONE);
        assert_true(fabs(mean - (double)sum / (double)total) < 1e-12);
    }
    struct scheme scheme;
    double mean;
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_ONE, POSITIONS_DISTINCT, 8), ERR_NONE);
    assert_int_equal(scheme_mean_lines(&scheme, &mean), ERR_DOMAIN);
}

/* Linear probing and Robin Hood: homes by the transcription, lengths of probes by arrays. */
static void open_addressing_lookups(void **state)
{
    enum { SLOTS = 200 };

    (void)state;
    for (int robin_hood = 0; robin_hood < 2; robin_hood++) {
        struct lookup_setting setting = {.kind = robin_hood ? LOOKUP_ROBIN_HOOD : LOOKUP_LINEAR,
                                         .keys = {0, 100, 180, 199},
                                         .n_loads = 4,
                                         .seed = SEED,
                                         .trials = TRIALS};
        struct trials_work work;
        make(&setting.scheme, 1, 1, LAYOUT_ONE, SLOTS);
        lookup_work(&setting, &work);
        uint64_t *tally = run(&work, 2);
        static uint64_t histogram[4][2][SLOTS + 1];
        memset(histogram, 0, sizeof histogram);
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            struct slow_trial t;
            int resident[SLOTS]; /* its home, or -1 */
            uint64_t offered = 0;
            start(&t, &setting.scheme, 0, trial);
            for (unsigned s = 0; s < SLOTS; s++)
                resident[s] = -1;
            for (size_t load = 0; load < 4; load++) {
                for (; offered < setting.keys[load]; offered++) {
                    unsigned home, slot;
                    slow_candidates(&t.table, slow_next(&t.keys), &home);
                    for (slot = home; resident[slot] >= 0; slot = (slot + 1) % SLOTS) {
                        unsigned own = (slot + SLOTS - home) % SLOTS;
                        unsigned its = (slot + SLOTS - (unsigned)resident[slot]) % SLOTS;
                        if (robin_hood && its < own) {
                            unsigned out = (unsigned)resident[slot];
                            resident[slot] = (int)home;
                            home = out;
                        }
                    }
                    resident[slot] = (int)home;
                }
                uint64_t slots[2] = {0}, most[2] = {0};
                for (unsigned s = 0; s < SLOTS; s++) {
                    unsigned cost = 0;
                    if (resident[s] >= 0) {
                        cost = (s + SLOTS - (unsigned)resident[s]) % SLOTS + 1;
                        histogram[load][0][cost]++;
                        slots[0] += cost;
                        most[0] = cost > most[0] ? cost : most[0];
                    }
                    for (cost = 1;; cost++) { /* a miss with home s */
                        unsigned at = (s + cost - 1) % SLOTS;
                        if (resident[at] < 0)
                            break;
                        if (robin_hood && (at + SLOTS - (unsigned)resident[at]) % SLOTS < cost - 1)
                            break;
                    }
                    histogram[load][1][cost]++;
                    slots[1] += cost;
                    most[1] = cost > most[1] ? cost : most[1];
                }
                for (int miss = 0; miss < 2; miss++) {
                    assert_int_equal(
                        tally[lookup_value(&setting, load, miss, LOOKUP_SLOTS) + trial],
                        slots[miss]);
                    assert_int_equal(
                        tally[lookup_value(&setting, load, miss, LOOKUP_MAX_SLOTS) + trial],
                        most[miss]);
                    assert_int_equal(
                        tally[lookup_value(&setting, load, miss, LOOKUP_LOOKUPS) + trial],
                        miss ? SLOTS : offered);
                }
            }
        }
        for (size_t load = 0; load < 4; load++)
            for (int miss = 0; miss < 2; miss++)
                for (size_t c = 0; c < lookup_cells(&setting); c++)
                    assert_int_equal(tally[lookup_histogram(&setting, load, miss) + c],
                                     histogram[load][miss][c]);
        free(tally);
    }
}

static void insertions(void **state)
{
    static const struct insert_rule *const rules[] = {&insert_rule_walk500, &insert_rule_breadth,
                                                      &insert_rule_breadth_far,
                                                      &insert_rule_original100};

    (void)state;
    for (size_t r = 0; r < 4; r++) {
        struct insert_setting setting = {.rule = rules[r],
                                         .keys = {100, 160, 190, 199},
                                         .n_segments = 4,
                                         .seed = SEED,
                                         .trials = TRIALS};
        struct trials_work work;
        static uint64_t histogram[4][INSERT_QUANTITIES][INSERT_CELLS];
        make(&setting.scheme, 2, 4, LAYOUT_ONE, 200);
        insert_work(&setting, &work);
        uint64_t *tally = run(&work, 3);
        memset(histogram, 0, sizeof histogram);
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            struct slow_trial t;
            uint64_t offered = 0;
            start(&t, &setting.scheme, 0, trial);
            for (size_t segment = 0; segment < 4; segment++) {
                uint64_t sum[INSERT_QUANTITIES] = {0}, failed = 0;
                for (; offered < setting.keys[segment]; offered++) {
                    struct slow_cost cost;
                    uint64_t value[INSERT_QUANTITIES] = {0};
                    failed += insert(&t, rules[r], slow_next(&t.keys), &cost) != SLOW_PLACED;
                    value[INSERT_KICKS] = cost.kicks;
                    value[INSERT_MOVES] = cost.moves;
                    value[INSERT_BUCKETS] = cost.buckets_read;
                    for (size_t l = 0; l < sizeof cost.line; l++)
                        value[INSERT_LINES] += cost.line[l];
                    for (unsigned q = 0; q < INSERT_QUANTITIES; q++) {
                        sum[q] += value[q];
                        histogram[segment][q][value[q]]++;
                    }
                }
                for (unsigned q = 0; q < INSERT_QUANTITIES; q++)
                    assert_int_equal(tally[insert_sum(&setting, segment, q) + trial], sum[q]);
                assert_int_equal(tally[insert_failed(&setting, segment) + trial], failed);
            }
        }
        for (size_t segment = 0; segment < 4; segment++)
            for (unsigned q = 0; q < INSERT_QUANTITIES; q++)
                assert_memory_equal(&tally[insert_histogram(&setting, segment, q)],
                                    histogram[segment][q], sizeof histogram[segment][q]);
        free(tally);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_exact),         cmocka_unit_test(failures),
        cmocka_unit_test(failures_of_other_shapes), cmocka_unit_test(fill),
        cmocka_unit_test(cuckoo_lookups),           cmocka_unit_test(mean_lines),
        cmocka_unit_test(open_addressing_lookups),  cmocka_unit_test(insertions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
