/* scheme.c -- see scheme.h. */
#include "scheme.h"

#include <string.h>

int scheme_init(struct scheme *self, unsigned d, unsigned k, enum layout layout,
                enum positions positions, uint64_t slots)
{
    uint64_t tables = layout == LAYOUT_SPLIT ? d : 1;

    memset(self, 0, sizeof *self);
    if (d < 1 || d > SCHEME_D_MAX || k < 1 || k > SCHEME_K_MAX || slots % tables != 0)
        return ERR_DOMAIN;
    uint64_t width = slots / tables / k;
    if (width < 1 || width > SCHEME_BUCKETS_MAX / tables)
        return ERR_DOMAIN;
    if (layout == LAYOUT_ONE && positions == POSITIONS_DISTINCT && width < d)
        return ERR_DOMAIN;
    self->d = d;
    self->k = k;
    self->window = 1;
    self->layout = layout;
    self->positions = positions;
    self->special = layout == LAYOUT_ONE && positions == POSITIONS_DISTINCT;
    self->buckets = (uint32_t)(width * tables);
    self->slots = width * tables * k;
    for (unsigned j = 0; j < d; j++) {
        self->base[j] = layout == LAYOUT_SPLIT ? (uint32_t)(j * width) : 0;
        self->width[j] = (uint32_t)width;
    }
    return ERR_NONE;
}

int scheme_init_two(struct scheme *self, unsigned k, uint64_t slots_1, uint64_t slots_2)
{
    memset(self, 0, sizeof *self);
    if (k < 1 || k > SCHEME_K_MAX)
        return ERR_DOMAIN;
    uint64_t width_1 = slots_1 / k, width_2 = slots_2 / k;
    if (width_1 < 1 || width_2 < 1 || width_1 > SCHEME_BUCKETS_MAX ||
        width_2 > SCHEME_BUCKETS_MAX - width_1)
        return ERR_DOMAIN;
    int code = scheme_init(self, 2, k, LAYOUT_SPLIT, POSITIONS_REPEAT, 2 * (uint64_t)k);
    self->buckets = (uint32_t)(width_1 + width_2);
    self->slots = (width_1 + width_2) * k;
    self->width[0] = self->base[1] = (uint32_t)width_1;
    self->width[1] = (uint32_t)width_2;
    return code;
}

int scheme_init_windows(struct scheme *self, unsigned windows, unsigned length, uint64_t page,
                        uint64_t slots)
{
    memset(self, 0, sizeof *self);
    if (page == 0)
        page = slots;
    if (windows < 2 || length < 2 || windows > SCHEME_D_MAX || length > SCHEME_D_MAX / windows ||
        page < length || slots < page)
        return ERR_DOMAIN;
    int code =
        scheme_init(self, windows * length, 1, LAYOUT_ONE, POSITIONS_REPEAT, slots - slots % page);
    if (code != ERR_NONE)
        return code;
    self->window = length;
    self->page = (uint32_t)page;
    self->layout = LAYOUT_WINDOW;
    self->special = 1;
    for (unsigned j = 0; j < windows; j++)
        self->width[j] -= (length - 1) * (self->buckets / self->page);
    return ERR_NONE;
}

int scheme_use_family(struct scheme *self, const struct family *family)
{
    if (self->positions != POSITIONS_REPEAT || self->derive.kind != DERIVE_NONE ||
        (family->kind == FAMILY_DOUBLE && self->layout == LAYOUT_SPLIT))
        return ERR_DOMAIN;
    self->family = *family;
    self->special = family->kind != FAMILY_MIXER || self->layout == LAYOUT_WINDOW;
    return ERR_NONE;
}

int scheme_use_derive(struct scheme *self, const struct derive *derive)
{
    int split = self->layout == LAYOUT_SPLIT;

    if (self->d < 2 || self->positions != POSITIONS_REPEAT || self->layout == LAYOUT_WINDOW ||
        self->family.kind != FAMILY_MIXER)
        return ERR_DOMAIN;
    for (unsigned j = 1; j < self->d; j++)
        if (self->width[j] != self->width[0])
            return ERR_DOMAIN;
    if ((self->d == 2 ? derive_check(derive, self->width[0])
                      : derive_check_many(derive, self->d, split, self->width[0])) != ERR_NONE)
        return ERR_DOMAIN;
    self->derive = *derive;
    self->special = derive->kind != DERIVE_NONE;
    return ERR_NONE;
}

/* The family and the derivation are no part of it: all of them meet the same keys. */
uint64_t scheme_stream(const struct scheme *self, uint64_t seed, uint64_t keys, uint64_t trial,
                       enum stream_use use)
{
    uint64_t first = scheme_is_unequal(self) ? self->width[0] : 0;
    const uint64_t words[] = {
        seed, self->d, self->k, self->layout | first << 8, self->positions, self->buckets,
        keys, trial,   use,
    };

    return stream_key(words, sizeof words / sizeof words[0]);
}

void hasher_init(struct hasher *self, uint64_t stream)
{
    struct rng rng;

    rng_init(&rng, stream);
    for (unsigned i = 0; i < SCHEME_D_MAX / 2; i++)
        self->seed[i] = rng_next(&rng);
}

void hasher_init_for(struct hasher *self, const struct scheme *scheme, uint64_t stream)
{
    hasher_init(self, stream);
    if (scheme->family.kind != FAMILY_MIXER)
        for (unsigned j = 0; j < scheme->d; j++)
            family_draw(&scheme->family, hash_mix(stream ^ (j + 1)), self->word[j]);
}

