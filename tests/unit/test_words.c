/* test_words.c -- exact fractions, lists and ranges of words, searches by name. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "ratio.h"
#include "search.h"

static void ratios_are_exact(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 1);
    for (int i = 0; i < 100000; i++) {
        struct ratio ratio = {rng_below(&rng, 1000000000), 1 + rng_below(&rng, 1000000000)};
        uint64_t value = rng_next(&rng) >> (1 + rng_below(&rng, 63));
        /* value num = floor den + rest, 0 <= rest < den, modulo 2^64 and in size */
        if ((double)value * ratio_value(ratio) > 1e19)
            continue;
        uint64_t low = ratio_floor(ratio, value), high = ratio_ceil(ratio, value);
        uint64_t rest = value * ratio.num - low * ratio.den;
        assert_true(rest < ratio.den);
        assert_int_equal(high, low + (rest > 0));
    }
    assert_int_equal(ratio_floor((struct ratio){95, 100}, 1 << 20), 996147);
    assert_int_equal(ratio_ceil((struct ratio){127, 100}, 1001), 1272);
    struct ratio reduced = ratio_reduce((struct ratio){95, 100});
    assert_true(reduced.num == 19 && reduced.den == 20);
}

static void ratios_are_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t num, den;
    } good[] = {{"0.95", 19, 20},
                {"19/20", 19, 20},
                {"1.27", 127, 100},
                {"2", 2, 1},
                {"0.5000", 1, 2},
                {"10/4", 5, 2},
                {"0.123456789", 123456789, 1000000000},
                {"4294967295", 4294967295, 1}};
    static const char *const bad[] = {"",           ".5",           "5.",  "1/0",
                                      "-1",         "1e3",          "0x1", "1.2.3",
                                      " 1",         "0.1234567891", "1/",  "/2",
                                      "1/-2",       "1.5/2",        "nan", "inf",
                                      "4294967296", "1/1000000001", "1n",  "99999999999999999999"};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct ratio ratio = {0, 0};
        assert_int_equal(parse_ratio(good[i].text, &ratio), ERR_NONE);
        assert_true(ratio.num == good[i].num && ratio.den == good[i].den);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct ratio ratio = {7, 9};
        assert_int_equal(parse_ratio(bad[i], &ratio), ERR_USAGE);
        assert_true(ratio.num == 7 && ratio.den == 9);
    }
}

/* The words joined by blanks. */
static int joined(const char *text, int tail, size_t limit, char *into, size_t size)
{
    char **words;
    size_t count;
    int code = parse_words(text, tail, limit, &words, &count);

    into[0] = '\0';
    for (size_t i = 0; i < count; i++)
        snprintf(into + strlen(into), size - strlen(into), "%s%s", i > 0 ? " " : "", words[i]);
    free(words);
    return code;
}

static void lists_become_words(void **state)
{
    static const struct {
        const char *text, *words;
        int tail;
    } good[] = {
        {"one", "one", 0},
        {"one,split", "one split", 0},
        {"2:5", "2 3 4 5", 0},
        {"2:9:3,20", "2 5 8 20", 0},
        {"0.90:0.93:0.01", "0.90 0.91 0.92 0.93", 0},
        {"0.9:1:0.05", "0.90 0.95 1.00", 0},
        {"0.99:1.01:0.01", "0.99 1.00 1.01", 0},
        {"2^3:2^4:4", "8 12 16", 0},
        {"walk:500,bfs:2000,5,complete", "walk:500 bfs:2000,5 complete", 1},
        {"bfs:2000,5,10", "bfs:2000,5,10", 1},
        {"1.27n,2n", "1.27n 2n", 0},
    };
    static const char *const bad[] = {"", ",", "a,", ",a", "a,,b", "1:1000"};
    char words[256];

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(joined(good[i].text, good[i].tail, 100, words, sizeof words), ERR_NONE);
        assert_string_equal(words, good[i].words);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(joined(bad[i], 0, 100, words, sizeof words), ERR_USAGE);
    assert_int_equal(joined("1:100", 0, 100, words, sizeof words), ERR_NONE);
    assert_int_equal(joined("1:100,7", 0, 100, words, sizeof words), ERR_USAGE);
    /* no ranges: they stay words, and whoever reads them refuses them */
    assert_int_equal(joined("5:2", 0, 100, words, sizeof words), ERR_NONE);
    assert_string_equal(words, "5:2");
    assert_int_equal(joined("0.90:0.99", 0, 100, words, sizeof words), ERR_NONE);
    assert_string_equal(words, "0.90:0.99");
}

static void searches_are_read_and_printed(void **state)
{
    static const char *const good[][2] = {
        {"complete", "complete"},
        {"walk:500", "walk:500"},
        {"walk", "walk:500"},
        {"walk:0", "walk:0"},
        {"bfs", "bfs:2000/5"},
        {"bfs:2000,5", "bfs:2000/5"},
        {"bfs:2000/5", "bfs:2000/5"},
        {"bfs:1e3", "bfs:1000"},
        {"bfs:8,0", "bfs:8/0"},
        {"original", "original:500"},
        {"original:2^7", "original:128"},
        {"walk-rr", "walk-rr:500"},
        {"walk-rr:100", "walk-rr:100"},
        {"lsa", "lsa:4/left"},
        {"lsa:3", "lsa:3/left"},
        {"lsa:2,random", "lsa:2/random"},
        {"lsa:1/global-left", "lsa:1/global-left"},
        {"lsa:254/global-random", "lsa:254/global-random"},
    };
    static const char *const bad[] = {"",
                                      "walk:",
                                      "walk:-1",
                                      "walk:5,5",
                                      "walk:x",
                                      "bfs:0",
                                      "bfs:,5",
                                      "bfs:5,",
                                      "bfs:5,5,5",
                                      "complete:1",
                                      "Walk:5",
                                      "walk500",
                                      "original:4294967296",
                                      "walk-rr:5,5",
                                      "walk-",
                                      "lsa:0",
                                      "lsa:255",
                                      "lsa:",
                                      "lsa:3,",
                                      "lsa:3,right",
                                      "lsa:3,left,left",
                                      "lsa:,left"};
    char name[SEARCH_NAME];
    struct insert_rule rule;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(search_parse(good[i][0], &rule), ERR_NONE);
        search_print(&rule, name);
        assert_string_equal(name, good[i][1]);
        assert_int_equal(search_is_complete(&rule), i == 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(search_parse(bad[i], &rule), ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_exact),
        cmocka_unit_test(ratios_are_read),
        cmocka_unit_test(lists_become_words),
        cmocka_unit_test(searches_are_read_and_printed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
