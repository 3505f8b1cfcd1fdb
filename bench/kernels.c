/* kernels.c -- single kernels of the library, for `make bench`: the same work as the
 * subcommands of straightforward.c that have the same name, and the same integers.
 *
 *   kernels fail2|fail3|walk|breadth|complete TRIALS [SLOTS] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/complete.h"
#include "../src/measure.h"
#include "../src/measure_filler.h"

#define SEED 1

/* Trials on graphs, without threads: the work of one of them. */
static int fail(const char *name, unsigned d, enum layout layout, uint64_t slots, uint64_t keys,
                uint64_t trials)
{
    struct fail_setting setting = {.keys = keys, .seed = SEED, .trials = trials, .label = name};
    struct trials_work work;
    uint64_t tally[FAIL_ADDS] = {0};
    void *state = NULL;

    if (scheme_init(&setting.scheme, d, 1, layout, POSITIONS_REPEAT, slots) != ERR_NONE)
        return 1;
    fail_work(&setting, &work);
    int code = work.open(&setting, &state);
    for (uint64_t first = 0; first < trials && code == ERR_NONE; first += work.block) {
        uint64_t count = trials - first < work.block ? trials - first : work.block;
        code = work.run_block(&setting, state, first, count, tally);
    }
    work.close(state);
    printf("%s %" PRIu64 "\n", name, trials - tally[FAIL_STASH]);
    return code != ERR_NONE;
}

/* Fills of a (2,4) table of 2^20 slots to load 0.95. */
static int fill(const struct insert_rule *rule, uint64_t trials)
{
    struct scheme scheme;
    void *opened = NULL;
    uint64_t reads = 0;

    if (scheme_init(&scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 1 << 20) != ERR_NONE ||
        filler_open(&scheme, rule, &opened) != ERR_NONE)
        return 1;
    struct filler *filler = opened;
    for (uint64_t trial = 0; trial < trials; trial++) {
        filler_reset(filler, SEED, trial);
        for (uint64_t i = 0; i < (UINT64_C(95) << 20) / 100; i++) {
            filler_add(filler);
            reads += filler->inserter.cost.buckets_read;
        }
    }
    filler_close(opened);
    printf("fill %s reads %" PRIu64 "\n", rule->name, reads);
    return 0;
}

/* The first failure of a complete search, at every shape of e6. */
static int complete(uint64_t trials, uint64_t slots)
{
    static const unsigned shapes[][2] = {{2, 1}, {3, 1}, {4, 1}, {2, 2}, {2, 3},
                                         {2, 4}, {2, 8}, {3, 2}, {3, 4}};
    int code = ERR_NONE;

    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0] && code == ERR_NONE; i++) {
        struct scheme scheme;
        struct complete complete;
        if (scheme_init(&scheme, shapes[i][0], shapes[i][1], LAYOUT_ONE, POSITIONS_REPEAT, slots) !=
            ERR_NONE)
            return 1;
        code = complete_init(&complete, &scheme);
        for (uint64_t trial = 0; trial < trials && code == ERR_NONE; trial++) {
            uint64_t placed;
            code = complete_first_failure(
                &complete, scheme_stream(&scheme, SEED, 0, trial, STREAM_HASH),
                scheme_stream(&scheme, SEED, 0, trial, STREAM_KEYS), &placed);
            printf("e6 %u %u complete %" PRIu64 " placed %" PRIu64 "\n", scheme.d, scheme.k, trial,
                   placed);
        }
        complete_free(&complete);
    }
    return code != ERR_NONE;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    uint64_t trials = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

    if (strcmp(what, "fail2") == 0)
        return fail(what, 2, LAYOUT_SPLIT, 2200, 1000, trials);
    if (strcmp(what, "fail3") == 0)
        return fail(what, 3, LAYOUT_ONE, 1331, 1024, trials);
    if (strcmp(what, "walk") == 0)
        return fill(&insert_rule_walk500, trials);
    if (strcmp(what, "breadth") == 0)
        return fill(&insert_rule_breadth_far, trials);
    if (strcmp(what, "complete") == 0)
        return complete(trials, argc > 3 ? strtoull(argv[3], NULL, 10) : 1 << 18);
    return 2;
}
