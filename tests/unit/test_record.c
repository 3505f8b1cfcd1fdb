/* test_record.c -- finished trials as text, there and back; shards joined in any order;
 * stopping at a number of failures, for any threads and blocks. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool.h"
#include "record.h"
#include "session.h"
#include "trials.h"

#define SUMS   3
#define MAXES  1
#define ROWS   2
#define TRIALS 50

struct setting {
    uint64_t trials;
};

static int open_nothing(const void *setting, void **state)
{
    (void)setting;
    *state = malloc(1);
    return *state != NULL ? ERR_NONE : ERR_MEMORY;
}

/* Cells: trials, failures (a fifth), sum of the numbers; two rows; the greatest number. */
static int run_block(const void *data, void *state, uint64_t first, uint64_t count, uint64_t *tally)
{
    const struct setting *setting = data;

    (void)state;
    for (uint64_t t = first; t < first + count; t++) {
        struct rng rng;
        unit_stream(&rng, t);
        tally[0]++;
        tally[1] += rng_below(&rng, 5) == 0;
        tally[2] += t;
        uint64_t *row = tally + SUMS;
        if (setting->trials > 0) {
            row[t] = 10 * t;
            row[setting->trials + t] = 10 * t + 1;
            row += ROWS * setting->trials;
        }
        if (t > *row)
            *row = t;
    }
    return ERR_NONE;
}

static uint64_t failures(const void *setting, const uint64_t *tally)
{
    (void)setting;
    return tally[1];
}

static struct trials_work work_of(struct setting *setting, uint64_t trials, uint64_t block)
{
    struct trials_work work = {
        .label = "test work",
        .setting = setting,
        .trials = trials,
        .block = block,
        .adds = SUMS + (setting->trials > 0 ? ROWS * (size_t)trials : 0),
        .maxes = MAXES,
        .open = open_nothing,
        .close = free,
        .run_block = run_block,
        .rows = setting->trials > 0 ? ROWS : 0,
        .failures = failures,
    };

    return work;
}

/* By hand, one trial after the other. */
static uint64_t trials_until(uint64_t wanted)
{
    uint64_t cells[SUMS + MAXES] = {0}, t = 0;
    struct setting setting = {0};

    while (cells[1] < wanted)
        run_block(&setting, NULL, t++, 1, cells);
    return t;
}

static void stops_at_the_same_trial(void **state)
{
    static const uint64_t blocks[] = {1, 3, 16, 1000};

    (void)state;
    for (uint64_t wanted = 1; wanted < 40; wanted += 7)
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++)
            for (int threads = 1; threads <= 5; threads++) {
                struct setting setting = {0};
                struct trials_work work = work_of(&setting, 1000, blocks[b]);
                struct options options;
                struct error err;
                uint64_t *tally, done = 0;
                work.stop_failures = wanted;
                work.done = &done;
                options_init(&options);
                options.threads = threads;
                options.quiet = 1;
                assert_int_equal(trials_run(&work, &options, &tally, &err), ERR_NONE);
                assert_int_equal(tally[1], wanted);
                assert_int_equal(done, trials_until(wanted));
                assert_int_equal(tally[0], done);
                assert_int_equal(tally[SUMS], done - 1);
                free(tally);
            }
}

static const struct command command = {.name = "test", .takes = OPTION_TRIAL_BITS};

/* Part I of K by itself, as text in a file. */
static void write_part(uint64_t i, uint64_t k, const char *path)
{
    struct setting setting = {TRIALS};
    struct trials_work work = work_of(&setting, TRIALS, 7);
    struct options options;
    struct session session;
    struct whole_file file;
    struct error err;
    uint64_t *tally, done;

    options_init(&options);
    options.quiet = 1;
    options.threads = 2;
    options.trials = TRIALS;
    options.shard[0] = i;
    options.shard[1] = k;
    session_init_plain(&session, &options);
    session.command = &command;
    session.keep = 1;
    options.session = &session;
    work.done = &done;
    assert_int_equal(trials_run(&work, &options, &tally, &err), ERR_NONE);
    free(tally);
    assert_int_equal(whole_file_prepare(&file, "--output", path, &err), ERR_NONE);
    assert_int_equal(session_write_shard(&session, &file, &err), ERR_NONE);
    whole_file_free(&file);
    session_free(&session);
}

static void shards_join_in_any_order(void **state)
{
    static const uint64_t counts[] = {1, 2, 3, 7, TRIALS, TRIALS + 9};

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        uint64_t k = counts[c];
        char path[64];
        const char *paths[TRIALS + 9];
        struct record *shards = calloc(k, sizeof *shards);
        struct setting setting = {TRIALS};
        struct trials_work work = work_of(&setting, TRIALS, 7);
        struct options options;
        struct session session;
        struct error err;
        uint64_t *tally;
        snprintf(path, sizeof path, "/tmp/test_record.%ld", (long)getpid());
        for (uint64_t i = 0; i < k; i++) {
            write_part(k - i, k, path);
            paths[i] = path;
            assert_int_equal(record_read(&shards[i], RECORD_SHARD, "merge", path, 1, &err),
                             ERR_NONE);
        }
        remove(path);
        options_init(&options);
        options.quiet = 1;
        session_init_plain(&session, &options);
        assert_int_equal(session_join_shards(&session, shards, paths, k, &err), ERR_NONE);
        options.session = &session;
        assert_int_equal(trials_run(&work, &options, &tally, &err), ERR_NONE);
        assert_int_equal(tally[0], TRIALS);
        assert_int_equal(tally[2], TRIALS * (TRIALS - 1) / 2);
        for (uint64_t t = 0; t < TRIALS; t++) {
            assert_int_equal(tally[SUMS + t], 10 * t);
            assert_int_equal(tally[SUMS + TRIALS + t], 10 * t + 1);
        }
        assert_int_equal(tally[SUMS + ROWS * TRIALS], TRIALS - 1);
        free(tally);
        session_free(&session);
        for (uint64_t i = 0; i < k; i++)
            record_free(&shards[i]);
        free(shards);
    }
}

/* Whatever single byte changes, the file is refused or (never seen) reads the same. */
static void damage_is_noticed(void **state)
{
    char path[64], text[4096];
    struct record record;
    struct error err;

    (void)state;
    snprintf(path, sizeof path, "/tmp/test_record.%ld", (long)getpid());
    write_part(1, 2, path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_true(length > 100 && length < sizeof text);
    for (size_t at = 0; at < length; at++) {
        text[at] ^= 4;
        file = fopen(path, "wb");
        assert_non_null(file);
        fwrite(text, 1, length, file);
        fclose(file);
        text[at] ^= 4;
        assert_int_equal(record_read(&record, RECORD_SHARD, "merge", path, 1, &err), ERR_USAGE);
        assert_non_null(strstr(err.text, path));
        record_free(&record);
    }
    remove(path);
    assert_int_equal(record_read(&record, RECORD_SHARD, "merge", path, 1, &err), ERR_IO);
    assert_int_equal(record_read(&record, RECORD_SHARD, "merge", path, 0, &err), ERR_NONE);
    assert_null(record.command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_at_the_same_trial),
        cmocka_unit_test(shards_join_in_any_order),
        cmocka_unit_test(damage_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
