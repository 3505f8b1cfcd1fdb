/* complete_kernel.h -- the search by labels, for one way of storing residents.  Included
 * by complete.c once for each, with KERNEL(name) and OTHERS defined: the number of other
 * candidates stored with a resident, 0 for its key. */

/* The resident's candidates but for the bucket it lies in (which may occur among them
 * where candidates coincide, or where the key is stored).  Returns their number. */
static inline unsigned KERNEL(others)(const struct complete *self, uint64_t slot, uint32_t *bucket)
{
#if OTHERS > 0
    for (unsigned j = 0; j < OTHERS; j++)
        bucket[j] = self->other[slot * OTHERS + j];
    return OTHERS;
#else
    scheme_candidates(self->scheme, &self->hasher, self->key[slot], bucket);
    return self->scheme->d;
#endif
}

/* The nestless key: its candidates, and itself where residents are stored as keys. */
struct KERNEL(nestless) {
    uint32_t bucket[SCHEME_D_MAX];
    uint64_t key;
};

static inline void KERNEL(store)(struct complete *self, uint64_t slot,
                                 const struct KERNEL(nestless) * nestless, unsigned at)
{
#if OTHERS > 0
    for (unsigned j = 0, i = 0; j <= OTHERS; j++)
        if (j != at)
            self->other[slot * OTHERS + i++] = nestless->bucket[j];
#else
    (void)at;
    self->key[slot] = nestless->key;
#endif
}

/* The least label among the other candidates of the residents of `bucket`, and the slot
 * of a resident that has it; ends at the first label below `enough`. */
static inline unsigned KERNEL(least)(const struct complete *self, uint32_t bucket, unsigned enough,
                                     uint64_t *slot)
{
    unsigned least = COMPLETE_DEAD, k = self->scheme->k;
    uint64_t first = (uint64_t)bucket * k;

    for (uint64_t s = first; s < first + k && least >= enough; s++) {
        uint32_t other[SCHEME_D_MAX];
        unsigned count = KERNEL(others)(self, s, other);
        for (unsigned j = 0; j < count; j++) {
            unsigned label = self->label[other[j]];
            if (label < least && other[j] != bucket) {
                least = label;
                *slot = s;
            }
        }
    }
    return least;
}

/* Which candidate has the least label. */
static inline unsigned KERNEL(choose)(const struct complete *self,
                                      const struct KERNEL(nestless) * nestless)
{
    unsigned d = OTHERS > 0 ? OTHERS + 1 : self->scheme->d, best = 0;

    for (unsigned j = 1; j < d; j++)
        if (self->label[nestless->bucket[j]] < self->label[nestless->bucket[best]])
            best = j;
    return best;
}

/* Take the resident of `slot` in `bucket` out and put the nestless key there. */
static inline void KERNEL(evict)(struct complete *self, uint64_t slot, uint32_t bucket,
                                 struct KERNEL(nestless) * nestless, unsigned at)
{
    struct KERNEL(nestless) resident;

    KERNEL(others)(self, slot, resident.bucket);
#if OTHERS > 0
    resident.bucket[OTHERS] = bucket;
    resident.key = 0;
#else
    (void)bucket;
    resident.key = self->key[slot];
#endif
    KERNEL(store)(self, slot, nestless, at);
    *nestless = resident;
}

/* Set the labels to the exact distances, ring after ring around the free slots.  The sum
 * of the distances bounds the buckets looked at. */
static int KERNEL(relabel)(struct complete *self)
{
    uint16_t *label = self->label;
    uint32_t changed = 1;

    for (uint32_t b = 0; b < self->scheme->buckets; b++)
        label[b] = label[b] > 0 ? COMPLETE_DEAD : 0;
    for (unsigned ring = 1; changed > 0; ring++) {
        if (ring == COMPLETE_DEAD)
            return ERR_NUMERIC;
        changed = 0;
        for (uint32_t b = 0; b < self->scheme->buckets; b++) {
            uint64_t slot;
            if (label[b] != COMPLETE_DEAD || KERNEL(least)(self, b, ring, &slot) >= ring)
                continue;
            label[b] = (uint16_t)ring;
            changed++;
        }
    }
    return ERR_NONE;
}

/* 1: placed; 0: no placement exists; ERR_NUMERIC. */
static int KERNEL(place)(struct complete *self, struct KERNEL(nestless) * nestless)
{
    for (uint64_t step = 1;; step++) {
        unsigned at = KERNEL(choose)(self, nestless);
        uint32_t bucket = nestless->bucket[at];
        unsigned label = self->label[bucket];
        uint64_t slot = (uint64_t)bucket * self->scheme->k;
        if (label == COMPLETE_DEAD)
            return 0;
        if (label == 0) {
            unsigned used = self->used != NULL ? self->used[bucket]++ : 0;
            KERNEL(store)(self, slot + used, nestless, at);
            if (used + 1 == self->scheme->k)
                self->label[bucket] = 1;
            return 1;
        }
        unsigned least = KERNEL(least)(self, bucket, label, &slot);
        if (least < label)
            KERNEL(evict)(self, slot, bucket, nestless, at);
        else if (least == COMPLETE_DEAD || least + 1 < COMPLETE_DEAD)
            self->label[bucket] = (uint16_t)(least == COMPLETE_DEAD ? least : least + 1);
        if (step < self->patience && least + 1 != COMPLETE_DEAD)
            continue;
        if (KERNEL(relabel)(self) != ERR_NONE)
            return ERR_NUMERIC;
        self->patience *= 2;
        step = 0;
    }
}

static int KERNEL(place_key)(struct complete *self, uint64_t key, const uint32_t *bucket)
{
    struct KERNEL(nestless) nestless = {.key = key};

    for (unsigned j = 0; j < self->scheme->d; j++)
        nestless.bucket[j] = bucket[j];
    return KERNEL(place)(self, &nestless);
}

static int KERNEL(first_failure)(struct complete *self, uint64_t key_stream, uint64_t *placed)
{
    struct KERNEL(nestless) nestless;
    struct rng keys;
    int code;

    *placed = 0;
    rng_init(&keys, key_stream);
    for (;;) {
        nestless.key = rng_next(&keys);
        scheme_candidates(self->scheme, &self->hasher, nestless.key, nestless.bucket);
        code = KERNEL(place)(self, &nestless);
        if (code != 1)
            return code;
        if ((++*placed & STOP_MASK) == 0 && self->stop != NULL && self->stop())
            return ERR_STOPPED;
    }
}
