/* measure_lookup.c -- what lookups cost in a table at a ladder of loads. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "lookup_costs.h"
#include "measure_filler.h"
#include "measure_state.h"
#include "openaddr.h"
#include "stop.h"

#define CELLS_MAX ((size_t)1 << 17) /* a cost beyond it is an error, not a wrong number */

struct state {
    struct openaddr openaddr;
    void *cuckoo; /* struct filler */
};

size_t lookup_cells(const struct lookup_setting *setting)
{
    if (setting->kind == LOOKUP_CUCKOO)
        return (size_t)setting->scheme.d * setting->scheme.k + 1;
    return setting->scheme.slots < CELLS_MAX ? (size_t)setting->scheme.slots + 1 : CELLS_MAX;
}

size_t lookup_histogram(const struct lookup_setting *setting, size_t load, int miss)
{
    return (2 * load + (miss != 0)) * lookup_cells(setting);
}

size_t lookup_value(const struct lookup_setting *setting, size_t load, int miss,
                    enum lookup_value value)
{
    return lookup_histogram(setting, setting->n_loads, 0) +
           ((2 * load + (miss != 0)) * LOOKUP_VALUES + value) * (size_t)setting->trials;
}

static uint64_t last_keys(const struct lookup_setting *setting)
{
    return setting->n_loads > 0 ? setting->keys[setting->n_loads - 1] : 0;
}

static int open_state(const void *pointer, void **opened)
{
    const struct lookup_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    if (setting->kind == LOOKUP_CUCKOO) {
        int code = filler_open(&setting->scheme, setting->rule, &state->cuckoo);
        return code == ERR_NONE ? filler_offer(state->cuckoo, &setting->offered, last_keys(setting))
                                : code;
    }
    return setting->kind == LOOKUP_LINEAR
               ? openaddr_init_linear(&state->openaddr, &setting->scheme, lookup_cells(setting))
               : openaddr_init_robin_hood(&state->openaddr, &setting->scheme,
                                          lookup_cells(setting));
}

static void close_state(void *pointer)
{
    struct state *state = pointer;

    if (state->cuckoo != NULL)
        filler_close(state->cuckoo);
    openaddr_free(&state->openaddr);
    free(state);
}

/* Costs that go straight into the tally's histogram. */
static struct lookup_costs costs_in(const struct lookup_setting *setting, size_t load, int miss,
                                    uint64_t *tally)
{
    return (struct lookup_costs){
        .histogram = &tally[lookup_histogram(setting, load, miss)],
        .cells = lookup_cells(setting),
    };
}

static int store(const struct lookup_setting *setting, size_t load, int miss, uint64_t trial,
                 const struct lookup_costs *costs, uint64_t *tally)
{
    tally[lookup_value(setting, load, miss, LOOKUP_LOOKUPS) + trial] = costs->lookups;
    tally[lookup_value(setting, load, miss, LOOKUP_SLOTS) + trial] = costs->slots;
    tally[lookup_value(setting, load, miss, LOOKUP_LINES) + trial] = costs->lines;
    tally[lookup_value(setting, load, miss, LOOKUP_MAX_SLOTS) + trial] = costs->max_slots;
    tally[lookup_value(setting, load, miss, LOOKUP_MAX_LINES) + trial] = costs->max_lines;
    return costs->beyond == 0 ? ERR_NONE : ERR_DOMAIN;
}

/* Hits that compare j + 1 buckets (layout window: windows) and touch `lines` lines, counted before
 * they are added up: there are few kinds. */
struct hits {
    uint64_t count[SCHEME_D_MAX][SCHEME_D_MAX * (SCHEME_K_MAX / SCHEME_LINE_SLOTS + 1) + 1];
};

static void add_hits(const struct hits *hits, const struct scheme *scheme,
                     struct lookup_costs *costs)
{
    size_t most = sizeof hits->count[0] / sizeof hits->count[0][0];

