/* test_measure_hash.c -- key sets, and the measure of a family on a key set. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "measure_hash.h"

static void fill(enum keyset_kind kind, uint64_t keys, uint64_t *key)
{
    struct keyset keyset = {
        .kind = kind, .keys = keys, .step = 10, .universe = 20, .side = 2, .bits = 8};

    keyset_fill(&keyset, 5, key);
}

static void key_sets(void **state)
{
    static const uint64_t cube[8] = {0, 65536, 256, 65792, 1, 65537, 257, 65793};
    struct keyset dense = {.kind = KEYSET_DENSE, .keys = 3, .universe = 5};
    uint64_t key[20], count[10] = {0};

    (void)state;
    fill(KEYSET_INTERVAL, 3, key);
    assert_true(key[0] == 0 && key[1] == 1 && key[2] == 2);
    fill(KEYSET_PROGRESSION, 3, key);
    assert_true(key[0] == 0 && key[1] == 10 && key[2] == 20);
    fill(KEYSET_CUBE, 8, key);
    assert_memory_equal(key, cube, sizeof cube);
    fill(KEYSET_DENSE, 20, key); /* all of the universe */
    for (uint64_t i = 0; i < 20; i++)
        assert_int_equal(key[i], i);
    /* every subset of 3 of 5 equally often */
    for (uint64_t trial = 0; trial < 20000; trial++) {
        static const int rank[5][5] = {
            {0, 0, 1, 2, 3}, {0, 0, 4, 5, 6}, {0, 0, 0, 7, 8}, {0, 0, 0, 0, 9}, {0, 0, 0, 0, 0}};
        keyset_fill(&dense, hash_mix(trial), key);
        assert_true(key[0] < key[1] && key[1] < key[2] && key[2] < 5);
        int missing[2], n = 0;
        for (int v = 0; v < 5; v++)
            if (key[0] != (uint64_t)v && key[1] != (uint64_t)v && key[2] != (uint64_t)v)
                missing[n++] = v;
        count[rank[missing[0]][missing[1]]]++;
    }
    unit_assert_uniform(count, 10);
}

static void make(struct hash_setting *setting, enum hash_family kind, uint64_t slots)
{
    struct family family;

    memset(setting, 0, sizeof *setting);
    family_init(&family, kind, 0, 0);
    assert_int_equal(scheme_init(&setting->scheme, 2, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, slots),
                     ERR_NONE);
    assert_int_equal(scheme_use_family(&setting->scheme, &family), ERR_NONE);
    setting->seed = 1;
    setting->label = "test";
}

static void the_short_way_to_a_cube_is_the_same(void **state)
{
    static uint32_t bucket[1000];
    uint64_t key[1000];
    struct hash_setting setting;
    struct hasher hasher;

    (void)state;
    for (unsigned bits = 8; bits <= 16; bits += 8) {
        make(&setting, bits == 8 ? FAMILY_TABULATION8 : FAMILY_TABULATION16, 2048);
        setting.keyset =
            (struct keyset){.kind = KEYSET_CUBE, .keys = 1000, .side = 10, .bits = bits};
        hasher_init_for(&hasher, &setting.scheme, 9);
        keyset_fill(&setting.keyset, 0, key);
        for (unsigned j = 0; j < 2; j++) {
            hash_cube_buckets(&setting.scheme, &hasher, &setting.keyset, j, bucket);
            for (size_t i = 0; i < 1000; i++) {
                uint32_t both[SCHEME_D_MAX];
                scheme_candidates(&setting.scheme, &hasher, key[i], both);
                assert_int_equal(bucket[i], both[j]);
            }
        }
    }
}

static void tally_of(const struct hash_setting *setting, uint64_t *cells)
{
    struct trials_work work;
    struct options options;
    struct error err;
    uint64_t *tally;

    options_init(&options);
    options.quiet = 1;
    hash_work(setting, &work);
    assert_int_equal(trials_run(&work, &options, &tally, &err), ERR_NONE);
    memcpy(cells, tally, HASH_CELLS * sizeof *cells);
    free(tally);
}

/* Three keys in two tables of one slot: never a placement, always a triple. */
static void events_are_kept_apart(void **state)
{
    struct hash_setting setting;
    uint64_t cells[HASH_CELLS];

    (void)state;
    make(&setting, FAMILY_POLY4, 2);
    setting.keyset = (struct keyset){.kind = KEYSET_INTERVAL, .keys = 3};
    setting.rule = &insert_rule_original500;
    setting.trials = 50;
    tally_of(&setting, cells);
    assert_int_equal(cells[HASH_NO_PLACEMENT], 50);
    assert_int_equal(cells[HASH_TRIPLE], 50);
    assert_int_equal(cells[HASH_KICKS], 0);
    setting.keyset.keys = 2; /* always placed, and the second key kicks at most a few times */
    tally_of(&setting, cells);
    assert_int_equal(cells[HASH_NO_PLACEMENT] + cells[HASH_GAVE_UP], 0);
    assert_int_equal(cells[HASH_KICKS], 50); /* both tables have one slot: one kick */
    assert_int_equal(cells[HASH_KICKS_SQUARED], 50);
}

/* Whatever decided that a placement exists, the insertion must find it (500 kicks are plenty
 * here): a wrong shortcut of the graph shows as `gave up`. */
static void graph_and_insertion_agree(void **state)
{
    struct hash_setting setting;
    uint64_t cells[HASH_CELLS];

    (void)state;
    for (int kind = 0; kind < FAMILY_DOUBLE; kind++)
        for (unsigned bits = 8; bits <= 16; bits += 8) {
            make(&setting, (enum hash_family)kind, 512);
            setting.keyset =
                (struct keyset){.kind = KEYSET_CUBE, .keys = 125, .side = 5, .bits = bits};
            setting.rule = &insert_rule_original500;
            setting.trials = 200;
            tally_of(&setting, cells);
            assert_int_equal(cells[HASH_GAVE_UP], 0);
        }
}

static void planted_collisions_are_there(void **state)
{
    struct hash_setting setting;
    uint64_t cells[HASH_CELLS];

    (void)state;
    make(&setting, FAMILY_TABULATION8, 4096);
    setting.keyset = (struct keyset){.kind = KEYSET_CUBE, .keys = 1728, .side = 12, .bits = 8};
    setting.trials = 200;
    setting.plant = 1;
    tally_of(&setting, cells);
    assert_int_equal(cells[HASH_COLLIDED], 200);
    assert_true(cells[HASH_COLLIDED_FAILED] == cells[HASH_NO_PLACEMENT]);
    assert_true(cells[HASH_NO_PLACEMENT] > 90 && cells[HASH_NO_PLACEMENT] < 170);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_sets),
        cmocka_unit_test(the_short_way_to_a_cube_is_the_same),
        cmocka_unit_test(events_are_kept_apart),
        cmocka_unit_test(graph_and_insertion_agree),
        cmocka_unit_test(planted_collisions_are_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
