/* graph_kernel.h -- the loops over edges, for one width of vertex numbers.  Included by
 * graph.c once for each width, with INDEX (a type) and KERNEL(name) defined.  16-bit
 * numbers halve what a small graph takes in the cache. */

/* The common scheme with its numbers in registers: stores through `degree`, a byte pointer, may
 * alias whatever has an address. */
static void KERNEL(draw_mixed)(struct graph *self, uint64_t key_stream, const struct hasher *hasher,
                               uint64_t n)
{
    const uint64_t seed = hasher->seed[0];
    const uint32_t base = self->scheme->base[1]; /* base[0] is 0 */
    const uint32_t width = self->scheme->width[0], width_1 = self->scheme->width[1];
    INDEX *left = self->left, *right = self->right;
    uint8_t *degree = self->degree;
    struct rng keys;

    rng_init(&keys, key_stream);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t hash = hash_mix(rng_next(&keys) ^ seed);
        uint32_t u = hash_reduce(hash >> 32, width), v = base + hash_reduce(hash, width_1);
        left[i] = (INDEX)u;
        right[i] = (INDEX)v;
        degree[u]++;
        degree[v]++;
    }
}

static void KERNEL(draw)(struct graph *self, uint64_t key_stream, const struct hasher *hasher,
                         uint64_t n)
{
    struct rng keys;

    if (!self->scheme->special) {
        KERNEL(draw_mixed)(self, key_stream, hasher, n);
        return;
    }
    rng_init(&keys, key_stream);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t bucket[SCHEME_D_MAX];
        scheme_candidates_special(self->scheme, hasher, rng_next(&keys), bucket);
        ((INDEX *)self->left)[i] = (INDEX)bucket[0];
        ((INDEX *)self->right)[i] = (INDEX)bucket[1];
        self->degree[bucket[0]]++;
        self->degree[bucket[1]]++;
    }
}

/* One sweep: drop each edge that is the last one of an end.  Such an edge takes a vertex
 * with it, so that edges - vertices of its component stays.  Without a branch, since
 * which edges go cannot be predicted. */
static uint64_t KERNEL(peel)(struct graph *self, uint64_t n)
{
    INDEX *left = self->left, *right = self->right;
    uint8_t *degree = self->degree;
    uint64_t kept = 0;

    for (uint64_t i = 0; i < n; i++) {
        INDEX u = left[i], v = right[i];
        unsigned drop = (degree[u] <= 1) | (degree[v] <= 1);
        left[kept] = u;
        right[kept] = v;
        degree[u] = (uint8_t)(degree[u] - drop);
        degree[v] = (uint8_t)(degree[v] - drop);
        kept += 1 - drop;
    }
    return kept;
}

/* S of the first n edges; touches only their vertices. */
static uint64_t KERNEL(unite)(struct graph *self, uint64_t n)
{
    const INDEX *left = self->left, *right = self->right;
    uint64_t stash = 0;

    for (uint64_t i = 0; i < n; i++) {
        start_vertex(self, left[i]);
        start_vertex(self, right[i]);
    }
    for (uint64_t i = 0; i < n; i++)
        stash += unite_edge(self, left[i], right[i]);
    return stash;
}

static void KERNEL(set)(struct graph *self, const uint32_t *from_left, const uint32_t *from_right,
                        uint64_t n)
{
    INDEX *left = self->left, *right = self->right;

    for (uint64_t i = 0; i < n; i++) {
        left[i] = (INDEX)from_left[i];
        right[i] = (INDEX)from_right[i];
        self->degree[left[i]]++;
        self->degree[right[i]]++;
    }
}
