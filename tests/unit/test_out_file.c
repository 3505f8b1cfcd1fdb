/* test_out_file.c -- files that appear whole or not at all: links, devices, rights, names. */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "out.h"

static const struct out_column columns[] = {
    {"name", OUT_WORD, 0, "what it is called"},
    {"count", OUT_COUNT, 0, "how many"},
    {"ratio", OUT_FIXED, 3, "count / all"},
    {"tiny", OUT_SCI, 3, "a small number"},
};
static const struct out_table table = {"t1.main", "A title", columns, 4};
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

static void fill_nan(struct out *out)
{
    out_begin(out, &table);
    out_word(out, "x");
    out_count(out, 1);
    out_real(out, NAN);
    out_real(out, 1.0);
    out_end(out);
}

static char folder[256], path[PATH_MAX];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    return unit_make_folder(folder, sizeof folder);
}

static int remove_folder(void **state)
{
    char command[300];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static size_t files_in_folder(void)
{
    char command[300];
    unsigned count = 0;

    snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    pclose(pipe);
    return count;
}

static void put_text(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");

    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static void assert_file(const char *file, const char *expected)
{
    char text[4096];
    FILE *stream = fopen(file, "r");

    assert_non_null(stream);
    size_t length = fread(text, 1, sizeof text - 1, stream);
    text[length] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static int write_to(const char *file, void (*fill_it)(struct out *), struct error *err)
{
    struct out *out;

    memset(err, 0, sizeof *err);
    int code = out_open(&out, OUT_CSV, stdout, file, err);
    if (code != ERR_NONE) {
        assert_null(out);
        return code;
    }
    fill_it(out);
    return out_close(out, err);
}

#define ZEROS                                                                                      \
    "table,name,count,ratio,tiny\n"                                                                \
    "t1.main,zero,0,0.000,0.00e+00\n"                                                              \
    "t1.main,digits,0,0.666667,7e-01\n"                                                            \
    "t1.main,minus,0,-0.001,-inf\n"

static void file_is_written_whole(void **state)
{
    struct error err;
    struct out *out;

    (void)state;
    assert_int_equal(write_to(in_folder("a"), fill_zeros, &err), ERR_NONE);
    assert_file(in_folder("a"), ZEROS);
    assert_int_equal(files_in_folder(), 1);
    /* until the end there is nothing under that name but what was there */
    put_text(in_folder("b"), "before");
    assert_int_equal(out_open(&out, OUT_CSV, stdout, in_folder("b"), &err), ERR_NONE);
    fill_zeros(out);
    assert_file(in_folder("b"), "before");
    assert_int_equal(out_close(out, &err), ERR_NONE);
    assert_file(in_folder("b"), ZEROS);
    assert_int_equal(files_in_folder(), 2);
}

static void file_stays_after_a_failure(void **state)
{
    struct error err;
    struct out *out;

    (void)state;
    put_text(in_folder("a"), "before");
    assert_int_equal(write_to(in_folder("a"), fill_nan, &err), ERR_VERIFY);
    assert_file(in_folder("a"), "before");
    assert_int_equal(out_open(&out, OUT_CSV, stdout, in_folder("a"), &err), ERR_NONE);
    fill_zeros(out);
    out_discard(out);
    assert_file(in_folder("a"), "before");
    assert_int_equal(out_open(&out, OUT_CSV, stdout, in_folder("new"), &err), ERR_NONE);
    fill_zeros(out);
    out_discard(out);
    assert_int_equal(write_to(in_folder("new"), fill_nan, &err), ERR_VERIFY);
    assert_int_equal(files_in_folder(), 1); /* no "new", nothing temporary */
    out_discard(NULL);
}

/* The name is a link: what it points to is replaced, and the link stays a link. */
static void links_stay_links(void **state)
{
    struct error err;
    struct stat status;
    char link[PATH_MAX], target[PATH_MAX];

    (void)state;
    strcpy(link, in_folder("link"));
    strcpy(target, in_folder("target"));
    put_text(target, "before");
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(write_to(link, fill_zeros, &err), ERR_NONE);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_file(target, ZEROS);
    /* a link to nothing yet: its target appears */
    assert_int_equal(unlink(target), 0);
    assert_int_equal(write_to(link, fill_zeros, &err), ERR_NONE);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_file(target, ZEROS);
    assert_int_equal(files_in_folder(), 2);
}

/* Names that cannot be written are refused before any work, not after it. */
static void bad_names_are_refused_at_once(void **state)
{
    char name[PATH_MAX], longest[400];
    struct error err;
    struct out *out;

    (void)state;
    put_text(in_folder("file"), "before");
    memset(longest, 'x', 300);
    longest[300] = '\0';
    const char *const bad[] = {".", "none/a", "file/a", "a/", longest};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        strcpy(name, in_folder(bad[i]));
        memset(&err, 0, sizeof err);
        assert_int_equal(out_open(&out, OUT_CSV, stdout, name, &err), ERR_IO);
        assert_null(out);
        assert_non_null(strstr(err.text, "--output"));
        if (i < 4)
            assert_non_null(strstr(err.text, name));
    }
    assert_file(in_folder("file"), "before");
    assert_int_equal(files_in_folder(), 1);
}

/* A name as long as the file system takes, where a longer temporary one would not fit. */
static void longest_name(void **state)
{
    char name[PATH_MAX], longest[256];
    struct error err;

    (void)state;
    memset(longest, 'x', 255);
    longest[255] = '\0';
    strcpy(name, in_folder(longest));
    assert_int_equal(write_to(name, fill_zeros, &err), ERR_NONE);
    assert_file(name, ZEROS);
    assert_int_equal(files_in_folder(), 1);
}

/* Rights of a file that is replaced are kept; a new one follows the umask. */
static void rights_are_kept(void **state)
{
    struct error err;
    struct stat status;
    mode_t old = umask(022);

    (void)state;
    put_text(in_folder("a"), "before");
    assert_int_equal(chmod(in_folder("a"), 0600), 0);
    assert_int_equal(write_to(in_folder("a"), fill_zeros, &err), ERR_NONE);
    assert_int_equal(stat(in_folder("a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(write_to(in_folder("b"), fill_zeros, &err), ERR_NONE);
    assert_int_equal(stat(in_folder("b"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    umask(old);
}

static void full_disk(void **state)
{
    struct error err;
    struct stat status;
    struct out *out;

    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(write_to("/dev/full", fill_zeros, &err), ERR_IO);
    assert_non_null(strstr(err.text, "--output /dev/full"));
    assert_non_null(strstr(err.text, strerror(ENOSPC)));
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_true(S_ISCHR(status.st_mode)); /* still a device */
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(out_open(&out, OUT_TEXT, full, NULL, &err), ERR_NONE);
    fill_zeros(out);
    assert_int_equal(out_close(out, &err), ERR_IO);
    assert_non_null(strstr(err.text, "standard output"));
    assert_non_null(strstr(err.text, strerror(ENOSPC)));
    fclose(full);
}

static void device_is_written_and_stays(void **state)
{
    struct error err;
    struct stat status;

    (void)state;
    assert_int_equal(write_to("/dev/null", fill_zeros, &err), ERR_NONE);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

#define FILE_TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(file_is_written_whole),
        FILE_TEST(file_stays_after_a_failure),
        FILE_TEST(links_stay_links),
        FILE_TEST(bad_names_are_refused_at_once),
        FILE_TEST(longest_name),
        FILE_TEST(rights_are_kept),
        FILE_TEST(full_disk),
        FILE_TEST(device_is_written_and_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
