/* graph_original_kernel.h -- the steps, for one width of slot numbers.  Included by original.c
 * once for each width, with INDEX (a type), EMPTY (a value of it that is no slot) and
 * KERNEL(name) defined. */

struct KERNEL(lane) {
    const INDEX *left, *right;
    INDEX *other;   /* by slot: the resident's other slot, or EMPTY */
    uint64_t next;  /* next key to come */
    uint32_t kicks; /* by the key at hand */
    INDEX target;   /* where the nestless key goes now, */
    INDEX away;     /* and its other slot */
    uint64_t stash;
};

/* Offer the nestless key to its target.  Afterwards the nestless key is the one that was
 * evicted, or the next one if a place or the limit was reached.  `mask` is all ones or
 * zero: a choice written as a conditional expression may be compiled to a branch.  The
 * limit is reached so seldom that its branch is predicted. */
static inline void KERNEL(step)(struct KERNEL(lane) * lane, uint32_t max_kicks)
{
    INDEX target = lane->target, away = lane->away;
    INDEX resident = lane->other[target];
    uint32_t left = lane->left[lane->next], right = lane->right[lane->next];
    uint32_t full = resident != EMPTY;

    if ((full & (lane->kicks >= max_kicks)) != 0) {
        away = resident;
        full = 0;
        lane->stash++;
    }
    uint32_t mask = 0 - full;
    lane->other[target] = away;
    lane->next += full ^ 1;
    lane->kicks = (lane->kicks + 1) & mask;
    lane->target = (INDEX)((resident & mask) | (left & ~mask));
    lane->away = (INDEX)((target & mask) | (right & ~mask));
}

static void KERNEL(start)(struct KERNEL(lane) * lane, const struct graph *graph)
{
    *lane = (struct KERNEL(lane)){
        .left = graph->left, .right = graph->right, .other = (void *)graph->parent};
    memset(lane->other, 0xff, graph->scheme->buckets * sizeof(INDEX));
    lane->target = lane->left[0];
    lane->away = lane->right[0];
    lane->next = 1;
}

/* All keys of one graph from where it stands. */
static void KERNEL(finish)(struct KERNEL(lane) * lane, uint64_t keys, uint32_t max_kicks)
{
    while (lane->next <= keys)
        KERNEL(step)(lane, max_kicks);
}

/* Four graphs in turn until one of them has no further key: a step takes at most one
 * key, so that many steps are safe as keys are left in the lane that has fewest. */
static void KERNEL(four)(struct KERNEL(lane) * lane, uint64_t keys, uint32_t max_kicks)
{
    struct KERNEL(lane) a = lane[0], b = lane[1], c = lane[2], d = lane[3];

    for (;;) {
        uint64_t most = a.next > b.next ? a.next : b.next;
        most = most > c.next ? most : c.next;
        most = most > d.next ? most : d.next;
        if (most >= keys)
            break;
        for (uint64_t i = keys - most; i > 0; i--) {
            KERNEL(step)(&a, max_kicks);
            KERNEL(step)(&b, max_kicks);
            KERNEL(step)(&c, max_kicks);
            KERNEL(step)(&d, max_kicks);
        }
    }
    lane[0] = a;
    lane[1] = b;
    lane[2] = c;
    lane[3] = d;
}

static void KERNEL(stash)(const struct graph *graph, unsigned lanes, uint32_t max_kicks,
                          uint64_t *stash)
{
    struct KERNEL(lane) lane[ORIGINAL_LANES];

    for (unsigned i = 0; i < lanes; i++)
        KERNEL(start)(&lane[i], &graph[i]);
    if (lanes == 4)
        KERNEL(four)(lane, graph[0].edges, max_kicks);
    for (unsigned i = 0; i < lanes; i++) {
        KERNEL(finish)(&lane[i], graph[0].edges, max_kicks);
        stash[i] = lane[i].stash;
    }
}
