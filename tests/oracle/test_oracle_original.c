/* test_oracle_original.c -- the original insertion on graphs that are already drawn, several
 * at once, against its plain transcription key by key. */
#include "../unit/unit.h"

#include "graph_original.h"
#include "slow.h"

/* Keys left without a nest when each in turn is inserted; the slots hold edge numbers. */
static uint64_t slow_stash(const uint32_t *left, const uint32_t *right, unsigned n,
                           unsigned max_kicks, uint32_t slots)
{
    int *resident = malloc(slots * sizeof *resident);
    uint64_t stash = 0;

    assert_non_null(resident);
    for (uint32_t s = 0; s < slots; s++)
        resident[s] = -1;
    for (unsigned i = 0; i < n; i++) {
        int key = (int)i;
        uint32_t slot = left[i];
        for (unsigned kicks = 0;; kicks++) {
            if (resident[slot] < 0) {
                resident[slot] = key;
                break;
            }
            if (kicks == max_kicks) {
                stash++;
                break;
            }
            int evicted = resident[slot];
            resident[slot] = key;
            key = evicted;
            slot = left[key] == slot ? right[key] : left[key];
        }
    }
    free(resident);
    return stash;
}

static void compare(uint64_t slots, unsigned most, unsigned rounds, uint64_t number)
{
    uint32_t *left[ORIGINAL_LANES], *right[ORIGINAL_LANES];
    struct scheme scheme;
    struct rng rng;
    uint64_t stashed = 0;

    unit_stream(&rng, number);
    for (unsigned lane = 0; lane < ORIGINAL_LANES; lane++) {
        left[lane] = malloc(most * sizeof **left);
        right[lane] = malloc(most * sizeof **right);
        assert_true(left[lane] != NULL && right[lane] != NULL);
    }
    for (unsigned round = 0; round < rounds; round++) {
        struct graph graph[ORIGINAL_LANES];
        uint64_t stash[ORIGINAL_LANES];
        int split = (int)rng_below(&rng, 2);
        unsigned n = rng_below(&rng, most + 1), max_kicks = rng_below(&rng, 120);
        assert_int_equal(
            scheme_init(&scheme, 2, 1, split ? LAYOUT_SPLIT : LAYOUT_ONE, POSITIONS_REPEAT, slots),
            ERR_NONE);
        unsigned lanes = 1 + rng_below(&rng, original_lanes(&scheme));
        for (unsigned lane = 0; lane < lanes; lane++) {
            for (unsigned i = 0; i < n; i++) {
                left[lane][i] = scheme.base[0] + rng_below(&rng, scheme.width[0]);
                right[lane][i] = scheme.base[1] + rng_below(&rng, scheme.width[1]);
            }
            assert_int_equal(graph_init(&graph[lane], &scheme, n), ERR_NONE);
            graph_set(&graph[lane], left[lane], right[lane], n);
        }
        for (int again = 0; again < 2; again++) { /* the graphs stay as they are */
            original_stash(graph, lanes, max_kicks, stash);
            for (unsigned lane = 0; lane < lanes; lane++)
                assert_int_equal(stash[lane], slow_stash(left[lane], right[lane], n, max_kicks,
                                                         (uint32_t)slots));
        }
        for (unsigned lane = 0; lane < lanes; lane++) {
            stashed += stash[lane];
            graph_free(&graph[lane]);
        }
    }
    assert_true(stashed > 0);
    for (unsigned lane = 0; lane < ORIGINAL_LANES; lane++) {
        free(left[lane]);
        free(right[lane]);
    }
}

static void small_tables(void **state)
{
    (void)state;
    for (uint64_t slots = 2; slots <= 80; slots += 2)
        compare(slots, (unsigned)slots, 100, slots);
}

/* Around the largest table that 16 bits can number, and beyond it. */
static void wide_tables(void **state)
{
    static const uint64_t slots[] = {65534, 65536, 65538, 100000};

    (void)state;
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        compare(slots[i], (unsigned)slots[i] * 6 / 10, 6, 1000 + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tables),
        cmocka_unit_test(wide_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
