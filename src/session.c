/* session.c -- see session.h. */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "stop.h"

/* Of the time between two checkpoints at most this share goes into writing them. */
#define WRITE_SHARE 0.05

void session_init_plain(struct session *self, const struct options *options)
{
    memset(self, 0, sizeof *self);
    self->options = options;
    progress_init(&self->progress, options);
}

static int read_checkpoint(struct session *self, struct error *err)
{
    struct record record;
    const char *path = self->options->checkpoint;
    int code = record_read(&record, RECORD_CHECKPOINT, "--checkpoint", path, 0, err);

    if (code == ERR_NONE && record.command != NULL)
        code = record_check(&record, self->command, self->options, "--checkpoint", path, err);
    if (code == ERR_NONE) {
        self->section = record.section;
        self->count = record.n_sections;
        record.section = NULL;
        record.n_sections = 0;
    }
    record_free(&record);
    return code;
}

int session_init(struct session *self, const struct command *command, const struct options *options,
                 struct error *err)
{
    int code = ERR_NONE;

    session_init_plain(self, options);
    self->command = command;
    self->keep = options->checkpoint != NULL || options->shard[1] > 0;
    if (ranks_number() != 0)
        self->progress.form = PROGRESS_OFF;
    if (command->takes & OPTION_BIT(OPTION_CHECKPOINT))
        stop_install();
    if (options->checkpoint == NULL || ranks_number() != 0)
        return ERR_NONE;
    code = whole_file_prepare(&self->checkpoint, "--checkpoint", options->checkpoint, err);
    self->has_checkpoint = 1;
    if (code == ERR_NONE && self->checkpoint.direct)
        code = error_set(err, ERR_USAGE, "--checkpoint %.200s: a regular file is needed",
                         options->checkpoint);
    return code == ERR_NONE ? read_checkpoint(self, err) : code;
}

void session_free(struct session *self)
{
    if (self->has_checkpoint)
        whole_file_free(&self->checkpoint);
    sections_free(self->section, self->count);
    memset(self, 0, sizeof *self);
}

static int differs(const struct section *stored, const struct trials_work *work, uint64_t from,
                   uint64_t to)
{
    return stored->trials != work->trials || stored->first != work->first ||
           stored->stop_failures != work->stop_failures || stored->tally.first != from ||
           stored->limit != to || stored->tally.sums != tally_sums(work) ||
           stored->tally.maxes != work->maxes || stored->tally.rows != work->rows;
}

static int check_stored(const struct session *self, const struct section *stored,
                        const struct trials_work *work, uint64_t from, uint64_t to,
                        struct error *err)
{
    const char *what = self->given ? "merge" : "--checkpoint";

    if (stored->fingerprint != work->fingerprint)
        return error_set(err, ERR_USAGE,
                         "%s: the keys of --keyset %.200s are not those it was made with", what,
                         self->options->keyset != NULL ? self->options->keyset : "");
    if (strcmp(stored->label, work->label) != 0 || differs(stored, work, from, to))
        return error_set(err, ERR_USAGE,
                         "%s: section %zu (%.60s, %" PRIu64
                         " trials) was made by another build; here it is %.60s, %" PRIu64 " trials",
                         what, self->next, stored->label, stored->trials, work->label,
                         work->trials);
    return ERR_NONE;
}

/* Room for the trials that a section from a file still lacks. */
static int make_room(struct tally *tally, const struct trials_work *work, uint64_t to,
                     struct error *err)
{
    if (tally->limit != to && tally_resize(tally, to) != ERR_NONE)
        return error_set(err, ERR_MEMORY, "%s: %s", work->label, error_text(ERR_MEMORY));
    return ERR_NONE;
}

static int add_section(struct session *self, const struct trials_work *work, uint64_t from,
                       uint64_t to, struct error *err)
{
    struct section *grown = realloc(self->section, (self->next + 1) * sizeof *grown);

    if (grown == NULL)
        return error_set(err, ERR_MEMORY, "%s: %s", work->label, error_text(ERR_MEMORY));
    self->section = grown;
    struct section *section = &grown[self->next];
    *section = (struct section){.trials = work->trials,
                                .first = work->first,
                                .block = work->block,
                                .fingerprint = work->fingerprint,
                                .stop_failures = work->stop_failures,
                                .limit = to};
    snprintf(section->label, sizeof section->label, "%s", work->label);
    self->count++;
    if (tally_init(&section->tally, work, from, to) != ERR_NONE)
        return error_set(err, ERR_MEMORY, "%s: %s", work->label, error_text(ERR_MEMORY));
    return ERR_NONE;
}

