/* measure_hash.c -- see measure_hash.h. */
#include "measure_hash.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"

#define KEYS_A_BLOCK 200000

struct state {
    uint64_t *key, *pair;
    uint32_t *left, *right;
    struct graph graph;
    struct table table;
    struct inserter inserter;
};

static int open_state(const void *pointer, void **opened)
{
    const struct hash_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);
    uint64_t n = setting->keyset.keys;

    *opened = state;
    if (state == NULL || n >= SIZE_MAX / sizeof(uint64_t))
        return ERR_MEMORY;
    state->key = malloc((size_t)(n + 1) * sizeof *state->key);
    state->pair = malloc((size_t)(n + 1) * sizeof *state->pair);
    state->left = malloc((size_t)(n + 1) * sizeof *state->left);
    state->right = malloc((size_t)(n + 1) * sizeof *state->right);
    if (state->key == NULL || state->pair == NULL || state->left == NULL || state->right == NULL)
        return ERR_MEMORY;
    int code = graph_init(&state->graph, &setting->scheme, n);
    if (code != ERR_NONE || setting->rule == NULL)
        return code;
    code = table_init(&state->table, &setting->scheme);
    return code == ERR_NONE ? inserter_init(&state->inserter, &state->table, setting->rule) : code;
}

static void close_state(void *opened)
{
    struct state *state = opened;

    free(state->key);
    free(state->pair);
    free(state->left);
    free(state->right);
    graph_free(&state->graph);
    inserter_free(&state->inserter);
    table_free(&state->table);
    free(state);
}

static uint64_t stream(const struct hash_setting *setting, uint64_t trial, enum stream_use use)
{
    return scheme_stream(&setting->scheme, setting->seed, setting->keyset.keys, trial, use);
}

/* Only where the cube's characters are the tables' own does each have a table entry. */
static int is_tabulated_cube(const struct hash_setting *setting)
{
    const struct keyset *keyset = &setting->keyset;
    enum hash_family family = setting->scheme.family.kind;

    return keyset->kind == KEYSET_CUBE && ((family == FAMILY_TABULATION8 && keyset->bits == 8) ||
                                           (family == FAMILY_TABULATION16 && keyset->bits == 16));
}

/* h(x, y, z) = T0[x] ^ T1[y] ^ T2[z] ^ c, so the buckets of (x, 0, 0), (0, y, 0), (0, 0, z)
 * have the xor that (x, y, z) has: what is too many cancels in pairs. */
void hash_cube_buckets(const struct scheme *scheme, const struct hasher *hasher,
                       const struct keyset *cube, unsigned candidate, uint32_t *bucket)
{
    uint32_t axis[3][1 << 16], both[SCHEME_D_MAX];
    uint32_t base = scheme->base[candidate];
    uint64_t side = cube->side, n = 0;

    for (unsigned a = 0; a < 3; a++)
        for (uint64_t x = 0; x < side; x++) {
            scheme_candidates(scheme, hasher, x << (a * cube->bits), both);
            axis[a][x] = both[candidate] - base;
        }
    for (uint64_t x = 0; x < side; x++)
        for (uint64_t y = 0; y < side; y++) {
            uint32_t xy = axis[0][x] ^ axis[1][y];
            for (uint64_t z = 0; z < side; z++)
                bucket[n++] = base + (xy ^ axis[2][z]);
        }
}

/* Index of the key with character x in position a and zeros elsewhere. */
static uint64_t on_axis(const struct keyset *cube, unsigned a, uint64_t x)
{
    static const unsigned power[3] = {2, 1, 0};

    for (unsigned i = 0; i < power[a]; i++)
        x *= cube->side;
    return x;
}

/* Pairs of characters of a position that share a bucket of this function. */
static uint64_t collisions(const struct keyset *cube, const uint32_t *bucket)
{
    uint64_t count = 0;

    for (unsigned a = 0; a < 3; a++)
        for (uint64_t x = 1; x < cube->side; x++)
            for (uint64_t y = 0; y < x; y++)
                count += bucket[on_axis(cube, a, x)] == bucket[on_axis(cube, a, y)];
    return count;
}

