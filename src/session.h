/* session.h -- what a command keeps from one call of trials_run to the next: finished
 * sections (from a checkpoint, for a checkpoint, from shards), progress, and whether a
 * signal has cut the work short. */
#ifndef CUCKOO_SESSION_H
#define CUCKOO_SESSION_H

#include "progress.h"
#include "record.h"
#include "section.h"
#include "whole_file.h"

struct session {
    const struct command *command; /* borrowed, as the options are */
    const struct options *options;
    struct section *section; /* finished ones, then the one at work */
    size_t count;            /* of those that are stored */
    size_t next;             /* number of the section that the next call runs */
    int keep;                /* finished sections stay, to be written */
    int given;               /* all sections come from shards: nothing is run */
    int has_checkpoint;
    struct whole_file checkpoint;
    double written, cost; /* when the checkpoint was last written, seconds it took */
    int write_code;       /* first failure to write it */
    struct progress progress;
    /* the section that a signal cut short */
    int stopped;
    char cut_label[SECTION_LABEL];
    uint64_t cut_done, cut_total;
    /* what --dry-run found */
    double dry_seconds;
    uint64_t dry_bytes;
    int dry_cut; /* a trial took longer than it was timed: dry_seconds is a lower limit */
};

/* Read the checkpoint that options->checkpoint names, if it exists, and refuse it if it is
 * of something else; take over the signals.  Free in every case. */
int session_init(struct session *self, const struct command *command, const struct options *options,
                 struct error *err);
/* Without files and signals, for a caller that has no session. */
void session_init_plain(struct session *self, const struct options *options);
void session_free(struct session *self);

/* The section of this call, with what is finished of trials from ... to - 1. */
int session_begin(struct session *self, const struct trials_work *work, uint64_t from, uint64_t to,
                  struct section **section, struct error *err);

/* Blocks were finished: show progress, write the checkpoint if it is time (`now`: in any
 * case). */
void session_advance(struct session *self, const struct trials_work *work,
                     const struct section *section, uint64_t done, int now);

/* The section is as finished as it gets. */
int session_end(struct session *self, const struct trials_work *work, struct section *section,
                int satisfied, struct error *err);

/* The command has ended: the checkpoint holds the whole. */
int session_finish(struct session *self, struct error *err);

/* The finished sections as a shard. */
int session_write_shard(const struct session *self, const struct whole_file *file,
                        struct error *err);

/* Take the sections of the K shards in `paths`, whatever their order, for a session whose
 * command and options the caller has read from shards[0]. */
int session_join_shards(struct session *self, const struct record *shards, const char *const *paths,
                        size_t count, struct error *err);

#endif
