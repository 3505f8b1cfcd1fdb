/* test_oracle_openaddr.c -- linear probing and Robin Hood hashing by literal insertion and
 * literal lookups in an array, against what src/openaddr computes from homes. */
#include "../unit/unit.h"

#include <string.h>

#include "openaddr.h"
#include "slow.h"

#define SLOTS_MAX 300
#define CELLS     (SLOTS_MAX + 1)

struct slow_array {
    unsigned slots;
    int occupied[SLOTS_MAX];
    unsigned home[SLOTS_MAX]; /* of the resident */
};

struct slow_tally {
    uint64_t histogram[CELLS], lines[SLOTS_MAX / 8 + 2];
    uint64_t lookups, slots, all_lines, max_slots, max_lines;
};

static void insert_linear(struct slow_array *t, unsigned home)
{
    unsigned slot = home;

    while (t->occupied[slot])
        slot = (slot + 1) % t->slots;
    t->occupied[slot] = 1;
    t->home[slot] = home;
}

static unsigned distance(const struct slow_array *t, unsigned slot, unsigned home)
{
    return (slot + t->slots - home) % t->slots;
}

/* The newcomer goes on with a resident that is nearer its home. */
static void insert_robin_hood(struct slow_array *t, unsigned home)
{
    unsigned slot = home;

    while (t->occupied[slot]) {
        if (distance(t, slot, t->home[slot]) < distance(t, slot, home)) {
            unsigned resident = t->home[slot];
            t->home[slot] = home;
            home = resident;
        }
        slot = (slot + 1) % t->slots;
    }
    t->occupied[slot] = 1;
    t->home[slot] = home;
}

/* A lookup that compares `count` slots from `start` on. */
static void tally_lookup(struct slow_tally *tally, unsigned slots, unsigned start, unsigned count)
{
    unsigned char line[SLOTS_MAX / 8 + 1] = {0};
    uint64_t lines = 0;

    for (unsigned i = 0; i < count; i++)
        line[(start + i) % slots / 8] = 1;
    for (size_t i = 0; i < sizeof line; i++)
        lines += line[i];
    tally->histogram[count]++;
    tally->lookups++;
    tally->slots += count;
    tally->all_lines += lines;
    if (count > tally->max_slots)
        tally->max_slots = count;
    if (lines > tally->max_lines)
        tally->max_lines = lines;
}

static void hits(const struct slow_array *t, struct slow_tally *tally)
{
    memset(tally, 0, sizeof *tally);
    for (unsigned slot = 0; slot < t->slots; slot++)
        if (t->occupied[slot])
            tally_lookup(tally, t->slots, t->home[slot], distance(t, slot, t->home[slot]) + 1);
}

static void misses(const struct slow_array *t, int robin_hood, struct slow_tally *tally)
{
    memset(tally, 0, sizeof *tally);
    for (unsigned home = 0; home < t->slots; home++) {
        unsigned probe = 0, slot = home;
        while (t->occupied[slot] && (!robin_hood || distance(t, slot, t->home[slot]) >= probe)) {
            probe++;
            slot = (slot + 1) % t->slots;
        }
        tally_lookup(tally, t->slots, home, probe + 1);
    }
}

static void assert_same(const struct lookup_costs *got, const struct slow_tally *expected)
{
    assert_int_equal(got->beyond, 0);
    assert_int_equal(got->lookups, expected->lookups);
    assert_int_equal(got->slots, expected->slots);
    assert_int_equal(got->lines, expected->all_lines);
    assert_int_equal(got->max_slots, expected->max_slots);
    assert_int_equal(got->max_lines, expected->max_lines);
    for (size_t i = 0; i < got->cells; i++)
        assert_int_equal(got->histogram[i], i < CELLS ? expected->histogram[i] : 0);
}