int session_begin(struct session *self, const struct trials_work *work, uint64_t from, uint64_t to,
                  struct section **section, struct error *err)
{
    int code;

    if (self->next < self->count) {
        code = check_stored(self, &self->section[self->next], work, from, to, err);
        if (code == ERR_NONE)
            code = make_room(&self->section[self->next].tally, work, to, err);
    } else if (self->given)
        code = error_set(err, ERR_USAGE, "merge: the shards hold %zu sections, %.60s is one more",
                         self->count, work->label);
    else
        code = add_section(self, work, from, to, err);
    if (code != ERR_NONE)
        return code;
    *section = &self->section[self->next++];
    progress_begin(&self->progress, work->label, to - from,
                   (*section)->tally.end - (*section)->tally.first);
    return ERR_NONE;
}

static void write_checkpoint(struct session *self)
{
    size_t length = 0;
    double began = progress_clock();
    char *text = record_print(RECORD_CHECKPOINT, self->command, self->options, self->section,
                              self->count, &length);
    int code = text == NULL ? ERR_MEMORY : whole_file_write(&self->checkpoint, text, length);

    free(text);
    if (self->write_code == ERR_NONE)
        self->write_code = code;
    self->written = progress_clock();
    self->cost = self->written - began;
}

/* Failures in the prefix without a gap. */
static uint64_t failures_of(const struct trials_work *work, const struct section *section)
{
    return work->failures != NULL && work->rows == 0
               ? work->failures(work->setting, section->tally.common)
               : UINT64_MAX;
}

void session_advance(struct session *self, const struct trials_work *work,
                     const struct section *section, uint64_t done, int now)
{
    double wait = (double)self->options->checkpoint_every;

    progress_show(&self->progress, done, failures_of(work, section), now);
    if (!self->has_checkpoint)
        return;
    if (wait < self->cost / WRITE_SHARE && wait > 0.0)
        wait = self->cost / WRITE_SHARE;
    if (self->written == 0.0)
        self->written = progress_clock();
    if (now || progress_clock() - self->written >= wait)
        write_checkpoint(self);
}

static int check_written(const struct session *self, struct error *err)
{
    if (self->write_code != ERR_NONE)
        return error_set(
            err, self->write_code, "--checkpoint %.200s: %s", self->options->checkpoint,
            self->write_code == ERR_IO ? strerror(errno) : error_text(self->write_code));
    return ERR_NONE;
}

int session_end(struct session *self, const struct trials_work *work, struct section *section,
                int satisfied, struct error *err)
{
    struct tally *tally = &section->tally;

    progress_show(&self->progress, tally->end - tally->first, failures_of(work, section), 1);
    progress_clear(&self->progress);
    if (tally->end < tally->limit && !satisfied) {
        self->stopped = stop_signal();
        snprintf(self->cut_label, sizeof self->cut_label, "%s", work->label);
        self->cut_done = tally->end - tally->first;
        self->cut_total = tally->limit - tally->first;
    }
    if (self->has_checkpoint && (self->stopped || self->options->checkpoint_every == 0))
        write_checkpoint(self);
    return check_written(self, err);
}

int session_finish(struct session *self, struct error *err)
{
    if (self->has_checkpoint && !self->options->dry_run)
        write_checkpoint(self);
    return check_written(self, err);
}

int session_write_shard(const struct session *self, const struct whole_file *file,
                        struct error *err)
{
    size_t length = 0;
    char *text = record_print(RECORD_SHARD, self->command, self->options, self->section,
                              self->count, &length);
    int code = text == NULL ? ERR_MEMORY : whole_file_write(file, text, length);

    free(text);
    if (code != ERR_NONE)
        return error_set(err, code, "--output %.200s: %s", file->path,
                         code == ERR_IO ? strerror(errno) : error_text(code));
    return ERR_NONE;
}

