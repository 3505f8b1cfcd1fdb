/* test_error.c -- one set of codes, each with a text of its own; lines that never overflow. */
#include "unit.h"

#include <string.h>

#include "error.h"

static void every_code_has_its_text(void **state)
{
    (void)state;
    for (int a = ERR_VERIFY; a <= ERR_NONE; a++) {
        assert_string_not_equal(error_text(a), error_text(ERR_VERIFY - 1));
        for (int b = ERR_VERIFY; b < a; b++)
            assert_string_not_equal(error_text(a), error_text(b));
    }
}

static void long_lines_are_cut(void **state)
{
    struct error err;
    char word[1000];

    (void)state;
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_int_equal(error_set(&err, ERR_IO, "%s", word), ERR_IO);
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

/* What knows more stays; another code replaces it. */
static void the_first_description_stays(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(error_from_code(&err, ERR_MEMORY, "e9"), ERR_MEMORY);
    assert_string_equal(err.text, "e9: out of memory");
    error_set(&err, ERR_IO, "the disk");
    assert_int_equal(error_from_code(&err, ERR_IO, "e9"), ERR_IO);
    assert_string_equal(err.text, "the disk");
    assert_int_equal(error_from_code(&err, ERR_DOMAIN, "e9"), ERR_DOMAIN);
    assert_string_equal(err.text, "e9: argument out of range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_its_text),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(the_first_description_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
