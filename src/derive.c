/* derive.c -- see derive.h. */
#include "derive.h"

#include "error.h"
#include "hash.h"

#define MURMUR    UINT32_C(0x5bd1e995) /* the factor of MurmurHash2, as the filters use it */
#define HALF_BITS (DERIVE_HASH_BITS / 2)

static const char *const names[DERIVE_COUNT] = {
    "independent", "xor-tag", "xor-hash", "xor-mix", "xor-redis",
    "dpdk",        "rotate",  "additive", "words",
};

const char *derive_name(enum derivation kind)
{
    return names[kind];
}

static int has_tag_bits(enum derivation kind)
{
    return kind == DERIVE_XOR_TAG || kind == DERIVE_XOR_HASH || kind == DERIVE_XOR_MIX ||
           kind == DERIVE_ADDITIVE;
}

int derive_check(const struct derive *self, uint64_t m)
{
    int power = m > 0 && (m & (m - 1)) == 0;

    if (m == 0 || m > UINT32_C(0x80000000))
        return ERR_DOMAIN;
    if (has_tag_bits(self->kind) && (self->bits < 1 || self->bits > 32))
        return ERR_DOMAIN;
    if (self->kind == DERIVE_NONE || self->kind == DERIVE_ADDITIVE || self->kind == DERIVE_WORDS)
        return ERR_NONE;
    return power ? ERR_NONE : ERR_DOMAIN;
}

uint32_t derive_tag(const struct derive *self, uint64_t hash)
{
    uint32_t low = (uint32_t)hash, tag = low;

    if (self->kind == DERIVE_DPDK)
        return low >> HALF_BITS;
    if (self->kind == DERIVE_XOR_REDIS)
        return low % 255 + 1;
    if (self->bits < 32)
        tag = low & ((UINT32_C(1) << self->bits) - 1);
    if (self->kind == DERIVE_XOR_HASH && tag == 0)
        tag = 1;
    return tag;
}

uint32_t derive_other(const struct derive *self, uint32_t bucket, uint32_t tag, uint32_t m)
{
    uint64_t shift;

    switch (self->kind) {
    case DERIVE_XOR_HASH:
    case DERIVE_XOR_REDIS:
        return (bucket ^ (tag * MURMUR)) & (m - 1);
    case DERIVE_XOR_MIX:
        return (uint32_t)(bucket ^ hash_mix(tag + HASH_GAMMA)) & (m - 1);
    case DERIVE_ADDITIVE:
        shift = hash_reduce(hash_mix(tag + HASH_GAMMA) >> 32, m);
        return (uint32_t)(shift >= bucket ? shift - bucket : shift + m - bucket);
    default:
        return (bucket ^ tag) & (m - 1);
    }
}

void derive_buckets(const struct derive *self, uint64_t hash, uint64_t more, uint32_t m,
                    uint32_t *bucket)
{
    uint32_t low = (uint32_t)hash;

    switch (self->kind) {
    case DERIVE_DPDK:
        bucket[0] = low & (m - 1);
        bucket[1] = derive_other(self, bucket[0], low >> HALF_BITS, m);
        break;
    case DERIVE_ROTATE:
        bucket[0] = low & (m - 1);
        bucket[1] = ((low >> HALF_BITS) | (low << HALF_BITS)) & (m - 1);
        break;
    case DERIVE_WORDS:
        bucket[0] = (uint32_t)(hash % m);
        bucket[1] = (uint32_t)(((hash >> 16) | (more << 48)) % m);
        break;
    default:
        bucket[0] = hash_reduce(hash >> 32, m);
        bucket[1] = derive_other(self, bucket[0], derive_tag(self, hash), m);
        break;
    }
}

/* dpdk, b = 16 + t: the hash's bits 16 to 15 + t, g, are in bucket 1's top and in the tag's
 * low t bits; so both buckets share the top g, and their low t bits are x and x ^ g.  The
 * tag's other 16 - t bits are free.  Parts: g and the unordered {x, x ^ g}.
 * rotate: bucket 1 is (L, low t bits of H), bucket 2 is (H, low t bits of L): low t bits and
 * top t bits change places.  Parts: the unordered pair of the two.
 * xor-tag: blocks of 2^bits buckets. */
int derive_split(const struct derive *self, unsigned b, struct derive_parts *parts)
{
    *parts = (struct derive_parts){0, 0, 0, 0};
    if (b > 31 || (self->kind != DERIVE_XOR_TAG && b < HALF_BITS))
        return ERR_DOMAIN;
    if (self->kind == DERIVE_XOR_TAG) {
        unsigned block = self->bits < b ? self->bits : b;
        parts->singles = UINT64_C(1) << (b - block);
        parts->single_buckets = UINT64_C(1) << block;
        return ERR_NONE;
    }
    if (self->kind != DERIVE_DPDK && self->kind != DERIVE_ROTATE)
        return ERR_DOMAIN;
    uint64_t side = UINT64_C(1) << (b - HALF_BITS); /* values of t bits */
    parts->singles = side;
    parts->single_buckets = UINT64_C(1) << (DERIVE_HASH_BITS - b);
    parts->pairs = side * (side - 1) / 2;
    parts->pair_buckets = 2 * parts->single_buckets;
    return ERR_NONE;
}

/* ---- three and four buckets ---- */

/* Factors of MurmurHash2 and 3: what a tag adds from a candidate to the next. */
static const uint32_t factor[DERIVE_MANY - 1] = {UINT32_C(0x5bd1e995), UINT32_C(0xcc9e2d51),
                                                 UINT32_C(0x1b873593)};

/* Digit by digit modulo 3, for numbers below 3^20. */
static uint32_t add_base_3(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;

    for (uint32_t place = 1; a > 0 || b > 0; place *= 3, a /= 3, b /= 3)
        sum += (a % 3 + b % 3) % 3 * place;
    return sum;
}

/* The same modulo 4: two bits a digit, the carries between digits cut off. */
static uint32_t add_base_4(uint32_t a, uint32_t b)
{
    const uint32_t even = UINT32_C(0x33333333);

    return (((a & even) + (b & even)) & even) | (((a & ~even) + (b & ~even)) & ~even);
}

static int is_power(uint64_t m, unsigned base)
{
    while (m > 1 && m % base == 0)
        m /= base;
    return m == 1;
}

int derive_check_many(const struct derive *self, unsigned d, int split, uint64_t m)
{
    if (self->kind != DERIVE_XOR_HASH || self->bits < 1 || self->bits > 32)
        return ERR_DOMAIN;
    if (d < 3 || d > DERIVE_MANY || m > UINT32_C(0x80000000))
        return ERR_DOMAIN;
    return is_power(m, split ? 2 : d) ? ERR_NONE : ERR_DOMAIN;
}

void derive_many(const struct derive *self, unsigned d, int split, uint64_t hash, uint32_t m,
                 uint32_t *bucket)
{
    uint32_t tag = derive_tag(self, hash), step = tag * factor[0] % m;

    bucket[0] = hash_reduce(hash >> 32, m);
    for (unsigned j = 1; j < d; j++)
        if (split)
            bucket[j] = bucket[j - 1] ^ (tag * factor[j - 1] & (m - 1));
        else
            bucket[j] = d == 3 ? add_base_3(bucket[j - 1], step) : add_base_4(bucket[j - 1], step);
}
