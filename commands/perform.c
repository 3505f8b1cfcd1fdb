/* perform.c -- see perform.h. */
#include "perform.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "../src/ranks.h"
#include "../src/session.h"
#include "../src/stop.h"

struct performance {
    const struct command *command;
    struct options options;
    struct session session;
    struct out *out;
    struct whole_file shard; /* prepared where --shard is given */
    FILE *nowhere;           /* where tables go that nobody is to see */
};

static int check_shard(const struct options *options, const char *name, struct error *err)
{
    if (options->shard[1] == 0)
        return ERR_NONE;
    if (options->output == NULL)
        return error_set(err, ERR_USAGE, "%s: --shard: --output FILE must be given, for `merge`",
                         name);
    if (options_given(options, OPTION_FORMAT))
        return error_set(err, ERR_USAGE, "%s: --shard: --format is chosen in `merge`, not here",
                         name);
    if (options->until_failures > 0 || options->until_width.num > 0)
        return error_set(err, ERR_USAGE,
                         "%s: --shard: a stopping rule needs all trials in order and is not "
                         "allowed with it; give --trials, or use cuckoo_sim_mpi",
                         name);
    return ERR_NONE;
}

/* Where the tables go: only rank 0 of a whole run has readers. */
static int open_out(struct performance *self, struct error *err)
{
    const struct options *options = &self->options;
    int hidden = options->shard[1] > 0 || options->dry_run || ranks_number() > 0;
    int code = ERR_NONE;

    if (hidden && (self->nowhere = fopen("/dev/null", "w")) == NULL)
        return error_set(err, ERR_IO, "/dev/null: %s", strerror(errno));
    if (options->shard[1] > 0 && ranks_number() == 0)
        code = whole_file_prepare(&self->shard, "--output", options->output, err);
    if (code != ERR_NONE)
        return code;
    return out_open(&self->out, options->format, hidden ? self->nowhere : stdout,
                    hidden ? NULL : options->output, err);
}

static int prepare(struct performance *self, int argc, char **argv, struct error *err)
{
    struct options *options = &self->options;
    int code;

    options_init(options);
    if (self->command->defaults != NULL)
        self->command->defaults(options);
    code = options_parse(options, self->command, argc, argv, err);
    if (code == ERR_NONE)
        code = check_shard(options, self->command->name, err);
    if (code == ERR_NONE)
        code = ranks_agree(session_init(&self->session, self->command, options, err));
    options->session = &self->session;
    return code == ERR_NONE ? ranks_agree(open_out(self, err)) : code;
}

/* A signal or a closed pipe ended it: write what there is, and say what that is. */
static int finish_part(struct performance *self, struct error *err)
{
    const struct session *session = &self->session;
    const struct options *options = &self->options;
    char mark[200], where[300] = "";
    int hidden = options->shard[1] > 0 || options->dry_run;

    if (session->cut_total > 0)
        snprintf(mark, sizeof mark,
                 "partial: stopped after %" PRIu64 " of %" PRIu64 " trials of %.60s",
                 session->cut_done, session->cut_total, session->cut_label);
    else
        snprintf(mark, sizeof mark, "partial: stopped by a signal");
    struct error late = {0};
    int code = out_close_partial(self->out, mark, err);
    self->out = NULL;
    /* also where the output could not be written: the work is not lost */
    int kept = session_finish(&self->session, &late);
    if (code == ERR_NONE && kept != ERR_NONE)
        *err = late;
    if (code != ERR_NONE || kept != ERR_NONE)
        return code != ERR_NONE ? code : kept;
    if (!hidden && options->output != NULL)
        snprintf(where, sizeof where, "; what is finished is in %.200s.partial", options->output);
    if (options->checkpoint != NULL)
        snprintf(where + strlen(where), sizeof where - strlen(where),
                 "; the same command goes on from --checkpoint");
    return error_set(err, ERR_STOPPED, "%s: %s%s", self->command->name, mark, where);
}

static int finish_whole(struct performance *self, struct error *err)
{
    const struct options *options = &self->options;
    int code = ranks_agree(session_finish(&self->session, err));

    if (code != ERR_NONE)
        return code;
    code = out_close(self->out, err);

    self->out = NULL;
    if (code == ERR_NONE && options->dry_run && ranks_number() == 0)
        fprintf(stderr, "all: %s %.3g s, %" PRIu64 " MiB\n",
                self->session.dry_cut ? "more than" : "about", self->session.dry_seconds,
                self->session.dry_bytes >> 20);
    if (code == ERR_NONE && options->shard[1] > 0 && !options->dry_run && ranks_number() == 0)
        code = session_write_shard(&self->session, &self->shard, err);
    return code;
}

int perform(const struct command *command, int argc, char **argv, int *signal, struct error *err)
{
    struct performance self = {.command = command};
    int code = prepare(&self, argc, argv, err);

    if (code == ERR_NONE) {
        code = command->run(&self.options, self.out, err);
        if (code == ERR_STOPPED || (code == ERR_NONE && self.session.stopped))
            code = finish_part(&self, err);
        else if (code == ERR_NONE)
            code = finish_whole(&self, err);
        else
            error_from_code(err, code, command->name);
    }
    *signal = stop_signal();
    out_discard(self.out);
    whole_file_free(&self.shard);
    session_free(&self.session);
    if (self.nowhere != NULL)
        fclose(self.nowhere);
    return code;
}
