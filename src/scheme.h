/* scheme.h -- where a key may live: d candidate buckets of k slots.
 *
 * layout one: all candidates in one table of floor(slots / k) buckets.
 * layout split: d tables of equal size, candidate j in table j; d = 2, k = 1 is the
 * original of Pagh and Rodler.
 * layout window: a candidate is a window of w neighbouring slots that starts at any slot it
 * fits from, 0 ... slots - w: the table is a line, no window goes round its end and none is
 * shortened there (Lehman and Panigrahy, ESA 2009; Walzer, ICALP 2018, who also allows a
 * circle; the limits are the same).  With pages of P slots a window lies inside one of the
 * slots / P pages, and starts at any of the P - w + 1 slots of any page that allow it (Porat
 * and Shalem, arXiv:1104.5400, windows of 2 in pages of 8); P = w are buckets.  One slot belongs to
 * w windows, so a bucket is a single slot here, k = 1, and a key with v windows has d = v w
 * candidates: j is slot j mod w of window j div w.  All rules and measures that take d candidates
 * of one slot take windows. positions repeat: the candidates are independent and may coincide;
 * distinct: they are d different buckets, uniform among those sets (a split table makes it moot).
 * family: which hash functions are drawn (family.h); the mixer unless scheme_use_family says
 * otherwise.  derive: how the second bucket follows from the first (derive.h).
 *
 * Buckets are numbered through all tables, slots through all buckets: slot s of bucket
 * b is slot b * k + s.  A key is 8 bytes and a cache line 64, and tables start on a
 * line, so that a line holds the slots 8 i ... 8 i + 7. */
#ifndef CUCKOO_SCHEME_H
#define CUCKOO_SCHEME_H

#include <stdint.h>

#include "compiler.h"
#include "derive.h"
#include "error.h"
#include "family.h"
#include "hash.h"
#include "rng.h"

#define SCHEME_D_MAX       16
#define SCHEME_K_MAX       64
#define SCHEME_LINE_SLOTS  8 /* keys of 8 bytes in a line of 64 */
#define SCHEME_BUCKETS_MAX UINT32_C(0xfffffff0)

enum layout { LAYOUT_ONE = 0, LAYOUT_SPLIT, LAYOUT_WINDOW };
enum positions { POSITIONS_REPEAT = 0, POSITIONS_DISTINCT };

struct scheme {
    unsigned d, k;
    unsigned window; /* candidates of a window, one slot each; 1 in the other layouts */
    uint32_t page;   /* layout window: slots of a page; all, where there are none */
    enum layout layout;
    enum positions positions;
    int special;      /* the candidates need scheme_candidates_special */
    uint32_t buckets; /* in all tables */
    uint64_t slots;   /* buckets * k: the real number of slots */
    /* candidate j is base[j] + [0, width[j]); layout window: window j's first slot is one of
     * width[j] */
    uint32_t base[SCHEME_D_MAX], width[SCHEME_D_MAX];
    struct family family;
    struct derive derive;
};

/* One draw of a scheme's hash functions: a word's seed serves two candidates, one from
 * each half of the 64-bit hash.  Families other than the mixer have `word`. */
struct hasher {
    uint64_t seed[SCHEME_D_MAX / 2];
    uint64_t word[SCHEME_D_MAX][FAMILY_WORDS];
};

/* 1 <= d <= SCHEME_D_MAX, 1 <= k <= SCHEME_K_MAX.  `slots` is the total that is asked
 * for; what is not a whole bucket is left out.  ERR_DOMAIN: no bucket fits, too many
 * buckets, slots that do not divide into d tables, d distinct positions of fewer
 * buckets. */
int scheme_init(struct scheme *self, unsigned d, unsigned k, enum layout layout,
                enum positions positions, uint64_t slots);

/* Two tables of different sizes, d = 2; what is not a whole bucket of either is left out.
 * ERR_DOMAIN: no bucket fits into one of them, too many buckets. */
int scheme_init_two(struct scheme *self, unsigned k, uint64_t slots_1, uint64_t slots_2);

