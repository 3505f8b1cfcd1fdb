/* program.c -- see program.h.  Linked with --wrap for what takes long or leaves traces: the
 * work of a command is not what is fuzzed here, the way to it is. */
#include "program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define main program_main
#include "../../cuckoo_sim.c"
#undef main

#include "../../src/bound.h"
#include "../../src/exact.h"
#include "../../src/race.h"
#include "../../src/stop.h"
#include "../../src/trials.h"
#include "../../src/whole_file.h"

#define WORDS_MAX 64
#define KEYS_MAX  4000 /* of an exact law or a bound that is computed for real */

static int trials_allowed;
static FILE *open_stdout; /* main() closes it, but not after every refusal */

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    if (file == open_stdout)
        open_stdout = NULL;
    return __real_fclose(file);
}

int __real_trials_run(const struct trials_work *work, const struct options *options,
                      uint64_t **tally, struct error *err);
int __wrap_trials_run(const struct trials_work *work, const struct options *options,
                      uint64_t **tally, struct error *err);
int __wrap_trials_run(const struct trials_work *work, const struct options *options,
                      uint64_t **tally, struct error *err)
{
    *tally = NULL;
    if (trials_allowed && work->trials <= 100000)
        return __real_trials_run(work, options, tally, err);
    return error_set(err, ERR_MEMORY, "%s: not run here", work->label);
}

int __real_exact_stash(const struct exact_setting *self, unsigned largest, struct exact_row *rows);
int __wrap_exact_stash(const struct exact_setting *self, unsigned largest, struct exact_row *rows);
int __wrap_exact_stash(const struct exact_setting *self, unsigned largest, struct exact_row *rows)
{
    return self->keys <= KEYS_MAX && largest <= 8 ? __real_exact_stash(self, largest, rows)
                                                  : ERR_NUMERIC;
}

int __real_bound_failure(const struct bound_setting *self, struct bound_result *result);
int __wrap_bound_failure(const struct bound_setting *self, struct bound_result *result);
int __wrap_bound_failure(const struct bound_setting *self, struct bound_result *result)
{
    return self->keys <= KEYS_MAX ? __real_bound_failure(self, result) : ERR_NUMERIC;
}

int __wrap_race_count(const struct race_setting *setting, struct race_counts *counts);
int __wrap_race_count(const struct race_setting *setting, struct race_counts *counts)
{
    (void)setting;
    memset(counts, 0, sizeof *counts);
    return ERR_NUMERIC;
}

void __wrap_stop_install(void);
void __wrap_stop_install(void)
{
}

int __wrap_whole_file_write(const struct whole_file *self, const char *data, size_t length);
int __wrap_whole_file_write(const struct whole_file *self, const char *data, size_t length)
{
    (void)self;
    (void)data;
    (void)length;
    return ERR_NONE;
}

static void broken(const char *what, int status, const char *text, FILE *real)
{
    fprintf(real, "%s: exit status %d, standard error:\n%s\n", what, status, text);
    abort();
}

static void check_refusal(int status, const char *text, size_t length, FILE *real)
{
    if (status != 0 && status != 1 && status != 2)
        broken("an exit status that is not documented", status, text, real);
    if (status == 0)
        return;
    if (length == 0 || strlen(text) != length || strncmp(text, "cuckoo_sim: ", 12) != 0 ||
        strchr(text, '\n') != text + length - 1)
        broken("not one line", status, text, real);
    for (size_t i = 0; i + 1 < length; i++)
        if (iscntrl((unsigned char)text[i]))
            broken("not printable", status, text, real);
}

int program_run(const char *const *words, size_t count, int trials)
{
    char *argv[WORDS_MAX + 2] = {NULL}, *text = NULL;
    FILE *real_out = stdout, *real_err = stderr;
    size_t length = 0, used = count < WORDS_MAX ? count : WORDS_MAX;

    argv[0] = strdup("cuckoo_sim");
    for (size_t i = 0; i < used; i++)
        argv[i + 1] = strdup(words[i]);
    trials_allowed = trials;
    stop_ask(0); /* output that fails asks for the end */
    stdout = open_stdout = fopen("/dev/null", "w");
    stderr = open_memstream(&text, &length);
    if (stdout == NULL || stderr == NULL)
        abort();
    int status = program_main((int)used + 1, argv);
    fclose(stderr);
    if (open_stdout != NULL)
        fclose(open_stdout);
    stdout = real_out;
    stderr = real_err;
    check_refusal(status, text, length, real_err);
    free(text);
    for (size_t i = 0; i <= used; i++)
        free(argv[i]);
    return status;
}

const char *program_file(const uint8_t *data, size_t size)
{
    static char name[64];
    static int file = -1;

    if (file < 0) {
        file = memfd_create("fuzz", 0);
        snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    return name;
}
