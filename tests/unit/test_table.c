/* test_table.c -- slots, look-ups, and the verification that must notice a lost key. */
#include "unit.h"

#include "table.h"

struct fixture {
    struct scheme scheme;
    struct table table;
};

static void open_table(struct fixture *f, unsigned d, unsigned k, enum layout layout,
                       uint64_t slots)
{
    assert_int_equal(scheme_init(&f->scheme, d, k, layout, POSITIONS_REPEAT, slots), ERR_NONE);
    assert_int_equal(table_init(&f->table, &f->scheme), ERR_NONE);
    table_reset(&f->table, scheme_stream(&f->scheme, 1, 0, 0, STREAM_HASH));
}

/* Put keys into any candidate with room until `count` are placed. */
static void fill(struct fixture *f, uint64_t count)
{
    uint32_t bucket[SCHEME_D_MAX];

    for (uint64_t key = 1; f->table.stored < count; key++) {
        table_candidates(&f->table, key, bucket);
        for (unsigned j = f->scheme.d; j-- > 0;)
            if (!table_full(&f->table, bucket[j])) {
                table_add(&f->table, bucket[j], key);
                break;
            }
    }
}

static void keys_start_on_a_line(void **state)
{
    (void)state;
    for (uint64_t slots = 1; slots < 40; slots++) {
        struct fixture f;
        open_table(&f, 1, 1, LAYOUT_ONE, slots);
        assert_int_equal((uintptr_t)f.table.key % 64, 0);
        assert_true(table_bytes(&f.scheme) >= slots * 9);
        table_free(&f.table);
    }
}

static void free_is_legal_twice(void **state)
{
    struct fixture f;

    (void)state;
    open_table(&f, 2, 4, LAYOUT_ONE, 64);
    table_free(&f.table);
    table_free(&f.table);
}

static void stored_keys_are_found_and_others_not(void **state)
{
    struct fixture f;

    (void)state;
    open_table(&f, 2, 4, LAYOUT_ONE, 256);
    fill(&f, 200);
    unsigned found = 0;
    uint32_t bucket[SCHEME_D_MAX];
    for (uint64_t key = 1; key <= 400; key++) {
        unsigned j = table_find(&f.table, key);
        if (j == f.scheme.d)
            continue;
        found++;
        table_candidates(&f.table, key, bucket);
        unsigned hits = 0;
        for (unsigned s = 0; s < f.table.used[bucket[j]]; s++)
            hits += *table_slot(&f.table, bucket[j], s) == key;
        assert_int_equal(hits, 1);
    }
    assert_int_equal(found, 200);
    assert_int_equal(f.table.stored, 200);
    assert_int_equal(table_verify(&f.table), ERR_NONE);
    table_reset(&f.table, 99);
    assert_int_equal(f.table.stored, 0);
    for (uint64_t key = 1; key <= 400; key++)
        assert_int_equal(table_find(&f.table, key), f.scheme.d);
    assert_int_equal(table_verify(&f.table), ERR_NONE);
    table_free(&f.table);
}

/* The first candidate that holds the key is the one reported: a hit's cost depends on it. */
static void find_reads_candidates_in_order(void **state)
{
    struct fixture f;
    uint32_t bucket[SCHEME_D_MAX];

    (void)state;
    open_table(&f, 3, 2, LAYOUT_SPLIT, 60);
    for (unsigned j = 0; j < 3; j++) {
        table_reset(&f.table, j);
        table_candidates(&f.table, 77, bucket);
        table_add(&f.table, bucket[j], 77);
        assert_int_equal(table_find(&f.table, 77), j);
    }
    table_free(&f.table);
}

static void verify_notices_damage(void **state)
{
    struct fixture f;
    uint32_t bucket[SCHEME_D_MAX];

    (void)state;
    open_table(&f, 2, 2, LAYOUT_ONE, 64);
    fill(&f, 40);
    uint32_t b = 0;
    while (f.table.used[b] == 0)
        b++;
    uint64_t *slot = table_slot(&f.table, b, 0);
    uint64_t kept = *slot, stranger = 1000;
    do { /* a key that does not belong into this bucket */
        stranger++;
        table_candidates(&f.table, stranger, bucket);
    } while (bucket[0] == b || bucket[1] == b);
    *slot = stranger;
    assert_int_equal(table_verify(&f.table), ERR_VERIFY);
    *slot = kept;
    assert_int_equal(table_verify(&f.table), ERR_NONE);
    f.table.stored--;
    assert_int_equal(table_verify(&f.table), ERR_VERIFY);
    f.table.stored++;
    f.table.used[b] = (uint8_t)(f.scheme.k + 1);
    assert_int_equal(table_verify(&f.table), ERR_VERIFY);
    table_free(&f.table);
}

static void slots_do_not_overlap(void **state)
{
    struct fixture f;

    (void)state;
    open_table(&f, 2, 3, LAYOUT_SPLIT, 60);
    for (uint32_t b = 0; b < f.scheme.buckets; b++)
        for (unsigned s = 0; s < f.scheme.k; s++)
            assert_ptr_equal(table_slot(&f.table, b, s), f.table.key + b * 3 + s);
    table_free(&f.table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_start_on_a_line),
        cmocka_unit_test(free_is_legal_twice),
        cmocka_unit_test(stored_keys_are_found_and_others_not),
        cmocka_unit_test(find_reads_candidates_in_order),
        cmocka_unit_test(verify_notices_damage),
        cmocka_unit_test(slots_do_not_overlap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
