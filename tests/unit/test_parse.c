/* test_parse.c -- the syntax of numbers: the whole word is read or refused. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "parse.h"

static void sizes_that_are_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"1", 1},
        {"1000", 1000},
        {"007", 7},
        {"1e3", 1000},
        {"1e0", 1},
        {"1.5e6", 1500000},
        {"2.25e2", 225},
        {"1e19", UINT64_C(10000000000000000000)},
        {"0e5", 0},
        {"2^0", 1},
        {"2^20", 1048576},
        {"2^63", UINT64_C(1) << 63},
        {"2^0-1", 0},
        {"2^10-1", 1023},
        {"2^63-1", (UINT64_C(1) << 63) - 1},
        {"2^64-1", UINT64_MAX},
        {"18446744073709551615", UINT64_MAX},
        {"1.8446744073709551615e19", UINT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        uint64_t value = 99;
        assert_int_equal(parse_size(good[i].text, 0, UINT64_MAX, &value), ERR_NONE);
        assert_int_equal(value, good[i].value);
    }
}

static void sizes_that_are_refused(void **state)
{
    static const char *const bad[] = {
        "2^64",
        "2^65-1",
        "2^10-2",
        "2^-1",
        "2^10--1",
        "-1",
        "",
        " ",
        "-1",
        "+1",
        "-0",
        " 1",
        "1 ",
        "1e3x",
        "1x",
        "0x10",
        "1e",
        "e3",
        "1e-3",
        "1e+3",
        "1E3",
        "1.5",
        "1.5e0",
        ".5e1",
        "1.e1",
        "1..5e3",
        "1.2.3e5",
        "1e5.0",
        "1e5e5",
        "2^",
        "2^-1",
        "2^64",
        "2^70",
        "2^1e1",
        "3^2",
        "2^^2",
        "2^2^2",
        "18446744073709551616",
        "1e20",
        "2e19",
        "99999999999999999999999",
        "1e99999999999999999999",
        "nan",
        "inf",
        "1,000",
        "1_000",
        "1'000",
        "1k",
        "\xc2\xb2",
        "1\n",
        "1\t",
        "infinity",
        "2**20",
        "1:2",
        "1+1",
        /* longer than any number */
        "00000000000000000000000000000000000000000000000000000000000000000000001",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t value = 99;
        if (parse_size(bad[i], 0, UINT64_MAX, &value) == ERR_NONE)
            print_error("read: '%s' as %llu\n", bad[i], (unsigned long long)value);
        assert_int_equal(parse_size(bad[i], 0, UINT64_MAX, &value), ERR_USAGE);
        assert_int_equal(value, 99); /* nothing is clamped, nothing written */
    }
}

static void limits_are_inclusive(void **state)
{
    uint64_t value;

    (void)state;
    assert_int_equal(parse_size("1", 1, 10, &value), ERR_NONE);
    assert_int_equal(parse_size("10", 1, 10, &value), ERR_NONE);
    assert_int_equal(parse_size("0", 1, 10, &value), ERR_USAGE);
    assert_int_equal(parse_size("11", 1, 10, &value), ERR_USAGE);
    assert_int_equal(parse_size("2^70", 1, UINT64_MAX, &value), ERR_USAGE);
}

static void assert_list(const char *text, const char *expected)
{
    uint64_t value[16];
    size_t count = 99, length = 0;
    char got[200] = "";

    assert_int_equal(parse_list(text, 1, 100, value, 16, &count), ERR_NONE);
    for (size_t i = 0; i < count; i++) {
        uint64_t v = value[i];
        assert_true(v < 1000);
        length += (size_t)sprintf(got + length, "%s%u", i > 0 ? " " : "", (unsigned)v);
    }
    assert_string_equal(got, expected);
}

