/* test_out.c -- tables in three formats, and errors that are sticky. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "out.h"

static const struct out_column columns[] = {
    {"name", OUT_WORD, 0, "what it is called"},
    {"count", OUT_COUNT, 0, "how many"},
    {"ratio", OUT_FIXED, 3, "count / all"},
    {"tiny", OUT_SCI, 3, "a small number"},
};
static const struct out_table table = {"t1.main", "A title", columns, 4};
static const struct out_table other = {"t2", "Another", columns, 2};

static void fill_rows(struct out *out)
{
    out_begin(out, &table);
    out_param(out, "seed", "%d", 5);
    out_note(out, "a note with %s", "words");
    out_word(out, "first");
    out_count(out, UINT64_MAX);
    out_real(out, 0.12345);
    out_real(out, 1.5e-9);
    out_wordf(out, "(%d,%d)", 2, 4); /* refused below: a comma would break csv */
    out_count(out, 7);
    out_none(out);
    out_real(out, INFINITY);
    out_end(out);
}

static void fill(struct out *out)
{
    out_begin(out, &table);
    out_param(out, "seed", "%d", 5);
    out_note(out, "a note with %s", "words");
    out_word(out, "first");
    out_count(out, UINT64_MAX);
    out_real(out, 0.12345);
    out_real(out, 1.5e-9);
    out_wordf(out, "d%dk%d", 2, 4);
    out_count(out, 7);
    out_none(out);
    out_real(out, INFINITY);
    out_end(out);
    out_begin(out, &other);
    out_none(out);
    out_count(out, 0);
    out_end(out);
}