/* The shards by number: order[i] is the index of shard i + 1. */
static int order_shards(const struct record *shards, const char *const *paths, size_t count,
                        size_t *order, struct error *err)
{
    uint64_t wanted = shards[0].shard[1];

    for (size_t i = 0; i < count; i++)
        order[i] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const uint64_t *shard = shards[i].shard;
        int code = record_compare(&shards[i], paths[i], &shards[0], paths[0], err);
        if (code != ERR_NONE)
            return code;
        if (shard[1] != wanted)
            return error_set(err, ERR_USAGE,
                             "merge %.100s: it is one of %" PRIu64
                             " shards, %.100s is one of %" PRIu64,
                             paths[i], shard[1], paths[0], wanted);
        if (shard[0] < 1 || shard[0] > wanted)
            return error_set(err, ERR_USAGE, "merge %.100s: there is no shard %" PRIu64, paths[i],
                             shard[0]);
        if (shard[0] <= count && order[shard[0] - 1] != SIZE_MAX)
            return error_set(err, ERR_USAGE,
                             "merge %.100s: shard %" PRIu64 " of %" PRIu64
                             " is there twice, also in %.100s",
                             paths[i], shard[0], wanted, paths[order[shard[0] - 1]]);
        if (shard[0] <= count)
            order[shard[0] - 1] = i;
    }
    for (uint64_t i = 0; i < wanted; i++)
        if (i >= count || order[i] == SIZE_MAX)
            return error_set(err, ERR_USAGE, "merge: shard %" PRIu64 " of %" PRIu64 " is missing",
                             i + 1, wanted);
    return ERR_NONE;
}

/* Append what `from` holds to `into`, which has room for it. */
static int append_section(struct section *into, const struct section *from)
{
    struct tally *to = &into->tally;
    const struct tally *tally = &from->tally;
    size_t columns = (size_t)(to->limit - to->first);
    size_t used = (size_t)(tally->end - tally->first);

    if (strcmp(into->label, from->label) != 0 || tally->first != to->end ||
        tally->end != from->limit || tally->end > to->limit || tally->sums != to->sums ||
        tally->maxes != to->maxes || tally->rows != to->rows)
        return ERR_USAGE;
    for (size_t r = 0; r < to->rows; r++)
        memcpy(to->row + r * columns + (to->end - to->first),
               tally->row + r * (size_t)(tally->limit - tally->first), used * sizeof *to->row);
    tally_join(to, tally->common, used);
    return ERR_NONE;
}

/* Do the shards hold as many trials as the section says it has?  Asked before there is room
 * made for them. */
static int shards_add_up(const struct record *shards, size_t count, size_t number)
{
    uint64_t held = 0, trials = shards[0].section[number].trials;

    for (size_t i = 0; i < count; i++) {
        const struct tally *tally = &shards[i].section[number].tally;
        if (tally->end - tally->first > trials - held)
            return 0;
        held += tally->end - tally->first;
    }
    return held == trials;
}

static int join_section(struct session *self, const struct record *shards, const size_t *order,
                        size_t count, size_t number, struct error *err)
{
    const struct section *model = &shards[order[0]].section[number];
    struct trials_work work = {.label = model->label,
                               .trials = model->trials,
                               .first = model->first,
                               .block = model->block,
                               .fingerprint = model->fingerprint,
                               .stop_failures = model->stop_failures,
                               .rows = model->tally.rows,
                               .maxes = model->tally.maxes};

    if (!shards_add_up(shards, count, number) || model->first > UINT64_MAX - model->trials)
        return error_set(err, ERR_USAGE,
                         "merge: section %zu (%.60s): the shards do not hold its %" PRIu64
                         " trials",
                         number, model->label, model->trials);
    work.adds = model->tally.sums + work.rows * (size_t)work.trials;
    self->next = number;
    int code = add_section(self, &work, model->first, model->first + model->trials, err);
    for (size_t i = 0; i < count && code == ERR_NONE; i++)
        if (append_section(&self->section[number], &shards[order[i]].section[number]) != ERR_NONE)
            code = error_set(err, ERR_USAGE,
                             "merge: section %zu (%.60s) of shard %zu does not follow that of "
                             "the shard before",
                             number, model->label, i + 1);
    return code;
}

int session_join_shards(struct session *self, const struct record *shards, const char *const *paths,
                        size_t count, struct error *err)
{
    size_t *order = malloc(count * sizeof *order);
    int code = order == NULL ? error_set(err, ERR_MEMORY, "merge: %s", error_text(ERR_MEMORY))
                             : order_shards(shards, paths, count, order, err);

    for (size_t i = 1; i < count && code == ERR_NONE; i++)
        if (shards[i].n_sections != shards[0].n_sections)
            code = error_set(err, ERR_USAGE, "merge %.100s: it has %zu sections, %.100s has %zu",
                             paths[i], shards[i].n_sections, paths[0], shards[0].n_sections);
    for (size_t s = 0; code == ERR_NONE && order != NULL && s < shards[0].n_sections; s++)
        code = join_section(self, shards, order, count, s, err);
    free(order);
    self->next = 0;
    self->given = 1;
    return code;
}