static void compare(const struct openaddr *fast, const struct slow_array *linear,
                    const struct slow_array *robin_hood)
{
    uint64_t histogram[3][CELLS] = {{0}};
    struct lookup_costs costs[3];
    struct slow_tally tally, other;

    for (int i = 0; i < 3; i++)
        costs[i] = (struct lookup_costs){.histogram = histogram[i], .cells = CELLS};
    hits(linear, &tally);
    assert_same(&fast->hits, &tally);
    openaddr_linear_misses(fast, &costs[0]);
    misses(linear, 0, &tally);
    assert_same(&costs[0], &tally);
    openaddr_robin_hood_hits(fast, &costs[1]);
    hits(robin_hood, &other);
    assert_same(&costs[1], &other);
    assert_int_equal(fast->hits.slots, costs[1].slots); /* the total displacement is the same */
    openaddr_robin_hood_misses(fast, &costs[2]);
    misses(robin_hood, 1, &tally);
    assert_same(&costs[2], &tally);
}

static void literal_insertion(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 1);
    for (unsigned round = 0; round < 400; round++) {
        struct slow_array linear = {0}, robin_hood = {0};
        static struct slow_table table;
        struct scheme scheme;
        struct openaddr fast;
        unsigned slots = 2 + rng_below(&rng, SLOTS_MAX - 1);
        unsigned every = 1 + rng_below(&rng, 20);
        if (round % 4 == 0)
            slots = 64 * (1 + rng_below(&rng, 4)); /* whole words of the bit map */
        linear.slots = robin_hood.slots = slots;
        assert_int_equal(scheme_init(&scheme, 1, 1, LAYOUT_ONE, POSITIONS_REPEAT, slots), ERR_NONE);
        assert_int_equal(openaddr_init(&fast, &scheme, CELLS), ERR_NONE);
        uint64_t stream = rng_next(&rng);
        openaddr_reset(&fast, stream);
        table.d = 1;
        table.buckets = slots;
        table.seed[0] = slow_next(&stream);
        for (unsigned n = 0; n < slots - 1; n++) {
            uint64_t key = rng_next(&rng);
            unsigned home;
            slow_candidates(&table, key, &home);
            insert_linear(&linear, home);
            insert_robin_hood(&robin_hood, home);
            assert_int_equal(openaddr_add(&fast, key), ERR_NONE);
            assert_int_equal(fast.stored, n + 1);
            if (n % every == 0 || n + 2 >= slots)
                compare(&fast, &linear, &robin_hood);
        }
        /* the last slot stays empty, and being asked again changes nothing */
        assert_int_equal(openaddr_add(&fast, rng_next(&rng)), ERR_DOMAIN);
        compare(&fast, &linear, &robin_hood);
        /* a reset forgets everything */
        openaddr_reset(&fast, 5);
        assert_int_equal(fast.hits.lookups, 0);
        memset(linear.occupied, 0, sizeof linear.occupied);
        compare(&fast, &linear, &linear);
        openaddr_free(&fast);
        openaddr_free(&fast);
    }
}

/* A histogram too short counts what it cannot tell apart, and never writes behind it. */
static void short_histogram(void **state)
{
    struct scheme scheme;
    struct openaddr fast;
    uint64_t histogram[8] = {0}, guard = 77;

    (void)state;
    assert_int_equal(scheme_init(&scheme, 1, 1, LAYOUT_ONE, POSITIONS_REPEAT, 100), ERR_NONE);
    assert_int_equal(openaddr_init(&fast, &scheme, 4), ERR_NONE);
    openaddr_reset(&fast, 1);
    for (uint64_t key = 0; key < 99; key++)
        assert_int_equal(openaddr_add(&fast, key), ERR_NONE);
    histogram[4] = guard;
    struct lookup_costs costs = {.histogram = histogram, .cells = 4};
    openaddr_linear_misses(&fast, &costs);
    assert_int_equal(costs.lookups, 100);
    assert_int_equal(costs.beyond, 97); /* costs 1, 2, 3, then up to 100 */
    assert_int_equal(costs.max_slots, 100);
    assert_int_equal(costs.slots, 5050);
    assert_int_equal(histogram[4], guard);
    openaddr_free(&fast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal_insertion),
        cmocka_unit_test(short_histogram),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