    for (unsigned j = 0; j < scheme->d; j++)
        for (size_t lines = 0; lines < most; lines++)
            if (hits->count[j][lines] > 0)
                lookup_costs_add(costs, (uint64_t)(j + 1) * scheme->window * scheme->k, lines,
                                 hits->count[j][lines]);
}

static uint64_t first_hits(const struct hits *hits)
{
    uint64_t count = 0;

    for (size_t lines = 0; lines < sizeof hits->count[0] / sizeof hits->count[0][0]; lines++)
        count += hits->count[0][lines];
    return count;
}

/* A key that lies in its second candidate touches the lines of the first as well. */
static void pair_hits(const struct filler *state, struct hits *hits)
{
    const struct scheme *scheme = state->table.scheme;
    const int inside = SCHEME_LINE_SLOTS % scheme->k == 0; /* a bucket has one line */
    uint64_t slot = 0;

    for (uint32_t b = 0; b < scheme->buckets; b++, slot += scheme->k) {
        uint32_t bucket[2] = {0, b};
        unsigned own = scheme_lines(scheme, &bucket[1], 1);
        for (unsigned s = 0; s < state->table.used[b]; s++) {
            uint32_t resident = state->other[slot + s];
            int second = pair_in_second(resident, b);
            unsigned lines = own;
            bucket[0] = resident & ~PAIR_SECOND;
            if (second && inside)
                lines += scheme_first_line(scheme, bucket[0]) != scheme_first_line(scheme, b);
            else if (second)
                lines = scheme_lines(scheme, bucket, 2);
            hits->count[second][lines]++;
        }
    }
}

static void key_hits(const struct table *table, struct hits *hits)
{
    const struct scheme *scheme = table->scheme;

    for (uint32_t b = 0; b < scheme->buckets; b++)
        for (unsigned s = 0; s < table->used[b]; s++) {
            uint32_t bucket[SCHEME_D_MAX];
            unsigned j = 0;
            table_candidates(table, *table_slot(table, b, s), bucket);
            while (bucket[j] != b)
                j++;
            j /= scheme->window;
            hits->count[j][scheme_lines(scheme, bucket, (j + 1) * scheme->window)]++;
        }
}

/* Every stored key once: whole buckets (windows) are compared up to the one that holds it.  Returns
 * the keys in their first candidate. */
static uint64_t cuckoo_hits(const struct filler *state, struct lookup_costs *costs)
{
    struct hits hits;

    memset(&hits, 0, sizeof hits);
    if (state->pair_insert != NULL)
        pair_hits(state, &hits);
    else
        key_hits(&state->table, &hits);
    add_hits(&hits, state->table.scheme, costs);
    return first_hits(&hits);
}

/* A miss compares all d buckets whatever they hold, d k slots; its lines are an exact mean
 * over all candidates and no tally (scheme_mean_lines). */
static void cuckoo_misses(const struct table *table, struct lookup_costs *costs)
{
    const struct scheme *scheme = table->scheme;

    lookup_costs_add(costs, (uint64_t)scheme->d * scheme->k, 0, 1);
}

static uint64_t full_buckets(const struct table *table)
{
    uint64_t full = 0;

    for (uint32_t b = 0; b < table->scheme->buckets; b++)
        full += (uint64_t)table_full(table, b);
    return full;
}

static int run_cuckoo(const struct lookup_setting *setting, struct filler *state, uint64_t trial,
                      uint64_t *tally)
{
    uint64_t offered = 0, left_over = 0;
    int code = ERR_NONE;

    filler_reset(state, setting->seed, trial);
    for (size_t load = 0; load < setting->n_loads && code == ERR_NONE; load++) {
        for (; offered < setting->keys[load] && !stop_signal(); offered++)
            left_over += filler_add(state) != INSERT_PLACED;
        struct lookup_costs hits = costs_in(setting, load, 0, tally);
        struct lookup_costs misses = costs_in(setting, load, 1, tally);
        tally[lookup_value(setting, load, 0, LOOKUP_PRIMARY) + trial] = cuckoo_hits(state, &hits);
        cuckoo_misses(&state->table, &misses);
        code = store(setting, load, 0, trial, &hits, tally);
        if (code == ERR_NONE)
            code = store(setting, load, 1, trial, &misses, tally);
        tally[lookup_value(setting, load, 0, LOOKUP_LEFT_OVER) + trial] = left_over;
        tally[lookup_value(setting, load, 0, LOOKUP_FULL) + trial] = full_buckets(&state->table);
    }
    if (code == ERR_NONE && stop_signal())
        code = ERR_STOPPED;
    return state->inserter.memory_failed ? ERR_MEMORY : code;
}

