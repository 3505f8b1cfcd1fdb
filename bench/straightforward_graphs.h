/* straightforward_graphs.h -- the second half of straightforward.c: e4 to e7 and main(). */

/* ---- e4, e5: graphs ---- */

static uint32_t find(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* S, by union-find over the edges (bucket[0], bucket[1]) of all keys. */
static uint64_t excess(struct table *t, uint64_t n, struct rng keys, uint32_t *parent,
                       uint32_t *vertices, uint32_t *edges)
{
    uint64_t stash = 0;

    for (uint32_t v = 0; v < t->buckets; v++) {
        parent[v] = v;
        vertices[v] = 1;
        edges[v] = 0;
    }
    for (uint64_t i = 0; i < n; i++) {
        uint32_t bucket[D_MAX];
        candidates(t, rng_next(&keys), bucket);
        uint32_t a = find(parent, bucket[0]), b = find(parent, bucket[1]);
        if (a != b) {
            if (vertices[a] < vertices[b]) {
                uint32_t swap = a;
                a = b;
                b = swap;
            }
            parent[b] = a;
            vertices[a] += vertices[b];
            edges[a] += edges[b];
        }
        edges[a]++;
    }
    for (uint32_t v = 0; v < t->buckets; v++)
        if (parent[v] == v && edges[v] > vertices[v])
            stash += edges[v] - vertices[v];
    return stash;
}

/* Trials with S >= s and, where the original insertion with 100 kicks is asked for, trials
 * in which it stashed s keys or more; s = 0 ... 4. */
static void graphs(unsigned split, uint64_t slots, uint64_t n, uint64_t trials, int inserted,
                   uint64_t *at_least, uint64_t *original_at_least)
{
    struct table t;

    open_table(&t, 2, 1, split, slots);
    uint32_t *parent = zeros(t.buckets, sizeof *parent);
    uint32_t *vertices = zeros(t.buckets, sizeof *vertices);
    uint32_t *edges = zeros(t.buckets, sizeof *edges);
    for (uint64_t trial = 0; trial < trials; trial++) {
        struct rng keys;
        uint64_t stashed = 0;
        start_trial(&t, n, trial, &keys);
        uint64_t stash = excess(&t, n, keys, parent, vertices, edges);
        for (uint64_t i = 0; i < n && inserted; i++)
            stashed += (uint64_t)!original(&t, rng_next(&keys), 100);
        for (unsigned s = 0; s <= 4; s++) {
            at_least[s] += stash >= s;
            original_at_least[s] += stashed >= s;
        }
    }
    free(parent);
    free(vertices);
    free(edges);
    close_table(&t);
}

static void e4(uint64_t trials, uint64_t only)
{
    static const uint64_t sizes[] = {1000, 2000, 5000, 10000, 20000};
    static const unsigned slacks[] = {20, 10, 5, 0};

    for (unsigned split = 2; split-- > 0;)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned size = 0; size < (only ? 1 : 5); size++) {
                uint64_t m = only ? only / 2 : sizes[size], n = m * (100 - slacks[i]) / 100;
                uint64_t at_least[5] = {0}, unused[5] = {0};
                if (!split && !only && (size == 1 || size == 3))
                    continue;
                graphs(split, 2 * m, n, trials, 0, at_least, unused);
                printf("e4 %s %" PRIu64 " %" PRIu64 " failures %" PRIu64 "\n",
                       split ? "split" : "one", m, n, at_least[1]);
            }
}

static void e5(uint64_t trials, uint64_t only)
{
    static const uint64_t sizes[] = {250, 500, 1000, 2000, 5000, 10000, 20000};

    for (unsigned size = 0; size < (only ? 1 : 7); size++) {
        uint64_t n = only ? only / 2 * 10 / 12 : sizes[size];
        uint64_t m = only ? only / 2 : (n * 12 + 9) / 10;
        uint64_t at_least[5] = {0}, walked[5] = {0};
        graphs(1, 2 * m, n, trials, 1, at_least, walked);
        for (unsigned s = 1; s <= 4; s++)
            printf("e5 %" PRIu64 " %" PRIu64 " %u S %" PRIu64 " walk %" PRIu64 "\n", n, m, s,
                   at_least[s], walked[s]);
    }
}