/* Which start each window has; then every slot of each, the last window first, so that none is
 * written over before it is read. */
static void window_candidates(const struct scheme *self, const struct hasher *hasher, uint64_t key,
                              uint32_t *bucket)
{
    unsigned windows = self->d / self->window;

    if (self->family.kind != FAMILY_MIXER)
        family_candidates(&self->family, hasher->word, key, windows, self->width, bucket);
    else
        for (unsigned j = 0; j < windows; j++) {
            uint64_t hash = hash_mix(key ^ hasher->seed[j / 2]);
            bucket[j] = hash_reduce(j % 2 == 0 ? hash >> 32 : hash, self->width[j]);
        }
    for (unsigned j = windows; j-- > 0;) {
        uint32_t start = bucket[j];
        if (self->page < self->buckets) /* the last slots of a page start none */
            start += start / (self->page - self->window + 1) * (self->window - 1);
        for (unsigned i = 0; i < self->window; i++)
            bucket[j * self->window + i] = start + i;
    }
}

void scheme_candidates_special(const struct scheme *self, const struct hasher *hasher, uint64_t key,
                               uint32_t *bucket)
{
    if (self->layout == LAYOUT_WINDOW) {
        window_candidates(self, hasher, key, bucket);
        return;
    }
    if (self->derive.kind != DERIVE_NONE) {
        uint64_t hash = hash_mix(key ^ hasher->seed[0]), more = 0;
        if (self->derive.kind == DERIVE_WORDS)
            more = hash_mix(key ^ hasher->seed[1]);
        if (self->d == 2)
            derive_buckets(&self->derive, hash, more, self->width[0], bucket);
        else
            derive_many(&self->derive, self->d, self->layout == LAYOUT_SPLIT, hash, self->width[0],
                        bucket);
        for (unsigned j = 1; j < self->d; j++)
            bucket[j] += self->base[j];
    } else if (self->family.kind != FAMILY_MIXER) {
        family_candidates(&self->family, hasher->word, key, self->d, self->width, bucket);
        for (unsigned j = 0; j < self->d; j++)
            bucket[j] += self->base[j];
    } else {
        scheme_candidates_distinct(self, hasher, key, bucket);
    }
}

/* Candidate j is drawn among the buckets not yet taken: a rank in [0, width - j) that
 * steps over the earlier candidates in increasing order.  Uniform over ordered tuples
 * of d distinct buckets. */
void scheme_candidates_distinct(const struct scheme *self, const struct hasher *hasher,
                                uint64_t key, uint32_t *bucket)
{
    uint32_t sorted[SCHEME_D_MAX];
    uint64_t hash = 0;

    for (unsigned j = 0; j < self->d; j++) {
        hash = j % 2 == 0 ? hash_mix(key ^ hasher->seed[j / 2]) : hash << 32;
        uint32_t rank = hash_reduce(hash >> 32, self->width[j] - j);
        unsigned i = 0;
        for (; i < j && rank >= sorted[i]; i++)
            rank++;
        memmove(&sorted[i + 1], &sorted[i], (j - i) * sizeof sorted[0]);
        sorted[i] = rank;
        bucket[j] = rank;
    }
}

unsigned scheme_lines(const struct scheme *self, const uint32_t *bucket, unsigned count)
{
    uint64_t seen[SCHEME_D_MAX * (SCHEME_K_MAX / SCHEME_LINE_SLOTS + 1)];
    unsigned lines = 0;

    for (unsigned j = 0; j < count; j++)
        for (uint64_t line = scheme_first_line(self, bucket[j]);
             line <= scheme_last_line(self, bucket[j]); line++) {
            unsigned i = 0;
            while (i < lines && seen[i] != line)
                i++;
            if (i == lines)
                seen[lines++] = line;
        }
    return lines;
}

/* Slots below `slot` at which a window may start. */
static uint64_t starts_below(const struct scheme *self, uint64_t slot)
{
    uint64_t starts = self->page - self->window + 1, rest = slot % self->page;

    return slot / self->page * starts + (rest < starts ? rest : starts);
}

/* Buckets of [base, base + width), or windows, that touch `line`. */
static uint64_t buckets_on_line(const struct scheme *self, uint64_t line, unsigned j)
{
    uint64_t first = line * SCHEME_LINE_SLOTS / self->k;
    uint64_t last = (line * SCHEME_LINE_SLOTS + SCHEME_LINE_SLOTS - 1) / self->k;
    uint64_t begin = self->base[j], end = begin + self->width[j];

    if (self->layout == LAYOUT_WINDOW) {
        first = first > self->window - 1 ? first - (self->window - 1) : 0;
        last = last < self->slots ? last : self->slots - 1;
        return starts_below(self, last + 1) - starts_below(self, first);
    }
    if (first < begin)
        first = begin;
    if (last >= end)
        last = end - 1;
    return last >= first ? last - first + 1 : 0;
}

int scheme_mean_lines(const struct scheme *self, double *mean)
{
    uint64_t lines = (self->slots + SCHEME_LINE_SLOTS - 1) / SCHEME_LINE_SLOTS;

    *mean = 0.0;
    if (self->positions == POSITIONS_DISTINCT && self->layout == LAYOUT_ONE)
        return ERR_DOMAIN;
    for (uint64_t line = 0; line < lines; line++) {
        double untouched = 1.0;
        for (unsigned j = 0; j < self->d / self->window; j++)
            untouched *= 1.0 - (double)buckets_on_line(self, line, j) / self->width[j];
        *mean += 1.0 - untouched;
    }
    return ERR_NONE;
}