static char *written(enum out_format format, void (*fill_it)(struct out *), int *code)
{
    char *text = NULL;
    size_t size = 0;
    struct out *out;
    struct error err = {0};
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    assert_int_equal(out_open(&out, format, stream, NULL, &err), ERR_NONE);
    fill_it(out);
    *code = out_close(out, &err);
    assert_int_equal(*code == ERR_NONE, err.text[0] == '\0');
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void text_format(void **state)
{
    int code;
    char *text = written(OUT_TEXT, fill, &code);

    (void)state;
    assert_int_equal(code, ERR_NONE);
    assert_string_equal(text, "# cuckoo_sim results, format 1\n\n"
                              "# t1.main  A title\n"
                              "# seed=5\n"
                              "# a note with words\n"
                              "# name: what it is called\n"
                              "# count: how many\n"
                              "# ratio: count / all\n"
                              "# tiny: a small number\n"
                              "name                  count  ratio      tiny\n"
                              "first  18446744073709551615  0.123  1.50e-09\n"
                              "d2k4                      7      -       inf\n"
                              "\n"
                              "# t2  Another\n"
                              "# name: what it is called\n"
                              "# count: how many\n"
                              "name  count\n"
                              "-         0\n"
                              "\n");
    free(text);
}

static void csv_format(void **state)
{
    int code;
    char *text = written(OUT_CSV, fill, &code);

    (void)state;
    assert_int_equal(code, ERR_NONE);
    assert_string_equal(text, "table,name,count,ratio,tiny\n"
                              "t1.main,first,18446744073709551615,0.123,1.50e-09\n"
                              "t1.main,d2k4,7,,inf\n"
                              "table,name,count\n"
                              "t2,,0\n");
    free(text);
}

static void jsonl_format(void **state)
{
    int code;
    char *text = written(OUT_JSONL, fill, &code);

    (void)state;
    assert_int_equal(code, ERR_NONE);
    assert_string_equal(text,
                        "{\"table\":\"t1.main\",\"name\":\"first\",\"count\":18446744073709551615,"
                        "\"ratio\":0.123,\"tiny\":1.50e-09}\n"
                        "{\"table\":\"t1.main\",\"name\":\"d2k4\",\"count\":7,\"ratio\":null,"
                        "\"tiny\":null}\n"
                        "{\"table\":\"t2\",\"name\":null,\"count\":0}\n");
    free(text);
}

static void fill_zeros(struct out *out)
{
    out_begin(out, &table);
    out_word(out, "zero");
    out_count(out, 0);
    out_real(out, -0.0001);
    out_real(out, -0.0);
    out_word(out, "digits");
    out_count(out, 0);
    out_real_digits(out, 2.0 / 3.0, 6);
    out_real_digits(out, 2.0 / 3.0, 1);
    out_word(out, "minus");
    out_count(out, 0);
    out_real(out, -0.0005001);
    out_real(out, -INFINITY);
    out_end(out);
}

/* What rounds to nothing has no sign, and never an exponent of its own. */
static void reals(void **state)
{
    int code;
    char *text = written(OUT_CSV, fill_zeros, &code);

    (void)state;
    assert_int_equal(code, ERR_NONE);
    assert_string_equal(text, "table,name,count,ratio,tiny\n"
                              "t1.main,zero,0,0.000,0.00e+00\n"
                              "t1.main,digits,0,0.666667,7e-01\n"
                              "t1.main,minus,0,-0.001,-inf\n");
    free(text);
}

static void fill_nan(struct out *out)
{
    out_begin(out, &table);
    out_word(out, "x");
    out_count(out, 1);
    out_real(out, NAN);
    out_real(out, 1.0);
    out_end(out);
}

static void fill_wrong_kind(struct out *out)
{
    out_begin(out, &table);
    out_count(out, 1);
    out_end(out);
}

static void fill_half_a_row(struct out *out)
{
    out_begin(out, &table);
    out_word(out, "x");
    out_count(out, 1);
    out_end(out);
}

static void fill_space(struct out *out)
{
    out_begin(out, &other);
    out_word(out, "two words");
    out_count(out, 1);
    out_end(out);
}

static void fill_empty_word(struct out *out)
{
    out_begin(out, &other);
    out_word(out, "");
    out_count(out, 1);
    out_end(out);
}

static void fill_without_begin(struct out *out)
{
    out_count(out, 1);
}

static void fill_unended(struct out *out)
{
    out_begin(out, &other);
}

static void fill_begun_twice(struct out *out)
{
    out_begin(out, &other);
    out_begin(out, &other);
    out_end(out);
}

static void fill_good_after_bad(struct out *out)
{
    fill_space(out);
    fill(out);
}

static const struct out_column doubled[] = {{"table", OUT_COUNT, 0, "csv has this already"}};
static const struct out_table doubled_table = {"t3", "Doubled", doubled, 1};

static void fill_doubled(struct out *out)
{
    out_begin(out, &doubled_table);
    out_count(out, 1);
    out_end(out);
}

/* A mistake of the filling code is kept until the end, and no table after it is written. */
static void mistakes_are_sticky(void **state)
{
    void (*const fills[])(struct out *) = {
        fill_nan,         fill_wrong_kind,     fill_half_a_row,    fill_space,
        fill_empty_word,  fill_rows,           fill_without_begin, fill_unended,
        fill_begun_twice, fill_good_after_bad, fill_doubled,
    };

    (void)state;
    for (size_t i = 0; i < sizeof fills / sizeof fills[0]; i++)
        for (int format = OUT_TEXT; format <= OUT_JSONL; format++) {
            int code;
            char *text = written((enum out_format)format, fills[i], &code);
            assert_int_equal(code, ERR_VERIFY);
            assert_string_equal(text, "");
            free(text);
        }
}

/* A table on a stream is there as soon as it ends, not when all are done. */
static void stream_is_flushed_table_by_table(void **state)
{
    struct error err = {0};
    struct out *out;
    struct stat status;
    FILE *stream = tmpfile();

    (void)state;
    assert_non_null(stream);
    assert_int_equal(out_open(&out, OUT_CSV, stream, NULL, &err), ERR_NONE);
    fill_zeros(out);
    assert_int_equal(fstat(fileno(stream), &status), 0);
    assert_true(status.st_size > 100);
    off_t size = status.st_size;
    assert_int_equal(out_close(out, &err), ERR_NONE);
    assert_int_equal(fstat(fileno(stream), &status), 0);
    assert_int_equal(status.st_size, size);
    fclose(stream);
}

static void description_names_every_column(void **state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_non_null(stream);
    out_describe(stream, &table);
    fclose(stream);
    assert_non_null(strstr(text, "t1.main  A title"));
    for (size_t c = 0; c < 4; c++) {
        assert_non_null(strstr(text, columns[c].name));
        assert_non_null(strstr(text, columns[c].note));
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_format),
        cmocka_unit_test(csv_format),
        cmocka_unit_test(jsonl_format),
        cmocka_unit_test(reals),
        cmocka_unit_test(mistakes_are_sticky),
        cmocka_unit_test(stream_is_flushed_table_by_table),
        cmocka_unit_test(description_names_every_column),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