/* ---- e6: first failure ---- */

static void first_failure(unsigned d, unsigned k, enum rule rule, uint64_t slots, uint64_t trials)
{
    struct table t;

    open_table(&t, d, k, 0, slots);
    for (uint64_t trial = 0; trial < trials; trial++) {
        struct rng keys;
        uint64_t placed = 0;
        start_trial(&t, 0, trial, &keys);
        while (insert(&t, rule, rng_next(&keys)))
            placed++;
        printf("e6 %u %u %s %" PRIu64 " placed %" PRIu64 "\n", d, k, rule_names[rule], trial,
               placed);
    }
    close_table(&t);
}

static void e6(uint64_t trials, uint64_t slots, int only)
{
    static const unsigned shapes[][2] = {{2, 1}, {3, 1}, {4, 1}, {2, 2}, {2, 3},
                                         {2, 4}, {2, 8}, {3, 2}, {3, 4}};
    static const enum rule rules[] = {COMPLETE, WALK, BREADTH, ORIGINAL};

    for (unsigned i = 0; i < 9; i++)
        for (int r = 0; r < 4; r++)
            if ((only < 0 || only == r) && (rules[r] != ORIGINAL || shapes[i][0] == 2))
                first_failure(shapes[i][0], shapes[i][1], rules[r], slots ? slots : 1 << 18,
                              trials);
}

/* ---- e7: what insertions cost ---- */

static uint64_t distinct_lines(const struct table *t)
{
    uint64_t lines = 0;

    for (uint32_t i = 0; i < t->writes; i++) {
        uint32_t j = 0;
        while (j < i && t->written[j] / 8 != t->written[i] / 8)
            j++;
        lines += j == i;
    }
    return lines;
}

static void e7(uint64_t trials, uint64_t slots)
{
    static const unsigned ends[] = {50, 80, 90, 93, 95};
    static const enum rule rules[] = {WALK, BREADTH_FAR};
    struct table t;

    slots = slots ? slots : 1 << 20;
    open_table(&t, 2, 4, 0, slots);
    for (unsigned r = 0; r < 2; r++) {
        uint64_t sum[5][4] = {{0}}, failed[5] = {0};
        static uint64_t histogram[5][4][4096];
        for (uint64_t trial = 0; trial < trials; trial++) {
            struct rng keys;
            uint64_t offered = 0;
            start_trial(&t, 0, trial, &keys);
            for (unsigned i = 0; i < 5; i++)
                for (; offered < slots * ends[i] / 100; offered++) {
                    failed[i] += (uint64_t)!insert(&t, rules[r], rng_next(&keys));
                    uint64_t value[4] = {t.kicks, t.moves, t.read, distinct_lines(&t)};
                    for (unsigned q = 0; q < 4; q++) {
                        sum[i][q] += value[q];
                        histogram[i][q][value[q] % 4096]++;
                    }
                }
        }
        for (unsigned i = 0; i < 5; i++)
            printf("e7 %s %u failed %" PRIu64 " sums %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                   "\n",
                   rule_names[rules[r]], ends[i], failed[i], sum[i][0], sum[i][1], sum[i][2],
                   sum[i][3]);
    }
    close_table(&t);
}

/* ---- single kernels ---- */