/* Offer keys until `stored` are in; homes are computed some keys ahead, which is as good as
 * drawing keys ahead. */
struct homes_ahead {
    struct rng keys;
    uint32_t home[KEYS_AHEAD];
    unsigned next;
};

static int add_until(struct openaddr *table, struct homes_ahead *ahead, uint64_t stored)
{
    int code = ERR_NONE;

    while (code == ERR_NONE && table->stored < stored) {
        code = openaddr_add_home(table, ahead->home[ahead->next]);
        ahead->home[ahead->next] = openaddr_home(table, rng_next(&ahead->keys));
        ahead->next = (ahead->next + 1) % KEYS_AHEAD;
    }
    return code;
}

static int run_openaddr(const struct lookup_setting *setting, struct openaddr *table,
                        uint64_t trial, uint64_t *tally)
{
    struct homes_ahead ahead = {.next = 0};
    int code = ERR_NONE;

    openaddr_reset(table, scheme_stream(&setting->scheme, setting->seed, 0, trial, STREAM_HASH));
    rng_init(&ahead.keys, scheme_stream(&setting->scheme, setting->seed, 0, trial, STREAM_KEYS));
    for (unsigned i = 0; i < KEYS_AHEAD; i++)
        ahead.home[i] = openaddr_home(table, rng_next(&ahead.keys));
    for (size_t load = 0; load < setting->n_loads && code == ERR_NONE; load++) {
        struct lookup_costs hits = costs_in(setting, load, 0, tally);
        struct lookup_costs misses = costs_in(setting, load, 1, tally);
        code = add_until(table, &ahead, setting->keys[load]);
        if (code != ERR_NONE)
            break;
        if (setting->kind == LOOKUP_LINEAR)
            lookup_costs_copy(&hits, &table->hits);
        else
            openaddr_robin_hood_hits(table, &hits);
        code = store(setting, load, 0, trial, &hits, tally);
        if (code != ERR_NONE || setting->hits_only)
            continue;
        if (setting->kind == LOOKUP_LINEAR)
            openaddr_linear_misses(table, &misses);
        else
            openaddr_robin_hood_misses(table, &misses);
        code = store(setting, load, 1, trial, &misses, tally);
    }
    return code;
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct lookup_setting *setting = pointer;
    struct state *state = opened;
    int code = ERR_NONE;

    for (uint64_t trial = first; trial < first + count && code == ERR_NONE; trial++)
        code = setting->kind == LOOKUP_CUCKOO
                   ? run_cuckoo(setting, state->cuckoo, trial, tally)
                   : run_openaddr(setting, &state->openaddr, trial, tally);
    return code;
}

void lookup_work(struct lookup_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = filler_block(&setting->scheme),
        .adds = lookup_value(setting, setting->n_loads, 0, LOOKUP_LOOKUPS),
        .state_bytes = setting->kind == LOOKUP_CUCKOO
                           ? filler_bytes(&setting->scheme, setting->rule) +
                                 filler_offer_bytes(&setting->offered, last_keys(setting))
                           : openaddr_bytes(&setting->scheme, lookup_cells(setting)),
        .fingerprint = setting->offered.fingerprint,
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
        .rows = 2 * setting->n_loads * LOOKUP_VALUES,
        .done = &setting->trials,
    };
}