/* Whether the tables are of two sizes. */
static inline int scheme_is_unequal(const struct scheme *self)
{
    return self->layout == LAYOUT_SPLIT && self->width[0] != self->width[self->d - 1];
}

/* `windows` windows of `length` slots, which start independently, inside pages of `page` slots
 * (0: one page; what is not a whole one is left out): windows >= 2, length >= 2, windows length
 * <= SCHEME_D_MAX.  ERR_DOMAIN also: no page, a page shorter than a window, or more than
 * SCHEME_BUCKETS_MAX slots. */
int scheme_init_windows(struct scheme *self, unsigned windows, unsigned length, uint64_t page,
                        uint64_t slots);

/* The key of the stream for `use` in trial `trial`.  It depends on the seed, the scheme,
 * `keys` (the number of keys of a trial, 0 where keys are offered until something
 * happens), the trial and the use: not on the search, the measure or the experiment, so
 * that rules meet the same keys. */
uint64_t scheme_stream(const struct scheme *self, uint64_t seed, uint64_t keys, uint64_t trial,
                       enum stream_use use);

/* Take hash functions of another family: with independent positions that may coincide
 * (ERR_DOMAIN otherwise; `double` is for layout one). */
int scheme_use_family(struct scheme *self, const struct family *family);
/* Derive the other buckets from the first: the mixer, no windows; in tables of the same size each
 * has its place in its own table.  ERR_DOMAIN: the derivation does not exist for this number of
 * candidates or of buckets a table (derive_check, derive_check_many). */
int scheme_use_derive(struct scheme *self, const struct derive *derive);

/* Draw the hash functions of a trial: the mixer's alone, or those of the scheme. */
void hasher_init(struct hasher *self, uint64_t stream);
void hasher_init_for(struct hasher *self, const struct scheme *scheme, uint64_t stream);

/* As scheme_candidates where positions are distinct. */
void scheme_candidates_distinct(const struct scheme *self, const struct hasher *hasher,
                                uint64_t key, uint32_t *bucket);
/* As scheme_candidates for every scheme but the common one. */
void scheme_candidates_special(const struct scheme *self, const struct hasher *hasher, uint64_t key,
                               uint32_t *bucket);

/* The d candidate buckets of `key`, in order, into bucket[0 .. d-1]; d is the scheme's,
 * passed beside it so that it can be a constant. */
static SPECIALIZED void scheme_candidates_d(const struct scheme *self, const struct hasher *hasher,
                                            unsigned d, uint64_t key, uint32_t *bucket)
{
    if (self->special) {
        scheme_candidates_special(self, hasher, key, bucket);
        return;
    }
    for (unsigned j = 0; j < d; j += 2) {
        uint64_t hash = hash_mix(key ^ hasher->seed[j / 2]);
        bucket[j] = self->base[j] + hash_reduce(hash >> 32, self->width[j]);
        if (j + 1 < d)
            bucket[j + 1] = self->base[j + 1] + hash_reduce(hash, self->width[j + 1]);
    }
}

static inline void scheme_candidates(const struct scheme *self, const struct hasher *hasher,
                                     uint64_t key, uint32_t *bucket)
{
    scheme_candidates_d(self, hasher, self->d, key, bucket);
}

/* The first and the last cache line of a bucket (they differ where it straddles). */
static inline uint64_t scheme_first_line(const struct scheme *self, uint32_t bucket)
{
    return (uint64_t)bucket * self->k / SCHEME_LINE_SLOTS;
}

static inline uint64_t scheme_last_line(const struct scheme *self, uint32_t bucket)
{
    return ((uint64_t)bucket * self->k + self->k - 1) / SCHEME_LINE_SLOTS;
}

/* Distinct cache lines in the first `count` candidate buckets. */
unsigned scheme_lines(const struct scheme *self, const uint32_t *bucket, unsigned count);

/* Mean number of distinct lines in all d candidates of a random key, exactly: the sum
 * over the lines of the probability that a candidate (a window) touches it.  Independent
 * candidates only (ERR_DOMAIN for distinct positions).  Cost: a step a line. */
int scheme_mean_lines(const struct scheme *self, double *mean);

#endif