/* Fills of a (2,4) table of 2^20 slots to load 0.95: nothing measured but the insertions. */
static void fill(enum rule rule, uint64_t trials)
{
    struct table t;
    uint64_t reads = 0;

    open_table(&t, 2, 4, 0, 1 << 20);
    for (uint64_t trial = 0; trial < trials; trial++) {
        struct rng keys;
        start_trial(&t, 0, trial, &keys);
        for (uint64_t i = 0; i < (UINT64_C(95) << 20) / 100; i++) {
            insert(&t, rule, rng_next(&keys));
            reads += t.read;
        }
    }
    printf("fill %s reads %" PRIu64 "\n", rule_names[rule], reads);
    close_table(&t);
}

/* Keys left after peeling slots with one key by a queue, d = 3. */
static uint64_t peel3(struct table *t, uint64_t n, struct rng keys, uint32_t (*bucket)[D_MAX],
                      uint32_t *degree, uint32_t *sum)
{
    uint32_t last = 0;
    uint64_t left = n;

    memset(degree, 0, t->buckets * sizeof *degree);
    memset(sum, 0, t->buckets * sizeof *sum);
    for (uint32_t i = 0; i < n; i++) {
        candidates(t, rng_next(&keys), bucket[i]);
        for (unsigned j = 0; j < 3; j++) {
            degree[bucket[i][j]]++;
            sum[bucket[i][j]] ^= i;
        }
    }
    for (uint32_t v = 0; v < t->buckets; v++)
        if (degree[v] == 1)
            t->queue[last++] = v;
    for (uint32_t first = 0; first < last; first++) {
        uint32_t v = t->queue[first];
        if (degree[v] != 1)
            continue;
        uint32_t key = sum[v];
        left--;
        for (unsigned j = 0; j < 3; j++) {
            uint32_t u = bucket[key][j];
            sum[u] ^= key;
            if (--degree[u] == 1)
                t->queue[last++] = u;
        }
    }
    return left;
}

static void fail3(uint64_t trials)
{
    const uint64_t n = 1024;
    struct table t;
    uint64_t with_core = 0;

    open_table(&t, 3, 1, 0, 1331);
    free(t.queue); /* a slot is queued once for each time its degree falls to one */
    t.queue = zeros((size_t)(t.buckets + 3 * n), sizeof *t.queue);
    uint32_t(*bucket)[D_MAX] = zeros((size_t)n, sizeof *bucket);
    uint32_t *degree = zeros(t.buckets, sizeof *degree), *sum = zeros(t.buckets, sizeof *sum);
    for (uint64_t trial = 0; trial < trials; trial++) {
        struct rng keys;
        start_trial(&t, n, trial, &keys);
        with_core += peel3(&t, n, keys, bucket, degree, sum) > 0;
    }
    printf("fail3 core %" PRIu64 "\n", with_core);
    free(bucket);
    free(degree);
    free(sum);
    close_table(&t);
}

static void fail2(uint64_t trials)
{
    uint64_t at_least[5] = {0}, unused[5] = {0};

    graphs(1, 2200, 1000, trials, 0, at_least, unused);
    printf("fail2 %" PRIu64 "\n", at_least[1]);
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    uint64_t trials = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    uint64_t slots = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;

    if (strcmp(what, "e2") == 0)
        e2(trials, slots);
    else if (strcmp(what, "e3") == 0)
        e3(trials, slots);
    else if (strcmp(what, "e4") == 0)
        e4(trials, slots);
    else if (strcmp(what, "e5") == 0)
        e5(trials, slots);
    else if (strcmp(what, "e6") == 0)
        e6(trials, slots, -1);
    else if (strcmp(what, "complete") == 0)
        e6(trials, slots, 0);
    else if (strcmp(what, "e7") == 0)
        e7(trials, slots);
    else if (strcmp(what, "fail2") == 0)
        fail2(trials);
    else if (strcmp(what, "fail3") == 0)
        fail3(trials);
    else if (strcmp(what, "walk") == 0 || strcmp(what, "breadth") == 0)
        fill(what[0] == 'w' ? WALK : BREADTH_FAR, trials);
    else
        return 2;
    return 0;
}