static void draw_edges(const struct hash_setting *setting, struct state *state,
                       const struct hasher *hasher, uint64_t trial)
{
    const struct keyset *keyset = &setting->keyset;

    if (is_tabulated_cube(setting)) {
        hash_cube_buckets(&setting->scheme, hasher, keyset, 0, state->left);
        hash_cube_buckets(&setting->scheme, hasher, keyset, 1, state->right);
        uint64_t face = keyset->side * keyset->side;
        if (setting->plant)
            memcpy(state->left + face, state->left, (size_t)face * sizeof *state->left);
        return;
    }
    keyset_fill(keyset, stream(setting, trial, STREAM_KEYS), state->key);
    for (uint64_t i = 0; i < keyset->keys; i++) {
        uint32_t bucket[SCHEME_D_MAX];
        scheme_candidates(&setting->scheme, hasher, state->key[i], bucket);
        state->left[i] = bucket[0];
        state->right[i] = bucket[1];
    }
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Do three keys have both slots in common? */
static int has_triple(const struct hash_setting *setting, struct state *state)
{
    uint64_t n = setting->keyset.keys;

    for (uint64_t i = 0; i < n; i++)
        state->pair[i] = (uint64_t)state->left[i] << 32 | state->right[i];
    qsort(state->pair, (size_t)n, sizeof *state->pair, ascending);
    for (uint64_t i = 2; i < n; i++)
        if (state->pair[i] == state->pair[i - 2])
            return 1;
    return 0;
}

static void insert_all(const struct hash_setting *setting, struct state *state, uint64_t trial,
                       uint64_t *tally)
{
    uint64_t kicks = 0;

    if (is_tabulated_cube(setting)) /* draw_edges took the short way */
        keyset_fill(&setting->keyset, 0, state->key);
    inserter_reset(&state->inserter, stream(setting, trial, STREAM_HASH),
                   stream(setting, trial, STREAM_SEARCH));
    for (uint64_t i = 0; i < setting->keyset.keys; i++) {
        if (inserter_add(&state->inserter, state->key[i]) != INSERT_PLACED) {
            tally[HASH_GAVE_UP]++;
            return;
        }
        kicks += state->inserter.cost.kicks;
    }
    tally[HASH_KICKS] += kicks;
    tally[HASH_KICKS_SQUARED] += kicks * kicks;
}

static void run_trial(const struct hash_setting *setting, struct state *state, uint64_t trial,
                      uint64_t *tally)
{
    struct hasher hasher;

    hasher_init_for(&hasher, &setting->scheme, stream(setting, trial, STREAM_HASH));
    draw_edges(setting, state, &hasher, trial);
    graph_set(&state->graph, state->left, state->right, setting->keyset.keys);
    int failed = graph_stash(&state->graph) > 0;
    if (is_tabulated_cube(setting)) {
        uint64_t met =
            collisions(&setting->keyset, state->left) + collisions(&setting->keyset, state->right);
        tally[HASH_COLLIDED] += met > 0;
        tally[HASH_COLLIDED_FAILED] += met > 0 && failed;
        tally[HASH_TWO_COLLIDED] += met > 1;
        tally[HASH_TWO_COLLIDED_FAILED] += met > 1 && failed;
    }
    if (failed) {
        tally[HASH_NO_PLACEMENT]++;
        tally[HASH_TRIPLE] += (uint64_t)has_triple(setting, state);
    } else if (setting->rule != NULL) {
        insert_all(setting, state, trial, tally);
    }
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct hash_setting *setting = pointer;
    struct state *state = opened;

    for (uint64_t trial = first; trial < first + count; trial++)
        run_trial(setting, state, trial, tally);
    return state->inserter.memory_failed ? ERR_MEMORY : ERR_NONE;
}

void hash_work(const struct hash_setting *setting, struct trials_work *work)
{
    uint64_t n = setting->keyset.keys;
    uint64_t bytes = graph_bytes(&setting->scheme, n) + 24 * n;

    if (setting->rule != NULL)
        bytes += table_bytes(&setting->scheme) + inserter_bytes(&setting->scheme);
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = 1 + KEYS_A_BLOCK / (n + 64),
        .adds = HASH_CELLS,
        .state_bytes = bytes,
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };
}
