/* test_whole_file.c -- what test_out_file.c cannot reach: a file that fails to be put in its
 * place after all, and one that is written again. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "whole_file.h"

static char folder[256], name[300];

static int make_folder(void **state)
{
    (void)state;
    if (unit_make_folder(folder, sizeof folder) != 0)
        return -1;
    snprintf(name, sizeof name, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void assert_text(const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(name, "r");

    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
}

/* Something else took the place meanwhile: refused, and nothing temporary stays behind
 * (rmdir in remove_folder would fail). */
static void place_is_taken(void **state)
{
    struct whole_file file;
    struct error err = {0};

    (void)state;
    assert_int_equal(whole_file_prepare(&file, "--output", name, &err), ERR_NONE);
    assert_int_equal(mkdir(name, 0700), 0);
    assert_int_equal(whole_file_write(&file, "text", 4), ERR_IO);
    whole_file_free(&file);
    assert_int_equal(rmdir(name), 0);
}

static void written_twice(void **state)
{
    struct whole_file file;
    struct error err = {0};

    (void)state;
    assert_int_equal(whole_file_prepare(&file, "--checkpoint", name, &err), ERR_NONE);
    assert_int_equal(whole_file_write(&file, "first", 5), ERR_NONE);
    assert_text("first");
    assert_int_equal(whole_file_write(&file, "", 0), ERR_NONE);
    assert_text("");
    assert_int_equal(whole_file_write(&file, "second", 6), ERR_NONE);
    assert_text("second");
    whole_file_free(&file);
    whole_file_free(&file);
    assert_int_equal(unlink(name), 0);
}

static void refusals_name_the_option(void **state)
{
    struct whole_file file;
    struct error err = {0};

    (void)state;
    assert_int_equal(whole_file_prepare(&file, "--checkpoint", folder, &err), ERR_IO);
    whole_file_free(&file);
    assert_non_null(strstr(err.text, "--checkpoint"));
    assert_non_null(strstr(err.text, folder));
    strcat(name, "/below");
    assert_int_equal(whole_file_prepare(&file, "--checkpoint", name, &err), ERR_IO);
    whole_file_free(&file);
    assert_non_null(strstr(err.text, name));
}

/* A link that leads to itself is refused, not followed for ever. */
static void links_in_a_circle(void **state)
{
    struct whole_file file;
    struct error err = {0};

    (void)state;
    assert_int_equal(symlink("file", name), 0);
    assert_int_equal(whole_file_prepare(&file, "--output", name, &err), ERR_IO);
    whole_file_free(&file);
    assert_int_equal(unlink(name), 0);
}

#define FILE_TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(place_is_taken),
        FILE_TEST(written_twice),
        FILE_TEST(refusals_name_the_option),
        FILE_TEST(links_in_a_circle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