static void lists(void **state)
{
    static const char *const bad[] = {
        "",      ",",   "1,",    ",1",   "1,,2",    "1:",  ":2",   "1:2:", "1:2:3:4", "3:2",
        "1:5:0", "0:3", "1:101", "1:17", "1:8,1:9", "2,x", "2, 3", "1-3",  "1;2",     "1:3:-1",
    };
    uint64_t value[16];
    size_t count;

    (void)state;
    assert_list("2", "2");
    assert_list("2,3,8", "2 3 8");
    assert_list("2:8", "2 3 4 5 6 7 8");
    assert_list("2:8:2", "2 4 6 8");
    assert_list("2:9:2", "2 4 6 8");
    assert_list("5:5", "5");
    assert_list("1:2:100", "1");
    assert_list("7,1:3,2^6", "7 1 2 3 64");
    assert_list("1:16", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(parse_list(bad[i], 1, 100, value, 16, &count), ERR_USAGE);
    /* a range too long for memory, and one whose end is the largest number */
    assert_int_equal(parse_list("1:18446744073709551615", 0, UINT64_MAX, value, 16, &count),
                     ERR_USAGE);
    assert_int_equal(
        parse_list("18446744073709551614:18446744073709551615", 0, UINT64_MAX, value, 16, &count),
        ERR_NONE);
    assert_int_equal(count, 2);
    assert_int_equal(value[1], UINT64_MAX);
}

static void sums(void **state)
{
    uint64_t part[2];
    size_t parts;

    (void)state;
    assert_int_equal(parse_sum("1200", 1, 5000, part, 2, &parts), ERR_NONE);
    assert_int_equal(parts, 1);
    assert_int_equal(parse_sum("1200+1e3", 1, 5000, part, 2, &parts), ERR_NONE);
    assert_int_equal(parts, 2);
    assert_int_equal(part[0], 1200);
    assert_int_equal(part[1], 1000);
    assert_int_equal(parse_sum("1+2+3", 1, 5000, part, 2, &parts), ERR_USAGE);
    assert_int_equal(parse_sum("1+", 1, 5000, part, 2, &parts), ERR_USAGE);
    assert_int_equal(parse_sum("+1", 1, 5000, part, 2, &parts), ERR_USAGE);
    assert_int_equal(parse_sum("1+0", 1, 5000, part, 2, &parts), ERR_USAGE);
    assert_int_equal(parse_sum("1+5001", 1, 5000, part, 2, &parts), ERR_USAGE);
    assert_int_equal(parse_sum("", 1, 5000, part, 2, &parts), ERR_USAGE);
}

static void probabilities(void **state)
{
    static const char *const bad[] = {
        "",       "0",   "1",     "-0.5", "2",      "1e0", "0.0", "2^-0",
        "2^40",   "2^-", "2^--1", "2^-x", "2^-1e7", "nan", "inf", "0x1p-3",
        "1e-400", ".5",  " 0.5",  "0.5 ", "0.5x",   "1e",  "1e-", "0,5",
    };
    double value;

    (void)state;
    assert_int_equal(parse_probability_log2("2^-40", &value), ERR_NONE);
    assert_true(value == -40.0);
    assert_int_equal(parse_probability_log2("2^-5000", &value), ERR_NONE);
    assert_true(value == -5000.0);
    assert_int_equal(parse_probability_log2("0.125", &value), ERR_NONE);
    assert_true(value == -3.0);
    assert_int_equal(parse_probability_log2("1e-12", &value), ERR_NONE);
    assert_true(fabs(value + 39.863137138648355) < 1e-9);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (parse_probability_log2(bad[i], &value) == ERR_NONE)
            print_error("read: '%s'\n", bad[i]);
        assert_int_equal(parse_probability_log2(bad[i], &value), ERR_USAGE);
    }
}

/* What is printed is read back as the same number. */
static void printing_and_reading_agree(void **state)
{
    static const uint64_t values[] = {
        0, 1, 1000, 1024, 2048, 1048576, 1048577, UINT64_C(1) << 63, UINT64_MAX - 1};
    char text[24];
    uint64_t value;

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        parse_print_size(text, sizeof text, values[i]);
        assert_int_equal(parse_size(text, 0, UINT64_MAX, &value), ERR_NONE);
        assert_int_equal(value, values[i]);
    }
    parse_print_size(text, sizeof text, 1048576);
    assert_string_equal(text, "2^20");
    parse_print_size(text, sizeof text, 1024);
    assert_string_equal(text, "1024");
    parse_print_size(text, sizeof text, UINT64_MAX);
    assert_string_equal(text, "2^64-1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_are_read),
        cmocka_unit_test(sizes_that_are_refused),
        cmocka_unit_test(limits_are_inclusive),
        cmocka_unit_test(lists),
        cmocka_unit_test(sums),
        cmocka_unit_test(probabilities),
        cmocka_unit_test(printing_and_reading_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
