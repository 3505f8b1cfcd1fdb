/* test_race.c -- counts of interleavings: by hand, in closed form, one by one, and by a
 * second program that places the reader's steps into the gaps between the writer's. */
#include "unit.h"

#include <string.h>

#include "race.h"

static const struct race_protocol *find(const char *name)
{
    const struct race_protocol *protocol = race_protocols;

    while (protocol->name != NULL && strcmp(protocol->name, name) != 0)
        protocol++;
    assert_non_null(protocol->name);
    return protocol;
}

static struct race_counts count(const char *name, int inline_values, unsigned moves,
                                unsigned target, int new_first)
{
    struct race_setting setting = {
        find(name), inline_values, moves, target, target > 0 ? target - 1 : 0, new_first};
    struct race_counts counts;

    assert_int_equal(race_count(&setting, &counts), ERR_NONE);
    assert_int_equal(counts.interleavings.high, 0);
    return counts;
}

/* Writer: tag and key of bucket 1, then of bucket 0.  A miss in bucket 1 needs its tag read
 * before the first write, or its tag after it and its key before the second; in bucket 0 the
 * tag after the third write, or the tag before and the key after the fourth.
 *   tag 1 in gap 0: tag 0 in gaps 3, 4 (2) or in 0, 1, 2 with its key in gap 4 (3)
 *   tag 1 and key 1 in gap 1: tag 0 in gaps 3, 4 (2) or in 1, 2 with its key in gap 4 (2) */
static void by_hand(void **state)
{
    (void)state;
    assert_int_equal(count("backwards", 0, 1, 1, 1).false_misses.low, 9);
    assert_int_equal(count("backwards", 0, 1, 1, 0).false_misses.low, 0);
}

/* An absent key costs two tag reads: C(writer's steps + 2, 2) orders. */
static void closed_form(void **state)
{
    (void)state;
    for (unsigned moves = 1; moves <= RACE_MOVES_MAX; moves++) {
        struct race_counts counts = count("backwards", 0, moves, 0, 0);
        uint64_t steps = 2 * (moves + 1);
        assert_int_equal(counts.writer_steps, steps);
        assert_int_equal(counts.interleavings.low, (steps + 2) * (steps + 1) / 2);
        assert_int_equal(counts.wrong_hits.low, 0);
        counts = count("kick-first", 1, moves, 0, 1);
        steps = 3 * (moves + 1);
        assert_int_equal(counts.interleavings.low, (steps + 2) * (steps + 1) / 2);
    }
}

static void assert_equal(struct count128 a, struct count128 b)
{
    assert_int_equal(a.high, b.high);
    assert_int_equal(a.low, b.low);
}

static void assert_same(const struct race_counts *a, const struct race_counts *b)
{
    assert_equal(a->interleavings, b->interleavings);
    assert_equal(a->false_misses, b->false_misses);
    assert_equal(a->wrong_hits, b->wrong_hits);
    assert_equal(a->retried, b->retried);
    assert_equal(a->waited, b->waited);
    assert_int_equal(a->most_retries, b->most_retries);
}

static void one_by_one(void **state)
{
    (void)state;
    for (const struct race_protocol *p = race_protocols; p->name != NULL; p++)
        for (int inline_values = 0; inline_values < 2; inline_values++)
            for (unsigned moves = 1; moves <= 2; moves++)
                for (unsigned target = 0; target <= moves; target++)
                    for (int new_first = 0; new_first < 2; new_first++) {
                        struct race_setting setting = {
                            p,        inline_values, moves, target, target > 0 ? target - 1 : 0,
                            new_first};
                        struct race_counts fast, slow;
                        assert_int_equal(race_count(&setting, &fast), ERR_NONE);
                        if (fast.interleavings.low > 2000000)
                            continue;
                        assert_int_equal(race_enumerate(&setting, &slow), ERR_NONE);
                        assert_same(&fast, &slow);
                    }
}

/* ---- a second program for readers without waiting ---- */

/* memory[g]: after g writes; cells tag, key of each bucket, and one counter */
struct memory {
    int tag[6], key[6], counter;
};

struct tale {
    struct memory memory[64];
    int steps, target, order[2], checks; /* checks: DPDK's counter */
    uint64_t all, misses;
};

static void write_slot(struct tale *tale, int bucket, int key, int bump)
{
    struct memory next = tale->memory[tale->steps];

    if (bump) {
        next.counter++;
        tale->memory[++tale->steps] = next;
    }
    next.tag[bucket] = key;
    tale->memory[++tale->steps] = next;
    next.key[bucket] = key;
    tale->memory[++tale->steps] = next;
}

static void tell(struct tale *tale, int gap, int counter, int place);

static void end(struct tale *tale, int miss)
{
    tale->all++;
    tale->misses += (uint64_t)miss;
}

static void missed(struct tale *tale, int gap, int counter, int place)
{
    if (place == 0) {
        tell(tale, gap, counter, 1);
    } else if (!tale->checks) {
        end(tale, 1);
    } else {
        for (int g = gap; g <= tale->steps; g++) /* the counter again */
            if (tale->memory[g].counter == counter)
                end(tale, 1);
            else
                for (int again = g; again <= tale->steps; again++)
                    tell(tale, again, tale->memory[again].counter, 0);
    }
}

/* The reader goes on in gap `gap` or later with its bucket number `place`. */
static void tell(struct tale *tale, int gap, int counter, int place)
{
    int bucket = tale->order[place];

    for (int g = gap; g <= tale->steps; g++) {
        if (tale->memory[g].tag[bucket] != tale->target) {
            missed(tale, g, counter, place);
            continue;
        }
        for (int h = g; h <= tale->steps; h++) {
            if (tale->memory[h].key[bucket] == tale->target)
                end(tale, 0);
            else
                missed(tale, h, counter, place);
        }
    }
}

static struct tale tell_all(int kick_first, int checks, int moves, int target, int new_first)
{
    struct tale tale;

    memset(&tale, 0, sizeof tale);
    for (int key = 1; key <= moves; key++)
        tale.memory[0].tag[key - 1] = tale.memory[0].key[key - 1] = key;
    if (kick_first) {
        write_slot(&tale, 0, moves + 1, 0);
        for (int key = 1; key <= moves; key++)
            write_slot(&tale, key, key, 0);
    } else {
        for (int key = moves; key >= 1; key--)
            write_slot(&tale, key, key, checks);
        write_slot(&tale, 0, moves + 1, checks);
    }
    tale.target = target;
    tale.checks = checks;
    tale.order[0] = target - 1 + new_first;
    tale.order[1] = target - new_first;
    for (int g = 0; g <= (checks ? tale.steps : 0); g++)
        tell(&tale, g, tale.memory[g].counter, 0);
    return tale;
}

static void second_program(void **state)
{
    (void)state;
    for (int moves = 1; moves <= 3; moves++)
        for (int target = 1; target <= moves; target++)
            for (int new_first = 0; new_first < 2; new_first++) {
                static const char *const names[] = {"backwards", "kick-first", "dpdk"};
                for (int i = 0; i < 3; i++) {
                    struct tale tale = tell_all(i == 1, i == 2, moves, target, new_first);
                    struct race_counts counts =
                        count(names[i], 0, (unsigned)moves, (unsigned)target, new_first);
                    assert_int_equal(counts.interleavings.low, tale.all);
                    assert_int_equal(counts.false_misses.low, tale.misses);
                }
            }
}

static int is_safe(const char *name, int inline_values)
{
    for (unsigned moves = 1; moves <= RACE_MOVES_MAX; moves++)
        for (unsigned target = 1; target <= moves; target++)
            for (int new_first = 0; new_first < 2; new_first++) {
                struct race_setting setting = {find(name), inline_values, moves,
                                               target,     target - 1,    new_first};
                struct race_counts counts;
                assert_int_equal(race_count(&setting, &counts), ERR_NONE);
                if (!count128_is_zero(counts.false_misses) || !count128_is_zero(counts.wrong_hits))
                    return 0;
            }
    return 1;
}

/* What is claimed of the protocols, and which mistakes do no harm. */
static void verdicts(void **state)
{
    (void)state;
    assert_false(is_safe("kick-first", 0));
    assert_false(is_safe("backwards", 0));
    for (int inline_values = 0; inline_values < 2; inline_values++) {
        assert_true(is_safe("memc3", inline_values));
        assert_true(is_safe("libcuckoo", inline_values));
        assert_true(is_safe("ovs", inline_values));
        assert_false(is_safe("memc3-bump-late", inline_values));
        assert_false(is_safe("memc3-read-once", inline_values));
        assert_false(is_safe("libcuckoo-one-lock", inline_values));
        assert_false(is_safe("dpdk-bump-at-end", inline_values));
        assert_false(is_safe("dpdk-read-once", inline_values));
        assert_false(is_safe("ovs-no-recheck", inline_values));
        /* harmless as long as a slot holds a pointer */
        assert_int_equal(is_safe("dpdk", inline_values), !inline_values);
        assert_int_equal(is_safe("dpdk-bump-late", inline_values), !inline_values);
        assert_int_equal(is_safe("ovs-bump-late", inline_values), !inline_values);
        assert_int_equal(is_safe("memc3-no-clear", inline_values), !inline_values);
    }
}

static void refusals(void **state)
{
    struct race_counts counts;
    struct race_setting setting = {find("dpdk"), 0, RACE_MOVES_MAX + 1, 1, 0, 0};

    (void)state;
    assert_int_equal(race_count(&setting, &counts), ERR_DOMAIN);
    setting.moves = 0;
    assert_int_equal(race_count(&setting, &counts), ERR_DOMAIN);
    setting.moves = 2;
    setting.target = 3;
    assert_int_equal(race_count(&setting, &counts), ERR_DOMAIN);
    setting.target = 2;
    assert_int_equal(race_count(&setting, &counts), ERR_DOMAIN); /* not its bucket */
}

static void big_counts(void **state)
{
    struct count128 a = count128_of(1);
    char text[COUNT128_DIGITS];

    (void)state;
    count128_print(count128_of(0), text);
    assert_string_equal(text, "0");
    for (int i = 0; i < 64; i++)
        a = count128_add(a, a);
    count128_print(a, text);
    assert_string_equal(text, "18446744073709551616");
    assert_true(count128_real(a) == 18446744073709551616.0);
    for (int i = 64; i < 127; i++)
        a = count128_add(a, a);
    count128_print(a, text);
    assert_string_equal(text, "170141183460469231731687303715884105728");
    assert_true(count128_fits(a));
    struct count128 most = count128_add(a, (struct count128){a.high - 1, UINT64_MAX, 0});
    assert_true(count128_fits(most));
    count128_print(most, text);
    assert_string_equal(text, "340282366920938463463374607431768211455");
    assert_false(count128_fits(count128_add(most, count128_of(1))));
    assert_false(count128_fits(count128_add(count128_add(a, a), count128_of(1))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),    cmocka_unit_test(closed_form),
        cmocka_unit_test(one_by_one), cmocka_unit_test(second_program),
        cmocka_unit_test(verdicts),   cmocka_unit_test(refusals),
        cmocka_unit_test(big_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
